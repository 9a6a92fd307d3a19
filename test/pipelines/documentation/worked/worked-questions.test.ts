import {describe, expect, test} from 'vitest'
import type {ApiEntry} from '../../../../datasets/schema/api-entry.ts'
import type {WorkedQuestion} from '../../../../datasets/schema/worked.ts'
import workedQuestions from '../../../../pipelines/documentation/worked/worked-questions.ts'
import {entryOf, everyEntry} from '../../../helpers/documented-names.ts'
import {runStage} from '../../../helpers/run-stage.ts'

const asked = async (entries: readonly ApiEntry[], most = 1, seed = 'test'): Promise<WorkedQuestion[]> =>
  (await runStage(workedQuestions({most}), entries, {seed})).outputs

const situationsOf = (questions: readonly WorkedQuestion[]) => questions.map(({situation}) => situation)

const elementwise = ['start', 'repeats', 'many-repeats', 'type', 'overlap', 'elements-for-bytes', 'results']

describe('what is asked', () => {
  test('of every interface that the table explains, in many situations', async () => {
    const all = await asked(everyEntry)
    expect(new Set(all.map(({api}) => api)).size).toBeGreaterThan(145)
    expect(new Set(situationsOf(all)).size).toBeGreaterThan(75)
  })

  test.each([
    ['Add', ['start', 'repeats', 'type', 'elements-for-bytes', 'results', 'bias', 'held-sums']],
    ['Exp', [...elementwise, 'shifted-exp', 'exp-range']],
    ['ReduceMax', ['work-memory', 'shifted-exp']],
    ['WholeReduceSum', ['row-by-row', 'row-mean']],
    ['Compare', ['compare']],
    ['Select', ['select-reserve', 'select', 'replaced']],
    ['Cast', ['rounding', 'saturation', 'detour', 'quantised', 'held-sums']],
    ['DataCopyPad', ['copy-length', 'copy-end', 'columns', 'padded-rows', 'padding-value', 'tiles']],
    ['DataCopy', ['copy-length', 'copy-end', 'turned-tile']],
    ['TPipe::InitBuffer', ['ub-total']],
    ['TQue::AllocTensor', ['second-block']],
    ['Transpose', ['turned-tile', 'transposed']],
    ['Adds', [...elementwise, 'bit-mask']],
    ['Gather', ['gathered']],
    ['SetMaskCount', ['counter-mode']],
    ['GetBlockIdx', ['core-share']],
    ['SetAtomicMax', ['atomic']],
    ['CrossCoreWaitFlag', ['all-arrive']],
    ['IBSet', ['pair']],
    ['TBuf::Get', ['views']],
    ['TBufPool', ['stages']],
    ['InitSocState', ['initial-state']],
    ['Layout', ['coordinate']],
    ['Mmad', ['multiplied']],
    ['SetFmatrix', ['unfolded']],
    ['NoSuchInterface', []],
  ])('of %s', async (name, situations) => {
    expect(situationsOf(await asked([entryOf(name)]))).toEqual(situations)
  })

  test('of an interface once, however many pages it has', async () => {
    expect(await asked([entryOf('Add'), {...entryOf('Add'), page: 'Another'}])).toEqual(await asked([entryOf('Add')]))
  })

  test('the same by the same seed, and other numbers by another', async () => {
    const [one, again, other] = await Promise.all([
      asked([entryOf('Add')]),
      asked([entryOf('Add')]),
      asked([entryOf('Add')], 1, 'other'),
    ])
    expect(again).toEqual(one)
    expect(other.map(({text}) => text)).not.toEqual(one.map(({text}) => text))
  })

  test('so often as is asked for, never the same kernel twice', async () => {
    const three = await asked([entryOf('Exp')], 3)
    const starts = three.filter(({situation}) => situation === 'start')
    expect(starts.length).toBe(3)
    expect(new Set(starts.map(({text}) => text)).size).toBe(3)
    expect(await asked([entryOf('Exp')], 0)).toEqual([])
  })

  test('of a name once, by the first page that is about tensors in the unified buffer', async () => {
    const pages = ['DataCopy（L1ToGM连续数据搬运）', 'DataCopy（GM与UB连续数据搬运）', 'DataCopy（GM与UB切片数据搬运）']
    const questions = await asked(pages.map((page) => entryOf('DataCopy', {page})))
    expect(new Set(questions.map(({page}) => page))).toEqual(new Set([pages[1]]))
    const ways = ['DataCopyPad（GMToUB非对齐数据搬运）', 'DataCopyPad（UBToGM非对齐数据搬运）']
    const padded = await asked(ways.map((page) => entryOf('DataCopyPad', {page})))
    const pageOf = (situation: string) => padded.filter((one) => one.situation === situation).map(({page}) => page)
    expect([pageOf('copy-length'), pageOf('copy-end')]).toEqual([[ways[0]], [ways[1]]])
    expect(await asked([entryOf('Add', {prototypes: []})])).toEqual([])
  })

  test('in types that the page names, and of types that neither page nor table has', async () => {
    const typed = (dtypes: string[]) => asked([entryOf('Add', {dtypes})], 4)
    const questions = await typed(['half'])
    const types = (situation: string, all = questions) =>
      new Set(all.filter((one) => one.situation === situation).map(({values}) => values['type']))
    expect(types('start')).toEqual(new Set(['half']))
    expect(types('type')).toEqual(new Set(['bfloat16_t']))
    expect(types('type', await typed(['half', 'bfloat16_t']))).toEqual(new Set())
  })
})

