import type {FilledTable} from './paper-tables.ts'

// Figures of the AscendKernelGen paper, measured on its own NPUs, tasks and models: shown next to ours; not a
// target of a test, and its Tables 3 and 4 were measured on different tasks or under different conditions.

const table2: FilledTable = {
  title: 'The paper: Table 2, Qwen3-32B',
  note: 'As published, on NPUs.',
  columns: ['Model', 'Level', 'CR@1', 'ER@1', 'CR@10', 'ER@10', 'CR@100', 'ER@100', 'Speedup'],
  names: 2,
  rows: [
    ['Base', 'Level 1', '38.08', '17.39', '71.62', '48.84', '75.00', '66.67', '0.60'],
    ['Base', 'Level 2', '0.00', '0.00', '0.00', '0.00', '0.00', '0.00', '0.00'],
    ['Base', 'Level 3', '1.83', '0.00', '15.43', '0.00', '50.00', '0.00', '0.00'],
    ['Base', 'Mean', '25.59', '11.59', '49.46', '32.56', '55.56', '44.44', '0.60'],
    ['SFT', 'Level 1', '84.83', '38.28', '99.97', '86.82', '100', '94.44', '0.56'],
    ['SFT', 'Level 2', '60.50', '8.00', '96.54', '40.48', '100', '75.00', '1.50'],
    ['SFT', 'Level 3', '17.00', '0.17', '63.75', '1.67', '100', '16.67', '0.00'],
    ['SFT', 'Mean', '71.89', '27.31', '95.18', '67.06', '100', '81.48', '0.75'],
    ['SFT + RL', 'Level 1', '82.17', '43.28', '99.92', '93.89', '100', '100', '0.61'],
    ['SFT + RL', 'Level 2', '62.75', '14.25', '95.49', '64.28', '100', '91.67', '1.86'],
    ['SFT + RL', 'Level 3', '14.67', '0.17', '61.12', '1.67', '100', '16.67', '0.00'],
    ['SFT + RL', 'Mean', '70.35', '32.04', '94.62', '77.06', '100', '88.89', '0.87'],
  ],
}

const table3: FilledTable = {
  title: 'The paper: Table 3, Qwen3-8B',
  note: 'As published, on NPUs.',
  columns: ['Model', 'Level', 'Compile Rate (%)', 'Exec. Rate (%)', 'Speedup'],
  names: 2,
  rows: [
    ['LoRA', 'Level 1', '54.94', '20.10', '0.48'],
    ['LoRA', 'Level 2', '14.58', '0.67', '0.52'],
    ['LoRA', 'Level 3', '3.83', '0.00', '–'],
    ['LoRA', 'Mean', '40.29', '13.55', '0.48'],
    ['Full', 'Level 1', '70.67', '32.17', '0.58'],
    ['Full', 'Level 2', '34.50', '3.08', '2.77'],
    ['Full', 'Level 3', '4.83', '0.00', '–'],
    ['Full', 'Mean', '55.32', '22.13', '0.95'],
  ],
}

const table4: FilledTable = {
  title: 'The paper: Table 4, Qwen3-8B',
  note: 'As published, on NPUs; 64 pairs a step, 150 steps. Its first row is not the full fine-tuning of Table 3.',
  columns: ['Negative Strategy', 'LR', 'LR Decay', 'Compile Rate (%)', 'Exec. Rate (%)'],
  names: 3,
  rows: [
    ['(SFT)', '–', '–', '60.97', '5.18'],
    ['compiles, fails when it runs', '1e-6', 'constant', '44.21', '8.31'],
    ['does not compile', '1e-6', 'cosine', '54.03', '9.49'],
    ['does not compile', '1e-6', 'constant', '32.00', '6.10'],
  ],
}

/** What the paper prints, for the tables whose numbers it prints; its Figures 3 to 5 are pictures without numbers. */
export const published = {'table-2': table2, 'table-3': table3, 'table-4': table4} as const
