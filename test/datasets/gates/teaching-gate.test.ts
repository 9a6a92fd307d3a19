import {describe, expect, test} from 'vitest'
import teachingGate from '../../../datasets/gates/teaching-gate.ts'
import type {CotSample} from '../../../datasets/schema/sample.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {sample} from '../rows.ts'

const row = (reasoning: string, over: Partial<CotSample> = {}) => sample({reasoning, language: 'en', ...over})
const run = (records: readonly CotSample[], options = {}) => runStage(teachingGate(options), records)
const common = 'every row of this set says the very same thing about its copies and nothing more than that'
const own = (at: number) => ['alpha', 'beta', 'gamma', 'delta', 'eta', 'theta', 'iota', 'kappa'][at] ?? 'lambda'

describe('what five kept rows have said', () => {
  const rows = Array.from({length: 8}, () => row(common))

  test('is not said a sixth time', async () => {
    const {outputs, dropped} = await run(rows)
    expect(outputs).toHaveLength(5)
    expect(dropped.map(({reason}) => reason)).toEqual(['repeats', 'repeats', 'repeats'])
    expect(dropped[0]?.detail).toMatch(/: 11 of 11 runs of 8 words$/)
  })

  test('stands in other rows, code and numbers aside', async () => {
    const masked = rows.map((_, at) => row(`${common}, such as \`${own(at)}\` with ${at} of ${at + 9}`))
    expect((await run(masked)).outputs).toHaveLength(5)
  })

  test('may be a part of a row that says more', async () => {
    const more = (at: number) => Array.from({length: 40}, (_, n) => `${own(at)}${own(n % 8)}${'x'.repeat(n)}`).join(' ')
    const varied = rows.map((_, at) => row(`${common} ${more(at)}`))
    expect((await run(varied)).outputs).toHaveLength(8)
    expect((await run(varied, {repeats: 0.1})).outputs).toHaveLength(5)
  })

  test('in one language is not said in the other, and with 1 nothing short of all is refused', async () => {
    const chinese = Array.from({length: 6}, () => row('每一行都说同样的话而没有任何新的内容。', {language: 'zh'}))
    expect((await run([...rows.slice(0, 5), ...chinese])).dropped).toHaveLength(1)
    const nearly = rows.map((_, at) => row(`${common} ${own(at)}`))
    expect((await run(nearly, {repeats: 1})).dropped).toEqual([])
  })

  test('is counted of kept rows alone, and short texts have no run', async () => {
    expect((await run(Array.from({length: 9}, () => row('Too short to repeat.')))).dropped).toEqual([])
  })
})

describe('a model that narrates', () => {
  const teacher = {kind: 'model', model: 'm'} as const
  const decisions: NonNullable<CotSample['decisions']> = [
    {topic: 'copies', situation: 'bytes-in', subject: 'DataCopyPad', values: {length: 'rowBytes'}, because: []},
  ]
  const empty = 'First the data is read. Then it is computed. After that it is written.'

  test('is refused where most sentences speak of no decision', async () => {
    const {dropped} = await run([row(empty, {teacher, decisions})])
    expect(dropped).toEqual([
      {reason: 'narrates', detail: expect.stringContaining('3 sentences, such as: First the data is read.')},
    ])
  })

  test.each([
    ['names of decisions', 'The `DataCopyPad` takes bytes. Its length is `rowBytes`. Then it ends.'],
    ['numbers', 'A row is 28 bytes. A block has 32. Then it ends.'],
  ])('is kept with %s', async (_, text) => {
    expect((await run([row(text, {teacher, decisions})])).dropped).toEqual([])
  })

  test('is asked only of a model, and only where decisions are known', async () => {
    expect((await run([row(empty, {decisions}), row(empty, {teacher})])).dropped).toEqual([])
  })
})
