import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {publishDataset} from '../../../../pipelines/commands/publish.ts'
import {cancelJob} from '../../../../pipelines/commands/train/change-job.ts'
import {train} from '../../../../pipelines/commands/train/following-job.ts'
import type {TrainRooms} from '../../../../pipelines/commands/train/train-rooms.ts'
import {writeModel} from '../../../../pipelines/commands/train/write-model.ts'
import {findJobs} from '../../../../trainers/job-folder.ts'
import {curveOf, readMetrics} from '../../../../trainers/job-metrics.ts'
import {headOf} from '../../../helpers/hub-repository.ts'
import {testHub} from '../../../helpers/hub-server.ts'
import {standInRooms} from '../../../helpers/stand-in-rooms.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'
import {until} from '../../../helpers/until.ts'
import {recordedWorld} from '../../../helpers/world.ts'
import {leftJob} from './scripted-jobs.ts'

const dpo = {method: 'dpo', data: {config: 'dpo'}, hyperparameters: {steps: 6}, dpo: {beta: 0.1}}
const licence = {name: '/models/tiny', licence: 'apache-2.0'}
const spec = JSON.stringify({model: licence, next: dpo})

/** The stand-in knows of no job that made a model. */
function chainRooms(out: string, more: Omit<Parameters<typeof standInRooms>[0], 'out'> = {}): TrainRooms {
  const rooms = standInRooms({out, ...more})
  return {
    ...rooms,
    async check(given, resumed) {
      const {value} = given.model.name
      return {...(await rooms.check(given, resumed)), parent: value.startsWith('job:') ? value.slice(4) : null}
    },
  }
}

const worldNow = () => ({...recordedWorld(), now: () => Date.now()})

async function trained(out: string, rooms = chainRooms(out), more: Partial<Parameters<typeof train>[0]> = {}) {
  const world = worldNow()
  const request = {spec, set: {}, dryRun: false, detach: false, json: false, out, cache: join(out, 'cache'), ...more}
  const code = await train(request, rooms, world)
  return {code, printed: world.printed.join('\n'), said: world.said.join('\n')}
}

const attemptsOf = async (out: string) => (await findJobs(out)).map(({name, attempts}) => [name, attempts.length])

describe('train <spec> with a job that is next', () => {
  test('goes through both, and lays the model out with its card', async () => {
    const out = await temporaryFolder()
    const {code, printed} = await trained(out)
    expect(code).toBe(0)
    const [first, second] = await findJobs(out)
    expect([first?.name, second?.name]).toEqual(['tiny', 'tiny-dpo'])
    expect(second).toMatchObject({method: 'dpo', base: {job: first?.id}, arithmetic: {steps: 6}})
    const folder = join(out, 'models', second?.id ?? '')
    expect(printed.split('\n').at(-1)).toBe(`model with its card: ${folder}`)
    const card = readFileSync(join(folder, 'README.md'), 'utf8')
    expect(card).toContain('license: apache-2.0')
    expect(card).toContain('Trained from tiny by SFT, then DPO, with `ascend-cot train tiny`.')
    expect(card).toContain('| optimiser steps | 10 of 10 | 6 of 6 |')
    expect(card).toContain(`\`${first?.data.sha256}\``)
    expect(card).toContain('The model itself was not measured.')
    expect(card).toContain('Whether kernels that it writes compile and run was not measured.')
    const lineage = JSON.parse(readFileSync(join(folder, 'lineage.json'), 'utf8')) as object
    expect(lineage).toMatchObject({job: second?.id, base: {job: first?.id, base: {name: 'tiny'}}})
    // Where things lie here is told to nobody.
    expect(JSON.stringify(lineage) + card).not.toMatch(/\/models\/|runs\/dataset/)
  })

  test('given again, goes on with what was not done', async () => {
    const out = await temporaryFolder()
    await trained(out)
    const again = await trained(out)
    expect(again.code).toBe(0)
    expect(again.said).toContain(' has finished')
    expect(await attemptsOf(out)).toEqual([
      ['tiny', 1],
      ['tiny-dpo', 1],
    ])
  })

  test('resumes a first job that was ended in the middle, then trains the second', async () => {
    const out = await temporaryFolder()
    const slow = chainRooms(out, {milliseconds: 150})
    const running = trained(out, slow)
    await until(async () => (await findJobs(out)).some(({id}) => hasCheckpoint(out, id)))
    await cancelJob({id: 'tiny', out}, slow, worldNow())
    expect((await running).code).toBe(1)
    expect((await findJobs(out)).map(({name}) => name)).toEqual(['tiny'])
    const {code} = await trained(out, slow)
    expect(code).toBe(0)
    expect(await attemptsOf(out)).toEqual([
      ['tiny', 2],
      ['tiny-dpo', 1],
    ])
    const [first] = await findJobs(out)
    expect(first?.attempts[1]?.resumedFrom).toMatch(/checkpoint-\d+$/)
  })

  test('goes on in a second job whose trainer was killed, with the losses of one that was not', async () => {
    const losses = async (out: string) => {
      const [, second] = await findJobs(out)
      return curveOf(readMetrics(join(out, 'jobs', second?.id ?? ''))).map(({step, loss}) => [step, loss])
    }
    const [whole, out] = [await temporaryFolder(), await temporaryFolder()]
    await trained(whole)
    const slow = chainRooms(out, {milliseconds: 150})
    const running = trained(out, slow)
    const isSecond = ({id, method}: {id: string; method: string}) => method === 'dpo' && hasCheckpoint(out, id)
    await until(async () => (await findJobs(out)).some(isSecond))
    const [, {output} = {output: ''}] = await findJobs(out)
    process.kill(Number(readFileSync(`${output}-starts`, 'utf8').trim().split(' ').at(-1)), 'SIGKILL')
    expect((await running).code).toBe(1)
    expect((await trained(out, slow)).code).toBe(0)
    const [first, second] = await findJobs(out)
    expect([first?.attempts.length, second?.attempts.length]).toEqual([1, 2])
    expect(second?.attempts[1]?.resumedFrom).toMatch(/checkpoint-[24]$/)
    expect((await losses(whole)).map(([step]) => step)).toEqual([1, 2, 3, 4, 5, 6])
    expect(await losses(out)).toEqual(await losses(whole))
  })

  test('watches a first job that still runs', async () => {
    const out = await temporaryFolder()
    const rooms = chainRooms(out, {milliseconds: 60})
    const {said} = await trained(out, rooms, {detach: true})
    expect(said).toContain('Run the same command again to continue with the next step.')
    expect((await trained(out, rooms)).code).toBe(0)
    expect(await attemptsOf(out)).toEqual([
      ['tiny', 1],
      ['tiny-dpo', 1],
    ])
  })

  test('starts neither where the check of the second finds an error', async () => {
    const out = await temporaryFolder()
    const rooms = chainRooms(out)
    const findings = [{code: 'rows-cut', severity: 'error' as const, message: '3 rows are cut', fix: ''}]
    const check: TrainRooms['check'] = async (given, resumed) => {
      const checked = await rooms.check(given, resumed)
      return given.method === 'dpo' ? {...checked, findings} : checked
    }
    expect((await trained(out, {...rooms, check})).code).toBe(2)
    expect(readdirSync(out)).toEqual([])
  })

  test('--dry-run shows both and writes nothing', async () => {
    const out = await temporaryFolder()
    const {code, printed, said} = await trained(out, undefined, {dryRun: true})
    expect([code, readdirSync(out)]).toEqual([0, []])
    expect(printed).toMatch(/^job +tiny-[0-9a-f]{8}: SFT/m)
    expect(printed).toMatch(/^job +tiny-dpo-[0-9a-f]{8}: DPO/m)
    expect(said).toContain("Then (planned here from the first job's base model):")
  })

  test('names a fault in what is next by its key', async () => {
    const faulty = JSON.stringify({next: {...dpo, hyperparameters: {steps: 'many'}}})
    await expect(trained(await temporaryFolder(), undefined, {spec: faulty})).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('next.hyperparameters.steps') as string,
    })
  })

  test.each([[{next: dpo}], [{}]])('says what hinders a measure, also where none is next: %o', async (next) => {
    const out = await temporaryFolder()
    const nowhere = {source: join(out, 'no-data'), config: 'sft'}
    const measured = JSON.stringify({model: licence, ...next, measure: {}, data: nowhere})
    const {code, said, printed} = await trained(out, undefined, {spec: measured})
    expect(code).toBe(0)
    expect(said).toMatch(/Nothing was measured: There is no data set /)
    expect(printed).toContain(`model with its card: ${join(out, 'models')}`)
  })
})

