import {copyFile, link, lstat, mkdir, mkdtemp, open, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {z} from 'zod'
import type {RunTrace} from '../../../../datasets/schema/executor.ts'
import {Violation} from '../../../../datasets/schema/verdict.ts'
import {Session} from '../../../../engine/session.ts'
import {removeFolder} from '../../../../engine/files.ts'
import {confined} from '../../../executors/sandbox.ts'
import type {Limits, SandboxName} from '../../../executors/sandbox.ts'
import {jsonIn} from '../../../executors/run-report.ts'
import type {ModelCall, ModelRun} from '../submission.ts'
import {brokenRule, DeviceSaid, launchFailure, tracesOf} from './device-launches.ts'
import {OperatorRequest} from './operator-runs.ts'
import type {Failure, OperatorRuns} from './operator-runs.ts'
import {runtimeFolder} from './python.ts'
import type {TorchPython} from './python.ts'

interface CandidateSetting {
  python: TorchPython
  sandbox: SandboxName
  /** A folder of ours, in which the process gets two of its own: one to write, one to read. */
  directory: string
  /** What it loads. */
  loaded: Loaded
  /** Folders of these that it may read. */
  folders: readonly string[]
  /** For the answer to one question. */
  seconds: number
  /** Runs what the binding asks for with EXEC_NPU_CMD; none of a binding that launches kernels itself. */
  runs?: OperatorRuns
}

/** A submission's module and model, by absolute path. */
export interface Loaded {
  library: string
  /** The name by which the model imports it. */
  module: string
  model: string
  class: string
  /** Our library that makes tensors device memory, for a module that launches kernels itself; CPU time of a launch. */
  device?: {library: string; seconds: number}
}

const Said = z.union([
  z.object({ready: z.literal(true)}),
  z.object({ran: z.literal(true), device: DeviceSaid.optional()}),
  z.object({failed: z.string(), refused: z.string().optional(), device: DeviceSaid.optional()}),
  z.object({violated: Violation}),
  OperatorRequest,
])

/** PyTorch for GPUs maps far more than it uses. */
const limits: Limits = {
  cpuSeconds: Number.POSITIVE_INFINITY,
  wallSeconds: Number.POSITIVE_INFINITY,
  memoryBytes: 64 * 2 ** 30,
  fileBytes: 8 * 2 ** 30,
  outputBytes: 1 << 18,
}

/** The end of the process, which is a finding about the submission and no failure of ours. */
class CandidateEnd extends Error {
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.why)
    this.failure = failure
  }
}

/** Runs calls one after the other in one process; after one that ends it, the rest fails as that did. */
export async function runCalls(
  setting: CandidateSetting,
  calls: readonly ModelCall[],
  signal?: AbortSignal,
): Promise<ModelRun[]> {
  const folder = await mkdtemp(join(setting.directory, 'run-'))
  const place = {own: join(folder, 'own'), given: join(folder, 'given')}
  await Promise.all([mkdir(place.own), mkdir(place.given)])
  const session = new Session(startOf(setting, place))
  const runs: ModelRun[] = []
  try {
    const talk = new Talk(setting, session, place, signal)
    const start = await talk.start()
    if (start) return calls.map(() => start)
    for (const [index, call] of calls.entries()) runs.push(await talk.call(call, index))
  } catch (error) {
    if (!(error instanceof CandidateEnd)) throw error
    while (runs.length < calls.length) runs.push(error.failure)
  } finally {
    await session.close()
    await removeFolder(place.given)
  }
  return runs
}

type Place = {own: string; given: string}

function startOf({python, sandbox, loaded, folders}: CandidateSetting, {own, given}: Place) {
  const program = [join(runtimeFolder, 'candidate.py'), JSON.stringify(loaded)]
  // One thread: the kernels run elsewhere, and eight processes may share a machine.
  const command = ['/usr/bin/env', 'OMP_NUM_THREADS=1', 'PYTHONDONTWRITEBYTECODE=1', python.command, ...program]
  const readOnly = [...python.folders, runtimeFolder, ...folders, given]
  return {
    ...confined(sandbox, command, {readOnly, writable: own}, limits),
    failure: (fault: string) => {
      const kind = fault.startsWith('no answer within') ? 'timed-out' : 'crashed'
      return new CandidateEnd({outcome: 'failed', kind, why: `the model's process: ${fault}`})
    },
  }
}

class Talk {
  readonly #setting: CandidateSetting
  readonly #session: Session
  readonly #place: Place
  readonly #signal: AbortSignal | undefined
  #sent = 0

  constructor(setting: CandidateSetting, session: Session, place: Place, signal: AbortSignal | undefined) {
    this.#setting = setting
    this.#session = session
    this.#place = place
    this.#signal = signal
  }

  async #ask(line: string): Promise<Exclude<z.infer<typeof Said>, {violated: Violation}>> {
    const answer = await this.#session.ask(line, this.#setting.seconds, this.#signal)
    const said = Said.safeParse(jsonIn(answer))
    if (!said.success) throw crashed(`the model's process: it said ${answer.slice(0, 200)}`)
    // The process ends with it.
    if ('violated' in said.data) throw new CandidateEnd(brokenRule(said.data.violated))
    return said.data
  }

  async start(): Promise<Failure | undefined> {
    // The first line is not asked for; an empty question is read and passed over.
    const said = await this.#ask('')
    return 'failed' in said ? {outcome: 'failed', kind: 'model-error', why: said.failed} : undefined
  }

  async call({call, seed, poison, order}: ModelCall, index: number): Promise<ModelRun> {
    const given = join(this.#place.given, `call-${index}.pt`)
    const outputs = join(this.#place.own, `outputs-${index}.pt`)
    await link(call, given).catch(() => copyFile(call, given))
    const traces: RunTrace[] = []
    let failure: Failure | undefined
    let said = await this.#ask(JSON.stringify({call: given, seed, poison, order, outputs}))
    while ('operator' in said) {
      const {runs} = this.#setting
      if (!runs) throw crashed(`the model's process: it asks for ${said.operator}, which it does not have`)
      const end = await runs.run(said, this.#place.own, {poison, order}, this.#signal)
      if (end.ok) traces.push(end.trace)
      else failure ??= end.failure
      said = await this.#ask(end.ok ? await this.#hand(end.outputs) : 'failed')
    }
    await rm(given, {force: true})
    if (failure) return failure
    if ('refused' in said && said.refused !== undefined) return cheated(said.refused)
    const device = 'device' in said ? said.device : undefined
    const broken = device && launchFailure(device)
    if (broken) return broken
    if ('failed' in said) return {outcome: 'failed', kind: 'model-error', why: said.failed}
    const found = await lstat(outputs).catch(() => undefined)
    if (!found?.isFile()) return {outcome: 'failed', kind: 'crashed', why: 'the model left no outputs'}
    return {outcome: 'ran', outputs, traces: device ? tracesOf(device) : traces}
  }

  /** Outputs as files that the process can only read. */
  async #hand(outputs: readonly [number, Uint8Array][]): Promise<string> {
    const words = ['ran']
    for (const [argument, data] of outputs) {
      const path = join(this.#place.given, `o${this.#sent % 64}.bin`)
      this.#sent += 1
      const file = await open(path, 'w')
      await file.write(data).finally(() => file.close())
      words.push(String(argument), path)
    }
    return words.join(' ')
  }
}

function crashed(why: string): CandidateEnd {
  return new CandidateEnd({outcome: 'failed', kind: 'crashed', why})
}

function cheated(operation: string): Failure {
  return {outcome: 'failed', kind: 'cheated', why: `uses-a-finished-operator: the model calls ${operation}`}
}
