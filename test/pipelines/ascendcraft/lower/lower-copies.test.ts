import {describe, expect, test} from 'vitest'
import type {Expression} from '../../../../pipelines/ascendcraft/language/ast.ts'
import type {ElementType} from '../../../../pipelines/ascendcraft/language/dtypes.ts'
import {findFacts} from '../../../../pipelines/ascendcraft/lower/facts.ts'
import {alignedCopy, type CopyCall, plainCopy} from '../../../../pipelines/ascendcraft/lower/lower-copies.ts'
import {type Dialect, primary, scalarCode, Needs} from '../../../../pipelines/ascendcraft/lower/scalar-code.ts'
import {expressionOf} from '../../../helpers/tile-expression.ts'

/** w8, w16 and w32 are multiples of these, f is a float, all others are any integers. */
const facts = findFacts(
  new Map(),
  (name) => (/^w\d/.test(name) ? {divisor: Number(name.slice(1)), nonNegative: true} : undefined),
  new Map(),
)
const unused = () => {
  throw new TypeError('the copies of these tests do not need it')
}
const dialect: Dialect = {
  real: 'float',
  nameOf: (name) => name,
  typeOf: (name) => (name === 'f' ? 'float' : 'int'),
  facts,
  call: ({callee}, given) => primary(`${callee}(${given.map(({text}) => text).join(', ')})`, 'int'),
  shape: unused,
  floored: unused,
  power: unused,
  infinity: () => 'INFINITY',
}

interface Given {
  type?: ElementType
  offset?: string
  known?: Map<string, string>
  given?: string[]
  needs?: Needs
}

function callOf(kind: CopyCall['kind'], named: Readonly<Record<string, string>>, more: Given = {}): CopyCall {
  const {type = 'float32', offset, known = new Map<string, string>(), given = [], needs = new Needs()} = more
  return {
    kind,
    type,
    gm: 'xGm_[at]',
    tensor: 'xLocal',
    offset: offset === undefined ? undefined : expressionOf(offset),
    named: Object.fromEntries(
      Object.entries(named).map(([name, text]): [string, Expression] => [name, expressionOf(text)]),
    ),
    code: (expression) => scalarCode(expression, dialect),
    facts,
    needs,
    give: (wanted) => {
      const name = given.includes(wanted) ? `${wanted}${given.length}` : wanted
      given.push(name)
      return name
    },
    known,
  }
}

describe('a copy of whole blocks', () => {
  test.each<[string, Record<string, string>, string[]]>([
    ['one row', {count: 'n'}, ['DataCopy(xLocal, xGm_[at], n)']],
    ['one row that is counted', {count: 'n', rows: '1', stride: 'm'}, ['DataCopy(xLocal, xGm_[at], n)']],
    [
      'rows one behind the other',
      {count: 'n', rows: 'm'},
      [
        'const DataCopyParams copyParams{static_cast<uint16_t>(m), static_cast<uint16_t>(n / FLOATS_PER_BLOCK), 0, 0}',
        'DataCopy(xLocal, xGm_[at], copyParams)',
      ],
    ],
    [
      'two rows whose stride is their count',
      {count: 'n', rows: '2', stride: 'n', pitch: 'n'},
      [
        'const DataCopyParams copyParams{static_cast<uint16_t>(2), static_cast<uint16_t>(n / FLOATS_PER_BLOCK), 0, 0}',
        'DataCopy(xLocal, xGm_[at], copyParams)',
      ],
    ],
    [
      'rows with a stride and a pitch',
      {count: 'n + 8', rows: 'm', stride: 's', pitch: 'p - 8'},
      [
        'const DataCopyParams copyParams{static_cast<uint16_t>(m), ' +
          'static_cast<uint16_t>((n + 8) / FLOATS_PER_BLOCK), ' +
          'static_cast<uint16_t>((s - (n + 8)) / FLOATS_PER_BLOCK), ' +
          'static_cast<uint16_t>((p - 8 - (n + 8)) / FLOATS_PER_BLOCK)}',
        'DataCopy(xLocal, xGm_[at], copyParams)',
      ],
    ],
  ])('%s', (_, named, lines) => {
    expect(plainCopy(callOf('load', named))).toEqual(lines)
  })

  test('a store has its gaps the other way round', () => {
    expect(plainCopy(callOf('store', {count: 'n'}))).toEqual(['DataCopy(xGm_[at], xLocal, n)'])
    expect(plainCopy(callOf('store', {count: 'n', rows: 'm', stride: 's', pitch: 'p'}, {type: 'float16'}))).toEqual([
      'const DataCopyParams copyParams{static_cast<uint16_t>(m), static_cast<uint16_t>(n / HALVES_PER_BLOCK), ' +
        'static_cast<uint16_t>((p - n) / HALVES_PER_BLOCK), static_cast<uint16_t>((s - n) / HALVES_PER_BLOCK)}',
      'DataCopy(xGm_[at], xLocal, copyParams)',
    ])
  })

  test('names the constants that it needs', () => {
    const needs = new Needs()
    plainCopy(callOf('load', {count: 'n'}, {needs}))
    expect([...needs.constants]).toEqual([])
    plainCopy(callOf('load', {count: 'n', rows: '2'}, {needs, type: 'bool'}))
    expect([...needs.constants, ...needs.helpers]).toEqual(['BYTES_PER_BLOCK'])
  })
})

