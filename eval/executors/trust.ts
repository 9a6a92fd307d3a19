import type {Executor} from '../../datasets/schema/executor.ts'
import type {Verdict} from '../../datasets/schema/verdict.ts'
import {PipelineError} from '../../engine/errors.ts'
import {makeFolder} from '../../engine/files.ts'
import {assertRoom} from '../../engine/room.ts'
import type {Tools} from './tools.ts'
import {selfTest} from './self-test.ts'
import {asToolFailure, crashedTool} from './tool-fault.ts'

/**
 * After this many candidates in a row that do not build, the tools are tested with a known-good operator. A stage that
 * fails for everything either has such candidates or a silently broken compiler; only a known operator can tell which.
 * A bad batch costs one self-test per twenty candidates.
 */
const suspicious = 20

/** What `trusted` needs from the tools. */
type Mendable = Pick<Tools, 'prebuilt' | 'workDirectory' | 'compiler' | 'sandbox'>

/** Tools that this process has tested; they are tested again when they fail. */
const passed = new Set<string>()

/**
 * An executor that has passed its self-test and gives no verdict when its tools fail: it repairs what it can and
 * retries once; a second failure fails the record. Code on which a tool crashes every time is not covered. @param
 * tested the same tools, for the known operator: they must not cache anything between builds @param opening stops the
 * first test @throws PipelineError `executor-failed` of scope `run` when the tools fail even after a rebuild
 */
export async function trusted(
  executor: Executor,
  tested: Executor,
  tools: Mendable,
  opening?: AbortSignal,
): Promise<Executor> {
  let mending: Promise<void> | undefined
  let refusals = 0
  const mendOnce = (signal?: AbortSignal) =>
    (mending ??= mend(tested, tools, signal).finally(() => {
      mending = undefined
    }))
  const guarded = async <T>(
    work: () => Promise<T>,
    signal?: AbortSignal,
    whenCrashed?: (verdict: Verdict) => T,
  ): Promise<T> => {
    const attempt = () =>
      work().catch((error: unknown) => {
        throw asToolFailure(error, tools.workDirectory)
      })
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof PipelineError) || error.scope === 'run') throw error
      await mendOnce(signal)
      return attempt().catch((again: unknown) => {
        const tool = crashedTool(error) === undefined ? undefined : crashedTool(again)
        if (tool === undefined || !whenCrashed) throw again
        // Crashed twice on the same code, but not on the known operator in between: it always will.
        const missing = [`a ${tool} that does not crash on this code`]
        return whenCrashed({outcome: 'not-covered', missing, executor: executor.identity})
      })
    }
  }
  const counted = async (verdict: Verdict | undefined, signal?: AbortSignal) => {
    const refused = verdict?.outcome === 'compile-failed' || verdict?.outcome === 'link-failed'
    refusals = refused ? refusals + 1 : 0
    if (refusals > 0 && refusals % suspicious === 0) await confirm(tested, tools, refusals, signal)
  }
  const name = [tools.compiler.command, tools.compiler.version, tools.sandbox, tools.prebuilt.directory].join('\n')
  if (!passed.has(name) || !(await tools.prebuilt.isWhole())) await mendOnce(opening)
  passed.add(name)
  return {
    identity: executor.identity,
    covers: executor.covers,
    async compile(unit, signal) {
      const verdict = await guarded(
        () => executor.compile(unit, signal),
        signal,
        (one) => one,
      )
      await counted(verdict, signal)
      return verdict
    },
    async build(program, signal) {
      const built = await guarded(
        () => executor.build(program, signal),
        signal,
        (verdict) => ({ok: false as const, verdict}),
      )
      await counted(built.ok ? undefined : built.verdict, signal)
      return built
    },
    execute: (build, operatorCase, how, signal) =>
      guarded(() => executor.execute(build, operatorCase, how, signal), signal),
  }
}

/** Space for a build and the run of a case, generously: the known operator needs a tenth. */
const roomForWork = 16 * 2 ** 20

/** Repairs the tools until the known operator builds and runs. */
async function mend(executor: Executor, tools: Mendable, signal?: AbortSignal): Promise<void> {
  const {prebuilt, workDirectory, compiler} = tools
  makeFolder(workDirectory)
  const test = async () => {
    // A full disk looks like a broken tool, and rebuilding the twin would not fix it.
    assertRoom(workDirectory, roomForWork, {purpose: 'judging candidates', setting: '--out'})
    const whole = await prebuilt.isWhole()
    return whole ? guardedTest(executor, workDirectory, signal) : 'precompiled parts of the twin are missing'
  }
  // Twice, because a compiler may crash once for reasons unrelated to the cache.
  if ((await test()) === undefined || (await test()) === undefined) return
  await prebuilt.rebuild(signal)
  const seen = await test()
  if (seen === undefined) return
  const what = `The twin fails its self-test even after a rebuild: ${seen}`
  throw new PipelineError('executor-failed', what, {
    fix: `Repair ${compiler.command}, or choose one with --set executor.compiler=…; test with \`ascend-cot doctor\`.`,
    scope: 'run',
    evidence: {seen, compiler: compiler.version, directory: prebuilt.directory},
  })
}

async function guardedTest(
  executor: Executor,
  workDirectory: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  return selfTest(executor, signal).catch((error: unknown) => {
    const known = asToolFailure(error, workDirectory)
    if (known instanceof PipelineError && known.scope === 'record') return known.message
    throw known
  })
}

async function confirm(executor: Executor, tools: Mendable, count: number, signal?: AbortSignal): Promise<void> {
  const seen = await guardedTest(executor, tools.workDirectory, signal)
  if (seen === undefined) return
  const known = 'a known-good operator'
  const what = `The last ${count} candidates did not build, and neither does ${known}: ${seen}`
  throw new PipelineError('executor-failed', what, {
    fix: 'Repair the compiler (see `ascend-cot doctor`), then run with another --out: recent outcomes may be wrong.',
    scope: 'run',
    evidence: {seen, count},
  })
}
