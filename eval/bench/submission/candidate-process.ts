import {mkdir, mkdtemp, readFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {z} from 'zod'
import type {RunTrace} from '../../../datasets/schema/executor.ts'
import {Violation} from '../../../datasets/schema/verdict.ts'
import {Session} from '../../../engine/session.ts'
import {confined} from '../../executors/sandbox.ts'
import type {SandboxName} from '../../executors/sandbox.ts'
import {launchTrace} from '../../executors/run-report.ts'
import {jsonIn} from '../../../engine/json.ts'
import type {Failure, ModelCall, ModelRun} from './submission.ts'
import {DeviceProcess, isDeviceRequest, processLimits, WrongRequest} from './device-process.ts'
import {brokenRule, launchFailure} from './device-launches.ts'
import {placesIn, saveOutputs, takenBy, Told} from './call-files.ts'
import type {Taken} from './call-files.ts'
import {broken} from './refusals.ts'
import {OperatorRequest} from './operator-runs.ts'
import type {OperatorRuns} from './operator-runs.ts'
import {runtimeFolder} from './python.ts'
import type {TorchPython} from './python.ts'

interface CandidateSetting {
  python: TorchPython
  sandbox: SandboxName
  /** A folder in which each process gets its own subfolder. */
  directory: string
  /** Files that the model's process loads. */
  loaded: Loaded
  /** Their folders, which it may read. */
  folders: readonly string[]
  /** Time limit for the model's work between two requests. */
  seconds: number
  device: {
    /** Our program, and the library of kernels of a submission that launches them itself. */
    program: string
    kernels?: string
    /** CPU time of a launch. */
    seconds: number
  }
  /** Whether copies on the device that no kernel makes are refused. */
  refusesCopies?: boolean
  /** Runs the binding's EXEC_NPU_CMD calls; absent for a binding that launches kernels itself. */
  runs?: OperatorRuns
}

/** A submission's module and model, by absolute path. */
interface Loaded {
  library: string
  /** The name by which the model imports it. */
  module: string
  model: string
  class: string
  /** Our library that makes PyTorch's NPU. */
  device: string
}

/** Messages of the model's process besides device requests; the last one of a call is its end. */
const Said = z.union([
  z.object({ready: z.literal(true)}),
  z.object({ran: Told}),
  z.object({failed: z.string()}),
  z.object({violated: Violation}),
  z.object({refused: z.string()}),
  z.object({read: z.string()}),
  z.object({changed: z.string()}),
  OperatorRequest,
])
type Said = z.infer<typeof Said>

/** The end of the process, which is a finding about the submission, not a failure of ours. */
class CandidateEnd extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.why)
    this.failure = failure
  }
}

/**
 * Runs calls one after another in one process; after one that ends it, the rest fail in the same way. The model's
 * process never sees device values: it sends requests, and only receives the next call.
 */
export async function runCalls(
  setting: CandidateSetting,
  calls: readonly ModelCall[],
  signal?: AbortSignal,
): Promise<ModelRun[]> {
  const folder = await mkdtemp(join(setting.directory, 'run-'))
  const own = join(folder, 'own')
  await mkdir(own)
  const device = await startDevice(setting, join(folder, 'device'), calls)
  const session = new Session(startOf(setting, own))
  const runs: ModelRun[] = []
  try {
    const talk = new Talk(setting, session, device, signal)
    const start = await talk.start()
    if (start) return calls.map(() => start)
    for (const [index, call] of calls.entries()) runs.push(await talk.call(call, join(folder, `outputs-${index}`)))
  } catch (error) {
    if (!(error instanceof CandidateEnd)) throw error
    while (runs.length < calls.length) runs.push(error.failure)
  } finally {
    await Promise.all([session.close(), device.close()])
  }
  return runs
}

function startDevice(
  setting: CandidateSetting,
  directory: string,
  calls: readonly ModelCall[],
): Promise<DeviceProcess> {
  const {sandbox, folders, device} = setting
  const drawn = new Set(calls.map(({call}) => dirname(call)))
  return DeviceProcess.start({
    ...device,
    sandbox,
    directory,
    folders: [...folders, ...drawn],
    outputs: dirname(directory),
  })
}

function startOf({python, sandbox, loaded, folders}: CandidateSetting, own: string) {
  const program = [join(runtimeFolder, 'candidate.py'), JSON.stringify(loaded)]
  // One thread: the kernels run elsewhere, and eight processes may share a machine.
  const command = ['/usr/bin/env', 'OMP_NUM_THREADS=1', 'PYTHONDONTWRITEBYTECODE=1', python.command, ...program]
  const readOnly = [...python.folders, runtimeFolder, ...folders]
  return {
    ...confined(sandbox, command, {readOnly, writable: own}, processLimits),
    failure: (fault: string) => {
      const kind = fault.startsWith('no answer within') ? 'timed-out' : 'crashed'
      return new CandidateEnd({outcome: 'failed', kind, why: `the model's process: ${fault}`})
    },
  }
}

/** One call while it runs. */
interface Running extends Pick<ModelCall, 'poison' | 'order'> {
  traces: RunTrace[]
  /** The first fault; later ones are meaningless. */
  failure?: Failure
  /** Inputs by the model's numbers for them, until they are there. */
  inputs: ReturnType<typeof placesIn>
  /** Where memory was taken during the call, guards included. */
  taken: Taken[]
}

