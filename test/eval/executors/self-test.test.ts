import {describe, expect, test} from 'vitest'
import type {Execution, Executor, Program} from '../../../datasets/schema/executor.ts'
import type {OperatorCase} from '../../../datasets/schema/task.ts'
import {PipelineError} from '../../../engine/errors.ts'
import {selfTest} from '../../../eval/executors/self-test.ts'
import {identity} from './scripted-bench.ts'

const bytesOf = (values: readonly number[]) => new Uint8Array(new Float32Array(values).buffer)
const ran = (values: readonly number[]) => ({outcome: 'ran', outputs: [bytesOf(values)]}) as unknown as Execution

/** An executor that does what is written here with the known operator. */
function scripted(execute: (values: readonly number[]) => Execution | Promise<Execution>, build?: Executor['build']) {
  const seen: {program?: Program; operatorCase?: OperatorCase; disposed: number} = {disposed: 0}
  const executor: Executor = {
    ...{identity, covers: ''},
    compile: () => Promise.reject(new Error('nothing is compiled alone')),
    build:
      build ??
      (async (program) => {
        seen.program = program
        return {ok: true, build: {directory: '', dispose: async () => void (seen.disposed += 1)}}
      }),
    async execute(_build, operatorCase) {
      seen.operatorCase = operatorCase
      const data = operatorCase.inputs[0]?.data ?? new Uint8Array()
      return execute([...new Float32Array(data.slice().buffer)])
    },
  }
  return {executor, seen}
}

describe('the known operator', () => {
  test('is 3 x + 0.5, and whoever gives that passes', async () => {
    const {executor, seen} = scripted((values) => ran(values.map((value) => 3 * value + 0.5)))
    expect(await selfTest(executor)).toBeUndefined()
    expect(seen.disposed).toBe(1)
    expect(seen.program?.operator).toBe('SelfTest')
    expect(seen.operatorCase?.inputs).toMatchObject([{name: 'x', dtype: 'float32', shape: [5]}])
    expect(seen.operatorCase?.outputs).toEqual([{name: 'y', dtype: 'float32', shape: [5]}])
    const [kernel] = seen.program?.files.filter(({path}) => path.startsWith('op_kernel/')) ?? []
    expect(kernel?.text).toContain('(bytes + 31) / 32 * 32')
  })

  test('that gives other numbers is told with them', async () => {
    const {executor, seen} = scripted((values) => ran(values.map((value) => 3 * value)))
    expect(await selfTest(executor)).toBe('it gave -6, 0, 3, 7.5, 3000 instead of -5.5, 0.5, 3.5, 8, 3000.5')
    expect(seen.disposed).toBe(1)
  })

  test('that does not run or build is told as it ended', async () => {
    const crash: Execution = {outcome: 'crashed', cause: 'SIGSEGV', log: 'x'.repeat(600)}
    const crashed = scripted(() => crash)
    expect(await selfTest(crashed.executor)).toBe(`its run ended as ${JSON.stringify(crash).slice(0, 500)}`)
    expect(crashed.seen.disposed).toBe(1)
    const verdict = {outcome: 'link-failed' as const, log: 'no', executor: identity}
    const {executor} = scripted(
      () => crash,
      async () => ({ok: false, verdict}),
    )
    expect(await selfTest(executor)).toBe(`it ended as ${JSON.stringify(verdict)}`)
  })

  test('whose tools fail is told; what no other build would cure is thrown', async () => {
    const failing = (scope: 'record' | 'run') =>
      scripted(() => Promise.reject(new PipelineError('executor-failed', 'it fell over', {fix: '', scope}))).executor
    expect(await selfTest(failing('record'))).toBe('it fell over')
    await expect(selfTest(failing('run'))).rejects.toThrow('it fell over')
    await expect(selfTest(scripted(() => Promise.reject(new Error('a slip'))).executor)).rejects.toThrow('a slip')
  })
})
