import {readdirSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {deviceQueue, onHealthy} from '../../../../eval/executors/cann/device-queue.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'

/** A queue whose boards are well as long as they are not in `sick`. */
async function queued(devices: readonly number[], lockDirectory?: string) {
  const [sick, said, tested] = [new Map<number, number>(), [] as string[], [] as number[]]
  const folder = lockDirectory ?? (await temporaryFolder())
  const queue = deviceQueue({
    devices,
    place: 'me@npu 1',
    lockDirectory: folder,
    test(device) {
      tested.push(device)
      const left = sick.get(device) ?? 0
      sick.set(device, left - 1)
      return Promise.resolve(left > 0 ? 'the numbers are wrong' : undefined)
    },
    say: (text) => said.push(text),
  })
  return {queue, sick, said, tested, folder}
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 20))

test('one at a time has a board, of all that share the folder of locks, and nothing is left there', async () => {
  const one = await queued([0])
  const other = await queued([0], one.folder)
  let at = 0
  let most = 0
  const work = async () => {
    most = Math.max(most, (at += 1))
    await soon()
    at -= 1
  }
  await Promise.all([one, one, other, other].map(({queue}) => queue.use(work)))
  expect([most, at]).toEqual([1, 0])
  expect(readdirSync(one.folder)).toEqual([])
})

test('work goes to the board with the fewest that wait, and one that throws gives it back', async () => {
  const {queue} = await queued([3, 5])
  const seen: number[] = []
  const note = async (device: number) => {
    seen.push(device)
    await soon()
  }
  await Promise.all([queue.use(note), queue.use(note)])
  expect(seen.sort()).toEqual([3, 5])
  await expect(queue.use(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost')
  expect(await queue.use((device) => Promise.resolve(device))).toBe(3)
})

describe('a board', () => {
  test('that fails its test once is used on, twice in a row it is not, and that is said once', async () => {
    const {queue, sick, said} = await queued([0, 1])
    sick.set(0, 1)
    expect(await queue.suspect(0, 'a run had no end')).toBe(true)
    sick.set(0, 2)
    expect(await queue.suspect(0, 'a run had no end')).toBe(false)
    expect(said).toEqual(['board 0 of me@npu 1 stays sick and is not used any more: the numbers are wrong'])
    expect(await Promise.all([1, 2, 3].map(() => queue.use((device) => Promise.resolve(device))))).toEqual([1, 1, 1])
    sick.set(1, 2)
    await queue.suspect(1, '')
    const none = {
      code: 'executor-failed',
      scope: 'run',
      message: expect.stringContaining('no board of me@npu 1 is left'),
    }
    await expect(queue.use(() => Promise.resolve())).rejects.toMatchObject(none)
  })

  test('is tested before the first work, and without one that works there is none', async () => {
    const {queue, sick, tested} = await queued([0, 1])
    for (const device of [0, 1]) sick.set(device, 2)
    await expect(queue.open()).rejects.toMatchObject({code: 'executor-failed', scope: 'run'})
    expect(tested).toEqual([0, 0, 1, 1])
  })
})

describe('work', () => {
  const ends = (...list: ({fault: string} | {value: number; suspicion?: string})[]) => {
    let at = 0
    return () => Promise.resolve(list[at++] ?? {fault: 'no more'})
  }

  test('whose board had a fault is done once more, and after a second fault says nothing of the candidate', async () => {
    const {queue, tested} = await queued([0])
    expect(await onHealthy(queue, ends({fault: 'lost'}, {value: 7}), undefined)).toEqual({value: 7})
    const failing = onHealthy(queue, ends({fault: 'lost'}, {fault: 'lost again'}, {value: 7}), undefined)
    await expect(failing).rejects.toMatchObject({code: 'executor-failed', scope: 'record'})
    await expect(failing).rejects.toThrow('CANN could not judge: lost again')
    expect(tested).toEqual([0, 0, 0])
  })

  test('that a board may have suffered from has it tested, and counts', async () => {
    const {queue, tested} = await queued([0])
    const end = {value: 1, suspicion: 'a run on it had no end'}
    expect(await onHealthy(queue, ends(end, {value: 2}), undefined)).toEqual(end)
    expect(await onHealthy(queue, ends({value: 2}), undefined)).toEqual({value: 2})
    expect(tested).toEqual([0])
  })
})
