import {describe, expect, test} from 'vitest'
import {LetterSieve} from '../../datasets/contamination/letter-sieve.ts'
import {bands, signature, similarity} from '../../datasets/dedup/minhash.ts'
import {firstOrigins, shareOrder} from '../../datasets/mix.ts'
import {words} from '../../datasets/contamination/normalize.ts'
import {groupOf, sideOf} from '../../datasets/split.ts'
import {countInPieces, o200k, tokenCount} from '../../datasets/tokens/token-count.ts'
import {LengthTally} from '../../datasets/tokens/token-lengths.ts'
import type {CotSample} from '../../datasets/schema/sample.ts'
import {contentId, textId} from '../../engine/ids.ts'
import {randomFrom} from '../../engine/random.ts'
import {kernelSample, pair, sample} from './rows.ts'

// What a hash decides must come out the same in every release: which rows are test rows, copies, or part of a share.

describe('a signature', () => {
  const text = 'each core copies its own tiles from global memory into the unified buffer and adds them there'.split(
    ' ',
  )
  test('is the same for ever', () => {
    const {bands: own, low} = signature(text, ['AddCustom'])
    expect([own.length, low.length]).toEqual([bands, 112])
    expect(contentId([[...own], [...low]])).toMatchInlineSnapshot(`"f48f46eabf4697e16437d5abd8fddee7"`)
    expect(contentId([...signature(text).low])).not.toBe(contentId([...low]))
  })
  test('tells how alike two texts are', () => {
    const other = [...text.slice(0, -1), 'here']
    const of = (a: string[], b: string[]) => similarity(signature(a).low, signature(b).low)
    expect(of(text, text)).toBe(1)
    // Of 12 runs of five words each, 11 are the same: 11 of 13 in all.
    expect(Math.abs(of(text, other) - 11 / 13)).toBeLessThan(0.12)
    expect(
      of(
        text,
        text.map((word) => `${word}x`),
      ),
    ).toBeLessThan(0.1)
    const [half, none] = [new Uint8Array(112), new Uint8Array(112).fill(1)]
    half.fill(1, 56)
    expect(similarity(half, none)).toBeCloseTo((0.5 - 1 / 256) / (1 - 1 / 256), 12)
    expect(similarity(new Uint8Array(112), none)).toBe(0)
  })
  test('weighs a name like sixteen runs of words', () => {
    const of = (a: string[], b: string[]) => similarity(signature(text, a).low, signature(text, b).low)
    // 13 runs, and 16 for each name.
    expect(Math.abs(of(['Add'], ['Sub']) - 13 / 45)).toBeLessThan(0.13)
    expect(Math.abs(of(['Add'], ['Add', 'Sub']) - 29 / 45)).toBeLessThan(0.13)
  })
})

describe('the side of a row', () => {
  test('is the same for ever, and goes by the share of the hash', () => {
    const sides = Array.from({length: 40}, (_, at) => (sideOf(`operator\n${at}`, 0.25) === 'test' ? 't' : '.')).join('')
    expect(sides).toMatchInlineSnapshot(`"t.tt.........t..t.ttt.tt...t........t..."`)
    expect(sideOf('a', 0)).toBe('train')
    expect(sideOf('a', 1)).toBe('test')
    const fraction = Number.parseInt(textId('a').slice(0, 12), 16) / 2 ** 48
    expect([sideOf('a', fraction), sideOf('a', fraction * (1 + 1e-12))]).toEqual(['train', 'test'])
  })

  test('goes by operator, page or question', () => {
    const at = (path: string, over: Partial<CotSample> = {}) => {
      const base = kernelSample()
      return groupOf({...base, ...over, origin: {...base.origin, path}} as never).replace('\n', ': ')
    }
    const plain = {files: [{path: 'a.cpp', text: 'int a;'}]}
    expect(at('math/add_custom/op_kernel/add.cpp')).toBe('operator: add')
    expect(at('math/add_custom/op_host')).toBe('operator: add')
    expect(at('add_custom/op_host/deep/file.h')).toBe('operator: add')
    expect(at('tasks/AddCustom')).toBe('operator: add')
    expect(at('some/where.cpp')).toBe('operator: scale')
    expect(at('some/add_custom_tiling.h', plain)).toBe('operator: add')
    expect(at('some/add_def.cpp', plain)).toBe('operator: add')
    expect(at('some/add_infershape.cpp', plain)).toBe('operator: add')
    const page = sample()
    const pageAt = (path: string) => groupOf({...page, origin: {...page.origin, path}} as never)
    expect(pageAt('docs/a.html')).toBe('ascend-cot/starter\ndocs/a.html')
    expect(pageAt('docs/x/op_host/a.cpp')).toBe('ascend-cot/starter\ndocs/x')
    expect(pageAt('op_kernel')).toBe('ascend-cot/starter\n')
    const general = {...page, kind: 'general', prompt: 'Why?'}
    expect(groupOf(general as never)).toMatch(/^question\n[0-9a-f]+$/)
    expect(groupOf({...general, prompt: 'Why? \n'} as never)).toBe(groupOf(general as never))
    expect(groupOf({...pair(), task: 'AddCustom'} as never)).toBe('operator\nadd')
  })
})

describe('a share of origins', () => {
  test('takes the first by hash that come nearest', () => {
    const origins = new Map([
      ['c', 3],
      ['a', 4],
      ['b', 2],
    ])
    const taken = (rows: number) => [...firstOrigins(origins, rows)].join('')
    expect([0, 1.9, 2, 2.1, 4, 4.9, 5, 5.1, 6, 7.4, 7.5, 7.6, 9, 99].map(taken)).toEqual([
      ...['', '', '', 'a', 'a', 'a', 'a', 'ab', 'ab', 'ab', 'ab', 'abc', 'abc', 'abc'],
    ])
  })
  test('in an order that is the same for ever, and is not that of the split', () => {
    expect(shareOrder('operator\nadd')).toBe(textId('share\noperator\nadd'))
  })
})

