import Database from 'libsql'
import {describe, expect, onTestFinished, test} from 'vitest'
import type {Envelope} from '../../engine/ids.ts'
import {canonicalJson, textId} from '../../engine/ids.ts'
import type {Outcome} from '../../engine/ledger-records.ts'
import {emptyRows, rowWriter} from '../../engine/ledger-rows.ts'
import {unpack} from '../../engine/packing.ts'

const tables = `
  CREATE TABLE record (number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE,
    base INTEGER, head INTEGER, tail INTEGER, rest);
  CREATE TABLE outcome (stage INTEGER NOT NULL, input INTEGER NOT NULL, outputs TEXT NOT NULL, drops TEXT, failure TEXT,
    PRIMARY KEY (stage, input)) WITHOUT ROWID;
  CREATE TABLE emitted (position INTEGER PRIMARY KEY, record INTEGER NOT NULL);`

interface Record {
  number: number
  base: number | null
  head: number | null
  tail: number | null
  rest: string | Buffer | null
}

function opened() {
  const database = new Database(':memory:')
  database.exec(tables)
  onTestFinished(() => void database.close())
  const all = <T>(query: string) => database.prepare(query).raw().all() as T[]
  return {
    write: rowWriter(database),
    /** By the names that they have here. */
    records: (names: {[name: string]: Envelope}) =>
      all<[string, ...unknown[]]>(
        'SELECT lower(hex(id)), number, base, head, tail, rest FROM record ORDER BY number',
      ).map(([id, ...row]) => [Object.keys(names).find((name) => names[name]?.id === id), ...row]),
    packed: () =>
      database.prepare('SELECT number, base, head, tail, rest FROM record ORDER BY number').all() as Record[],
    outcomes: () => all('SELECT stage, input, outputs, drops, failure FROM outcome ORDER BY stage, input'),
    emitted: () => all<[number, number]>('SELECT position, record FROM emitted ORDER BY position'),
  }
}

const envelope = (value: unknown): Envelope => {
  const json = canonicalJson(value)
  return {id: textId(json), json}
}
const names = {a: envelope('a'), b: envelope('b'), c: envelope('c')}
const {a, b, c} = names
const whole = (name: keyof typeof names, number: number) => [name, number, null, null, null, names[name].json]
const idOnly = (name: keyof typeof names, number: number) => [name, number, null, null, null, null]

const made = (...outputs: Envelope[]): Outcome => ({outputs, drops: []})
const outcomesOf = (...given: [stage: number, input: Envelope, outcome: Outcome][]) => ({
  ...emptyRows(),
  outcomes: new Map(given.map(([stage, input, outcome], at) => [String(at), {stage, input, outcome}])),
})

describe('an outcome', () => {
  const drop = {reason: 'short', detail: 'd'}
  const failure = {code: 'c', message: 'm', fix: 'f'}
  test.each<[string, Outcome, unknown[], unknown[]]>([
    ['of one output: its input is an id', made(b), [idOnly('a', 1), whole('b', 2)], [7, 1, '[2]', null, null]],
    ['that is its input', made(a), [whole('a', 1)], [7, 1, '[1]', null, null]],
    ['of two outputs', made(b, c), [whole('a', 1), whole('b', 2), whole('c', 3)], [7, 1, '[2,3]', null, null]],
    ['of the same output twice', made(b, b), [whole('a', 1), whole('b', 2)], [7, 1, '[2,2]', null, null]],
    ['of nothing', made(), [whole('a', 1)], [7, 1, '[]', null, null]],
    ['that dropped it', {outputs: [], drops: [drop]}, [whole('a', 1)], [7, 1, '[]', JSON.stringify([drop]), null]],
    [
      'that dropped parts of it',
      {outputs: [b], drops: [drop, drop]},
      [idOnly('a', 1), whole('b', 2)],
      [7, 1, '[2]', JSON.stringify([drop, drop]), null],
    ],
    ['that failed', {outputs: [], drops: [], failure}, [whole('a', 1)], [7, 1, '[]', null, JSON.stringify(failure)]],
  ])('%s', (_, outcome, records, row) => {
    const ledger = opened()
    ledger.write(outcomesOf([7, a, outcome]))
    expect([ledger.records(names), ledger.outcomes()]).toEqual([records, [row]])
  })

  test('is replaced by a later one of the same stage and input', () => {
    const ledger = opened()
    ledger.write(outcomesOf([7, a, made(b)], [8, a, made(b)]))
    ledger.write(outcomesOf([7, a, made()]))
    expect(ledger.outcomes()).toEqual([
      [7, 1, '[]', null, null],
      [8, 1, '[2]', null, null],
    ])
  })
})

