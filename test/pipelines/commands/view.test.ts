import {expect, test} from 'vitest'
import {main} from '../../../pipelines/cli.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {until} from '../../helpers/until.ts'
import {writeDataset} from '../../helpers/viewed.ts'
import {recordedWorld, type RecordedWorld} from '../../helpers/world.ts'

function interruptible(): {world: RecordedWorld; interrupt(): void} {
  const controller = new AbortController()
  const world = {...recordedWorld({USER: 'ann'}), signal: controller.signal}
  const interrupt = () => {
    world.interrupted.by = 'SIGINT'
    controller.abort()
  }
  return {world, interrupt}
}

test('view prints the address of its page, and serves it until it is interrupted', async () => {
  const folder = await temporaryFolder()
  await writeDataset(folder)
  const {world, interrupt} = interruptible()
  const ended = main(['view', folder, '--json'], world)
  await until(() => world.printed.length > 0)
  const {address} = JSON.parse(world.printed[0] ?? '') as {address: string}
  const {origin, hostname, searchParams} = new URL(address)
  expect(hostname).toBe('127.0.0.1')
  const headers = {authorization: `Bearer ${searchParams.get('token')}`}
  expect(await (await fetch(`${origin}/api/folder`, {headers})).json()).toMatchObject({hasRuns: false, reader: 'ann'})
  interrupt()
  expect(await ended).toBe(130)
  await expect(fetch(address)).rejects.toThrow('fetch failed')
})

test('view says what is missing in a folder', async () => {
  const {world} = interruptible()
  expect(await main(['view', await temporaryFolder()], world)).toBe(1)
  expect(world.said.join('\n')).toContain('with data/')
})
