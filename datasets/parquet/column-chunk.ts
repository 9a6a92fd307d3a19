import type {ColumnChunk, SchemaElement, SchemaTree} from 'hyparquet'
import {getMaxDefinitionLevel} from 'hyparquet/src/schema.js'
import {ByteWriter} from 'hyparquet-writer'
import {writeDataPageV2} from 'hyparquet-writer/src/datapage.js'
import {writeDictionaryPage} from 'hyparquet-writer/src/dictionary.js'
import {encodeNestedValues} from 'hyparquet-writer/src/dremel.js'
import type {ColumnEncoder} from 'hyparquet-writer/src/types.js'
import {chunkSizes, ContentChunker} from './content-chunks.ts'
import {Bounds, PageIndex, type Physical} from './page-index.ts'

export interface ColumnOptions {
  codec: ColumnEncoder['codec']
  compressors: ColumnEncoder['compressors']
  /** Whether a column with few distinct values may use a dictionary. */
  dictionary: boolean
  /** Page sizes. Default: those in the footer. */
  pages?: typeof chunkSizes
}

/** A written chunk: its bytes, and its footer and page-index entries, with offsets relative to its start. */
interface FinishedChunk {
  bytes: Uint8Array
  chunk: ColumnChunk & Required<Pick<ColumnChunk, 'meta_data'>>
  index: PageIndex
}

/** Slots are leaves of the schema: nulls and empty lists have one each. */
interface Page {
  values: (Physical | undefined)[]
  definitionLevels: number[]
  repetitionLevels: number[]
  rows: number
}

/** Above this many bytes, a dictionary is not worthwhile. */
const dictionaryBytes = 128 * 1024

/**
 * One leaf column of a row group. A page is encoded and compressed as soon as its content ends it, so memory holds
 * compressed data; only values of columns with few distinct values are buffered, because they may go into a dictionary.
 */
export class ChunkWriter {
  readonly #path: SchemaTree[]
  readonly #column: ColumnEncoder
  readonly #chunker: ContentChunker
  readonly #sink = new ByteWriter()
  readonly #bounds: Bounds
  readonly #index: PageIndex
  readonly #maxDefinitionLevel: number
  /** One object per distinct value, shared by buffered pages instead of one per row. */
  #dictionary: Map<string | number, Physical> | undefined
  #dictionarySize = 0
  #waiting: Page[] = []
  #page = emptyPage()
  #slots = 0
  #plainBytes = 0
  #uncompressed = 0

  constructor(path: SchemaTree[], {codec, compressors, dictionary, pages = chunkSizes}: ColumnOptions) {
    const schemaPath = path.map(({element}) => element)
    const element = schemaPath.at(-1) as SchemaElement
    this.#path = path
    this.#chunker = new ContentChunker(pages)
    this.#maxDefinitionLevel = getMaxDefinitionLevel(path)
    const columnName = schemaPath
      .slice(1)
      .map(({name}) => name)
      .join('.')
    const indexed = {stats: true, pageSize: 0, columnIndex: true, offsetIndex: true}
    this.#column = {columnName, element, schemaPath, codec, compressors, ...indexed}
    this.#bounds = new Bounds(element)
    this.#index = new PageIndex(element)
    if (dictionary && element.type !== 'BOOLEAN') this.#dictionary = new Map()
  }

