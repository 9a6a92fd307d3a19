import {existsSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import Database from 'libsql'
import {describe, expect, test} from 'vitest'
import {canonicalJson, textId} from '../../engine/ids.ts'
import {openLedger} from '../../engine/ledger.ts'
import type {Envelope} from '../../engine/ids.ts'
import type {Outcome} from '../../engine/ledger-records.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

const envelope = (value: unknown): Envelope => {
  const json = canonicalJson(value)
  return {id: textId(json), json}
}

const emptyLedger = async () => join(await temporaryFolder(), 'ledger.db')
const made = (...outputs: Envelope[]): Outcome => ({outputs, drops: []})

function withLedger<T>(file: string, use: (ledger: ReturnType<typeof openLedger>) => T): T {
  const ledger = openLedger(file)
  try {
    return use(ledger)
  } finally {
    ledger.close()
  }
}

/** The size of the file when everything in its log has come into it. */
function bytesOf(file: string): number {
  const database = new Database(file)
  const number = (name: string) => database.prepare(`PRAGMA ${name}`).pluck().all()[0] as number
  const bytes = number('page_count') * number('page_size')
  database.close()
  return bytes
}

const chinese = Array.from({length: 60}, (_, line) => `第${line}行说明了第${(line * 37) % 101}个参数的取值范围。`).join(
  '\n',
)

describe('records', () => {
  const values: Record<string, unknown> = {
    'half characters': {text: `\ud800 ${'long '.repeat(100)} \udfff`},
    'all of the first 65,536 units': {text: String.fromCharCode(...Array.from({length: 65_536}, (_, unit) => unit))},
    'two megabytes': {text: chinese.repeat(900)},
    'keys like the columns of the ledger': {base: 1, head: 2, number: 3, rest: chinese, shared: {head: 0}, tail: null},
    'keys that are numbers, and __proto__': JSON.parse('{"10":1,"9":2,"__proto__":{"a":[]},"constructor":"x"}'),
    'lists in lists': [[[[]], [[1, [chinese]]]], [], [[null, true, -0, 1e-7]]],
    'a bare string': chinese,
    'a number': 7,
    'text that looks like JSON': canonicalJson({text: canonicalJson({text: chinese})}),
  }
  test.each(Object.entries(values))('come back byte for byte: %s', async (_, value) => {
    const file = await emptyLedger()
    const [origin, page, sample] = [envelope('origin'), envelope(value), envelope({page: value, more: 1})]
    withLedger(file, (ledger) => {
      ledger.stage('read', 'k').put(origin, made(page))
      ledger.stage('write', 'k').put(page, made(sample, page))
      ledger.emit(0, sample)
      ledger.emit(1, page)
    })
    withLedger(file, (ledger) => {
      expect(ledger.stage('read', 'k').find(origin.id)).toEqual(made(page))
      expect(ledger.stage('write', 'k').find(page.id)).toEqual(made(sample, page))
      expect([...ledger.emitted()]).toEqual([sample, page])
    })
  })

  test('stand there once, however many stages they pass', async () => {
    const file = await emptyLedger()
    const pages = Array.from({length: 100}, (_, number) => envelope({number, text: `${number} ${chinese}`}))
    withLedger(file, (ledger) => {
      for (let stage = 0; stage < 20; stage += 1) {
        for (const page of pages) ledger.stage(`gate-${stage}`, 'k').put(page, made(page))
      }
      for (const [position, page] of pages.entries()) ledger.emit(position, page)
    })
    // 2,100 times the text would be 8 MB.
    expect(bytesOf(file)).toBeLessThan(250_000)
  })

  test('of which only the id was known get their text when it comes', async () => {
    const file = await emptyLedger()
    const [input, output] = [envelope({input: chinese}), envelope({output: chinese})]
    withLedger(file, (ledger) => ledger.stage('one', 'k').put(input, made(output)))
    withLedger(file, (ledger) => ledger.stage('two', 'k').put(envelope('x'), made(input, output)))
    withLedger(file, (ledger) => {
      expect(ledger.stage('one', 'k').find(input.id)).toEqual(made(output))
      expect(ledger.stage('two', 'k').find(envelope('x').id)).toEqual(made(input, output))
    })
  })

  test('made in one batch with what they were made from are found before and after it is written', async () => {
    const chain = Array.from({length: 12}, (_, step) => envelope({step, text: chinese}))
    withLedger(await emptyLedger(), (ledger) => {
      const stage = ledger.stage('chain', 'k')
      for (const [step, link] of chain.slice(1).entries()) stage.put(chain[step] as Envelope, made(link))
      expect(stage.find(chain[3]?.id ?? '')).toEqual(made(chain[4] as Envelope))
      ledger.flush()
      const again = ledger.stage('chain', 'k')
      for (const [step, link] of chain.slice(1).entries()) expect(again.find(chain[step]?.id ?? '')).toEqual(made(link))
    })
  })
})

describe('outcomes', () => {
  test('put again replace what was there', async () => {
    const file = await emptyLedger()
    const [input, output] = [envelope('in'), envelope('out')]
    const failure = {code: 'reply-invalid', message: 'no', fix: 'Ask again.'}
    const mended: Outcome = {outputs: [output], drops: [{reason: 'part-unfit', detail: 'é'}]}
    withLedger(file, (ledger) => ledger.stage('s', 'k').put(input, {outputs: [], drops: [], failure}))
    withLedger(file, (ledger) => {
      expect(ledger.failures()).toEqual([{stage: 's', input: input.id, outputs: [], drops: [], failure}])
      ledger.stage('s', 'k').put(input, mended)
      expect(ledger.failures()).toEqual([])
    })
    withLedger(file, (ledger) => {
      expect(ledger.sightings('')).toEqual([{stage: 's', input: input.id, ...mended}])
      expect(ledger.stage('s', 'k').find(input.id)).toEqual(mended)
    })
  })

  test('of another key are not seen, of another stage neither', async () => {
    const file = await emptyLedger()
    withLedger(file, (ledger) => ledger.stage('s', 'k').put(envelope(1), made(envelope(2))))
    withLedger(file, (ledger) => {
      expect(ledger.stage('s', 'other').find(envelope(1).id)).toBeUndefined()
      expect(ledger.stage('t', 'k').find(envelope(1).id)).toBeUndefined()
      expect(ledger.stage('s', 'k').find(envelope(2).id)).toBeUndefined()
    })
  })

  test('of much text do not wait for one another', async () => {
    const file = await emptyLedger()
    const large = Array.from({length: 5}, (_, number) => envelope({number, text: 'x'.repeat(1_000_000)}))
    const ledger = openLedger(file)
    for (const record of large) ledger.stage('large', 'k').put(record, made(record))
    // Nothing was flushed, and no timer had its turn: what another reader sees was written for its size.
    const seen = withLedger(file, (other) => large.filter(({id}) => other.stage('large', 'k').find(id)).length)
    ledger.close()
    expect(seen).toBeGreaterThan(0)
    expect(seen).toBeLessThan(5)
  })

  // A batch holds 4096 rows; so many wait for no timer and no flush.
  test.each([4095, 4096, 4097])('of %i rows: whole batches are written at once', async (count) => {
    const file = await emptyLedger()
    const ledger = openLedger(file)
    const stage = ledger.stage('s', 'k')
    for (let number = 0; number < count; number += 1) stage.put(envelope(number), made())
    const seen = withLedger(file, (other) => other.sightings('').length)
    ledger.close()
    expect(seen).toBe(count < 4096 ? 0 : 4096)
  })

  test.each([3_999_999, 4_000_000])('of %i characters', async (length) => {
    const file = await emptyLedger()
    const ledger = openLedger(file)
    const [long, short] = ['x'.repeat(length - 10), '1234567890'].map((json) => ({id: textId(json), json}))
    ledger.stage('s', 'k').put(envelope('in'), made(long!, short!))
    const seen = withLedger(file, (other) => other.sightings('').length)
    ledger.close()
    expect(seen).toBe(length < 4_000_000 ? 0 : 1)
  })

  test('in more than one batch keep their order and their inputs', async () => {
    const file = await emptyLedger()
    const count = 5000
    withLedger(file, (ledger) => {
      const stage = ledger.stage('s', 'k')
      for (let number = 0; number < count; number += 1) {
        stage.put(envelope({number}), made(envelope({number, twice: number * 2})))
        ledger.emit(number, envelope({number, twice: number * 2}))
      }
    })
    withLedger(file, (ledger) => {
      const found = [...ledger.emitted()].map(({json}) => JSON.parse(json) as {number: number; twice: number})
      expect(found).toEqual(Array.from({length: count}, (_, number) => ({number, twice: number * 2})))
      const last = ledger.stage('s', 'k').find(envelope({number: 4999}).id)
      expect(last).toEqual(made(envelope({number: 4999, twice: 9998})))
    })
  })

  test('are found by the first digits of any id in them', async () => {
    const file = await emptyLedger()
    const [a, b, c] = [envelope('a'), envelope('b'), envelope('c')]
    withLedger(file, (ledger) => {
      ledger.stage('one', 'k').put(a, made(b, c))
      ledger.stage('two', 'k').put(b, made(b))
      ledger.stage('two', 'k').put(c, {outputs: [], drops: [{reason: 'unfit', detail: ''}]})
      const seen = (prefix: string) => ledger.sightings(prefix).map(({stage, input}) => `${stage} ${input.slice(0, 4)}`)
      const [one, twoB, twoC] = [`one ${a.id.slice(0, 4)}`, `two ${b.id.slice(0, 4)}`, `two ${c.id.slice(0, 4)}`]
      expect(seen(a.id)).toEqual([one])
      expect(seen(b.id.slice(0, 9))).toEqual([one, twoB])
      expect(seen(c.id.slice(0, 9))).toEqual([one, twoC])
      expect(seen('')).toHaveLength(3)
      expect(seen('nothing')).toEqual([])
      expect(seen(`${a.id}0`)).toEqual([])
      expect(seen('%')).toEqual([])
    })
  })

  test('that refused a record, or a part of one, tell it with its text, in the order of ids', async () => {
    const file = await emptyLedger()
    const [part, whole, kept] = [envelope({part: chinese}), envelope({whole: chinese}), envelope('kept')]
    const unfit = [{reason: 'unfit', detail: 'é'}]
    withLedger(file, (ledger) => {
      ledger.stage('s', 'k').put(part, {outputs: [envelope('rest')], drops: unfit})
      ledger.stage('s', 'k').put(whole, {outputs: [], drops: [...unfit, ...unfit]})
      ledger.stage('s', 'k').put(kept, made(kept))
      ledger.stage('s', 'other').put(kept, {outputs: [], drops: unfit})
      const refused = [...ledger.stage('s', 'k').dropped()]
      const expected = [
        {input: part, drops: unfit},
        {input: whole, drops: [...unfit, ...unfit]},
      ]
      expect(refused).toEqual(expected.sort((a, b) => (a.input.id < b.input.id ? -1 : 1)))
    })
  })

  test('of the last stage are forgotten when it begins anew', async () => {
    const file = await emptyLedger()
    withLedger(file, (ledger) => {
      for (let at = 0; at < 3; at += 1) ledger.emit(at, envelope(at))
    })
    withLedger(file, (ledger) => {
      ledger.clearEmitted()
      ledger.emit(0, envelope(2))
      expect([...ledger.emitted()]).toEqual([envelope(2)])
    })
  })
})

describe('the file', () => {
  test('of another program is refused and left as it was', async () => {
    const file = await emptyLedger()
    const database = new Database(file)
    database.exec("CREATE TABLE stage (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO stage VALUES (1, 'mine')")
    database.close()
    const before = readFileSync(file)
    expect(() => openLedger(file)).toThrow(/ledger\.db is not a run ledger: it is the database of another program/)
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(existsSync(`${file}-wal`)).toBe(false)
  })

  test.each([2, 4])('of format %i is refused and left as it was, and the error says what to do', async (other) => {
    const file = await emptyLedger()
    openLedger(file).close()
    const database = new Database(file)
    database.exec(`PRAGMA user_version = ${other}`)
    database.close()
    const before = readFileSync(file)
    expect(() => openLedger(file)).toThrow(
      expect.objectContaining({
        code: 'input-invalid',
        message: `${file} is a run ledger of format ${other}; this version of ascend-cot reads format 3.`,
        fix: expect.stringMatching(/^Move that run's folder away and run its recipe again/) as string,
      }),
    )
    expect(readFileSync(file).equals(before)).toBe(true)
  })

  test('that is no database is refused', async () => {
    const file = await emptyLedger()
    writeFileSync(file, 'a text of more than sixteen bytes')
    expect(() => openLedger(file)).toThrow(/ledger\.db is not a run ledger: /)
    expect(readFileSync(file, 'utf8')).toBe('a text of more than sixteen bytes')
  })
})

describe('outputs of the last stage', () => {
  // They are read in pages of a thousand, and written in pages of 64 rows.
  test.each([0, 1, 63, 64, 65, 127, 128, 129, 999, 1000, 1001, 1999, 2000, 2001])(
    '%i of them come back, all and in order',
    async (count) => {
      const file = await emptyLedger()
      const records = Array.from({length: count}, (_, value) => envelope({value}))
      withLedger(file, (ledger) => {
        const stage = ledger.stage('read', 'k')
        for (const [position, record] of records.entries()) {
          stage.put(record, made(record))
          ledger.emit(position, record)
        }
      })
      withLedger(file, (ledger) => expect([...ledger.emitted()]).toEqual(records))
    },
  )
})
