import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import type {Wanted} from '../../../engine/elsewhere/hands.ts'
import {shareFolder, type TaskState} from '../../../engine/elsewhere/share-folder.ts'
import {shareWatch} from '../../../engine/elsewhere/share-watch.ts'
import type {Workforce} from '../../../engine/elsewhere/worker-seen.ts'
import {silentLog} from '../../../engine/log.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

async function watched() {
  const folder = shareFolder(await temporaryFolder())
  mkdirSync(join(folder.root, 'state'))
  const told: unknown[] = []
  const seen: Workforce[] = []
  let now = 0
  const log = {...silentLog, warn: (_: string, fields: unknown) => void told.push(fields)}
  const wanted = {log, seen: (one: Workforce) => void seen.push(one)} as unknown as Wanted
  const watch = shareWatch(folder, {wanted, now: () => now})
  /** What the task of a share says, by seconds. */
  function says(share: number, host: string, {done = 10, from = 0, to}: {done?: number; from?: number; to: number}) {
    const by = {host, process: 7, user: 'u'}
    const times = {startedAt: 1000 * from, seenAt: 1000 * to}
    const state: TaskState = {by, capability: 'twin, 2 at once', share, records: 20, done, ...times}
    writeFileSync(folder.state(share), JSON.stringify(state))
  }
  return {watch, says, told, last: () => seen.at(-1), at: (seconds: number) => (now = 1000 * seconds)}
}

test('machines are told with what their tasks finished and hold', async () => {
  const {watch, says, last, at} = await watched()
  says(0, 'n1', {done: 20, to: 8})
  says(1, 'n1', {done: 5, to: 10})
  says(2, 'n1', {done: 15, to: 10})
  says(3, 'n2', {done: 4, to: 12})
  says(4, 'n3', {done: 9, to: 1})
  at(30)
  watch.finished(0)
  watch.look([1, 2, 3, 4, 5])
  expect(last()).toMatchObject({unit: 'share', waiting: 4, working: 1})
  at(14)
  watch.look([1, 2, 3, 4, 5])
  const has = {capability: 'twin, 2 at once', fit: []}
  expect(last()).toEqual({
    unit: 'share',
    waiting: 1,
    working: 4,
    workers: [
      {id: 'u@n1', by: 'u@n1', ...has, records: 40, rate: 2, holds: '2 shares', silentSeconds: 4},
      {id: 'u@n2', by: 'u@n2', ...has, records: 4, rate: 0.3, holds: '1 share', silentSeconds: 2},
      {id: 'u@n3', by: 'u@n3', ...has, records: 9, rate: 9, holds: '1 share', silentSeconds: 13},
    ],
  })
  at(40)
  watch.look([])
  expect(last()).toMatchObject({waiting: 0, working: 0, workers: [{by: 'u@n1', records: 20, rate: 0, holds: ''}]})
})

test('a share that takes four times as long as the others is told once', async () => {
  const {watch, says, told, at} = await watched()
  for (const [share, to] of [
    [0, 100],
    [1, 20],
    [2, 30],
  ] as const)
    says(share, 'n1', {to})
  says(3, 'n2', {to: 118})
  at(119)
  watch.finished(0)
  watch.finished(1)
  at(1000)
  watch.look([3])
  expect(told).toEqual([])
  watch.finished(2)
  at(119)
  watch.look([3])
  expect(told).toEqual([])
  at(120)
  watch.look([3])
  watch.look([3])
  expect(told).toEqual([{share: '00003', on: 'u@n2, process 7'}])
})

test('a share of a second is no straggler within a minute', async () => {
  const {watch, says, told, at} = await watched()
  for (const share of [0, 1, 2, 3]) says(share, 'n1', {to: 1})
  for (const share of [0, 1, 2]) watch.finished(share)
  at(59)
  watch.look([3])
  expect(told).toEqual([])
  at(60)
  watch.look([3])
  expect(told).toHaveLength(1)
})
