import {mkdir, readFile, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {z} from 'zod'
import type {Dtype} from '../../../datasets/schema/tensor.ts'
import {PipelineError} from '../../../engine/errors.ts'
import {Session} from '../../../engine/session.ts'
import {confined} from '../../executors/sandbox.ts'
import type {Limits, SandboxName} from '../../executors/sandbox.ts'
import {jsonIn} from '../../../engine/json.ts'
import {put} from './compile-binding.ts'
import {LaunchEnd} from './device-launches.ts'

interface DeviceSetting {
  /** Our program that has the memory and runs the kernels. */
  program: string
  /** Library of kernels, of a submission that launches them itself. */
  kernels?: string
  /** CPU time of a launch. */
  seconds: number
  sandbox: SandboxName
  /** Their folders, which it may read. */
  folders: readonly string[]
  /** Its own folder. */
  directory: string
  /** Output folder, above its own. */
  outputs: string
}

/** Elements of the device's memory: byte address of the first, sizes and strides in elements. */
export interface Elements {
  dtype: Dtype
  place: number
  shape: readonly number[]
  strides: readonly number[]
}

/** The model's request makes no sense on a device. */
export class WrongRequest extends Error {}

const Answer = z.union([
  z.object({ok: z.literal(true)}),
  z.object({wrong: z.string()}),
  z.object({fault: z.string()}),
  LaunchEnd,
])
type Answer = z.infer<typeof Answer>

/** Of a submission's processes. PyTorch for GPUs maps far more than it uses. */
export const processLimits: Limits = {
  cpuSeconds: Number.POSITIVE_INFINITY,
  wallSeconds: Number.POSITIVE_INFINITY,
  memoryBytes: 64 * 2 ** 30,
  fileBytes: 8 * 2 ** 30,
  outputBytes: 1 << 18,
}

/** Time for one request beyond the CPU time of a launch: copies of gigabytes. */
const patience = 600

/** Requests of a model to its device. */
const requests = /^(?:alloc|free|write|fill|copy|launch) [ -~]+$/

export function isDeviceRequest(line: string): boolean {
  return requests.test(line)
}

/**
 * The NPU of a submission's model: the process that owns its memory, into which nothing of the submission is loaded.
 */
export class DeviceProcess {
  readonly #session: Session
  readonly #setting: DeviceSetting
  #files = 0

  static async start(setting: DeviceSetting): Promise<DeviceProcess> {
    await mkdir(setting.directory, {recursive: true})
    return new DeviceProcess(setting)
  }

  private constructor(setting: DeviceSetting) {
    const {program, kernels, seconds, sandbox, folders, outputs} = setting
    const command = [program, String(seconds), ...(kernels === undefined ? [] : [kernels])]
    this.#setting = setting
    this.#session = new Session({
      ...confined(sandbox, command, {readOnly: folders, writable: outputs}, processLimits),
      failure: brokenDevice,
    })
  }

  /**
   * Forwards the model's request. @returns how a launch ended; undefined for anything else @throws WrongRequest when
   * the device has no such memory; PipelineError `executor-failed`
   */
  async request(line: string, signal?: AbortSignal): Promise<LaunchEnd | undefined> {
    const answer = await this.#ask(line, signal)
    return 'ok' in answer ? undefined : answer
  }

  /** @param poison content of fresh memory; @param order of blocks */
  async begin(poison: 'nan' | 'zero', order: 'forward' | 'reverse', signal?: AbortSignal): Promise<void> {
    await this.#ask(`begin ${poison} ${order}`, signal)
  }

  /** Puts the bytes of a file there, from the folders that it may read or its own. */
  async load(to: Elements, file: string, signal?: AbortSignal): Promise<void> {
    await this.#ask(`load ${text(to)} ${file}`, signal)
  }

  async save(from: Elements, file: string, signal?: AbortSignal): Promise<void> {
    await this.#ask(`save ${text(from)} ${file}`, signal)
  }

  async read(from: Elements, signal?: AbortSignal): Promise<Uint8Array> {
    const file = this.#file()
    await this.save(from, file, signal)
    const data = await readFile(file)
    await rm(file)
    return new Uint8Array(data)
  }

  async write(to: Elements, data: Uint8Array, signal?: AbortSignal): Promise<void> {
    const file = this.#file()
    await put(file, data)
    await this.load(to, file, signal)
    await rm(file)
  }

  close(): Promise<void> {
    return this.#session.close()
  }

  #file(): string {
    return join(this.#setting.directory, `${(this.#files += 1)}.bin`)
  }

  async #ask(line: string, signal?: AbortSignal): Promise<Exclude<Answer, {wrong: string} | {fault: string}>> {
    const said = await this.#session.ask(line, this.#setting.seconds + patience, signal)
    const answer = Answer.safeParse(jsonIn(said))
    if (!answer.success) throw brokenDevice(`it said ${said.slice(0, 200)}`)
    if ('wrong' in answer.data) throw new WrongRequest(answer.data.wrong)
    if ('fault' in answer.data) throw brokenDevice(answer.data.fault)
    return answer.data
  }
}

function text({dtype, place, shape, strides}: Elements): string {
  return [dtype, place, shape.length, ...shape, ...strides].join(' ')
}

function brokenDevice(fault: string): PipelineError {
  return new PipelineError('executor-failed', `The device of a submission failed: ${fault}.`, {
    fix: 'Free memory, or run fewer at once (executor.concurrency), then run `ascend-cot resume`.',
    evidence: {fault},
  })
}
