import {describe, expect, test} from 'vitest'
import {callsOf, isScratch} from '../../../../pipelines/documentation/example-run/example-call.ts'
import {elementsOf, exampleProgram} from '../../../../pipelines/documentation/example-run/example-program.ts'
import {readPageResult} from '../../../../pipelines/documentation/example-run/page-result.ts'

const calls = (code: string, result: string) => callsOf(code, readPageResult(result)!)
/** Each operand with what the page says of it, by role and name. */
const operands = (code: string, result: string) =>
  calls(code, result)[0]?.operands.map(({name, place, element, dtype, stated}) =>
    [`${place} ${element} ${dtype} ${name}`, ...stated.map(({role, name: said}) => `${role} ${said}`)].join(', '),
  )
const add = 'Add(dstLocal, src0Local, src1Local, 64);'
const local = (name: string) => `local half float16 ${name}`
const result = (...lines: string[]) => lines.join('\n')
const ofAdd = result('输入数据src0Local: [1 2 3 4]', '输入数据src1Local: [2 2 2 2]', '输出数据dstLocal: [3 4 5 6]')

describe('what an example is called with', () => {
  test('is what the page gives values of, by name', () => {
    expect(operands(add, ofAdd)).toEqual([
      `${local('dstLocal')}, output dstLocal`,
      `${local('src0Local')}, input src0Local`,
      `${local('src1Local')}, input src1Local`,
    ])
  })

  test('or by a short name, or by its side', () => {
    expect(operands(add, ofAdd.replaceAll('Local', ''))).toEqual([
      `${local('dstLocal')}, output dst`,
      `${local('src0Local')}, input src0`,
      `${local('src1Local')}, input src1`,
    ])
    const named = result('输入数据a: [1 2 3 4]', '输入数据b: [2 2 2 2]', '输出数据c: [3 4 5 6]')
    expect(operands(add, named)).toEqual([
      `${local('dstLocal')}, output c`,
      `${local('src0Local')}, input a`,
      `${local('src1Local')}, input b`,
    ])
  })

  test('is not tried where something that the page tells has no place', () => {
    expect(calls('Abs(dstLocal, srcLocal, 64);', ofAdd)).toEqual([])
    expect(calls(add, result('输入数据src0Local: [1 2 3 4]'))).toEqual([])
    expect(
      calls('Add(dstLocal, srcLocal, unknown);', result('输入数据srcLocal: [1 2]', '输出数据dstLocal: [3 4]')),
    ).toEqual([])
    expect(
      calls('Add(dstLocal, srcGlobal, mask);', result('输入数据srcGlobal: [1 2]', '输出数据dstLocal: [3 4]')),
    ).toEqual([])
  })

  test('may be a number that the example sets itself', () => {
    const scaled = (value: number) =>
      result('输入数据srcLocal: [1 2 3 4]', `输入数据factor: [${value}]`, '输出数据dstLocal: [2 4 6 8]')
    const code = 'Muls(dstLocal, srcLocal, 2.5, 64);'
    expect(operands(code, scaled(2.5))).toEqual([
      `${local('dstLocal')}, output dstLocal`,
      `${local('srcLocal')}, input srcLocal`,
    ])
    expect(calls(code, scaled(3))).toEqual([])
  })

  test('may be queues and buffers, which are handed over empty', () => {
    const code = 'pipe.InitBuffer(calcBuf, 1024);\nAbs(dstLocal, srcLocal, 64);'
    const [call] = calls(code, result('输入数据srcLocal: [1 2]', '输出数据dstLocal: [1 2]'))
    expect(call!.parameters.map(({name, type}) => `${type} ${name}`)).toEqual([
      'TPipe& pipe',
      'TBuf<TPosition::VECCALC>& calcBuf',
      'LocalTensor<half> dstLocal',
      'LocalTensor<half> srcLocal',
    ])
    expect(call!.operands.map(({name}) => name)).toEqual(['dstLocal', 'srcLocal'])
  })

  test('room to work in is nothing that the page speaks of', () => {
    const code = 'Sum(dstLocal, srcLocal, tmpLocal, 64);'
    expect(operands(code, result('输入数据x: [1 2]', '输出数据dstLocal: [3 4]'))).toEqual([
      `${local('dstLocal')}, output dstLocal`,
      `${local('srcLocal')}, input x`,
      local('tmpLocal'),
    ])
    const named = ['tmpLocal', 'tempBuf', 'workLocal', 'sharedBuf', 'srcLocal'].map((name) => ({name}) as never)
    expect(named.map(isScratch)).toEqual([true, true, true, true, false])
  })

  test('has the types that the example or its comments tell', () => {
    const both = result('输入数据srcLocal: [1 2]', '输出数据dstLocal: [1 2]')
    const declared = 'LocalTensor<int32_t> dstLocal, srcLocal;\nAbs(dstLocal, srcLocal, 64);'
    expect(operands(declared, both)).toEqual([
      'local int32_t int32 dstLocal, output dstLocal',
      'local int32_t int32 srcLocal, input srcLocal',
    ])
    expect(calls(declared, both)[0]!.text).not.toContain('LocalTensor<int32_t> dstLocal, srcLocal;')
    const said = '// dstLocal、srcLocal的数据类型为float\nAbs(dstLocal, srcLocal, 64);'
    expect(operands(said, both)![1]).toBe('local float float32 srcLocal, input srcLocal')
    const global = '// srcGlobal为half类型的GlobalTensor\nDataCopy(dstLocal, srcGlobal, 64);'
    expect(operands(global, both.replaceAll('srcLocal', 'srcGlobal'))![1]).toBe(
      'global half float16 srcGlobal, input srcGlobal',
    )
    const raw = '__ubuf__ float dst[64];\n__ubuf__ float src[64];\nasc_abs(dst, src, 64);'
    expect(operands(raw, both.replaceAll('Local', ''))).toEqual([
      'ubuf float float32 dst, output dst',
      'ubuf float float32 src, input src',
    ])
    const inGm = '// xGm为half类型，dst为half\nasc_copy_gm2ub(dst, xGm, 64);'
    expect(operands(inGm, result('输入数据xGm: [1 2]', '输出数据dst: [1 2]'))).toEqual([
      'ubuf half float16 dst, output dst',
      'gm half float16 xGm, input xGm',
    ])
  })

  test('is as long as its inputs where they are equally long', () => {
    const code = 'Add(dstLocal, src0Local, src1Local, count);'
    expect(calls(code, ofAdd)[0]!.text).toContain('constexpr uint32_t count = 4;')
    expect(calls(code, ofAdd.replace('2 2 2 2', '2 2'))).toEqual([])
    expect(calls('Add(dstLocal, src0Local, src1Local, length);', ofAdd)).toEqual([])
  })

  test('is tried once for each guess at its types', () => {
    const texts = calls(add, ofAdd).map(({text}) => text)
    expect(new Set(texts).size).toBe(texts.length)
    expect(texts.length).toBeGreaterThan(3)
  })
})

