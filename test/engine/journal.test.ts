import {appendFileSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {z} from 'zod'
import {openJournal, readJournal} from '../../engine/journal.ts'
import {retryAfterMs} from '../../engine/retry-after.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

const Entry = z.strictObject({n: z.int()})

test('what was appended is there the next time', async () => {
  const file = join(await temporaryFolder(), 'below/journal.jsonl')
  const first = openJournal(file, Entry)
  expect(first.entries).toEqual([])
  first.append({n: 1})
  first.append({n: 2})
  expect(readJournal(file, Entry).entries, 'before it is closed').toEqual([{n: 1}, {n: 2}])
  first.close()
  expect(openJournal(file, Entry).entries).toEqual([{n: 1}, {n: 2}])
})

test.each(['{"n": 3', '{"n": 3}', '垃'.slice(0, 1)])('a torn last line %j is cut off before the next', async (torn) => {
  const file = join(await temporaryFolder(), 'journal.jsonl')
  writeFileSync(file, `{"n":1}\n${torn}`)
  expect(readJournal(file, Entry).entries).toEqual([{n: 1}])
  const journal = openJournal(file, Entry)
  journal.append({n: 4})
  journal.close()
  expect(readFileSync(file, 'utf8')).toBe('{"n":1}\n{"n":4}\n')
})

test.each(['nothing', '{"n":"one"}', ''])('a whole line %j that is no entry is named', async (line) => {
  const file = join(await temporaryFolder(), 'journal.jsonl')
  writeFileSync(file, '{"n":1}\n')
  appendFileSync(file, `${line}\n{"n":2}\n`)
  expect(() => openJournal(file, Entry)).toThrow(/journal\.jsonl line 2 is not a valid entry/)
})

test('Retry-After is in seconds or a date', () => {
  const now = Date.UTC(2026, 0, 1)
  expect(retryAfterMs('7', now)).toBe(7000)
  expect(retryAfterMs(' 1.5 ', now)).toBe(1500)
  expect(retryAfterMs('Thu, 01 Jan 2026 00:01:00 GMT', now)).toBe(60_000)
  expect(retryAfterMs('Wed, 31 Dec 2025 23:00:00 GMT', now)).toBe(0)
  expect(retryAfterMs('', now)).toBeUndefined()
  expect(retryAfterMs('soon', now)).toBeUndefined()
})
