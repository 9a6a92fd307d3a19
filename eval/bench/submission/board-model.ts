import {copyFile, cp, lstat, mkdir} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {z} from 'zod'
import {Dtype, dtypeBytes, elementCount} from '../../../datasets/schema/tensor.ts'
import type {BoardPython, ModuleSource, PythonBuild} from '../../executors/cann/board-python.ts'
import type {StepEnd} from '../../executors/cann/cann-tools.ts'
import type {Tried} from '../../executors/cann/device-queue.ts'
import {meaningOf} from '../../executors/cann/device-errors.ts'
import {plainText} from '../../executors/cann/package-runs.ts'
import {jsonIn} from '../../../engine/json.ts'
import {signalOf} from '../../executors/sandbox.ts'
import type {Program} from '../../../datasets/schema/executor.ts'
import {put} from './compile-binding.ts'
import {runtimeFolder} from './python.ts'
import {refusedBuild} from './refusals.ts'
import type {Failure, ModelCall, ModelRun, Opened} from './submission.ts'

interface OnBoard {
  python: BoardPython
  /** The name of the board's level, for refusals. */
  name: string
  program: Program
  module: ModuleSource
  /** Text of the model, whose class is `ModelNew`. */
  model: string
  /** Time limit for a call. */
  seconds: number
}

const files = fileURLToPath(new URL('../oracle/runtime/files.py', import.meta.url))
const [own, carried] = ['model', 'calls']

/** Builds a model's operator and its binding beside a board, and runs it there as the harness does. */
export async function openOnBoard(
  {python, name, program, module, model, seconds}: OnBoard,
  signal?: AbortSignal,
): Promise<Opened> {
  const end = await python.open(program, module, signal)
  if (!end.ok) return refusedBuild(end.verdict, name)
  const {build} = end
  const folder = join(build.directory, own)
  await mkdir(folder)
  await put(join(folder, 'model.py'), model)
  await copyFile(join(runtimeFolder, 'board.py'), join(folder, 'board.py'))
  await copyFile(files, join(folder, 'files.py'))
  const run = (calls: readonly ModelCall[], stop?: AbortSignal) => runCalls({build, seconds}, calls, stop ?? signal)
  return {ok: true, submission: {run, dispose: () => build.dispose()}}
}

async function runCalls(
  {build, seconds}: {build: PythonBuild; seconds: number},
  calls: readonly ModelCall[],
  signal?: AbortSignal,
): Promise<ModelRun[]> {
  await build.clear(carried)
  const place = join(build.directory, carried)
  const drawn = new Map<string, string>()
  for (const {call} of calls) {
    const folder = dirname(call)
    if (drawn.has(folder)) continue
    drawn.set(folder, `call-${drawn.size}`)
    await cp(folder, join(place, `call-${drawn.size - 1}`), {recursive: true})
  }
  await cp(join(build.directory, own), join(place, own), {recursive: true})
  const asked = calls.map(({call, seed}, at) => ({
    call: join(drawn.get(dirname(call)) ?? '', 'call.json'),
    seed,
    outputs: `outputs-${at}`,
  }))
  const model = join(carried, own, 'model.py')
  await put(join(place, 'calls.json'), JSON.stringify({model, class: 'ModelNew', calls: asked}))
  const command = [join(carried, own, 'board.py'), carried]
  const extent = {count: calls.length, seconds: seconds * calls.length}
  const read = (end: StepEnd) => concluded(end, place, extent)
  return (await build.run({folder: carried, command, seconds: extent.seconds}, read, signal)).runs
}

/** A line of the report: the board is there, the model is loaded, then how each call ended. */
const Line = z.union([
  z.object({board: z.literal(true)}),
  z.object({loaded: z.literal(true)}),
  z.object({ran: z.literal(true)}),
  z.object({failed: z.string()}),
  z.object({fault: z.string()}),
])

interface Extent {
  count: number
  seconds: number
}

