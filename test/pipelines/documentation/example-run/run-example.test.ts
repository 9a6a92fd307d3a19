import {describe, expect, test} from 'vitest'
import {decode, encode} from '../../../../datasets/dtype.ts'
import type {Execution, Program} from '../../../../datasets/schema/executor.ts'
import type {OperatorCase} from '../../../../datasets/schema/task.ts'
import type {Verdict} from '../../../../datasets/schema/verdict.ts'
import {runExample} from '../../../../pipelines/documentation/example-run/run-example.ts'
import {realExecutor} from '../../../helpers/real-executor.ts'
import {type Script, scriptedExecutor, scriptedIdentity} from '../../../helpers/scripted-executor.ts'

const signal = new AbortController().signal
const refused: Verdict = {outcome: 'compile-failed', diagnostics: [], log: '', executor: scriptedIdentity}

const add = 'AscendC::Add(dstLocal, src0Local, src1Local, 64);'
const addResult = (dst: string) =>
  `输入数据src0Local: [1 2 3 ... 64]\n输入数据src1Local: [2 2 2 ... 2]\n输出数据dstLocal: ${dst}`

/** What the kernel would write, from the values of the inputs by name. */
type Compute = (inputs: Record<string, Float64Array>) => Record<string, Float64Array>

function computing(compute: Compute): Script['run'] {
  return ({inputs, outputs}: OperatorCase) => {
    const values = compute(Object.fromEntries(inputs.map(({name, dtype, data}) => [name, decode(data, dtype)])))
    return outputs.map(({name, dtype}) => encode(values[name] ?? new Float64Array(), dtype))
  }
}

const sum: Compute = ({src0Local, src1Local}) => ({
  dstLocalResult: src0Local!.map((value, index) => value + src1Local![index]!),
})

