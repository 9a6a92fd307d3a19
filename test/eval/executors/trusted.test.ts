import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import type {Execution, Executor} from '../../../datasets/schema/executor.ts'
import type {Verdict} from '../../../datasets/schema/verdict.ts'
import {PipelineError} from '../../../engine/errors.ts'
import {toolFailure} from '../../../eval/executors/tool-fault.ts'
import {trusted} from '../../../eval/executors/trust.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {identity} from './scripted-bench.ts'

const sound = [-5.5, 0.5, 3.5, 8, 3000.5]
const compiled: Verdict = {outcome: 'compiled', executor: identity}
const refused: Verdict = {outcome: 'compile-failed', diagnostics: [], log: '', executor: identity}
const unlinked: Verdict = {outcome: 'link-failed', log: '', executor: identity}
const unit = {side: 'kernel' as const, text: '', tiling: '', dtypes: {}}

interface Given {
  /** What a candidate comes to, one after the other; the last again and again. */
  verdicts?: (Verdict | Error)[]
  /** What the known operator gives, in the same way. */
  known?: (readonly number[] | Error)[]
  whole?: boolean[]
}

const next = <T>(list: T[]): T => (list.length > 1 ? list.splice(0, 1)[0] : list[0]) as T

/** Tools that were never tested by this process, as each has a folder of its own. */
async function tools({verdicts = [compiled], known = [sound], whole = [true]}: Given = {}) {
  const [outcomes, numbers, parts] = [[...verdicts], [...known], [...whole]]
  const done: string[] = []
  const built = {ok: true as const, build: {directory: '', dispose: async () => undefined}}
  const tested = {
    ...{identity, covers: '', build: async () => built},
    async execute(): Promise<Execution> {
      done.push('tested')
      const one = next(numbers)
      if (one instanceof Error) throw one
      return {outcome: 'ran', outputs: [new Uint8Array(new Float32Array(one).buffer)]} as unknown as Execution
    },
  } as unknown as Executor
  const came = async () => {
    const one = next(outcomes)
    if (one instanceof Error) throw one
    return one
  }
  const executor: Executor = {
    ...{identity, covers: 'all'},
    compile: came,
    async build() {
      const verdict = await came()
      return verdict.outcome === 'compiled' ? built : {ok: false, verdict}
    },
    async execute() {
      await came()
      return {outcome: 'launch-failed', message: 'm'}
    },
  }
  const directory = await temporaryFolder()
  const mendable = {
    prebuilt: {directory, isWhole: async () => next(parts), rebuild: async () => void done.push('rebuilt')},
    workDirectory: join(directory, 'work'),
    compiler: {command: 'cc', version: 'cc 1'},
    sandbox: 'plain',
  } as unknown as Parameters<typeof trusted>[2]
  return {open: () => trusted(executor, tested, mendable), done}
}

const wrong = [0, 0, 0, 0, 0]
const slip = toolFailure('the linker ended with status 3: no')
const crash = toolFailure('the compiler crashed, SIGSEGV: x')

describe('tools', () => {
  test('are tested once in a process while they are whole', async () => {
    const {open, done} = await tools()
    const executor = await open()
    expect([executor.identity, executor.covers]).toEqual([identity, 'all'])
    await open()
    expect(done).toEqual(['tested'])
    const damaged = await tools({whole: [true, false, true]})
    await damaged.open()
    await damaged.open()
    expect(damaged.done).toEqual(['tested', 'tested'])
  })

  test('are tested twice before they are built anew', async () => {
    const once = await tools({known: [wrong, sound]})
    await once.open()
    expect(once.done).toEqual(['tested', 'tested'])
    const twice = await tools({known: [wrong, wrong, sound]})
    await twice.open()
    expect(twice.done).toEqual(['tested', 'tested', 'rebuilt', 'tested'])
    const parts = await tools({whole: [false, false, true]})
    await parts.open()
    expect(parts.done).toEqual(['rebuilt', 'tested'])
  })

  test('that do not pass even then end the run', async () => {
    const {open} = await tools({known: [slip]})
    await expect(open()).rejects.toMatchObject({
      code: 'executor-failed',
      scope: 'run',
      message: expect.stringMatching(
        /^The twin fails its self-test even after a rebuild: The twin could not /,
      ) as string,
      fix: 'Repair cc, or choose one with --set executor.compiler=…; test with `ascend-cot doctor`.',
    })
    const full = new PipelineError('disk-full', 'full', {fix: ''})
    await expect((await tools({known: [full]})).open()).rejects.toBe(full)
  })
})

