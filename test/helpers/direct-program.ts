import {lstat, mkdir, mkdtemp, readFile, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {removeFolder} from '../../engine/files.ts'
import {Violation} from '../../datasets/schema/verdict.ts'
import type {Verdict} from '../../datasets/schema/verdict.ts'
import {besideKind, compileUnits, linkUnits} from '../../eval/executors/direct-units.ts'
import type {DirectUnits} from '../../eval/executors/direct-units.ts'
import {jsonIn} from '../../engine/json.ts'
import {runConfined} from '../../eval/executors/sandbox.ts'
import type {Confined} from '../../eval/executors/sandbox.ts'
import {openBench} from '../../eval/executors/tools.ts'
import type {Bench, Tools} from '../../eval/executors/tools.ts'

/** How the program ended; `violation` is the broken rule that ended it. */
export type DirectRun = Pick<Confined, 'code' | 'killedBy' | 'overtime' | 'stdout' | 'stderr'> & {violation?: Violation}

interface RunOptions {
  folder?: string
  /** Absolute paths visible to it besides the system's folders and its own. */
  readOnly?: readonly string[]
  poison?: 'nan' | 'zero'
  signal?: AbortSignal
}

export interface DirectBuild {
  /** The program's folder: its files and the program. */
  directory: string
  /**
   * Runs the program inside the sandbox, under the executor's limits. @param how.folder working folder below the
   * directory; created if missing @param how.poison content of fresh device memory; default `nan`, because a device
   * guarantees nothing
   */
  run(args?: readonly string[], how?: Pick<RunOptions, 'folder' | 'poison' | 'signal'>): Promise<DirectRun>
  /** Runs another program in the same sandbox: one that makes inputs, or compares files. */
  runBeside(command: readonly string[], how?: Omit<RunOptions, 'poison'>): Promise<DirectRun>
  dispose(): Promise<void>
}

const names = {program: 'twin-program', violation: 'twin-violation.json'} as const

/**
 * Compiles and links a program with a `main`.
 * @throws PipelineError `executor-failed` or `disk-full` when a tool failed, not the program
 */
export async function buildDirect(
  tools: Tools,
  program: DirectUnits,
  signal?: AbortSignal,
): Promise<{ok: true; build: DirectBuild} | {ok: false; verdict: Verdict}> {
  const directory = await mkdtemp(join(tools.workDirectory, 'direct-'))
  const bench = openBench(tools, directory, signal)
  try {
    const verdict = await compileAndLink(tools, bench, program)
    if (verdict) await removeFolder(directory)
    return verdict ? {ok: false, verdict} : {ok: true, build: directBuild(tools, directory)}
  } catch (error) {
    await removeFolder(directory)
    throw error
  } finally {
    await bench.close()
  }
}

function directBuild(tools: Tools, directory: string): DirectBuild {
  const report = join(directory, names.violation)
  const confine = async (command: readonly string[], how: RunOptions): Promise<DirectRun> => {
    const {folder = '.', readOnly = [], poison = 'nan', signal} = how
    const writable = directory
    const inside = join(directory, folder)
    await mkdir(inside, {recursive: true})
    await rm(report, {recursive: true, force: true})
    const reach = {readOnly: [tools.prebuilt.directory, ...readOnly], writable}
    const variables = [`TWIN_VIOLATION=${report}`, `TWIN_FRESH_MEMORY=${poison}`]
    const there = ['/bin/sh', '-c', 'cd "$1" && shift && exec env "$@"', 'sh', inside, ...variables]
    const {code, killedBy, overtime, stdout, stderr} = await runConfined(
      tools.sandbox,
      [...there, ...command],
      reach,
      tools.limits.run,
      {signal},
    )
    const violation = Violation.safeParse(jsonIn(await reportIn(report)))
    const ended = {code, killedBy, overtime, stdout, stderr}
    return violation.success ? {...ended, violation: violation.data} : ended
  }
  return {
    directory,
    runBeside: (command, how = {}) => confine(command, how),
    run: (args = [], how = {}) => confine([join(directory, names.program), ...args], how),
    dispose: () => removeFolder(directory),
  }
}

/** The program may have replaced its report by anything: a pipe without a writer, or gigabytes. */
async function reportIn(path: string): Promise<string> {
  const found = await lstat(path).catch(() => undefined)
  return found?.isFile() && found.size < 1 << 16 ? readFile(path, 'utf8') : ''
}

/** Undefined when the program is in the bench's folder. */
async function compileAndLink(tools: Tools, bench: Bench, program: DirectUnits): Promise<Verdict | undefined> {
  const compiled = await compileUnits(tools, bench, program)
  if (!compiled.ok) return compiled.verdict
  for (const {beside, objects} of compiled.passes) {
    const kind = beside ? besideKind(names.program) : ['-o', names.program]
    const failure = await linkUnits(tools, bench, kind, objects)
    if (failure !== undefined) return {outcome: 'link-failed', log: failure, executor: tools.identity}
  }
  return undefined
}
