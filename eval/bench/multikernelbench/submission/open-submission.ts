import {mkdir, mkdtemp, open, rm} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import type {Executor} from '../../../../datasets/schema/executor.ts'
import type {Verdict} from '../../../../datasets/schema/verdict.ts'
import {PipelineError} from '../../../../engine/errors.ts'
import type {SandboxName} from '../../../executors/sandbox.ts'
import type {Compiler} from '../../../executors/toolchain.ts'
import type {Opened, OpenSubmission} from '../submission.ts'
import {compileBinding} from './compile-binding.ts'
import type {BindingTools} from './compile-binding.ts'
import {runCalls} from './candidate-process.ts'
import {OperatorRuns} from './operator-runs.ts'
import {operatorProject, projectFiles} from './project.ts'
import {findTorch} from './python.ts'
import {readReply} from './read-reply.ts'
import type {SixStrings} from './read-reply.ts'
import {brokenSource} from './source-whitelist.ts'

interface SubmissionOptions {
  executor: Executor
  sandbox: SandboxName
  /** Compiles bindings. */
  compiler: Compiler
  /** The Python that has torch. Default `python3`. */
  python?: string
  cacheDirectory: string
  workDirectory: string
  /** For what the model does between two operators. Default 180, the benchmark's own. */
  seconds?: number
}

type Refusal = Extract<Opened, {ok: false}>['kind']

/**
 * Opens replies in the language `ascendc`: six strings, of which the operator is built by the executor, the binding is
 * compiled against PyTorch's own headers, and the model runs in walls of its own.
 * @throws PipelineError `toolchain-missing` without Python or torch
 */
export async function sixStringSubmissions(options: SubmissionOptions): Promise<OpenSubmission> {
  const {sandbox, compiler, seconds = 180} = options
  const [cacheDirectory, workDirectory] = [resolve(options.cacheDirectory), resolve(options.workDirectory)]
  const python = await findTorch(options.python ?? 'python3')
  await Promise.all([mkdir(cacheDirectory, {recursive: true}), mkdir(workDirectory, {recursive: true})])
  const tools: BindingTools = {python, sandbox, compiler, cacheDirectory}
  return async ({stem}, reply, signal) => {
    const directory = await mkdtemp(join(workDirectory, 'submission-'))
    const dispose = () => rm(directory, {recursive: true, force: true})
    try {
      const opened = await openIn({...options, tools, directory, stem, seconds}, reply, signal)
      if (!opened.ok) await dispose()
      return opened
    } catch (error) {
      await dispose()
      throw error
    }
  }
}

interface Opening extends SubmissionOptions {
  tools: BindingTools
  directory: string
  stem: string
  seconds: number
}

async function openIn(opening: Opening, reply: string, signal?: AbortSignal): Promise<Opened> {
  const {tools, directory, stem, executor} = opening
  const reading = await readReply(tools.python, tools.sandbox, directory, reply)
  if ('unreadable' in reading) return refused('unreadable', reading.unreadable)
  const {strings, model} = reading
  if (model && 'error' in model) return refused('compile-failed', model.error)
  if (model) return refused('refused-source', `${model.rule}: model_src:${model.line}: ${model.seen}`)
  const broken = brokenSource(projectFiles(stem, strings), strings.python_bind_src)
  if (broken) return refused('refused-source', `${broken.rule}: ${broken.where}: ${broken.seen}`)
  const project = operatorProject(stem, strings)
  if ('fault' in project) return refused('compile-failed', project.fault)
  const runs = new OperatorRuns(executor, project)
  const opened = await buildAll(opening, runs, strings, signal).catch(async (error: unknown) => {
    await runs.dispose()
    throw error
  })
  if (!opened.ok) await runs.dispose()
  return opened
}

async function buildAll(
  {tools, directory, seconds}: Opening,
  runs: OperatorRuns,
  strings: SixStrings,
  signal?: AbortSignal,
): Promise<Opened> {
  const library = join(directory, 'library')
  await mkdir(library)
  await put(join(library, 'model.py'), strings.model_src)
  const [built, said] = await Promise.all([runs.first(), compileBinding(tools, library, strings.python_bind_src)])
  if (!built.ok) return refusedBuild(built.verdict)
  if (said !== undefined) return refused('compile-failed', `python_bind_src: ${firstError(said)}`, said)
  const setting = {python: tools.python, sandbox: tools.sandbox, directory, library, seconds, runs}
  return {
    ok: true,
    submission: {
      run: (calls, abort) => runCalls(setting, calls, abort ?? signal),
      async dispose() {
        await runs.dispose()
        await rm(directory, {recursive: true, force: true})
      },
    },
  }
}

function refused(kind: Refusal, why: string, log = ''): Opened {
  return {ok: false, kind, why, log}
}

function refusedBuild(verdict: Verdict): Opened {
  if (verdict.outcome === 'compile-failed') {
    const first = verdict.diagnostics.find(({severity}) => severity === 'error')
    return refused(
      'compile-failed',
      first ? `${first.file}:${first.line}: ${first.message}` : firstError(verdict.log),
      verdict.log,
    )
  }
  if (verdict.outcome === 'link-failed') return refused('link-failed', firstError(verdict.log), verdict.log)
  const missing = verdict.outcome === 'not-covered' ? verdict.missing.join(', ') : verdict.outcome
  throw new PipelineError('executor-failed', `The executor cannot tell whether the operator is right: ${missing}.`, {
    fix: 'Judge it on another executor; the twin lacks these names.',
    evidence: {missing},
  })
}

function firstError(log: string): string {
  return log.split('\n').find((line) => /error/.test(line)) ?? log.slice(0, 200)
}

async function put(path: string, text: string): Promise<void> {
  const file = await open(path, 'w')
  await file.write(text).finally(() => file.close())
}
