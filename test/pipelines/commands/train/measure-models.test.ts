import {execFileSync} from 'node:child_process'
import {cpSync, readFileSync} from 'node:fs'
import {writeFile} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import {expect, test} from 'vitest'
import {measureModels, readMeasures} from '../../../../pipelines/commands/train/measure-models.ts'
import {writeModel} from '../../../../pipelines/commands/train/write-model.ts'
import {specOf} from '../../../helpers/job-attempt.ts'
import {dataset, row} from '../../../helpers/measured-rows.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'
import {recordedWorld} from '../../../helpers/world.ts'
import {attempt, leftCheckpoint, leftJob} from './scripted-jobs.ts'

/** Two jobs that ended well, the second on what the first left, and other operators to measure them by. */
async function chain({model, python}: {model: string; python: string}) {
  const out = await temporaryFolder()
  const calls = join(out, 'calls')
  const source = await dataset(['add', 'mul'].map((name) => row(name, 'kernel', 'a/a')))
  const on = await dataset(['exp', 'sub', 'tan'].map((name) => row(name, 'kernel', 'b/b')))
  const data = {source, config: 'sft', split: 'train', rows: 2, sha256: 'a'.repeat(64), manifest: null}
  const base = {name: model, revision: null, job: null, path: model, adapter: null}
  const attempts = [attempt(1, {state: 'succeeded'})]
  const jobs = [
    await leftJob(out, {id: 'tiny-00000001', base, data, attempts, output: join(out, 'jobs/tiny-00000001/output')}),
    await leftJob(out, {
      ...{id: 'tiny-dpo-00000002', method: 'dpo', attempts, output: join(out, 'jobs/tiny-dpo-00000002/output')},
      ...{base: {...base, job: 'tiny-00000001'}, data: {...data, config: 'dpo'}},
    }),
  ] as const
  const checkpoints = [await leftCheckpoint(jobs[0], 4), await leftCheckpoint(jobs[1], 6)]
  const measured = async (env: Record<string, string> = {}) => {
    await writeFile(calls, '')
    const {PATH = '', HOME = ''} = process.env
    const world = recordedWorld({PATH, HOME, EFFECT_CALLS: calls, TORCHINDUCTOR_CACHE_DIR: out, ...env})
    const measure = {on: [on], files: 3, pairs: 6, questions: 4}
    await measureModels({jobs, spec: specOf({environment: {python}}), measure, out, cache: out}, world)
    const asked = readFileSync(calls, 'utf8').split('\n')
    return {said: world.said.join('\n'), scored: asked.filter((one) => one === 'score').length}
  }
  return {out, last: jobs[1], checkpoints, measured}
}

const standIn = {model: '/models/tiny', python: resolve('test/helpers/effect-python.mjs')}

test('models are measured before and after each job by the same texts, once, and the card shows it', async () => {
  const {out, last, measured} = await chain(standIn)
  const broken = await measured({EFFECT_FAILS: 'score'})
  expect(broken.said).toMatch(/^Nothing was measured: score of the effect meter failed.*out of memory/s)
  expect(await readMeasures(join(out, 'jobs', last.id))).toBeUndefined()
  expect((await writeModel(out, last)).isMeasured).toBe(false)
  const whole = await measured()
  expect(whole.scored).toBe(3)
  expect(whole.said).toMatch(/^measured base: \d+ texts, 0 s\nmeasured sft: .*\nmeasured dpo: .*$/)
  expect(await measured()).toMatchObject({scored: 0})
  const {folder, isMeasured} = await writeModel(out, last)
  const card = readFileSync(join(folder, 'README.md'), 'utf8')
  expect(isMeasured).toBe(true)
  expect(card).toContain('| measure | base | sft | sft − base | dpo | dpo − base |')
  const halved = '0.500 | -0.500* [-0.500, -0.500]'
  expect(card).toContain(`| device code | 1.000 | ${halved} | ${halved} |`)
  expect(card).toMatch(
    /\d+ texts of 3 rows of a data set without a manifest about operators that no training row covers/,
  )
  expect(card).not.toContain(out)
})

test('models of a cluster are not measured here', async () => {
  const {out, last} = await chain(standIn)
  const world = recordedWorld()
  const spec = specOf({backend: {kind: 'slurm', time: '1:00'}})
  const measure = {on: [], files: 1, pairs: 1, questions: 1}
  await measureModels({jobs: [last, last], spec, measure, out, cache: out}, world)
  expect(world.said).toEqual(['Nothing was measured: the models were not trained on this machine.'])
})

const python = process.env['ASCEND_COT_TEST_TRAINER_PYTHON']

test.skipIf(!python)(
  'real models that are the same read the same (skipped where no trainer is installed)',
  async () => {
    const model = join(await temporaryFolder(), 'tiny')
    const env = {...process.env, TORCHINDUCTOR_CACHE_DIR: model}
    execFileSync(python as string, ['test/helpers/tiny_model.py', model], {env})
    const {out, last, checkpoints, measured} = await chain({model, python: python as string})
    for (const checkpoint of checkpoints) cpSync(model, checkpoint, {recursive: true})
    expect((await measured()).said).toContain('measured dpo')
    const {columns, rows = []} = (await readMeasures(join(out, 'jobs', last.id))) ?? {}
    expect(columns).toHaveLength(6)
    expect(rows.map(([name]) => name)).toEqual(expect.arrayContaining(['device code', 'code after own']))
    for (const [name, base, sft, , dpo] of rows) expect([name, sft, dpo]).toEqual([name, base, base])
    expect(rows.find(([name]) => name === 'device code')?.[3]).toBe('0.000 [0.000, 0.000]')
  },
  900_000,
)
