import {describe, expect, test} from 'vitest'
import dedup from '../../datasets/dedup/dedup.ts'
import {signature, similarity} from '../../datasets/dedup/minhash.ts'
import type {Config, RecordOf} from '../../datasets/schema/export.ts'
import type {CotSample} from '../../datasets/schema/sample.ts'
import {temporaryFolder} from '../helpers/temporary.ts'
import * as rows from './rows.ts'

const api = ['Add', 'Sub', 'DataCopy', 'Muls']

async function staying<C extends Config>(config: C, records: readonly RecordOf[C][]): Promise<RecordOf[C][]> {
  const context = {...rows.recordingContext(), directory: await temporaryFolder()}
  return rows.collect(dedup({config, api}).run(rows.stream(records), context))
}

const elsewhere = {...rows.apiEntry().origin, path: 'docs/other.html'}
const other = `\`\`\`cpp\n${rows.kernelText.replace('Process', 'Other')}\n\`\`\``
const named = (name: string) => rows.kernelText.replaceAll('scale_custom', name).replaceAll('KernelScale', `K${name}`)
const code = (kind: CotSample['kind'], name: string) =>
  rows.kernelSample({kind, prompt: 'Write it.', files: [{path: 'a.cpp', text: named(name)}]})

describe('records are one', () => {
  const cases: [string, boolean, Config, RecordOf[Config], RecordOf[Config]][] = [
    ['interfaces on two pages', true, 'apis', rows.apiEntry(), rows.apiEntry({origin: elsewhere})],
    ['interfaces of two stages', true, 'apis', rows.apiEntry(), rows.apiEntry({stages: {'api-index': 3}})],
    ['interfaces whose names differ in case', false, 'apis', rows.apiEntry(), rows.apiEntry({name: 'move'})],
    ['interfaces of two products', false, 'apis', rows.apiEntry(), rows.apiEntry({product: '310p'})],
    ['errors of one candidate', true, 'errors', rows.errorEntry(), rows.errorEntry({signature: 'other'})],
    ['errors of two candidates', false, 'errors', rows.errorEntry(), rows.errorEntry({candidate: 'other'})],
    ['replies to one question', true, 'kto', rows.unpairedReply(), rows.unpairedReply({reasoning: 'Because.'})],
    ['two replies to one question', false, 'kto', rows.unpairedReply(), rows.unpairedReply({answer: other})],
    ['one reply to two questions', false, 'kto', rows.unpairedReply(), rows.unpairedReply({prompt: 'Another.'})],
    ['pairs with one reasoning more', true, 'dpo', rows.pair(), rows.pair({chosen: rows.side({reasoning: 'So.'})})],
    ['pairs with other better sides', false, 'dpo', rows.pair(), rows.pair({chosen: rows.side({answer: other})})],
    ['pairs with other questions', false, 'dpo', rows.pair(), rows.pair({prompt: 'Another.'})],
    ['steps of other gains', true, 'optimisation', rows.optimisationPair(), rows.optimisationPair({margin: 3})],
    [
      'steps with other slower sides',
      false,
      'optimisation',
      rows.optimisationPair(),
      rows.optimisationPair({rejected: {...rows.optimisationPair().rejected, answer: other}}),
    ],
    ['kernels of other names', true, 'sft', code('kernel', 'one'), code('kernel', 'two')],
    ['projects of other names', true, 'sft', code('project', 'one'), code('project', 'two')],
    ['kernels for an evaluation of other names', true, 'sft', code('evaluated', 'one'), code('evaluated', 'two')],
    ['a kernel and a project', false, 'sft', code('kernel', 'one'), code('project', 'one')],
    ['corrections of other names', false, 'sft', code('api-correction', 'one'), code('api-correction', 'two')],
    ['repairs of other names', false, 'sft', code('kernel-correction', 'one'), code('kernel-correction', 'two')],
    ['steps of other names', false, 'sft', code('optimisation', 'one'), code('optimisation', 'two')],
  ]
  test.each(cases)('%s: %s', async (_, areOne, config, first, second) => {
    expect(await staying(config, [first, second])).toHaveLength(areOne ? 1 : 2)
  })
})

describe('the better one stays', () => {
  const offline: CotSample['teacher'] = {kind: 'offline'}
  const correct = rows.side().verdict
  const {verdict: _, ...unjudged} = rows.kernelSample()
  test.each<[string, CotSample, CotSample]>([
    [
      'what ran, before a verdict and a model',
      {...unjudged, proof: 'ran', teacher: offline},
      rows.kernelSample({proof: 'compiled', verdict: correct}),
    ],
    [
      'what compiled, before a verdict and a model',
      {...unjudged, proof: 'compiled', teacher: offline},
      rows.kernelSample({proof: 'parsed', verdict: correct}),
    ],
    ['a correct one, before a model', rows.kernelSample({verdict: correct, teacher: offline}), rows.kernelSample()],

    [
      "a model's words, before more words",
      rows.kernelSample({reasoning: 'So.'}),
      rows.kernelSample({teacher: offline, reasoning: 'x'.repeat(100_000)}),
    ],
  ])('%s', async (_, better, worse) => {
    expect(await staying('sft', [worse, better])).toEqual([better])
  })
})

