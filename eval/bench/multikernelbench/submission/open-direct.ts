import {copyFile, mkdir, mkdtemp} from 'node:fs/promises'
import {join} from 'node:path'
import {compileKernels} from '../../../executors/direct-units.ts'
import type {Tools} from '../../../executors/tools.ts'
import type {Opened} from '../submission.ts'
import {compileModuleUnit, deviceLibrary, linkModule, put} from './compile-binding.ts'
import type {ModuleTools} from './compile-binding.ts'
import type {DirectReply} from './direct-reply.ts'
import {runCalls} from './candidate-process.ts'
import type {Loaded} from './candidate-process.ts'
import {firstError, refused, refusedBuild, refusedModel} from './refusals.ts'
import {readModel} from './read-reply.ts'
import {brokenModule} from './source-whitelist.ts'

interface DirectOpening {
  tools: ModuleTools
  /** What compiles kernels and stands for their device. */
  twin: Tools
  /** A folder of the submission's own. */
  directory: string
  seconds: number
}

/**
 * Opens a reply in the language `ascendc_direct_launch`. Kernels and binding are one module, which the model's process
 * loads: its tensors are memory of the twin's device, which host code cannot reach, and each launch runs in a process
 * of its own.
 */
export async function openDirect(
  opening: DirectOpening,
  reply: DirectReply | {fault: string},
  signal?: AbortSignal,
): Promise<Opened> {
  if ('fault' in reply) return refused('unreadable', reply.fault)
  const {tools, directory} = opening
  const {python, sandbox} = tools
  const broken = await readModel({python, sandbox, folder: directory}, reply.model.text, reply.module)
  if (broken) return refusedModel(broken, reply.model.path)
  const source = brokenModule(reply.files, reply.bindings)
  if (source) return refused('refused-source', `${source.rule}: ${source.where}: ${source.seen}`)
  const built = await buildModule(opening, reply, signal)
  if ('ok' in built) return built
  const {seconds} = opening
  const folders = [tools.cacheDirectory, tools.twin.directory, join(directory, 'library')]
  const setting = {python, sandbox, directory, seconds, folders, loaded: built}
  return {
    ok: true,
    submission: {run: (calls, abort) => runCalls(setting, calls, abort ?? signal), dispose: async () => undefined},
  }
}

async function buildModule(
  {tools, twin, directory}: DirectOpening,
  {files, kernels, bindings, include, module, model}: DirectReply,
  signal?: AbortSignal,
): Promise<Loaded | Extract<Opened, {ok: false}>> {
  const [library, place] = [join(directory, 'library'), await mkdtemp(join(directory, 'build-'))]
  await mkdir(library)
  const name = `${module}.so`
  const program = {files: files.filter(({path}) => !path.endsWith('.py')), units: kernels, include}
  const compiled = await compileKernels(twin, {directory: place, library: name}, program, signal)
  if (!compiled.ok) return refusedBuild(compiled.verdict)
  const units = bindings.map((path, at) => ({path, output: `binding-${at}.o`, include, module}))
  for (const unit of units) {
    const said = await compileModuleUnit(tools, place, unit)
    if (said !== undefined) return refused('compile-failed', `${unit.path}: ${firstError(said)}`, said)
  }
  const said = await linkModule(tools, place, [...compiled.objects, ...units.map(({output}) => output)], name)
  if (said !== undefined) return refused('link-failed', firstError(said), said)
  await copyFile(join(place, name), join(library, name))
  await copyFile(join(place, `${name}.cube`), join(library, `${name}.cube`)).catch(() => undefined)
  const modelPath = join(library, 'model.py')
  await put(modelPath, model.text)
  const device = {library: await deviceLibrary(tools), seconds: Math.ceil(twin.limits.run.cpuSeconds)}
  return {library: join(library, name), module, model: modelPath, class: model.class, device}
}