async function concluded(end: StepEnd, place: string, {count, seconds}: Extent): Promise<Tried<{runs: ModelRun[]}>> {
  const text = await plainText(join(place, 'report.jsonl'))
  const lines = text.split('\n').flatMap((line) => Line.safeParse(jsonIn(line)).data ?? [])
  const [board, loaded, ...calls] = lines
  if (!board || 'fault' in board) return {fault: board?.fault ?? `torch_npu does not start: ${end.log.slice(-800)}`}
  const stop = stopped(end, seconds)
  if (!loaded || 'failed' in loaded) {
    const failure = loaded ? failed('model-error', loaded.failed) : stop
    return {runs: Array<ModelRun>(count).fill(failure), ...suspicionOf(loaded ? [] : [failure])}
  }
  const runs: ModelRun[] = []
  for (let at = 0; at < count; at += 1) {
    const line = calls[at]
    const run = line ? await runOf(line, join(place, `outputs-${at}`), seconds) : stop
    if (typeof run === 'string') return {fault: run}
    runs.push(run)
  }
  return {runs, ...suspicionOf(runs)}
}

const failed = (kind: Failure['kind'], why: string): Failure => ({outcome: 'failed', kind, why})

/** What a process came to that did not say it itself. */
function stopped(end: StepEnd, seconds: number): Failure {
  if (end.timedOut) return failed('timed-out', `no end within ${seconds} s`)
  const how = signalOf(end) ?? `status ${end.code}`
  return failed('crashed', `the model's process ended with ${how}: ${end.log.trim().slice(-500)}`)
}

/** After an error of Python, or a launch that was refused, the board is as good as before. */
function suspicionOf(runs: readonly ModelRun[]): {suspicion?: string} {
  const bad = runs.find((run) => run.outcome === 'failed' && !['model-error', 'launch-failed'].includes(run.kind))
  return bad?.outcome === 'failed' ? {suspicion: bad.why} : {}
}

/** Errors of torch_npu name the runtime's code (its document on faults). */
const deviceCode = /\berror code(?: is)?:?\s*(\d{6})\b/
/** Those of an operator's interface: it refuses to plan a launch (list of return codes of aclnn). */
const planCode = /^[135]61/

/** @returns a fault of the board as text */
async function runOf(line: z.infer<typeof Line>, folder: string, seconds: number): Promise<ModelRun | string> {
  if (!('failed' in line)) return (await left(folder)) ?? failed('model-error', 'its outputs were not written whole')
  const code = deviceCode.exec(line.failed)?.[1]
  if (code === undefined) return failed('model-error', line.failed)
  const step = planCode.test(code) ? 'GetWorkspaceSize' : 'the model'
  const meaning = meaningOf({step, code: Number(code), message: line.failed}, seconds)
  if (typeof meaning === 'string') return meaning
  return meaning.outcome === 'ran' ? 'no end' : failed(meaning.outcome, line.failed)
}

const Saved = z.object({
  dtype: Dtype,
  shape: z.array(z.int().nonnegative()),
  file: z.string().regex(/^(?:after|output)-\d+\.bin$/),
})
type Told = z.infer<typeof Saved> | {value: unknown} | Told[]
const Told: z.ZodType<Told> = z.union([Saved, z.object({value: z.unknown()}), z.array(z.lazy(() => Told))])
const Left = z.object({outputs: Told, inputsAfter: z.array(Saved)})

/** The model's own process wrote the files, so that there may be anything in their place. */
async function left(folder: string): Promise<ModelRun | undefined> {
  const said = Left.safeParse(jsonIn(await plainText(join(folder, 'outputs.json'))))
  if (!said.success) return undefined
  for (const {dtype, shape, file} of [...savedIn(said.data.outputs), ...said.data.inputsAfter]) {
    const status = await lstat(join(folder, file)).catch(() => undefined)
    if (!status?.isFile() || status.size !== elementCount(shape) * dtypeBytes[dtype]) return undefined
  }
  return {outcome: 'ran', outputs: folder, traces: [], unseen: true}
}

function savedIn(told: Told): z.infer<typeof Saved>[] {
  if (Array.isArray(told)) return told.flatMap(savedIn)
  return 'file' in told ? [told] : []
}