describe('the program around an example', () => {
  const both = result('输入数据srcLocal: [1 2]', '输出数据dstLocal: [1 2]')
  const program = (code: string, stated = both, count = 64) => {
    const [call] = calls(code, stated)
    const results = call!.operands.filter((one) => one.stated.some(({role}) => role === 'output'))
    return exampleProgram(call!, results, count)
  }
  const kernel = (...args: Parameters<typeof program>) => program(...args).files[1]!.text.split('\n')

  test('loads every operand, runs, and stores the results', () => {
    const code = 'pipe.InitBuffer(inQueue, 1, 64);\npipe.InitBuffer(calcBuf, 64);\nAbs(dstLocal, srcLocal, 64);'
    const {dtypes, operator} = program(code)
    expect([operator, dtypes]).toEqual([
      'PageExample',
      {dstLocal: 'float16', srcLocal: 'float16', dstLocalResult: 'float16'},
    ])
    const load = (name: string) => [
      `GlobalTensor<half> ${name}Values;`,
      `${name}Values.SetGlobalBuffer((__gm__ half*)${name}Given, 64);`,
      `TBuf<TPosition::VECCALC> ${name}Buffer;`,
      `pipe.InitBuffer(${name}Buffer, 64 * sizeof(half));`,
      `LocalTensor<half> ${name} = ${name}Buffer.Get<half>();`,
      `DataCopy(${name}, ${name}Values, 64);`,
    ]
    const lines = kernel(code)
    const names = 'dstLocalGiven, GM_ADDR srcLocalGiven, GM_ADDR dstLocalResult, GM_ADDR workspaceAddress'
    const entry = `extern "C" __global__ __aicore__ void page_example(GM_ADDR ${names}, GM_ADDR tilingAddress)`
    expect(lines.slice(lines.indexOf(entry))).toEqual([
      ...[entry, '{', 'TPipe pipe;'],
      ...['TQue<TPosition::VECIN, 1> inQueue;', 'pipe.InitBuffer(inQueue, 1, 16384);'],
      ...['TBuf<TPosition::VECCALC> calcBuf;', 'pipe.InitBuffer(calcBuf, 16384);'],
      ...[...load('dstLocal'), ...load('srcLocal'), 'PipeBarrier<PIPE_ALL>();'],
      ...['Example(pipe, inQueue, calcBuf, dstLocal, srcLocal);', 'PipeBarrier<PIPE_ALL>();'],
      'GlobalTensor<half> dstLocalResultValues;',
      'dstLocalResultValues.SetGlobalBuffer((__gm__ half*)dstLocalResult, 64);',
      'DataCopy(dstLocalResultValues, dstLocal, 64);',
      ...['}', ''],
    ])
    expect(lines.slice(0, 2)).toEqual(['#include "kernel_operator.h"', 'using namespace AscendC;'])
  })

  test('writes what lies in GM at once', () => {
    const stated = result('输入数据srcLocal: [1 2]', '输出数据dstGlobal: [1 2]')
    const lines = kernel('DataCopy(dstGlobal, srcLocal, 64);', stated)
    expect(lines).toContain('dstGlobalValues.SetGlobalBuffer((__gm__ half*)dstGlobalResult, 64);')
    expect(lines).toContain('GlobalTensor<half> dstGlobal = dstGlobalValues;')
    expect(lines.filter((line) => line.includes('ResultValues'))).toEqual([])
    const inGm = '// xGm为half类型，dst为half\nasc_copy_gm2ub(dst, xGm, 64);'
    const raw = kernel(inGm, result('输入数据xGm: [1 2]', '输出数据dst: [1 2]'))
    expect(raw.slice(0, 3)).toEqual([
      '#include "kernel_operator.h"',
      '#include "c_api/asc_simd.h"',
      'using namespace AscendC;',
    ])
    expect(raw).toContain('__gm__ half* xGm = (__gm__ half*)xGmGiven;')
    expect(raw).toContain('__ubuf__ half* dst = (__ubuf__ half*)dstTensor.GetPhyAddr();')
    expect(raw).toContain('DataCopy(dstResultValues, dstTensor, 64);')
  })

  test('has a host side that names every operand and its type', () => {
    const text = program('LocalTensor<float> dstLocal, srcLocal;\nAbs(dstLocal, srcLocal, 64);').files[0]!.text
    const port = (kind: string, name: string) =>
      `this->${kind}("${name}").ParamType(REQUIRED).DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});`
    const ports = text.split('\n').filter((line) => line.includes('ParamType'))
    expect(ports.map((line) => line.trim())).toEqual([
      port('Input', 'dstLocal'),
      port('Input', 'srcLocal'),
      port('Output', 'dstLocalResult'),
    ])
    expect(text).toContain('context->SetBlockDim(1);\n    context->GetWorkspaceSizes(1)[0] = 0;')
  })

  test('gives a call of the library room to work in', () => {
    const operand = (name: string) => ({name, place: 'local', element: 'float', dtype: 'float32', stated: []}) as const
    expect(elementsOf({...operand('tmpLocal'), stated: []}, 64)).toBe(10_240)
    expect(elementsOf({...operand('srcLocal'), stated: []}, 64)).toBe(64)
  })
})
