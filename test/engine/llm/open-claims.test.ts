import {hostname} from 'node:os'
import Database from 'libsql'
import {expect, onTestFinished, test} from 'vitest'
import {aliveMilliseconds, claimsSchema, openClaims, type Charge} from '../../../engine/llm/claims.ts'

const start = 1_000_000
const most: Charge = {account: 'a', usage: {promptTokens: 100, completionTokens: 200}, cost: 0.5}

interface Row {
  id: string
  host?: string
  process?: number
  seen?: number
  /** By key: account and tokens that are booked. */
  requests: Record<string, [account: string, tokens: number]>
}

function opened(...others: Row[]) {
  const database = new Database(':memory:')
  database.exec(claimsSchema)
  const charged: Charge[] = []
  let time = start
  const claims = openClaims(
    database,
    (charge) => charged.push(charge),
    () => time,
  )
  onTestFinished(() => {
    claims.leave()
    database.close()
  })
  for (const {id, host = 'elsewhere', process: number = 1, seen = start, requests} of others) {
    database.prepare('INSERT INTO asker VALUES (?, ?, ?, ?)').run(id, host, number, seen)
    for (const [key, [account, tokens]] of Object.entries(requests))
      database.prepare('INSERT INTO request VALUES (?, ?, ?, ?, 1, 0.25)').run(key, id, account, tokens)
  }
  return {
    claims,
    charged,
    at: (milliseconds: number) => void (time = start + milliseconds),
    keys: () =>
      (database.prepare('SELECT key FROM request ORDER BY key').all() as {key: string}[]).map((row) => row.key),
    askers: () => database.prepare('SELECT host, process, seen FROM asker ORDER BY seen').all(),
  }
}

const charge = (account: string, promptTokens: number): Charge => ({
  account,
  usage: {promptTokens, completionTokens: 1},
  cost: 0.25,
})

test.each([
  [299_999, false],
  [300_000, false],
  [300_001, true],
])('who was last seen %d ms ago has left its request: %s', (ago, left) => {
  const {claims, charged, keys} = opened({id: 'x', seen: start - ago, requests: {k: ['b', 10], other: ['c', 20]}})
  expect(claims.isTakenByOther('k')).toBe(!left)
  expect(claims.take('k', most)).toBe(left)
  expect(charged.map(({account}) => account).sort()).toEqual(left ? ['b', 'c'] : [])
  expect(keys()).toEqual(left ? ['k'] : ['k', 'other'])
})

test.each<[string, Pick<Row, 'host' | 'process'>, boolean]>([
  ['a process of another machine, whatever its number', {host: 'elsewhere', process: process.pid}, true],
  ['a living process of this one', {host: hostname(), process: process.ppid}, true],
  ['a process of this one that is gone', {host: hostname(), process: 2 ** 22 + 1}, false],
  ['an earlier process with our number', {host: hostname(), process: process.pid}, false],
])('%s holds what it asked', (_, who, holds) => {
  const {claims} = opened({id: 'x', ...who, requests: {k: ['b', 10]}})
  expect(claims.isTakenByOther('k')).toBe(holds)
  expect(claims.take('k', most)).toBe(!holds)
})

test('what is booked is the sum of all open requests of an account', () => {
  const {claims} = opened({id: 'x', requests: {k: ['a', 10], l: ['b', 20]}})
  claims.take('m', most)
  expect(claims.booked('a')).toEqual({tokens: 311, cost: 0.75})
  expect(claims.booked('b')).toEqual({tokens: 21, cost: 0.25})
  expect(claims.booked('nobody')).toEqual({tokens: 0, cost: 0})
  claims.take('m', {...most, usage: {promptTokens: 1, completionTokens: 1}, cost: 0})
  expect(claims.booked('a')).toEqual({tokens: 13, cost: 0.25})
})

test('a booking that is cleared keeps its key; what is of others is neither cleared nor released', () => {
  const {claims, charged, keys} = opened({id: 'x', requests: {k: ['a', 10]}})
  claims.take('m', most)
  claims.unbook('m')
  claims.unbook('k')
  claims.release('k')
  expect(claims.booked('a')).toEqual({tokens: 11, cost: 0.25})
  expect(keys()).toEqual(['k', 'm'])
  expect(claims.isTakenByOther('m')).toBe(false)
  claims.leave()
  expect([charged, keys()]).toEqual([[], ['k']])
})

test('who leaves pays for what was never answered', () => {
  const {claims, charged, keys, askers} = opened()
  claims.take('m', most)
  claims.take('n', most)
  claims.release('n')
  claims.leave()
  expect([charged, keys(), askers()]).toEqual([[most], [], []])
})

test('of those that are gone, all bookings are charged and none is left', () => {
  const {claims, charged, keys, askers} = opened(
    {id: 'gone', seen: 0, requests: {k: ['b', 10], l: ['c', 20]}},
    {id: 'there', requests: {m: ['b', 30]}},
  )
  claims.collect()
  expect(charged).toEqual([charge('b', 10), charge('c', 20)])
  expect([keys(), askers()]).toEqual([['m'], [{host: 'elsewhere', process: 1, seen: start}]])
  claims.collect()
  expect(charged).toHaveLength(2)
})

test('it is said that this process lives at its first request, and again when that is long ago', () => {
  const {claims, at, askers} = opened()
  const seen = () => askers().map((row) => (row as {seen: number}).seen - start)
  claims.stayAlive()
  expect(seen()).toEqual([])
  claims.take('m', most)
  expect(askers()).toEqual([{host: hostname(), process: process.pid, seen: start}])
  for (const [milliseconds, said] of [
    [aliveMilliseconds - 1, 0],
    [aliveMilliseconds, 0],
    [aliveMilliseconds + 1, aliveMilliseconds + 1],
  ] as const) {
    at(milliseconds)
    claims.take('m', most)
    expect(seen()).toEqual([said])
  }
  at(aliveMilliseconds + 2)
  claims.stayAlive()
  expect(seen()).toEqual([aliveMilliseconds + 2])
})
