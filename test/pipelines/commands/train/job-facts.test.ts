import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {askTrainer, factsOf} from '../../../../pipelines/commands/train/job-facts.ts'
import {planOf, specOf} from '../../../helpers/job-attempt.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'

const known = {probe: null, rendering: {files: [], steps: []}, before: undefined}

describe('what is found of a job', () => {
  test('is nothing where nothing is there yet', async () => {
    const folder = await temporaryFolder()
    const facts = await factsOf(planOf(folder), known)
    expect(facts).toEqual({
      ...{probe: null, keys: [], devices: null, checkpoints: [], before: null, unwritable: null, missingCommand: null},
      freeBytes: expect.any(Number) as number,
    })
    expect(facts.freeBytes).toBeGreaterThan(0)
  })

  test('the checkpoints of either kind, in order, and nothing else', async () => {
    const folder = await temporaryFolder()
    const names = ['checkpoint-9', 'checkpoint-10', 'iter_0000005', 'iter_5', 'checkpoint-', 'checkpoint-1.tmp', 'runs']
    for (const name of names) await mkdir(join(folder, 'output', name), {recursive: true})
    const {checkpoints} = await factsOf(planOf(folder), known)
    expect(checkpoints).toEqual(['checkpoint-10', 'checkpoint-9', 'iter_0000005'])
  })

  test('the keys of the file that the trainer reads', async () => {
    const folder = await temporaryFolder()
    const keys = async (path: string, text: string) =>
      (await factsOf(planOf(folder), {...known, rendering: {files: [{path, text}], steps: []}})).keys
    expect(await keys('sft.yaml', 'max_length: 3\nlearning_rate: 1\n')).toEqual(['max_length', 'learning_rate'])
    expect(await keys('sft.yaml', '')).toEqual([])
    expect(await keys('accelerate.yaml', 'a: 1')).toEqual([])
  })

  test('devices are counted on this machine alone', async () => {
    const folder = await temporaryFolder()
    const devices = async (spec: object) => (await factsOf(planOf(folder, {spec: {...spec}}), known)).devices
    expect(await devices({hardware: {accelerator: 'cpu'}})).toBeNull()
    const slurm = {backend: {kind: 'slurm', time: '1:00'}, hardware: {accelerator: 'ascend'}}
    expect(await devices(slurm)).toBeNull()
  })

  test('a folder that cannot be made, and a scheduler that is not there, are said', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'file'), '')
    expect((await factsOf(planOf(join(folder, 'file', 'job')), known)).unwritable).toBe(
      `${join(folder, 'file')} is a file`,
    )
    const slurm = planOf(folder, {spec: {backend: {kind: 'slurm', time: '1:00'}}})
    const path = process.env['PATH']
    try {
      process.env['PATH'] = folder
      expect((await factsOf(slurm, known)).missingCommand).toBe('sbatch')
      await writeFile(join(folder, 'sbatch'), '', {mode: 0o755})
      expect((await factsOf(slurm, known)).missingCommand).toBeNull()
      const backend = {kind: 'kubernetes', form: 'volcano', image: 'i'}
      const cluster = planOf(folder, {spec: {backend}})
      expect((await factsOf(cluster, known)).missingCommand).toBe('kubectl')
      const kubectl = (status: number) =>
        writeFile(join(folder, 'kubectl'), `#!/bin/sh\nexit ${status}\n`, {mode: 0o755})
      await kubectl(1)
      expect((await factsOf(cluster, known)).missingCommand).toBe('cluster that answers `kubectl version`')
      await kubectl(0)
      expect((await factsOf(cluster, known)).missingCommand).toBeNull()
    } finally {
      process.env['PATH'] = path
    }
  })

  test('what the job was is told where it was', async () => {
    const folder = await temporaryFolder()
    const before = {spec: specOf(), data: {files: [], rows: 1, sha256: '', manifest: null}, arithmetic: {}} as never
    expect((await factsOf(planOf(folder), {...known, before})).before).toBe(before)
  })
})

describe('the environment of a trainer', () => {
  /** An interpreter that says this, whatever it is asked. */
  async function answer(text: string, code = 0) {
    const python = join(await temporaryFolder(), 'python')
    await writeFile(python, `#!/bin/sh\nprintf '%s\\n' '${text}'\nexit ${code}\n`, {mode: 0o755})
    return askTrainer(specOf({environment: {python}}))
  }
  test('answers with its last line', async () => {
    const said = {versions: {trl: '1.0'}, keys: ['a']}
    expect(await answer(`loading\n${JSON.stringify(said)}`)).toEqual(said)
    expect(await answer(JSON.stringify({versions: {}, keys: null}))).toEqual({versions: {}, keys: null})
  })
  test('that says anything else, fails or is not there answers nothing', async () => {
    expect(await answer('no JSON')).toBeNull()
    expect(await answer('{"versions": {}}')).toBeNull()
    expect(await answer(JSON.stringify({versions: {}, keys: null}), 1)).toBeNull()
    expect(await askTrainer(specOf({environment: {python: '/nowhere/python'}}))).toBeNull()
  })
  test('inside an image is not asked from here', async () => {
    const python = join(await temporaryFolder(), 'python')
    await writeFile(python, `#!/bin/sh\necho '{"versions": {}, "keys": null}'\n`, {mode: 0o755})
    const backend = {kind: 'kubernetes', form: 'volcano', image: 'i'}
    expect(await askTrainer(specOf({environment: {python}, backend}))).toBeNull()
  })
})
