import {mkdir, mkdtemp} from 'node:fs/promises'
import {join} from 'node:path'
import {removeFolder} from '../../../engine/files.ts'
import type {Executor} from '../../../datasets/schema/executor.ts'
import type {CannExecutor} from '../../executors/cann/cann.ts'
import type {Opened, OpenSubmission} from './submission.ts'
import {openOnBoard} from './board-model.ts'
import {compileBinding, put} from './compile-binding.ts'
import type {DeviceParts, ModuleTools} from './compile-binding.ts'
import {runCalls} from './candidate-process.ts'
import {directReply} from './direct-reply.ts'
import {openDirect, startOpening, type OpeningOptions} from './open-direct.ts'
import {firstDtypes, OperatorRuns} from './operator-runs.ts'
import {operatorProject, projectFiles, type OperatorProject} from './project.ts'
import {readReply} from './read-reply.ts'
import type {SixStrings} from './read-reply.ts'
import {firstError, refused, refusedBuild, refusedSource} from './refusals.ts'
import {brokenProject} from './source-whitelist.ts'

interface SubmissionOptions extends OpeningOptions {
  /** Builds and runs operators of six strings. */
  executor: Executor
  /** Has the last word on what these opened: it runs models if it can, or compiles their code. */
  confirming?: CannExecutor | undefined
  /** The harness's own folder for building bindings, for what runs models. */
  bindings?: string | undefined
}

/**
 * Opens replies in the language `ascendc`, whose six strings make an operator that the executor builds, and in
 * `ascendc_direct_launch`, whose module launches its kernels itself, on the twin. Bindings are compiled against
 * PyTorch's own headers, and the model runs in its own sandbox.
 */
export async function submissions(options: SubmissionOptions): Promise<OpenSubmission> {
  const {workDirectory, ...opening} = await startOpening(options)
  return async ({stem}, reply, signal) => {
    const directory = await mkdtemp(join(workDirectory, 'submission-'))
    const dispose = () => removeFolder(directory)
    try {
      const direct = directReply(reply)
      const opened = direct
        ? await openDirect({...opening, directory, confirming: options.confirming}, direct, signal)
        : await openStrings({...options, ...opening, directory, stem}, reply, signal)
      if (!opened.ok) await dispose()
      return opened.ok ? {...opened, submission: endingWith(opened.submission, dispose)} : opened
    } catch (error) {
      await dispose()
      throw error
    }
  }
}

type OpenedSubmission = Extract<Opened, {ok: true}>['submission']

function endingWith(submission: OpenedSubmission, end: () => Promise<void>): OpenedSubmission {
  return {
    run: (calls, signal) => submission.run(calls, signal),
    async dispose() {
      await submission.dispose()
      await end()
    },
  }
}

interface Opening extends SubmissionOptions {
  tools: ModuleTools
  device: () => Promise<DeviceParts>
  directory: string
  stem: string
  seconds: number
}

async function openStrings(opening: Opening, reply: string, signal?: AbortSignal): Promise<Opened> {
  const {tools, directory, stem, executor} = opening
  const {python, sandbox} = tools
  const reading = await readReply({python, sandbox, folder: directory}, reply)
  if ('unreadable' in reading) return refused('unreadable', reading.unreadable)
  const {strings, fault} = reading
  if (fault !== undefined) return refused('compile-failed', fault)
  const broken = brokenProject(projectFiles(stem, strings))
  if (broken) return refusedSource(broken)
  const project = operatorProject(stem, strings)
  if ('fault' in project) return refused('compile-failed', project.fault)
  const runs = new OperatorRuns(executor, project)
  const opened = await buildBoth(opening, {project, runs, strings}, signal).catch(async (error: unknown) => {
    await runs.dispose()
    throw error
  })
  if (!opened.ok) await runs.dispose()
  return opened
}

/** A second executor builds it too, where there is one; one that runs models does so when it is asked. */
async function buildBoth(
  opening: Opening,
  {project, runs, strings}: {project: OperatorProject; runs: OperatorRuns; strings: SixStrings},
  signal?: AbortSignal,
): Promise<Opened> {
  const opened = await buildAll(opening, runs, strings, signal)
  const {confirming, bindings} = opening
  if (!opened.ok || !confirming) return opened
  const {python, identity} = confirming
  if (python && bindings !== undefined) {
    const program = {...project, operator: project.definition.operator, dtypes: firstDtypes(project)}
    const module = {folder: bindings, path: 'csrc/op.cpp', text: strings.python_bind_src}
    const asked = {python, name: identity.name, program, module, model: strings.model_src, seconds: opening.seconds}
    return {...opened, again: (stop) => openOnBoard(asked, stop)}
  }
  const second = new OperatorRuns(confirming, project)
  try {
    const built = await second.first()
    return built.ok ? opened : refusedBuild(built.verdict, confirming.identity.name)
  } finally {
    await second.dispose()
  }
}

async function buildAll(
  {tools, twin, device, directory, seconds}: Opening,
  runs: OperatorRuns,
  strings: SixStrings,
  signal?: AbortSignal,
): Promise<Opened> {
  const library = join(directory, 'library')
  await mkdir(library)
  const model = join(library, 'model.py')
  await put(model, strings.model_src)
  const [built, said] = await Promise.all([runs.first(), compileBinding(tools, library, strings.python_bind_src)])
  if (!built.ok) return refusedBuild(built.verdict)
  if (said !== undefined) return refused('compile-failed', `python_bind_src: ${firstError(said)}`, said)
  const module = 'custom_ops_lib'
  const parts = await device()
  const loaded = {library: join(library, `${module}.so`), module, model, class: 'ModelNew', device: parts.library}
  const {python, sandbox} = tools
  const folders = [tools.cacheDirectory, tools.twin.directory, library]
  const program = {program: parts.program, seconds: Math.ceil(twin.limits.run.cpuSeconds)}
  const setting = {python, sandbox, directory, folders, loaded, seconds, runs, device: program}
  return {
    ok: true,
    submission: {run: (calls, abort) => runCalls(setting, calls, abort ?? signal), dispose: () => runs.dispose()},
  }
}
