import {closeSync, openSync, readSync} from 'node:fs'

/** Why a file, or the rest of one, cannot be read. It costs this file, never the run. */
export class FileFault extends Error {
  override readonly name = 'FileFault'
  /** Kebab-case, as for a drop. */
  readonly reason: string
  readonly fix: string

  /** @param what the rest of a sentence that begins with the file's name, without its full stop */
  constructor(reason: string, what: string, fix: string, cause?: unknown) {
    super(what, {cause})
    this.reason = reason
    this.fix = fix
  }
}

export const fetchAgain = 'Download it again, or remove it from the folder.'

/** A library's message about unreadable bytes. System errors of disks or permissions pass through. */
export function asFileFault(error: unknown, format: string): unknown {
  if (error instanceof FileFault || !(error instanceof Error) || 'syscall' in error) return error
  return new FileFault(
    'file-damaged',
    `cannot be read as ${format}: ${error.message.replace(/\.$/, '')}`,
    fetchAgain,
    error,
  )
}

/** Enough to recognise a file: a web page sent instead, or a Git LFS pointer. */
const headBytes = 1024

/** The first bytes of a file. */
export function headOf(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const head = Buffer.alloc(headBytes)
    return head.subarray(0, readSync(file, head, 0, headBytes, 0))
  } finally {
    closeSync(file)
  }
}

/** Kinds of files that are not read, by how they begin. */
const strangers: readonly [start: string | RegExp, reason: string, what: string, fix: string][] = [
  [
    'version https://git-lfs.github.com/spec/',
    'file-is-pointer',
    'is a Git LFS pointer, not the data',
    'Run `git lfs pull` in its checkout, or download the file itself.',
  ],
  [
    /^\s*<(?:!doctype\s+html|html)/i,
    'file-is-a-page',
    'is a web page, not data',
    'Download it again, with a token if the data set requires consent.',
  ],
  ['BZh', 'file-packed', 'is packed with bzip2', 'Unpack it with `bunzip2`, or pack it with zstd or gzip.'],
  ['\xFD7zXZ\0', 'file-packed', 'is packed with xz', 'Unpack it with `unxz`, or pack it with zstd or gzip.'],
  ['7z\xBC\xAF', 'file-packed', 'is a 7z archive', 'Unpack it.'],
  ['PK\x03\x04', 'file-packed', 'is a zip archive', 'Unpack it with `unzip`.'],
  ['PARE', 'file-encrypted', 'is encrypted Parquet', 'Write it without encryption.'],
]

/** @throws FileFault for a file that is not data, or data in a wrapping that is not read */
export function assertData(head: Buffer): void {
  const start = head.toString('latin1')
  for (const [mark, reason, what, fix] of strangers)
    if (typeof mark === 'string' ? start.startsWith(mark) : mark.test(start)) throw new FileFault(reason, what, fix)
}