class Talk {
  readonly #setting: CandidateSetting
  readonly #session: Session
  readonly #device: DeviceProcess
  readonly #signal: AbortSignal | undefined

  constructor(setting: CandidateSetting, session: Session, device: DeviceProcess, signal: AbortSignal | undefined) {
    this.#setting = setting
    this.#session = session
    this.#device = device
    this.#signal = signal
  }

  async start(): Promise<Failure | undefined> {
    // The first line comes unprompted; an empty request is ignored.
    const running: Running = {poison: 'nan', order: 'forward', traces: [], inputs: [], taken: []}
    const said = await this.#follow('', running)
    if ('failed' in said) return running.failure ?? {outcome: 'failed', kind: 'model-error', why: said.failed}
    return running.failure
  }

  async call({call, seed, poison, order, again = false}: ModelCall, outputs: string): Promise<ModelRun> {
    const drawn = jsonIn(await readFile(call, 'utf8')) as {init: unknown; inputs: unknown}
    const inputs = placesIn(drawn.inputs, dirname(call))
    const running: Running = {poison, order, traces: [], inputs, taken: []}
    await this.#device.begin(poison, order, this.#signal)
    const said = await this.#follow(JSON.stringify({...drawn, seed, again}), running)
    if (running.failure) return running.failure
    if ('failed' in said) return {outcome: 'failed', kind: 'model-error', why: said.failed}
    if (!('ran' in said)) throw crashed('it is ready once more')
    const saved = await this.#asked(() => saveOutputs(this.#device, said.ran, running, outputs))
    if (saved) return saved
    return {outcome: 'ran', outputs, traces: running.traces}
  }

  /** Does what the process asks until it says how the call ended. */
  async #follow(
    question: string,
    running: Running,
  ): Promise<Extract<Said, {ready: true} | {ran: unknown} | {failed: string}>> {
    let line = await this.#session.ask(question, this.#setting.seconds, this.#signal)
    for (;;) {
      const said = line.startsWith('{') ? this.#read(line) : undefined
      if (said && ('ready' in said || 'ran' in said || 'failed' in said)) return said
      const failure = said ? await this.#heed(said, running) : await this.#relay(line, running)
      if (failure) running.failure ??= failure
      line = await this.#session.hear(this.#setting.seconds, this.#signal)
    }
  }

  #read(line: string): Said {
    const said = Said.safeParse(jsonIn(line))
    if (!said.success) throw crashed(`it said ${line.slice(0, 200)}`)
    // This ends the process.
    if ('violated' in said.data) throw new CandidateEnd(brokenRule(said.data.violated))
    return said.data
  }

  async #heed(said: Said, running: Running): Promise<Failure | undefined> {
    if ('refused' in said) return cheated('uses-a-finished-operator', `the model calls ${said.refused}`)
    if ('read' in said)
      return cheated('reads-tensors-on-the-host', `values are taken from the device with ${said.read}`)
    if ('changed' in said) return cheated('changes-the-clock', `the model replaces ${said.changed}`)
    if (!('operator' in said) || running.failure) return undefined
    const {runs} = this.#setting
    if (!runs) throw crashed(`it asks for ${said.operator}, which it does not have`)
    const {poison, order} = running
    return this.#asked(async () => {
      const end = await runs.run(said, this.#device, {poison, order}, this.#signal)
      if (!end.ok) return end.failure
      running.traces.push(end.trace)
      return undefined
    })
  }

  /** Requests that only concern the device. */
  async #relay(line: string, running: Running): Promise<Failure | undefined> {
    const [word, number = '', place = ''] = line.split(' ')
    if (word === 'input') {
      const input = running.inputs[Number(number)]
      if (!input) throw crashed(`it said ${line.slice(0, 200)}`)
      input.at.place = Number(place)
      return this.#asked(async () => {
        await this.#device.load(input.at, input.file, this.#signal)
        return undefined
      })
    }
    if (!isDeviceRequest(line)) throw crashed(`it said ${line.slice(0, 200)}`)
    if (word === 'alloc') running.taken.push(takenBy(line))
    if (word === 'copy' && this.#setting.refusesCopies)
      running.failure ??= cheated('copies-without-a-kernel', 'values are moved on the device by PyTorch or the runtime')
    // A faulty device runs no more kernels.
    if (word === 'launch' && running.failure) return undefined
    return this.#asked(async () => {
      const end = await this.#device.request(line, this.#signal)
      if (end && !('launch' in end)) return launchFailure(end)
      if (end) running.traces.push(launchTrace(end.launch, end.blockDim))
      return undefined
    })
  }

  /** Tensors at invalid addresses are the submission's fault. */
  async #asked(work: () => Promise<Failure | undefined>): Promise<Failure | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof WrongRequest)) throw error
      return {outcome: 'failed', kind: 'launch-failed', why: error.message}
    }
  }
}

function crashed(why: string): CandidateEnd {
  return new CandidateEnd({outcome: 'failed', kind: 'crashed', why: `the model's process: ${why}`})
}

function cheated(rule: string, seen: string): Failure {
  return broken('cheated', rule, seen)
}