describe('counts of tokens', () => {
  test('are those of the encoding, special ones as plain text', () => {
    expect(tokenCount('')).toBe(0)
    expect(tokenCount('hello world')).toBe(2)
    expect(tokenCount('<|endoftext|>')).toBeGreaterThan(1)
    expect(tokenCount('a'.repeat(30))).toBe(tokenCount('a'.repeat(30)))
    expect(o200k).toMatchObject({tokenizer: 'o200k_base', fingerprint: 'o200k_base'})
    expect(o200k.count('hello world')).toBe(2)
  })
  test('are made in pieces where a run has no break', () => {
    const pieces = (text: string) => {
      const lengths: number[] = []
      const sum = countInPieces(text, (piece) => lengths.push(piece.length) && 1)
      return [sum, ...lengths]
    }
    expect(pieces('x'.repeat(1023))).toEqual([1, 1023])
    expect(pieces('x'.repeat(1024))).toEqual([1, 1024])
    expect(pieces('x'.repeat(1025))).toEqual([2, 1024, 1])
    expect(pieces(`${'x'.repeat(1023)} ${'x'.repeat(1023)}`)).toEqual([1, 2047])
    expect(pieces(`${'x'.repeat(500)} ${'x'.repeat(1024)}`)).toEqual([2, 1024, 501])
    expect(pieces(`${'x'.repeat(500)} ${'x'.repeat(1023)}`)).toEqual([1, 1524])
    expect(pieces(`x${' '.repeat(1024)}`)).toEqual([2, 1024, 1])
    expect(pieces(`x${' '.repeat(1023)}`)).toEqual([1, 1024])
  })
})

describe('lengths', () => {
  test('are told for all together, then by kind, the most frequent first', () => {
    const tally = new LengthTally()
    for (const [kind, tokens] of [
      ['b', 10],
      ['a', 20],
      ['a', 1024],
      ['c', 40_000],
    ] as const)
      tally.add(kind, tokens)
    expect(tally.result()).toEqual([
      {
        kind: undefined,
        replies: 4,
        total: 41_054,
        p50: 20,
        p90: 40_000,
        p99: 40_000,
        max: 40_000,
        longer: [1, 1, 1, 1, 1, 1],
      },
      {kind: 'a', replies: 2, total: 1044, p50: 20, p90: 1024, p99: 1024, max: 1024, longer: [0, 0, 0, 0, 0, 0]},
      {kind: 'b', replies: 1, total: 10, p50: 10, p90: 10, p99: 10, max: 10, longer: [0, 0, 0, 0, 0, 0]},
      {
        kind: 'c',
        replies: 1,
        total: 40_000,
        p50: 40_000,
        p90: 40_000,
        p99: 40_000,
        max: 40_000,
        longer: [1, 1, 1, 1, 1, 1],
      },
    ])
    expect(new LengthTally().result()).toEqual([])
  })
  test('have their shares at the hundredth', () => {
    const tally = new LengthTally()
    for (let tokens = 1; tokens <= 200; tokens += 1) tally.add('', tokens)
    expect(tally.result()[0]).toMatchObject({p50: 100, p90: 180, p99: 198, max: 200})
  })
})

describe('a sieve of letters', () => {
  const random = randomFrom('sieve')
  const letters = () => Array.from({length: 6}, () => String.fromCharCode(97 + random.integer(0, 25))).join('')
  const wanted = Array.from({length: 40}, letters)

  test('lets every text through that has a wanted run, whatever stands between its words', () => {
    const sieve = new LetterSieve()
    sieve.add(wanted, 8, () => true)
    for (let start = 0; start + 8 <= wanted.length; start += 1) {
      const run = wanted.slice(start, start + 8)
      expect(sieve.mayHave(`x ${run.join(' ')} y`)).toBe(true)
      expect(sieve.mayHave(run.join(', ').toUpperCase())).toBe(true)
    }
    expect(sieve.mayHave(wanted.slice(0, 3).join(' '))).toBe(false)
    const others = Array.from({length: 400}, letters).join(' ')
    expect(sieve.mayHave(others)).toBe(false)
    expect(sieve.mayHave('')).toBe(false)
  })

  test('looks for passages of 32, 16 or 8 letters, and lets all through where a run has fewer', () => {
    const through = (word: string, text: string) => {
      const sieve = new LetterSieve()
      sieve.add(words(word), 1, () => true)
      return sieve.mayHave(text)
    }
    expect(through('abcdefgh', 'xx abcdefgh xx')).toBe(true)
    expect(through('abcdefgh', 'abcdefg')).toBe(false)
    expect(through('abcdefg', 'nothing at all')).toBe(true)
    expect(through('ＡＢＣＤＥＦＧＨ', 'abcdefgh')).toBe(true)
  })

  test('keeps only what is wanted', () => {
    const sieve = new LetterSieve()
    sieve.add(wanted, 8, (start) => start === 0)
    expect(sieve.mayHave(wanted.slice(0, 8).join(' '))).toBe(true)
    expect(sieve.mayHave(wanted.slice(20, 28).join(' '))).toBe(false)
    const none = new LetterSieve()
    none.add(wanted, 8, () => false)
    expect(none.mayHave(wanted.join(' '))).toBe(false)
  })
})
