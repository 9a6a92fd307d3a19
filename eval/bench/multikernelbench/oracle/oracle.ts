import {existsSync} from 'node:fs'
import {mkdir} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {z} from 'zod'
import {openOracleProcess, rulesOf, Spoilt, type OracleSetting} from '../../oracle/oracle-process.ts'
import {SavedCase} from '../../oracle/saved-case.ts'
import type {Setting} from '../tiers.ts'

const runtime = fileURLToPath(new URL('runtime', import.meta.url))

/** Changes with what draws inputs and compares outputs. */
export const oracleRules = rulesOf(runtime, ['draw.py', 'module.py', 'naive.py', 'oracle.py'])

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
  spoilt: Spoilt,
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

/** Parameters of the constructor and of `forward`, as printed by Python: `eps=1e-05`. */
const ModelCase = SavedCase.extend({made: z.array(z.string())})
export type ModelCase = z.infer<typeof ModelCase>

const Alone = z.union([
  z.object({
    missing: z.array(z.string()).length(0),
    /** Names of the model's parameters and buffers. */
    weights: z.array(z.string()),
    /** Constants that change the sizes of its inputs, with their values. */
    sizes: z.record(z.string(), z.union([z.int(), z.array(z.int())])),
  }),
  z.object({missing: z.array(z.string()).min(1)}),
])
export type Alone = z.infer<typeof Alone>

/** What a task's module defines: sizes, inputs, and whether outputs are right. */
export interface Oracle {
  /** A folder that it can read and write. */
  readonly folder: string
  describe(setting: Setting): Promise<InputSize[]>
  /** What must be known of a module that no tier has sizes for; `missing`: names that it does not define. */
  alone(): Promise<Alone>
  /** Writes a call as files (submission/call-files.ts) and gives the path of the one that names the others. */
  draw(drawing: Drawing): Promise<string>
  compare(comparing: Comparing): Promise<Comparison>
  /**
   * A call as files below the oracle's folder; without roles, only tensors of floats are drawn.
   * @throws PipelineError `executor-failed`, a refusal of the module as `isRefusal` tells
   */
  case(drawing: Omit<Drawing, 'trial' | 'roles'> & {roles: Drawing['roles'] | null}): Promise<ModelCase>
  close(): Promise<void>
}

/** Starts the process in which a task's module runs. */
export async function openOracle(setting: OracleSetting): Promise<Oracle> {
  const {folder, module} = setting
  const program = join(runtime, 'oracle.py')
  const {ask, close} = await openOracleProcess(setting, program, [
    dirname(program),
    ...[module, module.replace(/\.py$/, '.json')].filter((one) => existsSync(one)),
  ])
  let drawn = 0
  return {
    folder,
    async describe(asked) {
      return (await ask(z.object({inputs: z.array(InputSize)}), {ask: 'describe', setting: asked})).inputs
    },
    alone: () => ask(Alone, {ask: 'alone'}),
    async draw(drawing) {
      const place = join(folder, `call-${(drawn += 1)}`)
      await mkdir(place)
      const out = join(place, 'call.json')
      await ask(z.object({drawn: z.literal(true)}), {ask: 'draw', ...drawing, out})
      return out
    },
    case: (drawing) => ask(ModelCase, {ask: 'case', ...drawing, out: join(folder, `case-${(drawn += 1)}`)}),
    compare: (comparing) => ask(Comparison, {ask: 'compare', ...comparing}),
    close,
  }
}