describe('runExample', () => {
  test('gives every operand its values and compares what comes out', async () => {
    const executor = scriptedExecutor({run: computing(sum)})
    expect(await runExample(add, addResult('[3 4 5 ... 66]'), executor, signal)).toEqual({
      outcome: 'reproduced',
      detail: '',
    })
    expect(executor.builds).toHaveLength(1)
    expect(executor.runs.map(({options}) => options.poison)).toEqual(['nan', 'zero'])
    expect(executor.openBuilds()).toBe(0)
  })

  test('says where another value came out', async () => {
    const executor = scriptedExecutor({run: computing(sum)})
    const end = await runExample(add, addResult('[3 4 9 ... 66]'), executor, signal)
    expect(end.outcome).toBe('differs')
    expect(end.detail).toMatch(/^dstLocal\[2\]: 9 on the page, 5 found/)
  })

  test('is undecided where what the page leaves out decides', async () => {
    const sixth: Compute = ({srcLocal}) => ({dstLocalResult: srcLocal!.map(() => srcLocal!.at(5)!)})
    const text = '输入数据srcLocal: [4 9 1 8 ...]\n输出数据dstLocal: [77 ...]'
    const executor = scriptedExecutor({run: computing(sixth)})
    expect(await runExample('AscendC::Foo(dstLocal, srcLocal, 64);', text, executor, signal)).toEqual({
      outcome: 'undecided',
      detail: 'dstLocal: what the page leaves out decides',
    })
  })

  test('is undecided where the value of the page comes out once and not again', async () => {
    const text = '输入数据srcLocal: [4 9 1 8 ...]\n输出数据dstLocal: [77 ...]'
    for (const values of [
      [77, 78],
      [78, 77],
    ]) {
      let runs = 0
      const once: Compute = ({srcLocal}) => {
        const value = values[runs % 2]!
        runs += 1
        return {dstLocalResult: srcLocal!.map(() => value)}
      }
      const executor = scriptedExecutor({run: computing(once)})
      expect((await runExample('AscendC::Foo(dstLocal, srcLocal, 64);', text, executor, signal)).outcome).toBe(
        'undecided',
      )
    }
  })

  test('is undecided where only the device computes a function otherwise', async () => {
    const near: Compute = ({srcLocal}) => ({dstLocalResult: srcLocal!.map(() => 1.13)})
    const text = '输入数据srcLocal: [4.5 9]\n输出数据dstLocal: [1.1250 1.1250]'
    const end = await runExample(
      'AscendC::Foo(dstLocal, srcLocal, 64);',
      text,
      scriptedExecutor({run: computing(near)}),
      signal,
    )
    expect(end).toEqual({outcome: 'undecided', detail: expect.stringContaining('1.125 on the page, 1.129')})
  })

  test('is undecided where several calls write the output', async () => {
    const executor = scriptedExecutor({run: computing(sum)})
    const end = await runExample(`${add}\n${add}`, addResult('[3 4 9 ... 66]'), executor, signal)
    expect(end.outcome).toBe('undecided')
  })

  test('goes on to other element types where a build fails or values do not fit', async () => {
    const built: Program[] = []
    const executor = scriptedExecutor({
      build: (program) => {
        built.push(program)
        return program.dtypes['src0Local'] === 'int16' ? undefined : refused
      },
      run: computing(sum),
    })
    expect((await runExample(add, addResult('[3 4 5 ... 66]'), executor, signal)).outcome).toBe('reproduced')
    expect(built.length).toBeGreaterThan(1)
    const text = addResult('[3.5 4.5 5.5 ... 66.5]').replace('[2 2 2 ... 2]', '[2.5 2.5 ... 2.5]')
    const whole = scriptedExecutor({
      build: ({dtypes}) => (Object.values(dtypes).every((dtype) => dtype.startsWith('float')) ? refused : undefined),
      run: () => {
        throw new Error('no integer holds these values')
      },
    })
    expect((await runExample(add, text, whole, signal)).outcome).toBe('undecided')
  })

  test.each([
    ['a number of the call', 'AscendC::Add(dstLocal, src0Local, src1Local, width);'],
    ['a structure', 'AscendC::Add(dstLocal, src0Local, src1Local, 64, repeatParams);'],
    ['an object', 'conv.Add(dstLocal, src0Local, src1Local);'],
  ])('is undecided where the page leaves out %s, and builds nothing', async (_, code) => {
    const executor = scriptedExecutor({run: () => []})
    expect((await runExample(code, addResult('[3 4 5 ... 66]'), executor, signal)).outcome).toBe('undecided')
    expect(executor.builds).toEqual([])
  })

  test('is undecided where nothing comes out, and beyond the room of the core', async () => {
    const executor = scriptedExecutor({run: () => []})
    const inputs = addResult('[1]').split('\n').slice(0, 2).join('\n')
    expect((await runExample(add, inputs, executor, signal)).outcome).toBe('undecided')
    const long = add.replace('64', '9999')
    expect(await runExample(long, addResult('[3 4 5 ... 66]'), executor, signal)).toEqual({
      outcome: 'undecided',
      detail: '10016 elements',
    })
    expect(executor.builds).toEqual([])
  })

  test.each([
    ['shorter', 'dst', 'src0', 'src1'],
    ['of one stem', 'dst_buf', 'src0_gm', 'src1Tensor'],
    ['one for both inputs', 'dst', 'srcLocal', 'srcLocal'],
    ['others, inputs before the output', 'result', 'left', 'right'],
  ])('takes operands by names that are %s', async (_, dst, src0, src1) => {
    const executor = scriptedExecutor({run: computing(sum)})
    const text = addResult('[3 4 5 ... 66]')
      .replace('dstLocal', dst)
      .replace('src0Local', src0)
      .replace('src1Local', src1)
    expect((await runExample(add, text, executor, signal)).outcome).toBe('reproduced')
  })

  test.each<[string, Execution, RegExp]>([
    ['timed-out', {outcome: 'timed-out', limitSeconds: 1}, /timed-out/],
    ['launch-failed', {outcome: 'launch-failed', message: 'no tiling'}, /no tiling/],
    [
      'violated',
      {outcome: 'violated', violation: {rule: 'unaligned', block: 0, api: 'Add', tensor: '', message: 'm', fix: ''}},
      /unaligned: m/,
    ],
  ])('is undecided after a run that %s', async (_, execution, detail) => {
    const executor = scriptedExecutor({run: () => execution})
    const end = await runExample(add, addResult('[3 4 5 ... 66]'), executor, signal)
    expect(end.outcome).toBe('undecided')
    expect(end.detail).toMatch(detail)
    expect(executor.openBuilds()).toBe(0)
  })

  test('lets a failure of the tool through, and leaves no build behind', async () => {
    const executor = scriptedExecutor({
      run: () => {
        throw new Error('the disk is full')
      },
    })
    await expect(runExample(add, addResult('[3 4 5 ... 66]'), executor, signal)).rejects.toThrow('the disk is full')
    expect(executor.openBuilds()).toBe(0)
  })
})

