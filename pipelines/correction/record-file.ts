import {mkdir, open, rm, type FileHandle} from 'node:fs/promises'
import {dirname} from 'node:path'
import type {z} from 'zod'

/** The position of a record in the file. */
export interface Stored {
  from: number
  length: number
}

/** Records on disk, so that memory only has their positions. */
export class RecordFile<T> {
  readonly #path: string
  readonly #file: FileHandle
  readonly #schema: z.ZodType<T>
  #end = 0

  private constructor(path: string, file: FileHandle, schema: z.ZodType<T>) {
    this.#path = path
    this.#file = file
    this.#schema = schema
  }

  /** What the file held before is gone. */
  static async at<T>(path: string, schema: z.ZodType<T>): Promise<RecordFile<T>> {
    await mkdir(dirname(path), {recursive: true})
    return new RecordFile(path, await open(path, 'w+'), schema)
  }

  async add(record: T): Promise<Stored> {
    const bytes = Buffer.from(JSON.stringify(record))
    const stored = {from: this.#end, length: bytes.length}
    this.#end += bytes.length
    await this.#file.write(bytes, 0, bytes.length, stored.from)
    return stored
  }

  async read({from, length}: Stored): Promise<T> {
    const bytes = Buffer.alloc(length)
    await this.#file.read(bytes, 0, length, from)
    return this.#schema.parse(JSON.parse(bytes.toString('utf8')))
  }

  /** What was needed is out of it by now. */
  async remove(): Promise<void> {
    await this.#file.close()
    await rm(this.#path)
  }
}