describe('a candidate over which a tool fails', () => {
  test('is judged after all once the tools are tested', async () => {
    const {open, done} = await tools({verdicts: [slip, compiled]})
    const executor = await open()
    expect(await executor.compile(unit)).toBe(compiled)
    expect(done).toEqual(['tested', 'tested'])
  })

  test('is not judged where they fail again', async () => {
    const executor = await (await tools({verdicts: [slip, slip]})).open()
    await expect(executor.compile(unit)).rejects.toBe(slip)
    const mixed = await (await tools({verdicts: [slip, crash]})).open()
    await expect(mixed.compile(unit)).rejects.toBe(crash)
  })

  test('is not covered where they crash each time', async () => {
    const missing = ['a compiler that does not crash on this code']
    const verdict = {outcome: 'not-covered', missing, executor: identity}
    const executor = await (await tools({verdicts: [crash]})).open()
    expect(await executor.compile(unit)).toEqual(verdict)
    expect(await executor.build({} as never)).toEqual({ok: false, verdict})
    await expect(executor.execute({} as never, {} as never)).rejects.toBe(crash)
  })

  test('is no reason to test them where it is a fault of ours, or ends the run', async () => {
    for (const fault of [new Error('a slip'), new PipelineError('disk-full', 'full', {fix: ''})]) {
      const {open, done} = await tools({verdicts: [fault]})
      const executor = await open()
      await expect(executor.compile(unit)).rejects.toBe(fault)
      expect(done).toEqual(['tested'])
    }
    const gone = Object.assign(new Error('gone'), {code: 'ENOENT', syscall: 'open', errno: -2})
    const {open, done} = await tools({verdicts: [gone, compiled]})
    expect(await (await open()).compile(unit)).toBe(compiled)
    expect(done).toEqual(['tested', 'tested'])
  })
})

describe('twenty candidates in a row that do not build', () => {
  async function testsAfter(verdicts: Verdict[], given: Given = {}) {
    const {open, done} = await tools({...given, verdicts})
    const executor = await open()
    for (const _ of verdicts.slice(1)) await executor.compile(unit)
    await executor.build({} as never)
    return done.length - 1
  }
  const row = (count: number, verdict: Verdict = refused) => Array.from({length: count}, () => verdict)

  test('have the tools tested, and each further twenty', async () => {
    expect(await testsAfter(row(19))).toBe(0)
    expect(await testsAfter(row(20))).toBe(1)
    expect(await testsAfter([...row(10), ...row(10, unlinked)])).toBe(1)
    expect(await testsAfter(row(39))).toBe(1)
    expect(await testsAfter(row(40))).toBe(2)
    expect(await testsAfter([...row(19), compiled, ...row(19)])).toBe(0)
  })

  test('end the run where the known operator does not build either', async () => {
    await expect(testsAfter(row(20), {known: [sound, wrong]})).rejects.toMatchObject({
      code: 'executor-failed',
      scope: 'run',
      message:
        'The last 20 candidates did not build, and neither does a known-good operator: ' +
        'it gave 0, 0, 0, 0, 0 instead of -5.5, 0.5, 3.5, 8, 3000.5',
      fix: 'Repair the compiler (see `ascend-cot doctor`), then run with another --out: recent outcomes may be wrong.',
    })
  })
})
