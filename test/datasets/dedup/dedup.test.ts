import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import dedup from '../../../datasets/dedup/dedup.ts'
import {scratchDatabase, waiting} from '../../../datasets/dedup/dedup-scratch.ts'
import {signature, similarity} from '../../../datasets/dedup/minhash.ts'
import {signatureIndex} from '../../../datasets/dedup/minhash-index.ts'
import type {RecordOf} from '../../../datasets/schema/export.ts'
import type {CotSample} from '../../../datasets/schema/sample.ts'
import {contentId} from '../../../engine/ids.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {collect, kernelSample, kernelText, pair, recordingContext, sample, side, stream} from '../rows.ts'

/** A text of `count` numbered words; changing one word in a hundred is what an edited page looks like. */
const page = (count: number, edited: (index: number) => boolean = () => false) =>
  Array.from({length: count}, (_, index) => (edited(index) ? `edited${index}` : `word${(index * 7919) % 613}`)).join(
    ' ',
  )

const api = ['Add', 'Sub', 'DataCopy', 'Muls']

async function kept<C extends 'sft' | 'dpo'>(config: C, records: readonly RecordOf[C][]) {
  const context = {...recordingContext(), directory: await temporaryFolder()}
  const outputs = await collect(dedup({config, api}).run(stream(records), context))
  return {outputs, drops: context.drops.map(({reason, detail}) => [reason, detail]), directory: context.directory}
}

describe('dedup', () => {
  test('keeps the first of equally good records that differ in layout, case and comments', async () => {
    const first = kernelSample()
    const commented = kernelSample({
      answer: `\`\`\`cpp\n// scales\n${kernelText.replaceAll('\n  ', '\n\t/* ind */ ')}\n\`\`\``,
    })
    const short = {reasoning: 'Short.', answer: 'The copied length is a multiple of 32 bytes.'}
    const {outputs, drops} = await kept('sft', [
      first,
      commented,
      sample(short),
      sample({...short, answer: short.answer.toUpperCase()}),
    ])
    expect(outputs).toEqual([commented, sample(short)])
    expect(drops).toEqual([
      ['duplicate', `of ${contentId(commented)}`],
      ['duplicate', `of ${contentId(sample(short))}`],
    ])
  })

  test.each<[string, Partial<CotSample>, Partial<CotSample>]>([
    ['code that ran to code that compiled, however short', {proof: 'ran', reasoning: 'Short.'}, {proof: 'compiled'}],
    ['a correct verdict to one that compiled', {verdict: side().verdict, reasoning: 'Short.'}, {}],
    ["a model's words to the offline writer's", {reasoning: 'Short.'}, {teacher: {kind: 'offline'}}],
    ['more words to fewer', {}, {reasoning: 'Short.'}],
  ])('prefers %s, wherever they stand', async (_, better, worse) => {
    const records = [kernelSample(better), kernelSample(worse)]
    expect((await kept('sft', records)).outputs).toEqual([records[0]])
    const {outputs, drops} = await kept('sft', [...records].reverse())
    expect(outputs).toEqual([records[0]])
    expect(drops).toEqual([['duplicate', `of ${contentId(records[0])}`]])
  })

  test('drops a page with one word in a hundred edited, and keeps another page', async () => {
    const records = [
      sample({answer: page(600)}),
      sample({answer: page(600, (index) => index % 100 === 50)}),
      sample({answer: page(600, (index) => index % 3 === 0)}),
    ]
    const {outputs, drops} = await kept('sft', records)
    expect(outputs).toEqual([records[0], records[2]])
    expect(drops).toMatchObject([['near-duplicate', expect.stringContaining(`of ${contentId(records[0])}, simil`)]])
  })

  test('keeps a record with the line ends of Unicode as it came', async () => {
    const records = [sample({answer: 'One line.\u2028Another, and\u2029the last.'}), sample({answer: 'Nothing alike.'})]
    expect((await kept('sft', records)).outputs).toEqual(records)
  })

  test('every drop names a record that stays, also in a chain of small steps', async () => {
    const chain = Array.from({length: 12}, (_, step) => sample({answer: page(600, (index) => index % 50 < step)}))
    const {outputs, drops} = await kept('sft', chain)
    const ids = outputs.map((one) => contentId(one))
    expect(outputs.length).toBeGreaterThan(1)
    expect(drops.length).toBeGreaterThan(1)
    for (const [, detail = ''] of drops) expect(ids).toContain(/^of (\w+)/.exec(detail)?.[1])
  })

  test('prompts that name different interfaces are never one row', async () => {
    const about = (name: string) => sample({prompt: `How is ${name} called?`, answer: page(600)})
    const records = ['Add', 'Sub', 'add', 'GetBlockNum', 'getBlockNum'].map(about)
    expect((await kept('sft', records)).outputs).toEqual(records)
  })

  test('answers that name different interfaces are less alike than their words', async () => {
    const text = (name: string) => `Use ${name}: ${page(60)}`
    const records = ['Add', 'Sub'].map((name) => sample({answer: text(name)}))
    expect((await kept('sft', records)).outputs).toHaveLength(2)
    const others = ['sum', 'total'].map((name) => sample({answer: text(name)}))
    expect((await kept('sft', others)).outputs).toHaveLength(1)
  })

  const asked = (name: string, call = 'Muls') => {
    const text = kernelText.replaceAll('scale_custom', `${name}_custom`).replaceAll('KernelScale', `Kernel${name}`)
    const code = `${text}\nvoid ${name}() { ${call}(a${name}, b${name}, 2); }\n`
    return kernelSample({
      prompt: `Write the kernel of \`${name}\`: y = 2x.`,
      files: [{path: `${name}.cpp`, text: code}],
    })
  }

  test("names of the author's do not tell kernels apart, nor do a few tokens; calls and requests do", async () => {
    expect((await kept('sft', [asked('Scale'), asked('Quixotic')])).outputs).toHaveLength(1)
    expect((await kept('sft', [asked('Scale'), asked('Scale', 'Add')])).outputs).toHaveLength(2)
    const long = (name: string, last: number) => {
      const lines = Array.from(
        {length: 40},
        (_, n) => `void ${name}${n}() { Muls(${name}, x${n}, ${n === 39 ? last : n}); }`,
      )
      return kernelSample({files: [{path: 'a.cpp', text: lines.join('\n')}]})
    }
    const {drops} = await kept('sft', [long('scale', 1), long('other', 7)])
    expect(drops).toMatchObject([['near-duplicate', expect.stringContaining('similarity')]])
    const elsewhere = {...long('other', 7), prompt: 'Write the kernel that shifts: y = x + 2.'}
    expect((await kept('sft', [long('scale', 1), elsewhere])).outputs).toHaveLength(2)
  })

  test('wrong code of corrections differs by its names', async () => {
    const wrong = (name: string) =>
      kernelSample({kind: 'api-correction', prompt: `\`\`\`cpp\nint a = ${name};\n\`\`\``})
    expect((await kept('sft', [wrong('one'), wrong('other')])).outputs).toHaveLength(2)
  })

  test('keeps pairs whose rejected sides differ in one token, and drops a repeated pair', async () => {
    const other = pair({rejected: side({label: 'orange', answer: kernelText.replace('totalLength', 'tileLength')})})
    const {outputs, drops} = await kept('dpo', [pair(), other, pair({stages: {'preference-pairs': 2}})])
    expect(outputs).toEqual([pair(), other])
    expect(drops.map(([reason]) => reason)).toEqual(['duplicate'])
  })

  test('tells documentation from kernels', async () => {
    const records = [sample({answer: page(300)}), kernelSample({answer: page(300), prompt: sample().prompt})]
    expect((await kept('sft', records)).outputs).toHaveLength(2)
  })

  test('many records over many pages of its table are all decided on, and nothing is left on disk', async () => {
    const records = Array.from({length: 2500}, (_, n) =>
      sample({prompt: `What is ${n % 1250}?`, answer: `It is ${n % 1250}.`}),
    )
    const {outputs, drops, directory} = await kept('sft', records)
    expect(outputs).toEqual(records.slice(0, 1250))
    expect(drops).toHaveLength(1250)
    expect(readdirSync(directory)).toEqual([])
  })

  test('records from no run at all', async () => {
    expect((await kept('sft', [])).outputs).toEqual([])
  })
})

