import {setImmediate} from 'node:timers/promises'
import type {Candidate} from '../../datasets/schema/candidate.ts'
import type {Executor} from '../../datasets/schema/executor.ts'
import type {SourceFile} from '../../datasets/schema/operator.ts'
import type {OperatorTask, TaskCase} from '../../datasets/schema/task.ts'
import type {Timeline} from '../../datasets/schema/timeline.ts'
import type {Verdict} from '../../datasets/schema/verdict.ts'
import {PipelineError} from '../../engine/errors.ts'
import {withBuilds} from '../../eval/builds.ts'
import type {CaseSource, OpenCases, RuleFinding} from '../../eval/cases.ts'
import {modelledTimeline, rowText} from '../../eval/modelled-cost.ts'
import {openTypescriptCases} from '../../eval/reference/typescript-cases.ts'
import {caseId} from '../../eval/reference/typescript.ts'
import type {Judging} from '../../eval/serve/verdicts.ts'
import {describeStop, runLiteral} from '../../eval/run-case.ts'
import {readProgram} from '../ascendcraft/language/check.ts'
import type {CheckedModule} from '../ascendcraft/language/checked.ts'
import type {Fault} from '../ascendcraft/language/program-fault.ts'
import {lower, templates} from '../ascendcraft/lower/lower.ts'
import {interpretedCall} from './craft-proof.ts'
import type {ProgramFolder} from './program-folder.ts'

/** How one call of the task went. */
export interface CaseLook {
  case: string
  sizes: string
  /** A rule that the program breaks; only the interpreter knows its line. */
  fault?: Fault & {core?: number}
  /** What else is wrong. */
  trouble?: string
  /** Where an output is wrong first. */
  first?: {output: string; index: number; seen: number; expected: number}
}

/** What is found of a saved program: what is absent is not known yet, or cannot be. */
export interface Look {
  name: string
  program: string
  /** Where the checker refuses the program, there is nothing to run. */
  checker: readonly Fault[]
  interpreter?: readonly CaseLook[]
  /** Ascend C that the program was compiled to. */
  files?: readonly SourceFile[]
  /** `compiled` where it could be run, then with its calls. */
  built?: Verdict
  twin?: readonly CaseLook[]
  /** `why` there is none, e.g. of a program that does not run. */
  timeline?: {sizes: string; timeline: Timeline} | {why: string}
  /** Of the judge: other inputs and sizes, too. `reason` why it could not judge. */
  judged?: Verdict | {reason: string}
}

export const isRight = ({fault, trouble}: CaseLook) => fault === undefined && trouble === undefined

interface Looking {
  /** Opens the calls of a task whose reference is a module of PyTorch, after the program was checked. */
  module(): Promise<{open: OpenCases} | undefined>
  /** Opened when a program can be run. @throws PipelineError without a compiler */
  judging(): Promise<{executor: Executor; judging: Judging}>
  seed: string
  signal: AbortSignal
  /** Gets a look each time more is known. */
  seen(look: Look): void
}

/**
 * Checks a program, runs it in the interpreter and, compiled, on the executor with the calls of its task, models its
 * time, and has it judged. @throws PipelineError where a tool or the task's reference fails
 */
export async function lookAtProgram(
  folder: ProgramFolder,
  {module, judging: open, seed, signal, seen}: Looking,
): Promise<Look> {
  const {name, program} = folder
  const read = readProgram(program)
  let look: Look = {name, program, checker: read.ok ? [] : read.faults}
  const add = (more: Partial<Look>) => seen((look = {...look, ...more}))
  add({})
  if (!read.ok) return look
  const {files} = lower(read.checked, {operator: name})
  add({files})
  const candidate = candidateOf(folder, read.checked, files)
  const openModule = (await module())?.open
  const refused: CaseLook[] = []
  const source = await (openModule ?? openTypescriptCases)(candidate, folder.cases, (row, _, detail) =>
    refused.push({...calledOf(row), trouble: `the module refuses the call: ${detail}`}),
  )
  const own = new AbortController()
  const called = {candidate, source, openModule, seed, signal: AbortSignal.any([signal, own.signal])}
  // Compilers work beside the interpreter.
  const ran = open().then(async ({executor, judging}) => {
    const running = {...called, executor}
    await Promise.all([onExecutor(running).then(add), timelineOf(running).then((timeline) => add({timeline}))])
    return judging
  })
  // Without a compiler the interpreter still tells what it finds.
  ran.catch(() => undefined)
  try {
    add({interpreter: [...refused, ...(await inInterpreter(read.checked, called))]})
  } catch (error) {
    own.abort()
    await ran.catch(() => undefined)
    throw error
  }
  const judging = await ran
  if (look.built?.outcome !== 'compiled') return look
  const finding = await judging.judge(candidate, {seed, anew: false}, signal)
  add({judged: finding.state === 'judged' ? finding.verdict : {reason: finding.detail}})
  return look
}

