import {existsSync} from 'node:fs'
import {open, readdir, stat} from 'node:fs/promises'
import {join} from 'node:path'
import {asyncBufferFromFile, parquetReadObjects} from 'hyparquet'
import {compressors} from 'hyparquet-compressors'
import {configs} from '../../datasets/schema/export.ts'
import {textId} from '../../engine/ids.ts'
import {Refusal, type Reply} from '../../engine/service.ts'
import type {Cells} from '../commands/kernels-of.ts'
import type {DataFile} from './protocol.ts'

/** The Parquet files of a data set, in the order of its configurations, train before test. */
export async function dataFiles(directory: string): Promise<DataFile[]> {
  const files: DataFile[] = []
  for (const config of configs) {
    const folder = join(directory, 'data', config)
    const names = existsSync(folder) ? (await readdir(folder)).sort() : []
    for (const split of ['train', 'test'] as const) {
      for (const name of names.filter((one) => one.startsWith(`${split}-`) && one.endsWith('.parquet'))) {
        const path = `data/${config}/${name}`
        const {size, mtimeMs} = await stat(join(directory, path))
        files.push({id: textId(`${path} ${size} ${mtimeMs}`).slice(0, 16), path, config, split, bytes: size})
      }
    }
  }
  return files
}

/** Rows of a file, from `start` to before `end`, or all. */
export async function rowsIn(directory: string, {path}: DataFile, start = 0, end?: number): Promise<Cells[]> {
  const file = await asyncBufferFromFile(join(directory, path))
  return parquetReadObjects({file, compressors, rowStart: start, ...(end !== undefined && {rowEnd: end})})
}

/** More than a row group and its indexes; a page asks for far less. */
const mostBytes = 256 * 2 ** 20

/** A part of a file, as `Range: bytes=<first>-<last>` asks for it. Whole files are not served. */
export async function rangeOf(path: string, bytes: number, asked: string): Promise<Reply> {
  const [, first, last] = /^bytes=(\d{1,15})-(\d{1,15})$/.exec(asked) ?? []
  const [from, to] = [Number(first), Math.min(Number(last), bytes - 1)]
  if (first === undefined || from > to || to - from >= mostBytes)
    throw new Refusal(416, 'range-invalid', `${asked || 'no range'} cannot be read from ${bytes} bytes.`, {
      fix: `Send Range: bytes=<first>-<last>, at most ${mostBytes} bytes.`,
      headers: {'content-range': `bytes */${bytes}`},
    })
  const file = await open(path)
  try {
    const part = new Uint8Array(to - from + 1)
    const {bytesRead} = await file.read(part, 0, part.length, from)
    return {
      status: 206,
      headers: {'content-range': `bytes ${from}-${from + bytesRead - 1}/${bytes}`, 'accept-ranges': 'bytes'},
      content: {bytes: part.subarray(0, bytesRead), type: 'application/vnd.apache.parquet'},
    }
  } finally {
    await file.close()
  }
}