describe('of equally good ones', () => {
  const thought = (length: number) => rows.kernelSample({reasoning: 'x'.repeat(length)})
  test.each([
    ['the longer stays', 1000, 1300, 1300],
    ['the first stays where a word is added', 10_000, 10_004, 10_000],
  ])('%s', async (_, first, second, kept) => {
    const [stayed, ...others] = await staying('sft', [thought(first), thought(second)])
    expect([stayed?.reasoning.length, others]).toEqual([kept, []])
  })
})

describe('how alike is a copy', () => {
  /** So many of a thousand words in a row are the same, the rest are others. */
  const words = (shared: number, side: string) =>
    Array.from({length: 1000}, (_, n) => (n < shared ? `w${n}` : `${side}${n}`)).join(' ')
  const page = (shared: number, side: string) => rows.sample({answer: words(shared, side)})
  const kernel = (shared: number, side: string) => {
    const calls = Array.from({length: 250}, (_, n) =>
      n < shared ? `a(${n});` : `a(${n + (side === 'a' ? 1 : 2) / 4});`,
    )
    return rows.kernelSample({files: [{path: 'a.cpp', text: `void f() {\n${calls.join('\n')}\n}\n`}]})
  }

  test.each([
    ['a page at 0.81', page, 896, 1],
    ['a page at 0.63', page, 700, 2],
    ['a kernel at 0.98', kernel, 248, 1],
    ['a kernel at 0.91', kernel, 238, 2],
  ])('%s', async (_, make, shared, kept) => {
    expect(await staying('sft', [make(shared, 'a'), make(shared, 'b')])).toHaveLength(kept)
  })

  test.each([
    ['with another number', '调用Compares，repeatTime取386，可以吗？', '调用Compares，repeatTime取440，可以吗？', 1],
    ['with other marks', '怎样调用Compares？', '怎样调用 Compares', 1],
    ['about an interface of no known name', '请写出调用Ascend C的And的代码。', '请写出调用Ascend C的Or的代码。', 2],
    ['about another way to call it', '请写出mask逐bit模式的代码。', '请写出mask连续模式的代码。', 2],
    ['in other words', 'How is it called?', 'What does a call of it look like?', 2],
  ])('an answer at 0.9 to a question %s', async (_, first, second, kept) => {
    const records = [page(950, 'a'), page(950, 'b')].map((one, n) => ({...one, prompt: n === 0 ? first : second}))
    expect(await staying('sft', records)).toHaveLength(kept)
  })

  test('an answer that begins with another interface is no copy', async () => {
    const records = ['GetSizeV2', 'GetSize'].map((name) => ({
      ...page(950, 'a'),
      answer: `Use ${name}. ${words(950, 'a')}`,
    }))
    expect(await staying('sft', records)).toEqual(records)
  })

  test.each(['project', 'evaluated', 'api-correction', 'general'] as const)('a %s must be equal', async (kind) => {
    const both = ['a', 'b'].map((side) => ({...kernel(249, side), kind}))
    expect(await staying('sft', both)).toHaveLength(2)
  })
})

describe('minhash', () => {
  const bytes = (equal: number) => Uint8Array.from({length: 112}, (_, n) => (n < equal ? 7 : 9))

  test.each([
    [112, 1],
    [56, 127 / 255],
    [1, (1 / 112 - 1 / 256) / (255 / 256)],
    [0, 0],
  ])('%d equal bytes of 112 are a similarity of %d: one in 256 is chance', (equal, expected) => {
    expect(similarity(bytes(equal), bytes(112))).toBeCloseTo(expected, 10)
  })

  test('words count five in a row: four are nothing', () => {
    const text = (side: string) =>
      Array.from({length: 100}, (_, n) => [0, 1, 2, 3].map((word) => `w${n}.${word}`).concat(`${side}${n}`)).flat()
    expect(similarity(signature(text('a')).low, signature(text('b')).low)).toBeLessThan(0.03)
  })

  test('a name counts like sixteen runs of words', () => {
    const tokens = Array.from({length: 104}, (_, n) => `t${n}`)
    const alike = similarity(signature(tokens, ['Add', 'Sub']).low, signature(tokens, ['Mul', 'Div']).low)
    expect(Math.abs(alike - 100 / 164)).toBeLessThan(0.08)
  })
})
