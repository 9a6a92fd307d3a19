import {describe, expect, test} from 'vitest'
import {isSize, knownSizes} from '../../../pipelines/facts/host-sizes.ts'
import type {Statement} from '../../../cpp/syntax.ts'
import {functionFlows} from '../../../cpp/statements.ts'

const sizeOf = (text: string, target = 'n', operator = '='): boolean =>
  isSize({kind: 'value', target, operator, text, branches: [], loops: [], line: 1} as unknown as Statement)

describe('a size is', () => {
  test.each([
    'a + b',
    'a - b',
    'a * 8',
    'a / b',
    'a % b',
    'a << 2',
    'a >> 2',
    'min(a, b)',
    'std::max<uint32_t>(a, b)',
    'CeilDiv(a, 8)',
    'CeilAlign<int>(a, 32)',
    'AlignUp(a)',
    'FloorAlign(a)',
    'RoundUp(a, 8)',
    'DivCeil (a)',
    'isWide ? a : b',
    'isWide ? 3 : 2',
    'type == DT_FLOAT ? 3 : TILE_SIZE',
    'a == nullptr ? 3 : 2',
    `${'a'.repeat(156)} + 1`,
  ])('%s', (text) => expect(sizeOf(text)).toBe(true))

  test.each([
    'a',
    '3',
    'f(a)',
    'Aligned',
    'a+b',
    'a + b == c',
    'a != b + c',
    'a - b > c',
    'a - b >= c',
    'a + b && c',
    'a + b || c',
    'wide ? nullptr : p',
    'wide ? true : b',
    'wide ? DT_FLOAT : b',
    'xPtr ? a : b',
    'wide ? x->GetDataType() : b',
    '"a" + b',
    'F{a + b}',
    'a + b; c',
    `${'a'.repeat(157)} + 1`,
  ])('not %s', (text) => expect(sizeOf(text)).toBe(false))

  test.each<[target: string, text: string, is: boolean]>([
    ['tilingKey', 'a + b', false],
    ['workspaceBytes', 'a + b', false],
    ['dtypeBytes', 'a + b', true],
    ['dtypeBytes', 'wide ? 4 : 2', false],
    ['dtypeBytes', 'wide ? a : b', false],
    ['shapeRows', 'wide ? 4 : 2', false],
    ['shapeRows', 'wide ? a : b', false],
    ['rows', 'wide ? a : b', true],
  ])('of what %s = %s gives: %s', (target, text, is) => expect(sizeOf(text, target)).toBe(is))

  test.each<[operator: string, text: string, is: boolean]>([
    ['+=', 'step', true],
    ['-=', 'a', true],
    ['+=', '2', false],
    ['*=', '8U', false],
    ['*=', 'b8', true],
    ['=', 'step', false],
  ])('what is done by %s %s: %s', (operator, text, is) => expect(sizeOf(text, 'n', operator)).toBe(is))

  test('no call, whatever it is given', () => {
    expect(isSize({kind: 'call', target: '', operator: '', text: 'F(a + b)'} as unknown as Statement)).toBe(false)
    const returned = (text: string) => isSize({kind: 'return', target: '', operator: '', text} as unknown as Statement)
    expect([returned('a + b'), returned('a')]).toEqual([true, false])
  })
})

const bytes = 1000

async function known(body: string, buffer = ['ub']): Promise<string[]> {
  const flows = await functionFlows(`void F() {\n${body}\n}\n`)
  const scope = {constants: new Map([['HALF', 2]]), types: new Map()}
  return knownSizes(flows, buffer, bytes, scope).map(({statement: {target}, value}) => `${target} ${value}`)
}

describe('what follows from the bytes of the buffer', () => {
  test.each<[name: string, body: string, sizes: string[]]>([
    ['a share', 'a = ub / 4;', ['a 250']],
    ['a share of a share, with a constant', 'a = ub / HALF; b = a - 100;', ['a 500', 'b 400']],
    ['by a name of the same value, which is no size itself', 'a = ub; b = a / 4;', ['b 250']],
    ['0 and more', 'a = ub - 1000; b = ub - 1001; c = b + 2000;', ['a 0']],
    ['not what has nothing of it', 'a = 8 * HALF; c = ubx / 2;', []],
    ['nor what is not known', 'a = ub / rows;', []],
    ['nor what is given twice', 'a = ub / 2; a = 3;', []],
    ['nor what is added to', 'a += ub / 2;', []],
    ['nor what a branch decides', 'if (wide) { a = ub / 2; }', []],
    ['nor what a loop does', 'for (int i = 0; i < 3; i++) { a = ub / 2; }', []],
    ['of a buffer that begins with 0', 'ub = 0; a = ub / 2;', ['a 500']],
    ['or with 0 of a type', 'ub = 0UL; a = ub / 2;', ['a 500']],
    ['not of one that is changed', 'ub = 0; ub = ub - 64; a = ub / 2;', []],
  ])('%s', async (_, body, sizes) => expect(await known(body)).toEqual(sizes))

  test('several names hold the bytes, and without one nothing is known', async () => {
    expect(await known('a = left / 2; b = right / 4; right = 8;', ['left', 'right'])).toEqual(['a 500'])
    expect(await known('a = ub / 2;', [])).toEqual([])
  })
})
