import {mkdir} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {z} from 'zod'
import {openOracleProcess, rulesOf, Spoilt, type OracleSetting} from '../oracle/oracle-process.ts'
import {SavedCase} from '../oracle/saved-case.ts'
import type {OperatorCase, OperatorFacts} from './checkout-operators.ts'

export const runtimeFolder = fileURLToPath(new URL('runtime', import.meta.url))

/** Changes with what draws inputs, calls operators and compares outputs. */
export const oracleRules = rulesOf(runtimeFolder, ['compare.py', 'draw.py', 'oracle.py', 'offered.py'])

const Drawn = z.object({
  inputs: z.array(z.object({shape: z.array(z.int().nonnegative()), dtype: z.string(), bytes: z.number()})),
})
const Compared = z.object({
  /** What the benchmark's own comparison refuses. */
  literal: z.string().optional(),
  /** What the comparison with float64 refuses. */
  hardened: z.string().optional(),
  outputBytes: z.number(),
  digest: z.string(),
  spoilt: Spoilt,
})
const Nothing = z.object({answers: z.record(z.string(), z.object({literal: z.boolean(), hardened: z.boolean()}))})

/** The inputs of one call. */
export interface Draw {
  case: OperatorCase
  seed: number
  /** `own`: as the benchmark draws; `normal`: around the middle of its ranges. */
  family: 'own' | 'normal'
}

/** What an operator's golden says. */
export interface OperatorOracle {
  /** A folder that it can read and write. */
  readonly folder: string
  /** Writes a call as files (submission/call-files.ts) and gives the path of the one that names the others. */
  draw(draw: Draw): Promise<{call: string; inputs: z.infer<typeof Drawn>['inputs']}>
  /** @param outputs their folder, below the oracle's own */
  compare(draw: Draw, outputs: string): Promise<z.infer<typeof Compared>>
  /** Which answers that take no work pass, by name, but for those of `refused`. */
  nothing(draw: Draw, refused?: readonly string[]): Promise<z.infer<typeof Nothing>['answers']>
  /** A call as files below the oracle's folder. */
  saved(draw: Draw): Promise<SavedCase>
  close(): Promise<void>
}

/** Starts the process in which an operator's golden runs. */
export async function openOperatorOracle(setting: OracleSetting, facts: OperatorFacts): Promise<OperatorOracle> {
  const {folder, module} = setting
  const program = join(runtimeFolder, 'oracle.py')
  const {ask, close} = await openOracleProcess(setting, program, [runtimeFolder, dirname(module)])
  let drawn = 0
  return {
    folder,
    async draw(draw) {
      const place = join(folder, `call-${(drawn += 1)}`)
      await mkdir(place)
      const call = join(place, 'call.json')
      return {call, ...(await ask(Drawn, {ask: 'draw', task: facts, ...draw, out: call}))}
    },
    compare: (draw, outputs) => ask(Compared, {ask: 'compare', task: facts, ...draw, outputs}),
    nothing: async (draw, refused = []) =>
      (await ask(Nothing, {ask: 'nothing', task: facts, ...draw, refused})).answers,
    saved: (draw) => ask(SavedCase, {ask: 'case', task: facts, ...draw, out: join(folder, `case-${(drawn += 1)}`)}),
    close,
  }
}
