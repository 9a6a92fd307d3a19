import {copyFile, mkdir, mkdtemp} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import {PipelineError} from '../../../engine/errors.ts'
import {removeFolder} from '../../../engine/files.ts'
import {inspectSources} from '../../integrity.ts'
import {runCalls} from '../submission/candidate-process.ts'
import {put} from '../submission/compile-binding.ts'
import {buildModule, startOpening, type OpeningOptions} from '../submission/open-direct.ts'
import {refused, refusedSource} from '../submission/refusals.ts'
import {brokenKernels} from '../submission/source-whitelist.ts'
import type {Opened} from '../submission/submission.ts'
import {runtimeFolder} from './operator-oracle.ts'
import {packageReply, type PackageReply} from './package-reply.ts'

export type OpenPackage = (reply: string, signal?: AbortSignal) => Promise<Opened>

/**
 * Opens replies that are packages: their module is compiled against PyTorch's headers and loaded where tensors are
 * addresses, their kernels run where the memory is.
 */
export async function packages(options: OpeningOptions): Promise<OpenPackage> {
  const {workDirectory, ...opening} = await startOpening(options)
  return async (reply, signal) => {
    const read = packageReply(reply)
    if ('fault' in read) return refused('unreadable', read.fault)
    if (read.operators.length > 0 || read.language) throw notJudged(read)
    const source = brokenPackage(read)
    if (source) return refusedSource(source)
    const directory = await mkdtemp(join(workDirectory, 'package-'))
    const dispose = () => removeFolder(directory)
    try {
      const opened = await openIn({...opening, directory}, read, signal)
      if (!opened.ok) await dispose()
      return opened.ok ? {ok: true, submission: {...opened.submission, dispose}} : opened
    } catch (error) {
      await dispose()
      throw error
    }
  }
}

/** The twin lacks what builds these forms, which says nothing about the package. */
function notJudged({operators, language}: PackageReply): PipelineError {
  const form = language ? `has kernels in ${language}` : `defines operators (${operators.join(', ')}) for aclnn`
  const what = `A package that ${form} is not judged`
  return new PipelineError('executor-failed', `${what}: the twin runs packages that launch their kernels themselves.`, {
    fix: 'Launch the kernel with <<<…>>> from the package, or judge the package on a board with the benchmark itself.',
    evidence: {operators: operators.join(', ')},
  })
}

/** Calls of built-in operators count in every text: the package's own are those that it defines. */
function brokenPackage({files, bindings, operators}: PackageReply) {
  const own = new Set(operators.map((name) => `aclnn${name}`))
  const builtIn = inspectSources(files.filter(({path}) => !path.endsWith('.py'))).find(
    ({rule, seen}) => rule === 'calls-a-finished-operator' && /^aclnn/.test(seen) && !own.has(calledIn(seen)),
  )
  return builtIn ? {...builtIn, where: `${builtIn.path}:${builtIn.line}`} : brokenKernels(files, bindings)
}

const calledIn = (seen: string) => seen.replace(/(?:GetWorkspaceSize)?\($/, '')

async function openIn(
  opening: Parameters<typeof buildModule>[0],
  read: PackageReply,
  signal?: AbortSignal,
): Promise<Opened> {
  const {tools, twin, directory, seconds} = opening
  const {python, sandbox} = tools
  const folder = join(directory, 'library')
  const inside = join(folder, 'cann_bench')
  const built = await buildModule(opening, read, inside, signal)
  if ('ok' in built) return built
  await layPython(read.files, folder)
  const model = join(folder, 'offered.py')
  await copyFile(join(runtimeFolder, 'offered.py'), model)
  const {program, kernels, library, device: ours} = built
  const loaded = {library, module: `cann_bench.${read.module}`, model, class: 'Operator', device: ours}
  const device = {program, kernels, seconds: Math.ceil(twin.limits.run.cpuSeconds)}
  const folders = [tools.cacheDirectory, tools.twin.directory, folder]
  const setting = {python, sandbox, directory, seconds, folders, loaded, device, refusesCopies: true}
  return {
    ok: true,
    submission: {run: (calls, abort) => runCalls(setting, calls, abort ?? signal), dispose: async () => undefined},
  }
}

async function layPython(files: readonly SourceFile[], folder: string): Promise<void> {
  for (const {path, text} of files.filter((one) => /^cann_bench\/.*\.py$/.test(one.path))) {
    await mkdir(dirname(join(folder, path)), {recursive: true})
    await put(join(folder, path), text)
  }
}
