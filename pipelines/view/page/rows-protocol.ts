import type {DataFile} from '../protocol.ts'
import type {Shown} from './shown-columns.ts'
import type {Cell, Found, Query} from './row-table.ts'

// What the page and the worker that reads the rows say to each other.

/** Rows of one configuration, numbered through its files. */
export interface Opening {
  files: readonly DataFile[]
  shown: Shown
  token: string
}

export interface Asking extends Pick<Query, 'filters' | 'words' | 'sort' | 'draw'> {
  /** Words are searched in the texts of rows too, which takes as long as reading them. */
  inTexts: boolean
}

/** A row as the list shows it. */
export interface Line {
  row: number
  cells: Readonly<Record<string, Cell>>
  path: string
}

/** A whole row. */
export interface WholeRow {
  cells: Readonly<Record<string, unknown>>
  file: DataFile
  /** Its number in that file. */
  inFile: number
  /** Read to show it, of the bytes of that file. */
  bytes: number
}

/** Marks of one reader, or of all: rows by path of their file and number in it. */
export interface Marked {
  path: string
  row: number
  mark: string
}

/** What may be asked of the worker, and what it answers. */
export interface Requests {
  open: [given: Opening, answer: {rows: number}]
  find: [given: Asking, answer: {count: number; facets: Found['facets']; complete: boolean}]
  lines: [given: {from: number; to: number}, answer: Line[]]
  heads: [given: {rows: readonly number[]}, answer: Record<number, string>]
  row: [given: {row: number}, answer: WholeRow]
  /** Where in the list a row stands; -1 if it is not there. */
  place: [given: {row: number}, answer: number]
  marks: [given: readonly Marked[], answer: null]
}

/** What it says by itself: how far it has read, and found in texts. */
export interface Told {
  read: number
  searched?: number | undefined
}

/** What was read from the server, in bytes. */
export interface Meter {
  bytes: number
}

interface Span {
  start: number
  /** The row after the last. */
  end: number
  meter: Meter
}

/** A file of which only parts are read; rows are counted through all files. */
export interface OpenFile {
  file: DataFile
  rows: number
  /** Number of its first row. */
  first: number
  /** The parts in which columns of the whole file are read. */
  groups: readonly {start: number; end: number}[]
  /** Columns that it has: an older data set lacks newer ones. */
  known(wanted: readonly string[]): string[]
  /** Rows with these columns or all. */
  rowsOf(span: Span & {columns?: readonly string[]}): Promise<Record<string, unknown>[]>
  /** Short columns of some rows, each as soon as it is there; `from` counts in the file. */
  eachColumn(
    span: Span & {columns: readonly string[]},
    take: (name: string, from: number, cells: ArrayLike<unknown>) => void,
  ): Promise<void>
}

export type OpenFiles = (files: readonly DataFile[], token: string, meter: Meter) => Promise<OpenFile[]>

/** Numbers the rows through all files. */
export function numbered(files: readonly Omit<OpenFile, 'first'>[]): OpenFile[] {
  let first = 0
  return files.map((one) => {
    first += one.rows
    return {...one, first: first - one.rows}
  })
}
