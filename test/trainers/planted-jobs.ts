import {big, npu, with1, type Planted} from './checked-jobs.ts'

const a3 = {'hardware.memoryGib': '64', 'hardware.accelerator': 'ascend', 'hyperparameters.precision': 'bf16'}

/** Faults of data sets, machines and folders. */
export const plantedJobs: Planted[] = [
  ['a row that says it leaks', 'benchmark-leak', 'error', {rows: with1({contaminated: true})}],
  ['a row that names a benchmark', 'benchmark-leak', 'error', {rows: with1({benchmark: 'npukernelbench'})}],
  ['a row that is not decontaminated', 'benchmark-leak', 'error', {rows: with1({decontaminated: false})}],
  ['a data set that nobody compared', 'not-decontaminated', 'warning', {decontaminated: false}],
  ['a part left out that was not there', 'composition-unchanged', 'warning', {set: {'data.without': '[general]'}}],

  ['warm-up up to the end', 'warm-up-whole', 'warning', {set: {'hyperparameters.warmupRatio': '0.9'}}],
  ['rows that nobody sees', 'rows-unseen', 'note', {set: {'hyperparameters.steps': '3'}}, '3 steps see 75 % of 8 rows'],
  [
    'no checkpoint before the end',
    'checkpoint-late',
    'warning',
    {set: {'checkpoints.every': '5'}},
    '--set checkpoints.every=1',
  ],
  [
    'a full disk',
    'disk-short',
    'error',
    {set: {'tuning.kind': 'full'}, shape: big},
    '2 checkpoints and the one being written need 1282 GiB (427 GiB each), but only 931 GiB are free',
  ],
  [
    'a model that is too large',
    'memory-short',
    'error',
    {set: {...a3, 'tuning.kind': 'full', 'hardware.devicesPerNode': '2'}, shape: big, facts: {...npu, freeBytes: null}},
    '549 GiB',
  ],
  [
    'rows that are too long for the memory',
    'memory-short',
    'warning',
    {
      set: {...a3, 'hyperparameters.maxLength': '131072', 'hyperparameters.globalBatch': '1'},
      shape: {...big, parameters: 8e9},
      facts: npu,
    },
  ],

  ['nobody to ask', 'environment-unasked', 'warning', {facts: {probe: null}}],
  [
    'no trainer',
    'trainer-missing',
    'error',
    {facts: {probe: {versions: {torch: '2', peft: '1'}, keys: null}}},
    '-m pip install trl',
  ],
  [
    'no peft for LoRA',
    'trainer-missing',
    'error',
    {facts: {probe: {versions: {torch: '2', trl: '1'}, keys: null}}},
    'has no peft',
  ],
  ['no DeepSpeed for ZeRO', 'trainer-missing', 'error', {set: {'parallel.sharding': 'zero3'}}, 'has no deepspeed'],
  ['no torch-npu on an NPU', 'trainer-missing', 'error', {set: {'hardware.accelerator': 'ascend'}}, 'has no torch-npu'],
  ['a key of another version', 'key-unknown', 'error', {facts: {keys: ['warmup_ratio']}}, 'has no key warmup_ratio'],
  ['a key spelt wrong', 'key-unknown', 'error', {set: {trainer: '{max_lenght: 1}'}}, 'Did you mean max_length?'],
  ['a number in quotes', 'number-as-text', 'error', {set: {trainer: '{learning_rate: "1e-6"}'}}, '1.0e-6'],
  [
    'fewer devices than asked for',
    'devices-short',
    'error',
    {set: {'hardware.accelerator': 'nvidia', 'hardware.devicesPerNode': '2'}, facts: {devices: 1}},
    'shows 1 device (nvidia), but `hardware` requires 2',
  ],

  [
    'no device at all',
    'devices-short',
    'error',
    {set: {'hardware.accelerator': 'nvidia', 'hardware.devicesPerNode': '2'}, facts: {devices: 0}},
    'shows no devices (nvidia)',
  ],
  [
    'no scheduler to hand it to',
    'scheduler-missing',
    'error',
    {set: {backend: '{kind: slurm, time: "1:00"}'}, facts: {missingCommand: 'sbatch'}},
    'this machine has no sbatch',
  ],
  [
    'a folder that cannot be written',
    'output-unwritable',
    'error',
    {facts: {unwritable: 'no permission for /jobs'}},
    '/jobs/job-0/output cannot be written: no permission for /jobs.',
  ],
  [
    'rows longer than the model has positions for',
    'context-short',
    'error',
    {shape: {...big, parameters: 1e6, context: 10}, set: {}},
    "longer than the model's own context, 10 tokens",
  ],
  [
    'a limit beyond the positions of the model',
    'context-short',
    'note',
    {shape: {...big, parameters: 1e6, context: 8192}},
    '`hyperparameters.maxLength` is 32,768',
  ],
  [
    'checkpoints of an earlier run',
    'output-occupied',
    'error',
    {facts: {checkpoints: ['checkpoint-2']}},
    'train resume job-0',
  ],
  [
    'a checkpoint that is not there',
    'checkpoint-missing',
    'error',
    {resume: '/jobs/job-0/output/checkpoint-4', facts: {checkpoints: ['checkpoint-2']}},
    'holds checkpoint-2',
  ],

  [
    'LoRA of another rank',
    'adapter-rank',
    'warning',
    {parent: {tuning: {'tuning.rank': '16', 'tuning.alpha': '32'}}},
    '--set tuning.rank=16 --set tuning.alpha=32',
  ],
  ['LoRA of another alpha', 'adapter-rank', 'warning', {parent: {tuning: {'tuning.alpha': '32'}}}],
  [
    'LoRA of another rank where a converter is told',
    'adapter-rank',
    'error',
    {set: {engine: 'mindspeed-llm'}, parent: {tuning: {'tuning.rank': '16'}}, facts: {keys: []}},
  ],
  ['all weights upon an adapter', 'adapter-untuned', 'warning', {set: {'tuning.kind': 'full'}, parent: {tuning: {}}}],
  ['a code that is none', 'allow-unknown', 'warning', {set: {allow: '[rows-cutt]'}}, 'Did you mean rows-cut?'],
]
