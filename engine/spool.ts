import {closeSync, openSync, rmSync, writeSync} from 'node:fs'
import {dirname} from 'node:path'
import {asOutputError, makeFolder} from './files.ts'
import {readLines} from './lines.ts'

/** Texts kept on disk for a second pass, because they may not fit in memory. */
export interface Spool {
  /** @throws PipelineError `disk-full` or `output-unwritable` */
  add(text: string): void
  /** All of them, in their original order, as often as needed. */
  read(): AsyncIterable<string>
  remove(): void
}

/** @param path a file for this spool only; earlier content is discarded */
export function openSpool(path: string): Spool {
  let waiting: string[] = []
  let length = 0
  let descriptor: number
  try {
    makeFolder(dirname(path))
    descriptor = openSync(path, 'w')
  } catch (error) {
    throw asOutputError(error, path)
  }
  const flush = () => {
    try {
      writeSync(descriptor, waiting.join(''))
    } catch (error) {
      throw asOutputError(error, path)
    }
    waiting = []
    length = 0
  }
  return {
    add(text) {
      // As JSON, a text contains no line breaks.
      const line = `${JSON.stringify(text)}\n`
      waiting.push(line)
      length += line.length
      if (length > 1 << 20) flush()
    },
    async *read() {
      flush()
      for await (const line of readLines(path)) yield JSON.parse(line) as string
    },
    remove() {
      closeSync(descriptor)
      rmSync(path, {force: true})
    },
  }
}
