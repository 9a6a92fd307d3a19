import {existsSync} from 'node:fs'
import {readdir, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {writeWhole} from '../../engine/files.ts'
import type {Stage} from '../../engine/stage.ts'
import {distinct} from '../distinct.ts'
import {openHashedFile} from '../hashed-file.ts'
import {textArtifact} from '../hub/manifest.ts'
import {createParquetFile, type Codec, type ParquetFile} from '../parquet/parquet-file.ts'
import {parquetRows} from '../parquet/parquet-rows.ts'
import {configs, Split, type Config} from '../schema/export.ts'
import {Artifact} from '../schema/sample.ts'
import {qwen3, type ChatFormat} from '../tokens/chat-format.ts'
import type {LeftOut, Packing} from './packed.ts'
import {viewNames, viewOf, type ViewFile, type ViewName} from './view-forms.ts'

interface ViewOptions {
  /** Root of the data set; files go to `views/<view>/` below it. */
  directory: string
  /** The selected views; others of an earlier export are removed. */
  views: readonly ViewName[]
  codec?: Codec
  /** The target model's chat format; default: Qwen3's, estimated. */
  format?: ChatFormat
  /** Most tokens of a row of the view `packed`. */
  window?: number
}

const groupLimits = {rowGroupBytes: 32 * 1024 * 1024, rowGroupRows: 2000}

/**
 * Also writes the data in the formats of trainers that do not read its columns, next to `data/`. The Hub's viewer shows
 * only what the card names. Rows are read back from the Parquet artifacts, which are passed through; one row group is
 * in memory at a time.
 */
export default function writeViews(options: ViewOptions): Stage<Artifact, Artifact> {
  const {directory, views, codec = 'zstd', format = qwen3, window = 32_768} = options

  async function* run(artifacts: AsyncIterable<Artifact>): AsyncIterable<Artifact> {
    const data: Artifact[] = []
    for await (const artifact of artifacts) {
      data.push(artifact)
      yield artifact
    }
    await removeEarlier(directory)
    for (const name of viewNames.filter((one) => views.includes(one))) {
      const written: ViewFile[] = []
      const leftOut: LeftOut[] = []
      for (const config of configs) {
        for (const split of Split.options) {
          const own = data.filter((one) => one.kind === 'parquet' && one.config === config && one.split === split)
          if (own.length === 0 || !viewOf(name).forms[config]) continue
          const file = {name: `${config}-${split}.${viewOf(name).isJson ? 'jsonl' : 'parquet'}`, config, split}
          const packing = {format, window, onLeftOut: (row: Omit<LeftOut, 'split'>) => leftOut.push({...row, split})}
          yield await writeView({directory, codec, name, file, config, data: own, packing})
          written.push(file)
        }
      }
      for (const [path, text] of Object.entries(viewOf(name).beside?.(written, leftOut) ?? {})) {
        await writeWhole(join(directory, 'views', name, path), text)
        yield textArtifact('view', `views/${name}/${path}`, text)
      }
    }
  }

  const packing = views.includes('packed') ? {format: format.fingerprint, window} : {}
  const shaping = {directory, views: [...views], codec, ...packing}
  return {name: 'views', version: 1, options: shaping, input: Artifact, output: Artifact, run}
}

interface WantedView {
  directory: string
  codec: Codec
  name: ViewName
  file: ViewFile
  config: Config
  data: readonly Artifact[]
  packing: Packing
}

async function writeView({directory, codec, name, file, config, data, packing}: WantedView): Promise<Artifact> {
  const form = viewOf(name).forms[config]
  if (!form) throw new TypeError(`the view ${name} has no form for ${config}`)
  const path = `views/${name}/${file.name}`
  const output = viewOf(name).isJson
    ? await createJsonLines(join(directory, path))
    : await createParquetFile(join(directory, path), form.columns, {codec, ...groupLimits})
  const rowsOf = async function* () {
    for (const artifact of data) yield* parquetRows(join(directory, artifact.path), form.reads)
  }
  try {
    const isNew = distinct()
    for await (const row of form.joins?.(rowsOf(), packing) ?? rowsOf()) {
      const cellsOfRow = row as Record<string, unknown>
      for (const one of form.rows?.(cellsOfRow) ?? [cellsOfRow]) {
        const cells = Object.fromEntries(form.columns.map((column) => [column.name, column.value(one)]))
        // A side may be in several pairs; data rows are already distinguished by their ids.
        if (form.rows && !isNew(JSON.stringify(cells))) continue
        await output.write(cells)
      }
    }
    const {bytes, sha256, rows} = await output.finish()
    await output.publish(join(directory, path))
    return {kind: 'view', path, rows, bytes, sha256, config, split: file.split}
  } finally {
    await output.discard()
  }
}

/** JSON documents, one per line, written like a Parquet file. */
async function createJsonLines(path: string): Promise<Omit<ParquetFile, 'bytes' | 'rows'>> {
  const file = await openHashedFile(path)
  let rows = 0
  return {
    async write(row) {
      rows += 1
      await file.append(Buffer.from(`${JSON.stringify(row)}\n`))
    },
    finish: async () => ({bytes: file.bytes(), sha256: await file.end(), rows}),
    publish: file.publish,
    discard: file.discard,
  }
}

/** Files of an earlier export, whose rows may differ and whose views may no longer be selected. */
async function removeEarlier(directory: string): Promise<void> {
  const root = join(directory, 'views')
  for (const name of viewNames) await rm(join(root, name), {recursive: true, force: true})
  if (existsSync(root) && (await readdir(root)).length === 0) await rm(root, {recursive: true})
}
