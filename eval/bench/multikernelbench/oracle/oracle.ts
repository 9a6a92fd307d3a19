import {readFileSync} from 'node:fs'
import {mkdir} from 'node:fs/promises'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {z} from 'zod'
import {Dtype} from '../../../../datasets/schema/tensor.ts'
import {PipelineError} from '../../../../engine/errors.ts'
import {contentId} from '../../../../engine/ids.ts'
import {Session} from '../../../../engine/session.ts'
import {jsonIn} from '../../../executors/run-report.ts'
import {confined} from '../../../executors/sandbox.ts'
import type {Limits, SandboxName} from '../../../executors/sandbox.ts'
import type {TorchPython} from '../submission/python.ts'
import type {Setting} from '../tiers.ts'

const runtime = fileURLToPath(new URL('runtime', import.meta.url))

/** Changes with what draws inputs and compares outputs. */
export const oracleRules = contentId(
  ['draw.py', 'files.py', 'measure.py', 'module.py', 'naive.py', 'oracle.py'].map((file) =>
    readFileSync(join(runtime, file), 'utf8'),
  ),
)

const InputSize = z.object({shape: z.array(z.int().nonnegative()), dtype: z.string(), bytes: z.int().nonnegative()})
export type InputSize = z.infer<typeof InputSize>

const Figures = z.object({
  maxAbs: z.number(),
  /** Mean and largest relative error, and ‖error‖ / ‖golden‖. */
  mere: z.number(),
  mare: z.number(),
  normRatio: z.number(),
})

const Comparison = z.object({
  /** What the benchmark's own comparison rejects; absent if nothing. */
  literal: z.string().optional(),
  /** The same for the comparison with float64. */
  hardened: z.string().optional(),
  figures: Figures,
  outputBytes: z.number(),
  digest: z.string(),
  /** Changes to the call's inputs, or faults in the layout of its outputs. */
  spoilt: z.array(z.string()),
  /** Degenerate outputs, and which comparison refuses them. */
  mutants: z.array(z.object({name: z.string(), literal: z.boolean(), hardened: z.boolean()})),
})
export type Comparison = z.infer<typeof Comparison>

interface Drawing {
  setting: Setting
  /** `own`, or a kind of `draw.py`. */
  family: string
  /** For `own`: the harness's random stream continues from trial to trial. */
  trial: number
  seed: number
  roles: readonly string[]
}

interface Comparing {
  setting: Setting
  seed: number
  /** The input call. */
  call: string
  /** The output folder, below the oracle's own. */
  outputs: string
  mutants: boolean
}

const Saved = z.object({dtype: Dtype, shape: z.array(z.int().nonnegative()), file: z.string()})

const ModelCase = z.object({
  /** By the names of the parameters of `forward`. */
  inputs: z.array(Saved.extend({name: z.string()})),
  /** Parameters of the constructor and of `forward`, as printed by Python: `eps=1e-05`. */
  made: z.array(z.string()),
  called: z.array(z.string()),
  /** Numbers and truth values that the constructor and `forward` take. */
  attributes: z.record(z.string(), z.union([z.number(), z.boolean()])),
  /** Each file has the expected values in float64. */
  outputs: z.array(Saved),
})
export type ModelCase = z.infer<typeof ModelCase>

/** What a task's module defines: sizes, inputs, and whether outputs are right. */
export interface Oracle {
  /** A folder that it can read and write. */
  readonly folder: string
  describe(setting: Setting): Promise<InputSize[]>
  /** Writes a call as files (submission/call-files.ts) and gives the path of the one that names the others. */
  draw(drawing: Drawing): Promise<string>
  compare(comparing: Comparing): Promise<Comparison>
  /** A call as files below the oracle's folder. */
  case(drawing: Omit<Drawing, 'trial'>): Promise<ModelCase>
  close(): Promise<void>
}

interface OracleSetting {
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

/** Starts the process in which a task's module runs; it sees neither the submission nor its folder. */
export async function openOracle(setting: OracleSetting): Promise<Oracle> {
  const {python, sandbox, folder, module, seconds, signal} = setting
  await mkdir(folder, {recursive: true})
  const program = [python.command, join(runtime, 'oracle.py'), module]
  const command = ['/usr/bin/env', 'PYTHONDONTWRITEBYTECODE=1', ...program]
  const readOnly = [...python.folders, runtime, module]
  const session = new Session({
    ...confined(sandbox, command, {readOnly, writable: folder}, limits),
    failure: (fault) => brokenOracle(module, fault),
  })
  const ask = async <T>(answer: z.ZodType<T>, question: object): Promise<T> => {
    const said = await session.ask(JSON.stringify(question), seconds, signal)
    const parsed = answer.safeParse(jsonIn(said))
    if (parsed.success) return parsed.data
    const failed = z.object({failed: z.string()}).safeParse(jsonIn(said))
    throw brokenOracle(module, failed.success ? failed.data.failed : `it said ${said.slice(0, 200)}`)
  }
  let drawn = 0
  return {
    folder,
    async describe(asked) {
      return (await ask(z.object({inputs: z.array(InputSize)}), {ask: 'describe', setting: asked})).inputs
    },
    async draw(drawing) {
      const place = join(folder, `call-${(drawn += 1)}`)
      await mkdir(place)
      const out = join(place, 'call.json')
      await ask(z.object({drawn: z.literal(true)}), {ask: 'draw', ...drawing, out})
      return out
    },
    case: (drawing) => ask(ModelCase, {ask: 'case', ...drawing, out: join(folder, `case-${(drawn += 1)}`)}),
    compare: (comparing) => ask(Comparison, {ask: 'compare', ...comparing}),
    close: () => session.close(),
  }
}

/** The error for a failing module or machine, which says nothing about the submission. */
function brokenOracle(module: string, fault: string): PipelineError {
  return new PipelineError('executor-failed', `The reference ${module} failed: ${fault}`, {
    fix: 'Check that the module runs by itself in this Python; the next run retries the record.',
    evidence: {module, fault},
  })
}
