import {describe, expect, test} from 'vitest'
import {readPageResult} from '../../../../pipelines/documentation/example-run/page-result.ts'

const values = (text: string) =>
  readPageResult(text)?.map(({name, role, runs, isOpen, type}) => [
    name,
    role,
    runs.map((run) => run.map(({value}) => value)),
    isOpen,
    ...(type === undefined ? [] : [type]),
  ])

describe('readPageResult', () => {
  test('reads operands by name and role', () => {
    expect(values('输入数据aLocal: [1 -2.5 3]\n输出数据（bLocal）：[4, 5e-1, +6.]')).toEqual([
      ['aLocal', 'input', [[1, -2.5, 3]], false],
      ['bLocal', 'output', [[4, 0.5, 6]], false],
    ])
    expect(values('input a: [1]\nOutput data b = 2')).toEqual([
      ['a', 'input', [[1]], false],
      ['b', 'output', [[2]], false],
    ])
  })

  test('keeps what is left out apart', () => {
    expect(values('输出数据dst：[2 4 6... 1024 ... 2046]')).toEqual([
      ['dst', 'output', [[2, 4, 6], [1024], [2046]], false],
    ])
    expect(values('输出数据dst：[2 4 …]')).toEqual([['dst', 'output', [[2, 4]], true]])
  })

  test('reads nested rows in order, over several lines', () => {
    expect(values('输出数据(dstLocal, shape:[2, 2]):\n[[ 1 2]\n [ 3 4]]\n')).toEqual([
      ['dstLocal', 'output', [[1, 2, 3, 4]], false],
    ])
  })

  test('tells what stands in an output before the call', () => {
    const text = '输出数据(dst)初始值:\n[0. 0. ... 0.]\n进行计算后，输出数据(dst):\n[2. 4. ... 8.]'
    expect(values(text)?.map(([name, role]) => [name, role])).toEqual([
      ['dst', 'initial'],
      ['dst', 'output'],
    ])
  })

  test.each([
    ['输入数据(src,half): [1,2]', 'half'],
    ['输入数据src：[1, 2]  // int8_t类型', 'int8_t'],
    ['输入数据src（2个uint32_t类型数据）: [1, 2]', 'uint32_t'],
  ])('finds the element type beside the values: %s', (text, type) => {
    expect(values(text)).toEqual([['src', 'input', [[1, 2]], false, type]])
  })

  test('reads values that are no numbers, and logical ones', () => {
    expect(values('输出数据dst: [-nan inf -inf True False]')).toEqual([
      ['dst', 'output', [[NaN, Infinity, -Infinity, 1, 0]], false],
    ])
  })

  test('is undefined where a value cannot be read', () => {
    expect(readPageResult('输出数据dst: [1 2 0x7F]')).toBeUndefined()
    expect(readPageResult('输出数据dst: []')).toBeUndefined()
  })

  test('passes over what names no operand', () => {
    expect(readPageResult('输入输出的数据类型为float\n输入shape：(2,8)\ndim：2')).toEqual([])
  })

  test('knows how exactly a value is written', () => {
    const units = readPageResult('输出数据dst: [2 2. 2.719 7.6e-6]')?.[0]?.runs[0]?.map(({unit}) => unit)
    expect(units?.[0]).toBe(0)
    expect(units?.[1]).toBe(0)
    expect(units?.[2]).toBeCloseTo(1e-3, 12)
    expect(units?.[3]).toBeCloseTo(1e-7, 15)
  })
})