describe('runExample with the twin', () => {
  const run = async (code: string, result: string) => runExample(code, result, await realExecutor(), signal)

  test.each([
    ['vectors on the core', add, addResult('[3 4 5 ... 66]')],
    [
      'a scalar of the listing, integers',
      'int16_t scalar = 3;\nAscendC::Muls(dstLocal, srcLocal, scalar, 32);',
      '输入数据srcLocal：[1 2 ... 32]\n输入数据scalar = 3\n输出数据dstLocal：[3 6 ... 96]',
    ],
    [
      'types that differ',
      'AscendC::Cast(dstLocal, srcLocal, AscendC::RoundMode::CAST_FLOOR, 64);',
      '输入数据(srcLocal):\n[1.75, -1.25, ... 2.5]\n输出数据(dstLocal):\n[1, -2, ... 2]',
    ],
    [
      'room that the call works in',
      'AscendC::Tanh(dstLocal, srcLocal, sharedTmpBuffer, 64);',
      '输入数据(srcLocal): [0.0 1.0 ...]\n输出数据(dstLocal): [0.0 0.7616 ...]',
    ],
    [
      'tensors that the listing declares empty',
      'AscendC::LocalTensor<int32_t> dstLocal, srcLocal;\nAscendC::Adds(dstLocal, srcLocal, 1, 64);',
      '输入数据srcLocal：[100000 100001 ...]\n输出数据dstLocal：[100001 100002 ...]',
    ],
    [
      'global memory',
      'AscendC::DataCopy(dstGlobal, srcLocal, 64);',
      '输入数据srcLocal：[1 2 ... 64]\n输出数据dstGlobal：[1 2 ... 64]',
    ],
    [
      'the C interface',
      'constexpr uint32_t total = 64;\n__ubuf__ half src[total];\n__ubuf__ half dst[total];\nasc_exp(dst, src, total);',
      '输入数据src：[0 1 ...]\n输出数据dst：[1 2.719 ...]',
    ],
    [
      'values that stand in the output before',
      'AscendC::Axpy(dstLocal, srcLocal, (half)2.0, 64);',
      '输入数据(srcLocal): [1 2 ... 64]\n输出数据(dstLocal)初始值: [1 1 ... 1]\n计算后，输出数据(dstLocal): [3 5 ... 129]',
    ],
    [
      'a number of elements that the page leaves to its values',
      'AscendC::Abs(dstLocal, srcLocal, dataSize);',
      '输入数据(srcLocal): [-1 -2 ... -32]\n输出数据(dstLocal): [1 2 ... 32]',
    ],
  ])(
    'reproduces %s',
    async (_, code, result) => {
      expect(await run(code, result)).toEqual({outcome: 'reproduced', detail: ''})
    },
    120_000,
  )

  test('finds a result that is wrong on the page', async () => {
    const text = '输入数据src0Local: [2 3 5 13]\n输入数据src1Local: [1 2 3 6]\n输出数据dstLocal: [3 1 6 10]'
    expect(await run('AscendC::Xor(dstLocal, src0Local, src1Local);', text)).toMatchObject({
      outcome: 'differs',
      detail: expect.stringMatching(/dstLocal\[3\]: 10 on the page, 11 found/),
    })
  }, 120_000)

  test('breaks no rule of the device by itself, and tells one that the example breaks', async () => {
    const text = '输入数据srcLocal: [1 2 ... 64]\n输出数据dstLocal: [1 2 ... 64]'
    const end = await run('AscendC::Abs(dstLocal, srcLocal[1], 63);', text)
    expect(end.outcome).toBe('undecided')
    expect(end.detail).toMatch(/align/)
  }, 120_000)
})