interface Called {
  candidate: Candidate
  source: CaseSource
  openModule: OpenCases | undefined
  seed: string
  signal: AbortSignal
}

type Running = Called & {executor: Executor}

const calledOf = (row: TaskCase) => ({case: caseId(row), sizes: rowText(row)})

function differenceOf({ok, output, reason, first}: RuleFinding): Pick<CaseLook, 'trouble' | 'first'> {
  return ok ? {} : {trouble: reason, ...(first && {first: {output, ...first}})}
}

async function inInterpreter(checked: CheckedModule, {source, seed, signal}: Called): Promise<CaseLook[]> {
  const looks: CaseLook[] = []
  for (const row of source.rows) {
    // It has this thread to itself until it has run a call.
    await setImmediate()
    signal.throwIfAborted()
    const prepared = await source.prepare(row, 'normal', [seed])
    looks.push({...calledOf(row), ...(await interpreted(checked, prepared).finally(prepared.discard))})
  }
  return looks
}

async function interpreted(
  checked: CheckedModule,
  {operatorCase, compare}: Awaited<ReturnType<CaseSource['prepare']>>,
): Promise<Omit<CaseLook, 'case' | 'sizes'>> {
  const run = interpretedCall(checked, operatorCase)
  if (!('outputs' in run)) return run
  const {hardened} = await compare(run.outputs, {literal: false})
  return differenceOf({...hardened, reason: `${hardened.output}: ${hardened.reason}`})
}

async function onExecutor(running: Running): Promise<{built: Verdict; twin: CaseLook[]}> {
  const {executor, candidate, source, seed, signal} = running
  const twin: CaseLook[] = []
  const compiled: Verdict = {outcome: 'compiled', executor: executor.identity}
  const built = await withBuilds({operator: candidate.task.name, files: candidate.files}, running, async (groups) => {
    for (const {build, rows} of groups) {
      for (const row of rows) {
        const run = await runLiteral({
          ...{executor, build, source, row, seed: [seed], signal},
          ...{trials: [], tolerant: false},
        })
        // The others might take as long.
        const isLast = 'outcome' in run && run.outcome === 'timed-out'
        const stop = 'outcome' in run ? `${describeStop(run)}${isLast ? '; the calls after it were not run' : ''}` : ''
        twin.push({...calledOf(row), ...('outcome' in run ? {trouble: stop} : differenceOf(run.hardened))})
        if (isLast) return compiled
      }
    }
    return compiled
  })
  return {built, twin}
}

async function timelineOf({
  executor,
  candidate,
  openModule,
  seed,
  signal,
}: Running): Promise<NonNullable<Look['timeline']>> {
  try {
    return await modelledTimeline(candidate, {executor, openModule, seed: [seed], signal})
  } catch (error) {
    if (error instanceof PipelineError && error.code === 'executor-failed' && !signal.aborted)
      return {why: error.message}
    throw error
  }
}

function candidateOf(folder: ProgramFolder, checked: CheckedModule, files: SourceFile[]): Candidate {
  const {name, description, cases, reference} = folder
  const {host, kernel} = templates(checked, name)
  const task: OperatorTask = {
    origin: {repository: 'local', revision: 'unversioned', path: name, licence: 'NOASSERTION'},
    ...{name, level: 1, category: 'crafted', description, hostTemplate: host, kernelTemplate: kernel, cases},
    ...{columns: Object.keys(cases[0]!), reference: {kind: reference.kind, path: reference.path}, answer: []},
  }
  const written = files.map(({path}) => path)
  return {task, sampler: {kind: 'answer'}, prompt: description, reasoning: '', files, written}
}
