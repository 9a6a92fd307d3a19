import {chmodSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {z} from 'zod'
import {envelopeOf} from '../../../engine/ids.ts'
import {silentLog} from '../../../engine/log.ts'
import {each, type Stage} from '../../../engine/stage.ts'
import {workerHands} from '../../../pipelines/commands/worker-hands.ts'
import type {World} from '../../../pipelines/commands/world.ts'
import {readConfig} from '../../../pipelines/workspace/config.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const stageOf = (name: string, sizes: object): Stage<number, number> => ({
  name,
  version: 1,
  input: z.int(),
  output: z.int(),
  run: each((value) => [value], sizes),
})

/** What is handed over for five records, to schedulers that then refuse it. */
async function handed(settings: Record<string, string>, stage = stageOf('judge', {concurrency: 2})) {
  const root = await temporaryFolder()
  for (const program of ['sbatch', 'kubectl']) {
    writeFileSync(join(root, program), '#!/bin/sh\necho no >&2; exit 1\n')
    chmodSync(join(root, program), 0o755)
  }
  const flags = Object.entries({command: 'cot', ...settings}).map(([key, text]) => [`workers.${key}`, text])
  const volumes = {'workers.volumes': JSON.stringify({[root]: 'claim'})}
  const config = await readConfig({env: {}, flags: {...Object.fromEntries(flags), ...volumes}})
  const world = {env: {PATH: `${root}:/usr/bin:/bin`}, now: () => 0, terminal: {say: () => undefined}}
  const folder = join(root, "it's")
  const {signal} = new AbortController()
  const find = workerHands({config, world: world as unknown as World, recipe: 'x', answers: {}})
  const hands = find?.({stage, index: 0, key: 'k', folder, log: silentLog, signal, seen: () => undefined})
  async function* records() {
    for (let value = 0; value < 5; value += 1) yield envelopeOf(value)
  }
  const run = async () => {
    for await (const _ of hands!.work(records()));
  }
  const error = hands && (await run().catch((thrown: unknown) => String(thrown)))
  const read = (end: string) =>
    readFileSync(join(folder, readdirSync(folder).find((name) => name.endsWith(end))!), 'utf8')
  return {hands, error, folder, read, shares: () => readdirSync(join(folder, 'in'))}
}

test('an array has the partition, the options, and a quoted folder', async () => {
  const {read} = await handed({on: 'slurm:3', partition: 'cpu', options: '[--time=1]'})
  expect(read('.sbatch')).toMatch(/--array=0%3\n[^]*\n#SBATCH --partition=cpu\n#SBATCH --time=1\n/)
  expect(read('.sbatch')).toMatch(/\nexec cot worker --share '\/\S+\/it'\\''s' --index "\$INDEX"\n$/)
})

test.each<[string, object, string, number]>([
  ['as many records as are asked for', {concurrency: 2}, '2', 3],
  ['no more than the stage wants together', {concurrency: 1, together: 1}, '2', 5],
])('a share has %s', async (_, sizes, recordsPerShare, shares) => {
  const {shares: found} = await handed({on: 'slurm:3', recordsPerShare}, stageOf('judge', sizes))
  expect(found()).toHaveLength(shares)
})

test.each<[string, Record<string, string>, object, boolean]>([
  ['without a word, a costly one', {}, {concurrency: 2}, true],
  ['without a word, one that costs nothing', {}, {}, false],
  ['one that is named', {stages: '[judge]'}, {}, true],
  ['a costly one where another is named', {stages: '[other]'}, {concurrency: 2}, false],
])('which stage is handed out: %s', async (_, settings, sizes, isHanded) => {
  const {hands} = await handed({on: 'slurm:3', ...settings}, stageOf('judge', sizes))
  expect(hands !== undefined).toBe(isHanded)
})

test('a Job of Kubernetes has a name of at most 40 characters and its suffix, and an image', async () => {
  const {read} = await handed({on: 'kubernetes:3', image: 'i'}, stageOf('s'.repeat(60), {concurrency: 2}))
  expect(read('.yaml')).toMatch(/^ {2}name: ascend-cot-s{29}-[0-9a-f]{8}$/m)
  expect((await handed({on: 'kubernetes:3'})).error).toContain('workers.image names no image')
})
