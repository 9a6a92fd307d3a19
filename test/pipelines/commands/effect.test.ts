import {execFileSync} from 'node:child_process'
import {existsSync, readFileSync, readdirSync} from 'node:fs'
import {writeFile} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import {describe, expect, test} from 'vitest'
import {main} from '../../../pipelines/cli.ts'
import {faultsOf} from '../../../pipelines/commands/effect/effect-material.ts'
import {dataset, kernel, row} from '../../helpers/measured-rows.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld} from '../../helpers/world.ts'

const trained = (unit?: string) =>
  dataset([...['add', 'mul'].map((name) => row(name, 'kernel', 'a/a', unit)), row('how', 'project', 'a/a')])
const held = () => dataset(['exp', 'sub', 'tan'].map((name) => row(name, 'kernel', 'b/b')))

interface Given {
  out?: string
  flags?: readonly string[]
  env?: Readonly<Record<string, string>>
  python?: string
}

async function asked({out, flags = [], env = {}, python = 'test/helpers/effect-python.mjs'}: Given = {}) {
  const folder = out ?? (await temporaryFolder())
  const calls = join(folder, 'calls')
  await writeFile(calls, '')
  const world = recordedWorld()
  const {PATH = '', HOME = ''} = process.env
  // What torch keeps for later goes with the folder.
  const own = {PATH, HOME, EFFECT_CALLS: calls, TORCHINDUCTOR_CACHE_DIR: folder}
  Object.assign(world, {env: {...world.env, ...own, ...env}})
  const given = flags.includes('--data') ? [] : ['--data', await trained(), '--on', await held()]
  const where = ['--out', folder, ...given]
  const sizes = ['--pairs', '6', '--files', '3', '--thoughts', '2', '--orders', '2', '--tokens', '64']
  const code = await main(['effect', ...where, ...sizes, '--python', resolve(python), ...flags], world)
  const said = world.said.join('\n')
  return {code, said, printed: world.printed.join('\n'), folder, calls: readFileSync(calls, 'utf8').trim().split('\n')}
}

