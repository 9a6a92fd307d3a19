import {readFileSync} from 'node:fs'
import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {z} from 'zod'
import {PipelineError} from '../../../engine/errors.ts'
import {contentId} from '../../../engine/ids.ts'
import {Session} from '../../../engine/session.ts'
import {jsonIn} from '../../../engine/json.ts'
import {confined} from '../../executors/sandbox.ts'
import type {Limits, SandboxName} from '../../executors/sandbox.ts'
import type {TorchPython} from '../submission/python.ts'

const shared = fileURLToPath(new URL('runtime', import.meta.url))

/** Changes with an oracle's own programs and those that all oracles share. */
export function rulesOf(folder: string, files: readonly string[]): string {
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'))
  const others = ['answering.py', 'files.py', 'measure.py'].map((file) => readFileSync(join(shared, file), 'utf8'))
  return contentId([...texts, ...others])
}

/** Changes to a call's inputs, or faults in the layout of its outputs: see runtime/measure.py. */
export const Spoilt = z.array(z.object({rule: z.string(), said: z.string()}))

/** Where a benchmark's oracle runs. */
export interface OracleSetting {
  python: TorchPython
  sandbox: SandboxName
  /** A folder of its own. */
  folder: string
  /** The task's module. */
  module: string
  /** Time limit for one answer. */
  seconds: number
  signal?: AbortSignal
}

/** Memory for float64 of a gigabyte of input, in part several times. */
const limits: Limits = {
  cpuSeconds: Number.POSITIVE_INFINITY,
  wallSeconds: Number.POSITIVE_INFINITY,
  memoryBytes: 64 * 2 ** 30,
  fileBytes: 8 * 2 ** 30,
  outputBytes: 1 << 20,
}

/** A process in which a task's module runs; it sees neither the submission nor its folder. */
interface OracleProcess {
  /** @throws PipelineError `executor-failed` when the module or the machine fails */
  ask<T>(answer: z.ZodType<T>, question: object): Promise<T>
  close(): Promise<void>
}

/** @param program the oracle's own program, called with the module @param readable what else it reads */
export async function openOracleProcess(
  setting: OracleSetting,
  program: string,
  readable: readonly string[],
): Promise<OracleProcess> {
  const {python, sandbox, folder, module, seconds, signal} = setting
  await mkdir(folder, {recursive: true})
  const environment = ['PYTHONDONTWRITEBYTECODE=1', `PYTHONPATH=${shared}`]
  const command = ['/usr/bin/env', ...environment, python.command, program, module]
  const readOnly = [...python.folders, shared, ...readable]
  const session = new Session({
    ...confined(sandbox, command, {readOnly, writable: folder}, limits),
    failure: (fault) => brokenOracle(module, fault),
  })
  return {
    async ask(answer, question) {
      const said = await session.ask(JSON.stringify(question), seconds, signal)
      const parsed = answer.safeParse(jsonIn(said))
      if (parsed.success) return parsed.data
      const failed = z.object({failed: z.string(), byModule: z.boolean().default(false)}).safeParse(jsonIn(said))
      if (failed.success) throw brokenOracle(module, failed.data.failed, failed.data.byModule)
      throw brokenOracle(module, `it said ${said.slice(0, 200)}`)
    },
    close: () => session.close(),
  }
}

/** The error for a failing module or machine, which says nothing about the submission. */
function brokenOracle(module: string, fault: string, byModule = false): PipelineError {
  return new PipelineError('executor-failed', `The reference ${module} failed: ${fault}`, {
    fix: 'Check that the module runs by itself in this Python; the next run retries the record.',
    evidence: {module, fault, byModule},
  })
}

/** Whether the module's own code refused a call, which a machine that fails does not say. */
export function isRefusal(error: unknown): error is PipelineError {
  return error instanceof PipelineError && error.code === 'executor-failed' && error.evidence['byModule'] === true
}