const lastStep = ({steps}: WorkedQuestion['values']) => (Array.isArray(steps) ? (steps.at(-1) ?? '') : '')

describe('numbers of a question', () => {
  const ofSituation = async (name: string, situation: string) =>
    (await asked([entryOf(name)], 6)).filter((one) => one.situation === situation).map(({values}) => values)

  test('a start inside of a block, and the next place that is none', async () => {
    for (const {from, size, offset, rest, next, per} of await ofSituation('Exp', 'start')) {
      expect(offset).toBe(Number(from) * Number(size))
      expect(rest).toBe(Number(offset) % 32)
      expect(rest).toBeGreaterThan(0)
      expect(Number(next) % Number(per)).toBe(0)
      expect(Number(next) - Number(from)).toBeLessThan(Number(per))
    }
  })

  test('shares of cores are whole blocks, and the last core has what is left', async () => {
    for (const {total, blocks, per, rest, block, past} of await ofSituation('GetBlockNum', 'core-share')) {
      expect(Number(per) % Number(block)).toBe(0)
      expect((Number(blocks) - 1) * Number(per) + Number(rest)).toBe(total)
      expect(Number(blocks) * Number(per) - Number(total)).toBe(past)
      expect(Number(past)).toBeGreaterThan(0)
    }
  })

  test('flags of pairs of cores have places of their own in a workspace of just that size', async () => {
    for (const {blocks, event, second, bytes} of await ofSituation('IBWait', 'pair'))
      expect(Number(blocks) * 32 * Number(event) + Number(second) * 32 + 32).toBe(bytes)
  })

  test('steps of a result say what its first value is', async () => {
    const questions = await asked(everyEntry, 2)
    const ended = questions.filter(
      ({values, situation}) => !situation.startsWith('derived') && /^z\[0\] = .* = /.test(lastStep(values)),
    )
    expect(ended.length).toBeGreaterThan(40)
    for (const {values, expected, situation} of ended) {
      const last = lastStep(values).split(/ = | → /)
      expect(`${situation} ${last.at(-1)}`).toBe(`${situation} ${Number(Number(expected['z']?.[0]).toPrecision(6))}`)
    }
  })

  test('whole repeats and what is left over', async () => {
    for (const {n, per, full, rest, done} of await ofSituation('Add', 'repeats')) {
      expect(Number(full) * Number(per) + Number(rest)).toBe(n)
      expect(done).toBe(Number(full) * Number(per))
      expect(Number(rest)).toBeGreaterThan(0)
    }
  })

  test('scratch of a reduction: two elements a repeat, in whole blocks', async () => {
    for (const {n, per, pairs, elements, bytes, size} of await ofSituation('ReduceMin', 'work-memory')) {
      expect(pairs).toBe(2 * Math.ceil(Number(n) / Number(per)))
      expect(Number(elements) - Number(pairs)).toBeLessThan(32 / Number(size))
      expect(Number(bytes) % 32).toBe(0)
    }
  })

  test('the longest tile beside what Select takes', async () => {
    for (const {most, greedy, unit, per} of await ofSituation('Select', 'select-reserve')) {
      expect(Number(most) * Number(unit)).toBeLessThanOrEqual(196_352 - 8192)
      expect((Number(most) + Number(per)) * Number(unit)).toBeGreaterThan(196_352 - 8192)
      expect(Number(greedy) * Number(unit)).toBeGreaterThan(196_352 - 8192)
    }
  })
})
