import {expect, test} from 'vitest'
import {decontaminationSection, type HeldOutSources} from '../../../datasets/card/card-decontamination.ts'

const source = (changes: Partial<HeldOutSources> = {}): HeldOutSources => ({
  release: 'release-sft',
  heldOut: ['held-out'],
  benchmarks: ['NPUKernelBench'],
  operatorsBy: [],
  ...changes,
})
const dropsOf = (recipe: string, stage: string, reasons: Record<string, number>) => ({recipe, stage, reasons})
const opening = '## Decontamination\n\nPrompts, replies and code were compared with these tasks and answers:\n\n'

test('nothing is said where no release said anything', () => {
  expect(decontaminationSection([], [])).toBe('')
})

test('each release names what it was compared with, and counts what that stage of its own refused', () => {
  const drops = [
    dropsOf('release-sft', 'decontaminate', {'code-overlap': 1200, 'text-overlap': 34}),
    dropsOf('release-sft', 'dedup', {'near-duplicate': 5}),
    dropsOf('release-dpo', 'decontaminate', {'code-overlap': 7}),
  ]
  expect(decontaminationSection([source(), source({release: 'release-dpo', heldOut: []})], drops)).toBe(
    `${opening}- \`release-sft\`: held-out, NPUKernelBench; by content. Refused: 1,234.\n` +
      '- `release-dpo`: NPUKernelBench; by content. Refused: 7.',
  )
})

test.each([
  [['request'], ', and by requests for such an operator by name that are answered with code'],
  [['name'], ', and by name of the operator'],
  [['name', 'formula'], ', and by name and formula of the operator'],
  [
    ['request', 'name'],
    ', and by requests for such an operator by name that are answered with code, and by name of the operator',
  ],
])('operators that are refused by %j as well are told', (operatorsBy, traits) => {
  expect(decontaminationSection([source({operatorsBy})], [])).toBe(
    `${opening}- \`release-sft\`: held-out, NPUKernelBench; by content${traits}. Refused: 0.`,
  )
})

test('a release without a benchmark is warned of by its name', () => {
  const warned = decontaminationSection(
    [source({benchmarks: []}), source({release: 'release-dpo'}), source({release: 'release-apis', benchmarks: []})],
    [],
  )
  expect(warned).toContain(
    '\n\n**No benchmark was given to `release-sft`, `release-apis`**: before you report a score on one, make the ' +
      'release again with `--benchmark <checkout>`.',
  )
  expect(decontaminationSection([source({benchmarks: []})], [])).toContain(
    '**No benchmark was given to `release-sft`**',
  )
  expect(decontaminationSection([source()], [])).not.toContain('No benchmark')
})
