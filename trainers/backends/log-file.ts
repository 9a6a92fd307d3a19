import {open} from 'node:fs/promises'
import {isSystemError} from '../../engine/errors.ts'
import type {LogLine} from './backend.ts'

const mostBytes = 1 << 20
const newline = 0x0a

/**
 * Complete lines of a file that is being written, from a byte offset on; [] without a file or a complete line. Text
 * overwritten by a progress bar (`\r`) is dropped; a megabyte without a line break counts as a line.
 */
export async function linesOf(path: string, from: number): Promise<LogLine[]> {
  const bytes = await bytesOf(path, from)
  const ended = bytes.lastIndexOf(newline) + 1
  const whole = ended === 0 && bytes.length === mostBytes ? mostBytes : ended
  const lines: LogLine[] = []
  let start = 0
  while (start < whole) {
    const at = bytes.indexOf(newline, start)
    const end = at < 0 ? whole : at + 1
    const text = bytes.toString('utf8', start, at < 0 ? whole : at)
    lines.push({text: lastDrawn(text), end: from + end})
    start = end
  }
  return lines
}

/** What a terminal would finally show. */
function lastDrawn(text: string): string {
  const drawn = text.replace(/\r+$/, '').split('\r')
  return (drawn.at(-1) ?? '').trimEnd()
}

async function bytesOf(path: string, from: number): Promise<Buffer> {
  let file: Awaited<ReturnType<typeof open>>
  try {
    file = await open(path, 'r')
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return Buffer.alloc(0)
    throw error
  }
  try {
    const buffer = Buffer.alloc(mostBytes)
    const {bytesRead} = await file.read(buffer, 0, mostBytes, from)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
