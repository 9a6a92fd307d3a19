import type {SchemaElement, Statistics} from 'hyparquet'
import {ByteWriter} from 'hyparquet-writer'
import {serializeTCompactProtocol} from 'hyparquet-writer/src/thrift.js'
import {unconvertMinMax} from 'hyparquet-writer/src/unconvert.js'

/** A stored value: text is UTF-8. */
export type Physical = Buffer | number | boolean

/** Smallest and largest value and the number of nulls of a page or chunk; bytes in unsigned order. */
export class Bounds {
  readonly #element: SchemaElement
  #smallest: Physical | undefined
  #largest: Physical | undefined
  nulls = 0

  constructor(element: SchemaElement) {
    this.#element = element
  }

  add(value: Physical | undefined): void {
    if (value === undefined) {
      this.nulls += 1
      return
    }
    if (this.#smallest === undefined || isLess(value, this.#smallest)) this.#smallest = value
    if (this.#largest === undefined || isLess(this.#largest, value)) this.#largest = value
  }

  /** For the footer; its writer shortens long texts. */
  statistics(): Statistics {
    return {min_value: this.#smallest, max_value: this.#largest, null_count: BigInt(this.nulls)} as Statistics
  }

  /** A bound as the page index stores it, at most 16 bytes of a text; empty if all values are null. */
  edge(which: 'smallest' | 'largest'): Uint8Array {
    const value = which === 'smallest' ? this.#smallest : this.#largest
    return unconvertMinMax(value, this.#element, which === 'largest') ?? new Uint8Array()
  }
}

function isLess(a: Physical, b: Physical): boolean {
  return a instanceof Uint8Array ? a.compare(b as Buffer) < 0 : a < b
}

interface PagePlace {
  /** From the start of the chunk. */
  offset: number
  /** Header included. */
  bytes: number
  rows: number
}

/**
 * Positions and minimum and maximum values of a chunk's pages: column index and offset index of the Parquet format
 * (PageIndex.md). hyparquet-writer omits them for chunks of a single page; readers that skip by them then read such
 * chunks completely, and check every chunk for this.
 */
export class PageIndex {
  readonly #element: SchemaElement
  readonly #pages: {place: PagePlace; firstRow: number; nulls: number; all: boolean; edges: Uint8Array[]}[] = []
  #rows = 0

  constructor(element: SchemaElement) {
    this.#element = element
  }

  /** Offset of its first data page from the start of the chunk: a dictionary precedes it. */
  get firstOffset(): number {
    return this.#pages[0]?.place.offset ?? 0
  }

  add(values: readonly (Physical | undefined)[], place: PagePlace): void {
    const bounds = new Bounds(this.#element)
    for (const value of values) bounds.add(value)
    const edges = [bounds.edge('smallest'), bounds.edge('largest')]
    this.#pages.push({place, firstRow: this.#rows, nulls: bounds.nulls, all: bounds.nulls === values.length, edges})
    this.#rows += place.rows
  }

  /** Minimum and maximum of every page, encoded. */
  columnIndex(): Uint8Array {
    return encoded({
      field_1: this.#pages.map(({all}) => all),
      field_2: this.#pages.map(({edges}) => edges[0] as Uint8Array),
      field_3: this.#pages.map(({edges}) => edges[1] as Uint8Array),
      field_4: unordered,
      field_5: this.#pages.map(({nulls}) => BigInt(nulls)),
    })
  }

  /** Positions of all pages, encoded. @param chunkStart offset of the chunk in the file */
  offsetIndex(chunkStart: number): Uint8Array {
    return encoded({
      field_1: this.#pages.map(({place, firstRow}) => ({
        field_1: BigInt(chunkStart + place.offset),
        field_2: place.bytes,
        field_3: BigInt(firstRow),
      })),
    })
  }
}

function encoded(fields: Parameters<typeof serializeTCompactProtocol>[1]): Uint8Array {
  const writer = new ByteWriter()
  serializeTCompactProtocol(writer, fields)
  return writer.getBytes().slice()
}

/** Boundary order: rows are in the order of their sources. */
const unordered = 0
