import {expect, test} from 'vitest'
import {executorSection} from '../../../datasets/card/card-sections.ts'
import {readStats} from '../../../datasets/card/stats.ts'
import parquet from '../../../datasets/parquet/parquet.ts'
import type {SplitRow} from '../../../datasets/schema/export.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {collect, dpoRow, kernelSample, pair, recordingContext, sftRow, stream} from '../rows.ts'

/** What the card of these rows says of those who judged them. */
async function told(rows: SplitRow[]): Promise<string> {
  const directory = await temporaryFolder()
  const write = (config: 'sft' | 'dpo') =>
    collect(parquet({config, directory}).run(stream(rows.filter((row) => row.config === config)), recordingContext()))
  return executorSection(await readStats(directory, [...(await write('sft')), ...(await write('dpo'))]))
}

test('counts verdicts of several executors apart, and says where one had the last word', async () => {
  const alone = pair()
  const board = {...alone.chosen.verdict.executor, name: 'cann-board', fingerprint: 'b0a4d'}
  const first = alone.chosen.verdict
  const second = {...first, executor: board}
  const refuted = {outcome: 'mismatched' as const, executor: board, cases: []}
  const mixed = {...alone, chosen: {...alone.chosen, verdict: second, confirmation: {first, second}}}
  const both: typeof alone = {
    ...{...mixed, task: 'Other', strategy: 'execution-fail'},
    rejected: {...alone.rejected, label: 'orange', verdict: refuted, confirmation: {first, second: refuted}},
  }
  const section = await told([sftRow(kernelSample()), dpoRow(mixed), dpoRow(both)])
  for (const line of [
    '| sft | twin | compiled | 1 |',
    '| dpo, chosen | cann-board | correct | 2 |',
    '| dpo, rejected | twin | compile-failed | 1 |',
    '| dpo, rejected | cann-board | mismatched | 1 |',
    '| dpo, chosen | twin: correct, cann-board: correct | 2 |',
    '| dpo, rejected | twin: correct, cann-board: mismatched | 1 |',
    '| dpo | cann-board | twin | 1 |',
  ])
    expect(section.split('\n')).toContain(line)
  expect(section).not.toContain('| dpo | cann-board | cann-board |')
  expect(await told([sftRow(kernelSample()), dpoRow(alone)])).not.toContain('last word')
})
