/** A cell of a short column; null also where a row has not been read yet. */
export type Cell = string | number | boolean | null

/** Distinct values, and the number of each row's value among them; null is number 0. */
interface Column {
  values: Cell[]
  numbers: Map<Cell, number>
  codes: Uint32Array
}

export interface Query {
  /** Values that a column may have; columns without any are free. */
  filters: Readonly<Record<string, readonly Cell[]>>
  /** Words that must all occur, each in one of the columns. */
  words: readonly string[]
  searched: readonly string[]
  /** A column, with `-` before it if the largest comes first; '' for the order of the file. */
  sort: string
  /** Only these rows, in an order of chance that depends on the seed alone. */
  draw?: {count: number; seed: string} | undefined
  /** Rows that something else found; 1 for each. */
  among?: Uint8Array | undefined
}

export interface Found {
  /** Numbers of rows. */
  rows: Uint32Array
  /** Values of each asked column with their counts among rows that all the other filters let through. */
  facets: Readonly<Record<string, readonly (readonly [Cell, number])[]>>
}

/** Short columns of many rows, each value once: a million rows are filtered in tens of milliseconds. */
export class Table {
  readonly size: number
  readonly #columns = new Map<string, Column>()

  constructor(size: number) {
    this.size = size
  }

  /** Cells of consecutive rows, the first of them `from`. */
  fill(name: string, from: number, cells: ArrayLike<unknown>): void {
    const {values, numbers, codes} = this.#column(name)
    for (let at = 0; at < cells.length; at += 1) {
      const cell = (cells[at] ?? null) as Cell
      let number = numbers.get(cell)
      if (number === undefined) {
        number = values.push(cell) - 1
        numbers.set(cell, number)
      }
      codes[from + at] = number
    }
  }

  cell(name: string, row: number): Cell {
    const column = this.#columns.get(name)
    return column?.values[column.codes[row] ?? 0] ?? null
  }

  /** @param size only the first rows, this many */
  find(query: Query, facets: readonly string[], size = this.size): Found {
    const {filters, sort, draw} = query
    const tests = this.#tests(query)
    const own = facets.map((name) => tests.findIndex((test) => test.name === name))
    const columns = facets.map((name) => this.#column(name))
    const counts = columns.map(({values}) => new Uint32Array(values.length))
    const kept = new Uint32Array(size)
    let found = 0
    for (let row = 0; row < size; row += 1) {
      const failed = failedTest(tests, row)
      if (failed === several) continue
      if (failed === none) kept[found++] = row
      for (let at = 0; at < columns.length; at += 1) {
        // A column's own filter does not narrow what may be chosen in it.
        if (failed === none || failed === own[at]) counts[at]![columns[at]!.codes[row]!]! += 1
      }
    }
    const rows = kept.slice(0, found)
    const listed = columns.map(({values}, at) => tallied(values, counts[at]!, filters[facets[at]!] ?? []))
    return {
      rows: draw ? drawn(rows, draw) : this.#sorted(rows, sort),
      facets: Object.fromEntries(facets.map((name, at) => [name, listed[at]!])),
    }
  }

  #column(name: string): Column {
    const known = this.#columns.get(name)
    if (known) return known
    const made = {values: [null], numbers: new Map([[null, 0]]), codes: new Uint32Array(this.size)}
    this.#columns.set(name, made)
    return made
  }

  #tests({filters, words, searched, among}: Query): Test[] {
    const asked = Object.entries(filters).filter(([, wanted]) => wanted.length > 0)
    const byColumn = asked.map(([name, wanted]): Test => {
      const {values, codes} = this.#column(name)
      return {name, passing: [{codes, fits: Uint8Array.from(values, (value) => Number(wanted.includes(value)))}]}
    })
    const byWord = words.map((word): Test => {
      const has = (value: Cell) =>
        Number(
          String(value ?? '')
            .toLowerCase()
            .includes(word.toLowerCase()),
        )
      const columns = searched.map((name) => this.#column(name))
      const passing = columns.map(({values, codes}) => ({codes, fits: Uint8Array.from(values, has)}))
      return {name: '', passing: passing.filter(({fits}) => fits.includes(1))}
    })
    return [...byColumn, ...byWord, ...(among ? [{name: '', passing: [], among}] : [])]
  }

  /** By counting: as many steps as rows and values. */
  #sorted(rows: Uint32Array, sort: string): Uint32Array {
    const name = sort.replace(/^-/, '')
    if (name === '') return rows
    const {values, codes} = this.#column(name)
    const order = values.map((_, number) => number).sort((a, b) => compared(values[a]!, values[b]!))
    // What has no value comes last, both ways.
    if (sort.startsWith('-')) order.reverse()
    order.splice(order.indexOf(0), 1)
    order.push(0)
    const rank = new Uint32Array(values.length)
    for (const [at, number] of order.entries()) rank[number] = at
    const starts = new Uint32Array(values.length + 1)
    for (const row of rows) starts[rank[codes[row]!]! + 1]! += 1
    for (let at = 1; at < starts.length; at += 1) starts[at]! += starts[at - 1]!
    const sorted = new Uint32Array(rows.length)
    for (const row of rows) sorted[starts[rank[codes[row]!]!]!++] = row
    return sorted
  }
}

/** A row passes if one of the columns has a fitting value, or if it is among those that were found. */
interface Test {
  name: string
  passing: readonly {codes: Uint32Array; fits: Uint8Array}[]
  among?: Uint8Array
}

const none = -1
const several = -2

/** The number of the one test that a row fails, or that it fails `none` or `several`. */
function failedTest(tests: readonly Test[], row: number): number {
  let failed = none
  for (let at = 0; at < tests.length; at += 1) {
    const {passing, among} = tests[at]!
    let passes = among?.[row] === 1
    for (let one = 0; !passes && one < passing.length; one += 1) {
      const {codes, fits} = passing[one]!
      passes = fits[codes[row]!] === 1
    }
    if (passes) continue
    if (failed !== none) return several
    failed = at
  }
  return failed === none || tests[failed]!.name !== '' ? failed : several
}

/** More values of a column than anybody reads; those that are chosen are always there. */
const mostValues = 40

function tallied(values: readonly Cell[], counts: Uint32Array, chosen: readonly Cell[]): [Cell, number][] {
  const all = values.map((value, number): [Cell, number] => [value, counts[number]!])
  const met = all.filter(([value, count]) => count > 0 || chosen.includes(value))
  const sorted = met.sort(([a, m], [b, n]) => n - m || compared(a, b))
  return sorted.filter(([value], at) => at < mostValues || chosen.includes(value))
}

function compared(a: Cell, b: Cell): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  return a < b ? -1 : 1
}

/** The same rows for the same seed, whatever the order in which they are listed. */
function drawn(rows: Uint32Array, {count, seed}: {count: number; seed: string}): Uint32Array {
  let start = 0x811c9dc5
  for (const char of seed) start = mixed(start ^ (char.codePointAt(0) ?? 0))
  // A hash of 28 bits and a row below 2^25 fit into a double.
  const keys = Float64Array.from(rows, (row) => (mixed(start ^ mixed(row + 1)) >>> 4) * 2 ** 25 + row)
  return Uint32Array.from(keys.sort().subarray(0, count), (key) => key % 2 ** 25)
}

/** The finalizer of MurmurHash3: every bit depends on every other. */
function mixed(value: number): number {
  let hash = value
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