describe('a record', () => {
  test('keeps its number when its text comes, in the same write or later', () => {
    const ledger = opened()
    ledger.write(outcomesOf([1, a, made(b)]))
    expect(ledger.records(names)).toEqual([idOnly('a', 1), whole('b', 2)])
    ledger.write({...emptyRows(), emissions: [[0, a]]})
    expect(ledger.records(names)).toEqual([whole('a', 1), whole('b', 2)])
    const other = opened()
    other.write({...outcomesOf([1, a, made(b)]), emissions: [[0, a]]})
    expect([other.records(names), other.emitted()]).toEqual([[whole('a', 1), whole('b', 2)], [[0, 1]]])
  })

  test('keeps the text that is there when only its id comes', () => {
    const ledger = opened()
    ledger.write(outcomesOf([1, a, made()]))
    ledger.write(outcomesOf([2, a, made(c)]))
    expect(ledger.records(names)).toEqual([whole('a', 1), whole('c', 2)])
  })

  test('has the number after the highest', () => {
    const ledger = opened()
    ledger.write({
      ...emptyRows(),
      emissions: [
        [0, a],
        [1, b],
      ],
    })
    ledger.write({
      ...emptyRows(),
      emissions: [
        [2, c],
        [0, b],
      ],
    })
    expect(ledger.records(names)).toEqual([whole('a', 1), whole('b', 2), whole('c', 3)])
    expect(ledger.emitted()).toEqual([
      [0, 2],
      [1, 2],
      [2, 3],
    ])
  })

  const lines = Array.from({length: 60}, (_, line) => `${line * line} of ${line}`).join('\n')
  const input = envelope({text: lines})
  const output = envelope({text: `${lines} and more`})

  test('of some length is packed against its input where that is there whole, and comes back', () => {
    const ledger = opened()
    ledger.write(outcomesOf([1, input, made(output, a)]))
    const [first, second] = ledger.packed()
    expect([first?.base, first?.head, first?.tail]).toEqual([null, null, null])
    const ending = '"}'.length
    expect([second?.base, second?.head, second?.tail]).toEqual([1, input.json.length - ending, ending])
    const bytes = (record: Record | undefined) => record?.rest as string | Buffer
    expect(unpack({rest: bytes(first)})).toBe(input.json)
    const shared = {head: second?.head as number, tail: second?.tail as number}
    expect(unpack({rest: bytes(second), shared}, input.json)).toBe(output.json)
  })

  test('is packed alone where its input is an id', () => {
    const ledger = opened()
    ledger.write(outcomesOf([1, input, made(output)]))
    const [first, second] = ledger.packed()
    expect([first?.rest, second?.base, second?.head, second?.tail]).toEqual([null, null, null, null])
    expect(unpack({rest: second?.rest as Buffer})).toBe(output.json)
  })
})

test.each([0, 1, 63, 64, 65, 127, 128, 129])('%d rows of each kind are written, each once and in order', (count) => {
  const ledger = opened()
  const records = Array.from({length: count}, (_, at) => envelope(at))
  const made = records.map((record, at): [number, Envelope, Outcome] => [at, record, {outputs: [record], drops: []}])
  ledger.write({...outcomesOf(...made), emissions: records.map((record, at) => [count - at, record])})
  expect(ledger.packed().map(({number, rest}) => [number, rest])).toEqual(records.map(({json}, at) => [at + 1, json]))
  expect(ledger.outcomes()).toEqual(records.map((_, at) => [at, at + 1, `[${at + 1}]`, null, null]))
  expect(ledger.emitted()).toEqual(records.map((_, at) => [at + 1, count - at]))
})
