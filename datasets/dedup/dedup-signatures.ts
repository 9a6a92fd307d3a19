import {join, resolve} from 'node:path'
import {z} from 'zod'
import {contentId} from '../../engine/ids.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import {recordSchemas, type Config, type RecordOf} from '../schema/export.ts'
import {nearOf, signedOf, type DedupOptions} from './dedup.ts'
import {stored} from './dedup-scratch.ts'
import {rangeWriter} from './hash-ranges.ts'
import {signatureWriter, type Signed} from './signature-file.ts'

/** A range of hashes, whose records are compared by whoever sees the folder. */
export const HashRange = z.strictObject({
  /** With records, signatures and keys. */
  folder: z.string(),
  range: z.int().nonnegative(),
  ranges: z.int().positive(),
  /** SHA-256 of the signatures: what was found for others is not used. */
  signatures: z.string(),
})
export type HashRange = z.infer<typeof HashRange>

interface SignatureOptions<C extends Config> extends DedupOptions<C> {
  /** Into how many the search is divided. */
  ranges: number
}

/** Records of a stage of this kind, and what `signedOf` says of them. */
export const recordsFile = (folder: string) => join(folder, 'waiting.jsonl')
export const signaturesFile = (folder: string) => join(folder, 'signatures.bin')

/**
 * First of three stages that find the same copies as `dedup`, on many machines: puts records, their signatures and
 * sorted-out keys on disk, and gives the ranges of keys. Memory does not grow with the records.
 */
export default function dedupSignatures<C extends Config>(options: SignatureOptions<C>): Stage<RecordOf[C], HashRange> {
  const {config, near = nearOf(config), api = [], ranges} = options

  async function* run(records: AsyncIterable<RecordOf[C]>, context: Context): AsyncIterable<HashRange> {
    const folder = resolve(context.directory)
    const names = new Set(api)
    let files: ReturnType<typeof openFiles> | undefined
    try {
      await stored(folder, records, (record, number, id) => {
        files ??= openFiles(folder, ranges)
        files.add(signedOf(record, id, {config, near, names}), number)
      })
    } catch (error) {
      files?.close()
      throw error
    }
    const signatures = files?.end()
    if (signatures === undefined) return
    for (let range = 0; range < ranges; range += 1) yield {folder, range, ranges, signatures}
  }

  return {
    name: 'dedup-signatures',
    version: 1,
    options: {config, near: {...near}, api: contentId(api), ranges},
    input: recordSchemas[config],
    output: HashRange,
    run,
  }
}

function openFiles(folder: string, ranges: number) {
  const [signatures, keys] = [signatureWriter(signaturesFile(folder)), rangeWriter(folder, ranges)]
  return {
    add(row: Signed, number: number): void {
      signatures.add(row)
      keys.add(row, number)
    },
    end(): string {
      keys.end()
      return signatures.end()
    },
    close: signatures.close,
  }
}
