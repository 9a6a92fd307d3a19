import {join} from 'node:path'
import {z} from 'zod'
import {contentId} from '../../engine/ids.ts'
import {makeFolder} from '../../engine/files.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import type {ColumnType} from '../parquet/column-types.ts'
import {createParquetFile} from '../parquet/parquet-file.ts'
import {recordSchemas, type Config, type RecordOf} from '../schema/export.ts'
import {nearOf, signedOf, type DedupOptions} from './dedup.ts'
import type {Signed} from './signature-file.ts'

const SignatureFile = z.strictObject({path: z.string(), rows: z.int(), bytes: z.int(), sha256: z.string()})
type SignatureFile = z.infer<typeof SignatureFile>

/** Signatures of all records as one Parquet file in the stage's folder, for engines that find copies themselves. */
export default function signatureExport<C extends Config>(options: DedupOptions<C>): Stage<RecordOf[C], SignatureFile> {
  const {config, near = nearOf(config), api = []} = options

  async function* run(records: AsyncIterable<RecordOf[C]>, context: Context): AsyncIterable<SignatureFile> {
    makeFolder(context.directory)
    const path = join(context.directory, `${config}.parquet`)
    const names = new Set(api)
    async function* signed() {
      for await (const record of records) yield signedOf(record, contentId(record), {config, near, names})
    }
    yield {path, ...(await writeSignatures(path, signed()))}
  }

  return {
    name: 'signature-export',
    version: 1,
    options: {config, near: {...near}, api: contentId(api)},
    input: recordSchemas[config],
    output: SignatureFile,
    run,
  }
}

const columns: readonly {name: string; type: ColumnType}[] = [
  {name: 'number', type: 'int32'},
  {name: 'id', type: 'string'},
  {name: 'worse', type: 'float64'},
  {name: 'exact', type: 'string'},
  {name: 'group', type: 'string'},
  {name: 'threshold', type: 'float64'},
  {name: 'bands', type: {list: 'int32'}},
  {name: 'low', type: 'string'},
]

export async function writeSignatures(path: string, rows: AsyncIterable<Signed>) {
  const file = await createParquetFile(path, columns, {codec: 'zstd', rowGroupBytes: 32_000_000, rowGroupRows: 50_000})
  try {
    for await (const {id, worse, exact, group, near} of rows) {
      const bands = near ? [...new Int32Array(near.signature.bands.buffer)] : null
      const low = near ? Buffer.from(near.signature.low).toString('hex') : null
      const row = {number: file.rows(), id, worse, exact, group, threshold: near?.threshold ?? null, bands, low}
      await file.write(row, id)
    }
    const written = await file.finish()
    await file.publish(path)
    return written
  } finally {
    await file.discard()
  }
}