  /** Adds the cells of the column, one per row. */
  add(cells: readonly unknown[]): void {
    const {values, definitionLevels, repetitionLevels} = encodeNestedValues(this.#path, cells as unknown[])
    for (let slot = 0; slot < values.length; slot += 1) {
      const repetition = repetitionLevels.length > 0 ? (repetitionLevels[slot] as number) : undefined
      this.#addSlot(physical(values[slot]), definitionLevels[slot] as number, repetition)
    }
  }

  finish(): FinishedChunk {
    this.#endPage()
    const encoded = this.#dictionary && this.#dictionaryPays() ? this.#writeDictionary() : undefined
    for (const page of this.#waiting) this.#writePage(page, encoded)
    const {element, schemaPath, codec} = this.#column
    const data = this.#index.firstOffset
    return {
      bytes: this.#sink.getBytes(),
      index: this.#index,
      chunk: {
        file_offset: 0n,
        meta_data: {
          type: element.type as NonNullable<SchemaElement['type']>,
          encodings: encoded ? ['PLAIN', 'RLE_DICTIONARY'] : ['PLAIN'],
          path_in_schema: schemaPath.slice(1).map(({name}) => name),
          codec,
          num_values: BigInt(this.#slots),
          total_uncompressed_size: BigInt(this.#uncompressed),
          total_compressed_size: BigInt(this.#sink.offset),
          data_page_offset: BigInt(data),
          ...(encoded && {dictionary_page_offset: 0n}),
          statistics: this.#bounds.statistics(),
        },
      },
    }
  }

  #addSlot(value: Physical | undefined, definition: number, repetition: number | undefined): void {
    this.#chunker.rollLevel(definition)
    if (repetition !== undefined) this.#chunker.rollLevel(repetition)
    if (value !== undefined) this.#chunker.roll(bytesOf(value, this.#column.element))
    const startsRow = repetition === undefined || repetition === 0
    if (startsRow && this.#chunker.endsBefore()) this.#endPage()
    const kept = value !== undefined && this.#dictionary ? this.#enter(value, this.#dictionary) : value
    const page = this.#page
    page.values.push(kept)
    page.definitionLevels.push(definition)
    if (repetition !== undefined) page.repetitionLevels.push(repetition)
    if (startsRow) page.rows += 1
    this.#slots += 1
    this.#bounds.add(kept)
  }

  /**
   * Too many distinct values end the dictionary, and buffered values are written plainly. @returns the dictionary's
   * copy of the value
   */
  #enter(value: Physical, dictionary: Map<string | number, Physical>): Physical {
    const size = sizeOf(value)
    this.#plainBytes += size
    const key = keyOf(value)
    const known = dictionary.get(key)
    if (known !== undefined) return known
    dictionary.set(key, value)
    this.#dictionarySize += size
    if (this.#dictionarySize > dictionaryBytes) this.#endDictionary()
    return value
  }

  #endDictionary(): void {
    this.#dictionary = undefined
    for (const page of this.#waiting) this.#writePage(page)
    this.#waiting = []
  }

  #endPage(): void {
    if (this.#page.values.length === 0) return
    if (this.#dictionary) this.#waiting.push(this.#page)
    else this.#writePage(this.#page)
    this.#page = emptyPage()
  }

  /** Including its indices, it may take at most half the space. */
  #dictionaryPays(): boolean {
    const {size} = this.#dictionary as Map<string | number, Physical>
    const numbers = (this.#slots * Math.ceil(Math.log2(Math.max(size, 2)))) / 8
    return size > 0 && 2 * (this.#dictionarySize + numbers) <= this.#plainBytes
  }

  /** @returns the index of each value in the dictionary */
  #writeDictionary(): Map<Physical, number> {
    const entries = [...(this.#dictionary as Map<string | number, Physical>).values()]
    this.#uncompressed += writeDictionaryPage(this.#sink, this.#column, entries)
    return new Map(entries.map((value, number) => [value, number]))
  }

  #writePage({values, definitionLevels, repetitionLevels, rows}: Page, numbers?: Map<Physical, number>): void {
    const offset = this.#sink.offset
    const stored = numbers ? values.map((value) => (value === undefined ? undefined : numbers.get(value))) : values
    const maxDefinitionLevel = this.#maxDefinitionLevel
    this.#uncompressed += writeDataPageV2({
      writer: this.#sink,
      column: this.#column,
      encoding: numbers ? 'RLE_DICTIONARY' : 'PLAIN',
      pageData: {values: stored, definitionLevels, repetitionLevels, maxDefinitionLevel},
    })
    this.#index.add(values, {offset, bytes: this.#sink.offset - offset, rows})
  }
}

const emptyPage = (): Page => ({values: [], definitionLevels: [], repetitionLevels: [], rows: 0})

/** Strings are turned into bytes once, for hash, bounds and page alike. */
function physical(value: unknown): Physical | undefined {
  if (value === null || value === undefined) return undefined
  return typeof value === 'string' ? Buffer.from(value, 'utf8') : (value as number | boolean)
}

function bytesOf(value: Physical, {type}: SchemaElement): Uint8Array {
  if (typeof value === 'boolean') return Uint8Array.of(value ? 1 : 0)
  if (typeof value !== 'number') return value
  const bytes = Buffer.alloc(type === 'DOUBLE' ? 8 : 4)
  if (type === 'DOUBLE') bytes.writeDoubleLE(value)
  else bytes.writeInt32LE(value)
  return bytes
}

const keyOf = (value: Physical) => (value instanceof Uint8Array ? (value as Buffer).toString('latin1') : Number(value))

const sizeOf = (value: Physical) => (value instanceof Uint8Array ? value.length + 4 : 8)
