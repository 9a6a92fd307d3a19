import {createReadStream} from 'node:fs'
import {stat} from 'node:fs/promises'
import {pipeline} from 'node:stream'
import {createGunzip} from 'node:zlib'
import {Decompress, ZstdErrorCode, type ZstdError} from 'fzstd'
import {asFileFault, fetchAgain, FileFault, headOf} from './file-fault.ts'

/** The bytes of a file, unpacked if they begin like gzip or zstd, whatever the file's name. */
export async function* unpacked(path: string): AsyncIterable<Uint8Array> {
  const magic = headOf(path).subarray(0, 4).toString('hex')
  if (magic.startsWith('1f8b')) yield* gunzipped(path)
  else if (magic === '28b52ffd') yield* unzstd(path)
  else yield* createReadStream(path, {highWaterMark: 1 << 18}) as AsyncIterable<Uint8Array>
}

async function* gunzipped(path: string): AsyncIterable<Uint8Array> {
  // A pipeline closes the file too when the rows are no longer wanted, and hands its errors on.
  const bytes = pipeline(createReadStream(path), createGunzip(), () => undefined)
  try {
    yield* bytes as AsyncIterable<Uint8Array>
  } catch (error) {
    const isCut = error instanceof Error && 'code' in error && error.code === 'Z_BUF_ERROR'
    throw isCut ? await cutShort(path, 'gzip') : asFileFault(error, 'gzip')
  }
}

// A few bytes may unpack to a block of 128 KiB, so only a few are unpacked at once.
const packedBytes = 4096

async function* unzstd(path: string): AsyncIterable<Uint8Array> {
  const found: Uint8Array[] = []
  const stream = new Decompress((bytes) => void found.push(bytes))
  try {
    for await (const packed of createReadStream(path, {highWaterMark: packedBytes}) as AsyncIterable<Uint8Array>) {
      stream.push(packed)
      yield* found.splice(0)
    }
    stream.push(new Uint8Array(0), true)
    yield* found.splice(0)
  } catch (error) {
    if (error instanceof FileFault) throw error
    const code = error instanceof Error && 'code' in error ? (error as ZstdError).code : undefined
    if (code === ZstdErrorCode.UnexpectedEOF) throw await cutShort(path, 'zstd')
    throw asFileFault(error, 'zstd')
  }
}

/** A file that ends before its format does. */
export async function cutShort(path: string, format: string): Promise<FileFault> {
  const {size} = await stat(path)
  return new FileFault(
    'file-cut-short',
    `is cut short: it ends at byte ${size}, in the middle of ${format}`,
    fetchAgain,
  )
}
