import {mkdir, mkdtemp, readFile} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import {z} from 'zod'
import {Dtype} from '../../../datasets/schema/tensor.ts'
import {removeFolder} from '../../../engine/files.ts'
import type {ModelCases} from '../whole-model.ts'

const Saved = z.object({dtype: Dtype, shape: z.array(z.int().nonnegative()), file: z.string()})

/** A call as an oracle writes it to files, with what is right. */
export const SavedCase = z.object({
  /** By the names of the parameters. */
  inputs: z.array(Saved.extend({name: z.string()})),
  /** Names of all parameters. */
  called: z.array(z.string()),
  /** Numbers and truth values among them. */
  attributes: z.record(z.string(), z.union([z.number(), z.boolean()])),
  /** Each file has the expected values in float64. */
  outputs: z.array(Saved),
})
export type SavedCase = z.infer<typeof SavedCase>

interface Closes {
  close(): Promise<void>
}

/** Opens an oracle in a folder of its own, which is removed when it is closed. */
export async function inOwnFolder<Oracle extends Closes>(
  workDirectory: string,
  open: (folder: string) => Promise<Oracle>,
): Promise<{oracle: Oracle} & Closes> {
  await mkdir(resolve(workDirectory), {recursive: true})
  const folder = await mkdtemp(join(resolve(workDirectory), 'cases-'))
  try {
    const oracle = await open(folder)
    return {oracle, close: () => oracle.close().finally(() => removeFolder(folder))}
  } catch (error) {
    await removeFolder(folder)
    throw error
  }
}

/** What an oracle in a folder of its own is used for. */
export async function withOracle<Oracle extends Closes, T>(
  workDirectory: string,
  open: (folder: string) => Promise<Oracle>,
  use: (oracle: Oracle) => Promise<T>,
): Promise<T> {
  const {oracle, close} = await inOwnFolder(workDirectory, open)
  try {
    return await use(oracle)
  } finally {
    await close()
  }
}

export function readCases(saved: readonly SavedCase[], nameOf: (at: number) => string): Promise<ModelCases['cases']> {
  return Promise.all(
    saved.map(async ({inputs, attributes, outputs}, index) => ({
      operatorCase: {
        id: `case-${index}`,
        inputs: await Promise.all(inputs.map(async ({file, ...spec}) => ({...spec, data: await readFile(file)}))),
        attributes,
        outputs: outputs.map(({dtype, shape}, at) => ({name: nameOf(at), dtype, shape})),
      },
      expected: await Promise.all(outputs.map(({file}) => readDoubles(file))),
      tolerance: {absolute: 1e-4, relative: 1e-4},
    })),
  )
}

async function readDoubles(path: string): Promise<Float64Array> {
  const bytes = await readFile(path)
  return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
}
