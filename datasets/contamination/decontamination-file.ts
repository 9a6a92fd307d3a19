import {existsSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {z} from 'zod'
import type {Leak} from './contamination.ts'
import {OperatorTrait} from './operator-identity.ts'
import {configs, type Config} from '../schema/export.ts'

/** Thresholds, as shares of a reference's code, at which a sweep counts records. */
export const sweepShares: readonly number[] = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]

/** A record that was removed, and why. */
const Removed = z.discriminatedUnion('by', [
  z.strictObject({
    id: z.string(),
    reference: z.string(),
    by: z.literal('words'),
    place: z.string(),
    /** Distinct runs of `length` words. */
    runs: z.int().positive(),
    length: z.int().positive(),
  }),
  z.strictObject({
    id: z.string(),
    reference: z.string(),
    by: z.literal('code'),
    place: z.string(),
    of: z.enum(['file', 'function', 'part', 'flow']),
    found: z.int().positive(),
    statements: z.int().positive(),
    /** Weighted, of the reference's file or function, or of the record's code for a `part`. */
    share: z.number(),
  }),
  z.strictObject({id: z.string(), reference: z.string(), by: z.enum(['request', 'name', 'formula'])}),
])
export type Removed = z.infer<typeof Removed>

/** `decontamination/<config>.json` of a data set. */
export const DecontaminationFile = z.strictObject({
  config: z.enum(configs),
  /** Tasks that the records were checked against. */
  against: z.array(z.string()),
  /** Traits by which other code for their operators was also refused; empty if only content decides. */
  operators: z.array(OperatorTrait),
  checked: z.int().nonnegative(),
  removed: z.array(Removed),
  /** Records whose code contains at least that share of a task's file or function, leak or not. */
  codeShareSweep: z.array(z.strictObject({share: z.number(), records: z.int().nonnegative()})),
})
export type DecontaminationFile = z.infer<typeof DecontaminationFile>

/** Path of a configuration's removed records in a data set. */
export const decontaminationPath = (config: Config) => `decontamination/${config}.json`

/** What a data set records about the removed records of these configurations. */
export async function readDecontamination(
  directory: string,
  of: readonly Config[],
): Promise<{path: string; text: string; file: DecontaminationFile}[]> {
  const paths = of.map(decontaminationPath).filter((path) => existsSync(join(directory, path)))
  return Promise.all(
    paths.map(async (path) => {
      const text = await readFile(join(directory, path), 'utf8')
      return {path, text, file: DecontaminationFile.parse(JSON.parse(text))}
    }),
  )
}

export function shareOf({measure}: Leak): number {
  return measure.kind === 'code' ? measure.share : 0
}
