import {copyFile, link, lstat, mkdir, mkdtemp, open, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {z} from 'zod'
import type {RunTrace} from '../../../../datasets/schema/executor.ts'
import {Session} from '../../../../engine/session.ts'
import {confined} from '../../../executors/sandbox.ts'
import type {Limits, SandboxName} from '../../../executors/sandbox.ts'
import {jsonIn} from '../../../executors/run-report.ts'
import type {ModelCall, ModelRun} from '../submission.ts'
import {OperatorRequest} from './operator-runs.ts'
import type {Failure, OperatorRuns} from './operator-runs.ts'
import {runtimeFolder} from './python.ts'
import type {TorchPython} from './python.ts'

interface CandidateSetting {
  python: TorchPython
  sandbox: SandboxName
  /** A folder of ours, in which the process gets two of its own: one to write, one to read. */
  directory: string
  /** Holds `custom_ops_lib.so` and `model.py`. */
  library: string
  /** For the answer to one question. */
  seconds: number
  runs: OperatorRuns
}

const Said = z.union([
  z.object({ready: z.literal(true)}),
  z.object({ran: z.literal(true)}),
  z.object({failed: z.string(), refused: z.string().optional()}),
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
class CandidateEnd extends Error {}

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
    const kind = /no answer within/.test(error.message) ? 'timed-out' : 'crashed'
    while (runs.length < calls.length) runs.push({outcome: 'failed', kind, why: error.message})
  } finally {
    await session.close()
    await rm(place.given, {recursive: true, force: true})
  }
  return runs
}

type Place = {own: string; given: string}

function startOf({python, sandbox, library}: CandidateSetting, {own, given}: Place) {
  const program = [join(runtimeFolder, 'candidate.py'), join(library, 'custom_ops_lib.so'), join(library, 'model.py')]
  // One thread: the kernels run elsewhere, and eight processes may share a machine.
  const command = ['/usr/bin/env', 'OMP_NUM_THREADS=1', 'PYTHONDONTWRITEBYTECODE=1', python.command, ...program]
  const readOnly = [...python.folders, runtimeFolder, library, given]
  return {
    ...confined(sandbox, command, {readOnly, writable: own}, limits),
    failure: (fault: string) => new CandidateEnd(`the model's process: ${fault}`),
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

  async #ask(line: string): Promise<z.infer<typeof Said>> {
    const answer = await this.#session.ask(line, this.#setting.seconds, this.#signal)
    const said = Said.safeParse(jsonIn(answer))
    if (!said.success) throw new CandidateEnd(`the model's process: it said ${answer.slice(0, 200)}`)
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
    let said = await this.#ask(JSON.stringify({call: given, seed, poison, outputs}))
    while ('operator' in said) {
      const end = await this.#setting.runs.run(said, this.#place.own, {poison, order}, this.#signal)
      if (end.ok) traces.push(end.trace)
      else failure ??= end.failure
      said = await this.#ask(end.ok ? await this.#hand(end.outputs) : 'failed')
    }
    await rm(given, {force: true})
    if (failure) return failure
    if ('refused' in said && said.refused !== undefined) return cheated(said.refused)
    if ('failed' in said) return {outcome: 'failed', kind: 'model-error', why: said.failed}
    const found = await lstat(outputs).catch(() => undefined)
    if (!found?.isFile()) return {outcome: 'failed', kind: 'crashed', why: 'the model left no outputs'}
    return {outcome: 'ran', outputs, traces}
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

function cheated(operation: string): Failure {
  return {outcome: 'failed', kind: 'cheated', why: `uses-a-finished-operator: the model calls ${operation}`}
}