const hasCheckpoint = (out: string, id: string) => existsSync(join(out, 'jobs', id, 'output/checkpoint-2'))

describe('a model', () => {
  test('is published without the state of its trainer, first shown and then sent', async () => {
    const out = await temporaryFolder()
    await trained(out)
    const [, record] = await findJobs(out)
    const checkpoint = join(record?.output ?? '', 'checkpoint-6')
    await mkdir(join(checkpoint, 'global_step6'))
    const files = ['model.safetensors', 'config.json', 'optimizer.pt', 'rng_state_0.pth', 'README.md']
    for (const name of [...files, 'global_step6/x']) await writeFile(join(checkpoint, name), name.repeat(2000))
    const hub = await testHub({token: 'hf_x'})
    const publishing = async (yes: boolean) => {
      const world = recordedWorld({HF_ENDPOINT: hub.url, HOME: '/nowhere', HF_TOKEN: 'hf_x'})
      const asked = {name: 'me/smol', out, model: `job:${record?.id}`, yes, isPublic: false, json: false}
      const code = await publishDataset(asked, world)
      return {code, printed: world.printed.join('\n'), said: world.said.join('\n')}
    }
    const shown = await publishing(false)
    expect(shown.code).toBe(0)
    expect(shown.printed).toContain(`${hub.url}/me/smol, as me: no model there`)
    expect(shown.said).toContain('licence apache-2.0')
    expect(hub.repositories.size).toBe(0)
    expect((await publishing(true)).printed).toContain(`published: ${hub.url}/me/smol/commit/`)
    const repository = hub.repositories.get('me/smol')
    const there = repository ? headOf(repository).files : new Map<string, {bytes: Buffer}>()
    expect([...there.keys()].filter((path) => path !== '.gitattributes').sort()).toEqual([
      ...['README.md', 'config.json', 'lineage.json', 'model.safetensors'],
    ])
    expect(there.get('README.md')?.bytes.toString()).toContain('# tiny-dpo (KernelGen-LM)')
    expect(hub.requests.some((line) => line.includes('/datasets/'))).toBe(false)
    expect((await publishing(true)).printed).toContain('nothing to publish')
    // A card that is written beside linked files leaves the checkpoint's own alone.
    expect(readFileSync(join(checkpoint, 'README.md'), 'utf8')).toContain('README.mdREADME.md')
  })

  test('of a job that did not succeed is none', async () => {
    const out = await temporaryFolder()
    await expect(writeModel(out, await leftJob(out))).rejects.toMatchObject({code: 'input-invalid'})
  })
})