describe('what may be copied by whole blocks', () => {
  const isPlain = (named: Record<string, string>, more: Given = {}) =>
    alignedCopy(callOf('load', named, more))
      .join()
      .startsWith('DataCopy(')

  test.each<[ElementType, number]>([
    ['float32', 8],
    ['int32', 8],
    ['float16', 16],
    ['bfloat16', 16],
    ['int16', 16],
    ['int64', 4],
    ['int8', 32],
    ['uint8', 32],
    ['bool', 32],
  ])('elements of %s by %d', (type, unit) => {
    const counts = [unit - 1, unit, unit + 1, 2 * unit, unit / 2]
    expect(counts.map((count) => isPlain({count: String(count)}, {type}))).toEqual([false, true, false, true, false])
    const at = (offset: number) => isPlain({count: String(unit)}, {type, offset: String(offset)})
    expect([0, unit / 2, unit - 1, unit, unit + 1].map(at)).toEqual([true, false, false, true, false])
  })

  test.each<[string, Record<string, string>, string | undefined, boolean]>([
    ['a count of which all is known', {count: 'w8'}, 'w8', true],
    ['a count of which half is known', {count: 'w4'}, 'w8', false],
    ['an offset of which half is known', {count: 'w8'}, 'w4', false],
    ['any count', {count: 'n'}, undefined, false],
    ['any offset', {count: '8'}, 'n', false],
    ['one row', {count: '8', rows: '1'}, undefined, true],
    ['two rows', {count: '8', rows: '2'}, undefined, false],
    ['any rows', {count: '8', rows: 'm'}, undefined, false],
  ])('%s', (_, named, offset, is) => {
    expect(isPlain(named, offset === undefined ? {} : {offset})).toBe(is)
  })
})