describe('ascend-cot effect', () => {
  test('measures every order of every arm, and writes what came of it', async () => {
    const {code, folder, calls, printed} = await asked({flags: ['--arms', 'whole,without-project', '--model', 'test']})
    expect(code).toBe(0)
    expect(calls.filter((one) => one === 'train')).toHaveLength(4)
    const {tables} = JSON.parse(readFileSync(join(folder, 'effect/effect.json'), 'utf8'))
    const [values, fromWhole, fromBase] = tables
    expect(values.rows.map(([arm]: string[]) => arm)).toEqual(['base', 'whole', 'without-project'])
    const at = (name: string) => values.columns.indexOf(name)
    expect(values.rows.map((cells: string[]) => cells[at('device code')])).toEqual([
      ...['1.000', '0.500 [0.500, 0.500]', '0.500 [0.500, 0.500]'],
    ])
    for (const variant of ['none', 'own', 'other', 'sampled'])
      expect(values.rows[1][at(`code after ${variant}`)]).toBe('0.500 [0.500, 0.500]')
    expect(fromWhole.title).toBe('Differences from whole')
    expect(fromBase.rows[0][1]).toBe('-0.500* [-0.500, -0.500]')
    expect(printed).toContain('without-project')
    expect(readFileSync(join(folder, 'effect/effect.html'), 'utf8')).toContain('<circle')
    // Half a gigabyte an arm would fill a disk.
    expect(readdirSync(join(folder, 'effect/arms/whole-0'))).not.toContain('model')
  })

  test('goes on where it broke off: what was finished is not asked again', async () => {
    const out = await temporaryFolder()
    const [data, on] = [await trained(), await held()]
    const flags = ['--arms', 'whole', '--model', 'test', '--data', data, '--on', on]
    const broken = await asked({out, flags, env: {EFFECT_FAILS: 'train'}})
    expect([broken.code, broken.said]).toEqual([1, expect.stringContaining('RuntimeError: out of memory')])
    const again = await asked({out, flags: [...flags, '--arms', 'whole,code-only']})
    expect(again.code).toBe(0)
    expect(again.calls.filter((one) => one === 'train')).toHaveLength(4)
    // The untrained model was measured in the first attempt.
    expect(again.calls.filter((one) => one === 'sample')).toHaveLength(4)
  })

  test('does not mix plans, nor rows, in one folder; a trial run binds nobody', async () => {
    const out = await temporaryFolder()
    const [data, on] = [await trained(), await held()]
    // As it is after a change of the words that rows are told in: the same ids.
    const reworded = await trained('rows')
    const given = (over: Readonly<Record<string, string>>) =>
      Object.entries({'--data': data, '--on': on, '--arms': 'whole', '--model': 'test', ...over}).flat()
    await asked({out, flags: [...given({'--window': '256'}), '--dry-run']})
    expect(await asked({out, flags: given({})})).toMatchObject({code: 0})
    for (const over of [
      {'--window': '512'},
      {'--data': reworded},
      {'--on': await dataset([row('tan', 'kernel', 'c/c')])},
    ])
      expect(await asked({out, flags: given(over)})).toMatchObject({
        code: 2,
        said: expect.stringContaining('was made with another plan, or from other rows') as string,
      })
    expect(await asked({out, flags: given({'--arms': 'whole,code-only'})})).toMatchObject({code: 0})
  })

  test('trains weights in float32 whatever products are made in, and on a CPU where there is nothing else', async () => {
    const {folder} = await asked({flags: ['--arms', 'whole', '--model', 'test', '--precision', 'bf16']})
    const config = readFileSync(join(folder, 'effect/arms/whole-0/sft.yaml'), 'utf8')
    expect(config.split('\n')).toEqual(expect.arrayContaining(['dtype: float32', 'bf16: true', 'use_cpu: true']))
  })

  test('says what it would do, and trains nothing', async () => {
    const {code, said, calls, folder} = await asked({flags: ['--dry-run', '--model', 'test']})
    expect(code).toBe(0)
    expect(said).toMatch(
      /3 rows are held out[^]*9 arms \(base, whole,[^]*2 orders: 17 models to measure[^]*about [\d.]+ h/,
    )
    expect(calls).not.toContain('train')
    expect(existsSync(join(folder, 'effect/arms'))).toBe(false)
  })

  test.each<[string, Given, string]>([
    ['an arm that is none', {flags: ['--arms', 'half', '--model', 'x']}, 'Its arms: base, whole,'],
    [
      'a data set that is not there',
      {flags: ['--data', '/no/data', '--model', 'x']},
      'There is no data set at /no/data',
    ],
    ['a Python that is none', {python: '/no/python'}, '/no/python'],
    [
      'packages that are lacking',
      {
        env: {EFFECT_FAILS: 'general', EFFECT_SAYS: "ModuleNotFoundError: No module named 'trl'"},
        flags: ['--model', 'x'],
      },
      'pip install torch transformers trl',
    ],
  ])('%s is refused with what to do', async (_, given, expected) => {
    const {code, said} = await asked(given)
    expect([1, 2]).toContain(code)
    expect(said).toContain(expected)
  })

  test('a data set without held-out code says how to name one', async () => {
    const same = await trained()
    for (const more of [[], ['--on', same]]) {
      const {code, said} = await asked({flags: ['--data', same, ...more, '--model', 'x']})
      expect([code, said]).toEqual([1, expect.stringContaining('Pass --on <folder>')])
    }
  })
})

test('faults are planted in device code by class, each with its place', () => {
  const faults = faultsOf(kernel('add'), 'op_kernel/add.cpp')
  expect(new Set(faults.map((one) => one.class)).size).toBeGreaterThan(5)
  for (const {start, end, replacement} of faults) expect(kernel('add').slice(start, end)).not.toBe(replacement)
})

const python = process.env['ASCEND_COT_TEST_TRAINER_PYTHON']

test.skipIf(!python)(
  'a model of chance learns from real training (skipped where no trainer is installed)',
  async () => {
    const folder = await temporaryFolder()
    const model = join(folder, 'tiny')
    const env = {...process.env, TORCHINDUCTOR_CACHE_DIR: folder}
    execFileSync(python as string, ['test/helpers/tiny_model.py', model], {env})
    const training = ['--learning-rate', '0.01', '--tokens', '3000', '--window', '256', '--precision', 'bf16']
    const flags = ['--arms', 'code-only', '--model', model, '--orders', '1', ...training]
    const {code, said, folder: out} = await asked({flags, python: python as string})
    expect([code, said]).toEqual([0, expect.stringContaining('2 of 2')])
    const {differences} = JSON.parse(readFileSync(join(out, 'effect/effect.json'), 'utf8'))
    const device = differences.find((one: {name: string}) => one.name === 'device code')
    expect(device.difference.high).toBeLessThan(0)
  },
  900_000,
)
