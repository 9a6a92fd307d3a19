import {describe, expect, test} from 'vitest'
import dedup from '../../datasets/dedup.ts'
import {signature, signatureIndex, similarity} from '../../datasets/minhash.ts'
import {contentId} from '../../engine/ids.ts'
import {collect, kernelSample, kernelText, pair, recordingContext, sample, side, stream} from './rows.ts'

/** A text of `count` numbered words; changing one word in a hundred is what an edited page looks like. */
const page = (count: number, edited: (index: number) => boolean = () => false) =>
  Array.from({length: count}, (_, index) => (edited(index) ? `edited${index}` : `word${(index * 7919) % 613}`)).join(
    ' ',
  )

describe('dedup', () => {
  test('keeps the first of records that differ in layout, case and comments', async () => {
    const context = recordingContext()
    const first = kernelSample()
    const commented = kernelSample({
      answer: `\`\`\`cpp\n// scales\n${kernelText.replaceAll('\n  ', '\n\t/* indented */ ')}\n\`\`\``,
    })
    const shouted = kernelSample({prompt: first.prompt.toUpperCase()})
    expect(await collect(dedup({config: 'sft'}).run(stream([first, commented, shouted]), context))).toEqual([first])
    expect(context.drops.map(({reason, detail}) => [reason, detail])).toEqual([
      ['duplicate', `of ${contentId(first)}`],
      ['duplicate', `of ${contentId(first)}`],
    ])
  })

  test('drops a page with one word in a hundred edited, and keeps another page', async () => {
    const context = recordingContext()
    const records = [
      sample({answer: page(600)}),
      sample({answer: page(600, (index) => index % 100 === 50)}),
      sample({answer: page(600, (index) => index % 3 === 0)}),
    ]
    expect(await collect(dedup({config: 'sft'}).run(stream(records), context))).toEqual([records[0], records[2]])
    expect(context.drops[0]).toMatchObject({
      reason: 'near-duplicate',
      detail: expect.stringContaining(contentId(records[0])),
    })
  })

  test('keeps kernels that differ in one call', async () => {
    const context = recordingContext()
    const other = kernelText.replaceAll('scale_custom', 'shift_custom').replace('KernelScale', 'KernelShift')
    const records = [kernelSample(), kernelSample({files: [{path: 'a.cpp', text: other}], answer: other})]
    expect(await collect(dedup({config: 'sft'}).run(stream(records), context))).toHaveLength(2)
  })

  test('keeps pairs whose rejected sides differ in one token, and drops a repeated pair', async () => {
    const context = recordingContext()
    const other = pair({rejected: side({label: 'orange', answer: kernelText.replace('totalLength', 'tileLength')})})
    const kept = await collect(
      dedup({config: 'dpo'}).run(stream([pair(), other, pair({stages: {'preference-pairs': 2}})]), context),
    )
    expect(kept).toEqual([pair(), other])
    expect(context.drops.map((drop) => drop.reason)).toEqual(['duplicate'])
  })

  test('tells documentation from kernels', async () => {
    const context = recordingContext()
    const text = page(300)
    const edited = page(300, (index) => index === 100)
    expect(
      await collect(
        dedup({config: 'sft'}).run(
          stream([sample({answer: text}), kernelSample({answer: edited, prompt: sample().prompt})]),
          context,
        ),
      ),
    ).toHaveLength(2)
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

  test('finds the first of several like ones among thousands, past every growth of its tables', () => {
    const index = signatureIndex()
    for (let number = 0; number < 5000; number += 1) index.add(signature(tokens(number * 50, number * 50 + 40)))
    index.add(signature(tokens(100, 140)))
    expect(index.find(signature(tokens(100, 140)), 0.9)?.number).toBe(2)
    expect(index.find(signature(tokens(4999 * 50, 4999 * 50 + 40)), 0.9)?.number).toBe(4999)
    expect(index.find(signature(tokens(900_000, 900_040)), 0.5)).toBeUndefined()
  })

  test('gives an empty text a signature of its own', () => {
    expect(similarity(signature([]).low, signature(['a']).low)).toBeLessThan(0.2)
  })
})