describe('a copy by bytes', () => {
  const ext = (text: string) => `const DataCopyExtParams copyParams{${text}}`
  const noPad = 'const DataCopyPadExtParams<float> padParams{false, 0, 0, 0}'
  const load = 'DataCopyPad(xLocal, xGm_[at], copyParams, padParams)'

  test.each<[string, Record<string, string>, string]>([
    ['one element', {count: '1'}, '1, static_cast<uint32_t>(sizeof(float)), 0, 0, 0'],
    ['two elements', {count: '2'}, '1, static_cast<uint32_t>(2 * sizeof(float)), 0, 0, 0'],
    ['a sum of elements', {count: 'n + 1'}, '1, static_cast<uint32_t>((n + 1) * sizeof(float)), 0, 0, 0'],
    [
      'one row has no gaps',
      {count: 'n', stride: 's', pitch: 'p'},
      '1, static_cast<uint32_t>(n * sizeof(float)), 0, 0, 0',
    ],
    [
      'rows one behind the other',
      {count: 'n', rows: 'm'},
      'static_cast<uint16_t>(m), static_cast<uint32_t>(n * sizeof(float)), 0, 0, 0',
    ],
    [
      'rows whose stride and pitch are their count',
      {count: 'n', rows: 'm', stride: 'n', pitch: 'n'},
      'static_cast<uint16_t>(m), static_cast<uint32_t>(n * sizeof(float)), 0, 0, 0',
    ],
    [
      'a stride is a gap in bytes',
      {count: 'n - 1', rows: 'm', stride: 's'},
      'static_cast<uint16_t>(m), static_cast<uint32_t>((n - 1) * sizeof(float)), ' +
        'static_cast<uint32_t>((s - (n - 1)) * sizeof(float)), 0, 0',
    ],
    [
      'a pitch is a gap in blocks, of rows that fill theirs',
      {count: 'w8', rows: 'm', pitch: 'p'},
      'static_cast<uint16_t>(m), static_cast<uint32_t>(w8 * sizeof(float)), 0, ' +
        'static_cast<uint32_t>((p - w8) / FLOATS_PER_BLOCK), 0',
    ],
    [
      'a pitch is a gap in blocks, behind the block that a row ends in',
      {count: 'w4', rows: 'm', pitch: 'p + 8'},
      'static_cast<uint16_t>(m), static_cast<uint32_t>(w4 * sizeof(float)), 0, ' +
        'static_cast<uint32_t>((p + 8) / FLOATS_PER_BLOCK - CeilDiv(w4, FLOATS_PER_BLOCK)), 0',
    ],
  ])('%s', (_, named, params) => {
    expect(alignedCopy(callOf('load', named))).toEqual([ext(params), noPad, load])
  })

  test('a store fills nothing, and has its gaps the other way round', () => {
    expect(alignedCopy(callOf('store', {count: 'n', rows: 'm', stride: 's', pitch: 'p'}))).toEqual([
      ext(
        'static_cast<uint16_t>(m), static_cast<uint32_t>(n * sizeof(float)), ' +
          'static_cast<uint32_t>(p / FLOATS_PER_BLOCK - CeilDiv(n, FLOATS_PER_BLOCK)), ' +
          'static_cast<uint32_t>((s - n) * sizeof(float)), 0',
      ),
      'DataCopyPad(xGm_[at], xLocal, copyParams)',
    ])
  })

  test.each<[ElementType, string, string]>([
    ['float32', '0', '0.0f'],
    ['float32', '-3', '-3.0f'],
    ['float32', '1.5', '1.5f'],
    ['float32', 'n', 'static_cast<float>(n)'],
    ['float32', 'f', 'f'],
    ['float16', '0', 'static_cast<half>(0)'],
    ['float16', 'f', 'static_cast<half>(f)'],
    ['bfloat16', '1', 'ToBfloat16(1.0f)'],
    ['bfloat16', 'f', 'ToBfloat16(f)'],
    ['int32', '7', '7'],
    ['int32', '-7', '-7'],
    ['int32', 'n', 'static_cast<int32_t>(n)'],
    ['int8', 'f', 'static_cast<int8_t>(f)'],
    ['bool', '1', '1'],
  ])('of %s, padded by %s', (type, pad, value) => {
    const lines = alignedCopy(callOf('load', {count: 'n + 1', pad}, {type}))
    const element = /<(\w+)>/.exec(lines[1] ?? '')?.[1]
    const unit = /, (\w+_PER_BLOCK)\)/.exec(lines[1] ?? '')?.[1]
    expect(lines[1]).toBe(
      `const DataCopyPadExtParams<${element}> padParams{true, 0, ` +
        `static_cast<uint8_t>(AlignUp(n + 1, ${unit}) - (n + 1)), ${value}}`,
    )
  })

  test('parameters that stand just above are not declared again', () => {
    const [known, given] = [new Map<string, string>(), [] as string[]]
    const lines = (named: Record<string, string>) => alignedCopy(callOf('load', named, {known, given}))
    expect(lines({count: 'n'})).toEqual([ext('1, static_cast<uint32_t>(n * sizeof(float)), 0, 0, 0'), noPad, load])
    expect(lines({count: 'n'})).toEqual([load])
    expect(lines({count: 'm'})).toEqual([
      'const DataCopyExtParams copyParams2{1, static_cast<uint32_t>(m * sizeof(float)), 0, 0, 0}',
      'DataCopyPad(xLocal, xGm_[at], copyParams2, padParams)',
    ])
  })
})