describe('minhash', () => {
  const tokens = (from: number, to: number) => Array.from({length: to - from}, (_, index) => `t${from + index}`)

  test.each([
    [0.9, 949],
    [0.8, 893],
    [0.5, 672],
  ])('estimates a Jaccard similarity of %s within 0.12', (expected, shared) => {
    // Two lists of 1,000 tokens that share `shared` of them in one run: 996 shingles each, shared − 4 of them common.
    const a = signature(tokens(0, 1000))
    const b = signature(tokens(1000 - shared, 2000 - shared))
    const common = shared - 4
    expect(common / (2 * 996 - common)).toBeCloseTo(expected, 1)
    expect(Math.abs(similarity(a.low, b.low) - expected)).toBeLessThan(0.12)
  })

  test('finds the first of several like ones among thousands, in their group', async () => {
    const database = scratchDatabase(join(await temporaryFolder(), 'index.db'))
    try {
      const index = signatureIndex(database)
      const add = (from: number, to: number) => index.add(signature(tokens(from, to)), 'a', `${from}`)
      for (let number = 0; number < 2000; number += 1) add(number * 50, number * 50 + 40)
      index.add(signature(tokens(100, 140)), 'b', 'other')
      add(100, 140)
      const find = (from: number, group: string) => index.find(signature(tokens(from, from + 40)), 0.9, group)
      expect(find(100, 'a')).toMatchObject({number: 2, id: '100'})
      expect(find(100, 'b')).toMatchObject({number: 2000, id: 'other'})
      expect(find(100, 'c')).toBeUndefined()
      expect(find(1999 * 50, 'a')).toMatchObject({number: 1999})
      expect(find(900_000, 'a')).toBeUndefined()
    } finally {
      database.remove()
    }
  })

  test('a name weighs more than a word', () => {
    const text = tokens(0, 40)
    const plain = similarity(signature(text).low, signature(text).low)
    const named = similarity(signature(text, ['Add']).low, signature(text, ['Sub']).low)
    expect(plain).toBe(1)
    expect(named).toBeLessThan(0.85)
  })

  test('gives an empty text a signature of its own', () => {
    expect(similarity(signature([]).low, signature(['a']).low)).toBeLessThan(0.2)
  })
})

test('records that waited on the disk come back, each noted with its id', async () => {
  const records = [sample({answer: 'é计\u2028'}), sample({answer: ''})]
  const noted: string[] = []
  const again = waiting(await temporaryFolder(), stream(records), {
    note: (_, number, id) => noted.push(`${number} ${id}`),
    choose: (all) => all,
  })
  expect(await collect(again)).toEqual(records)
  expect(noted).toEqual(records.map((record, number) => `${number} ${contentId(record)}`))
})
