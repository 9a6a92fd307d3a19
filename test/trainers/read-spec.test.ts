import {readFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {parse, stringify} from 'yaml'
import {describe, expect, test} from 'vitest'
import {followingSpec, readSpec, shippedSpecs} from '../../trainers/read-spec.ts'
import type {JobSpec} from '../../trainers/spec.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

const specFile = (name: string) => `trainers/specs/${name}.yaml`

async function written(text: string, name = 'mine'): Promise<string> {
  const file = join(await temporaryFolder(), `${name}.yaml`)
  await writeFile(file, text)
  return file
}

const valuesOf = ({hyperparameters}: JobSpec) =>
  Object.fromEntries(Object.entries(hyperparameters).map(([key, tagged]) => [key, tagged?.value]))

const ofPaper = (spec: JobSpec) =>
  Object.fromEntries(
    Object.entries({...spec.hyperparameters, ...spec.dpo}).flatMap(([key, tagged]) =>
      tagged?.source === 'paper' ? [[key, tagged.value]] : [],
    ),
  )

/** What a spec and all that it extends write down, the base first. */
async function filesOf(name: string): Promise<Record<string, Record<string, unknown>>[]> {
  const file = parse(await readFile(specFile(name), 'utf8')) as Record<string, Record<string, unknown>>
  const base = file['extends'] as unknown as string | undefined
  return [...(base === undefined ? [] : await filesOf(base)), file]
}

describe('shipped specs', async () => {
  const names = await shippedSpecs()

  test('are the tables and figures of the paper, and a start', () => {
    const expected = [
      'dpo dpo-8b-compile-fail-constant dpo-8b-compile-fail-cosine dpo-8b-execution-fail-constant',
      'dpo-8b-execution-fail-cosine kernelgen-smol sft-1-7b sft-14b sft-32b sft-4b sft-8b sft-8b-lora',
      'sft-8b-share-25 sft-8b-share-50',
      'sft-8b-share-75 sft-8b-without-documentation sft-8b-without-general sft-8b-without-kernels sft-coder-30b-a3b',
      'sft-full sft-lora starter-dpo starter-grpo starter-sft',
    ]
    expect(names).toEqual(expected.join(' ').split(' '))
  })

  test.each(names)('%s is read under its own name, and every value of it was given a source', async (name) => {
    const spec = await readSpec(name)
    expect(spec.name).toBe(name)
    expect(spec.description).not.toBe('')
    const files = await filesOf(name)
    const sections = ['hyperparameters', 'tuning', 'dpo', 'parallel', 'model', 'data'] as const
    for (const section of sections) {
      const given = Object.assign({}, ...files.map((file) => file[section])) as Record<string, unknown>
      const plain = section === 'data' ? ['source', 'config', 'split'] : []
      for (const [key, value] of Object.entries(given).filter(([key]) => !plain.includes(key)))
        expect(value, `${section}.${key} of ${name}`).toHaveProperty('source')
    }
    const given = Object.assign({}, ...files.map((file) => file['hyperparameters'])) as Record<string, unknown>
    const missing = Object.keys(spec.hyperparameters).filter((key) => !(key in given))
    expect(missing, `left to the schema by ${name}`).toEqual([])
  })

  test('kernelgen-smol goes on with DPO of the same model, machine and place, unless told otherwise', async () => {
    const set = {'model.name': 'Qwen/Qwen3-4B', 'hardware.accelerator': 'nvidia', 'next.hyperparameters.steps': '7'}
    const first = await readSpec('kernelgen-smol', {
      ...set,
      'environment.python': 'venv/python',
      'model.revision': 'ab',
    })
    const second = followingSpec(first, 'job:kernelgen-smol-1')
    expect(first.hyperparameters.epochs?.value).toBe(1)
    expect(second).toMatchObject({
      name: 'kernelgen-smol-dpo',
      method: 'dpo',
      model: {name: {value: 'job:kernelgen-smol-1'}, thinking: first.model.thinking},
      data: {config: 'dpo', source: first.data.source},
      hyperparameters: {steps: {value: 7}, warmupRatio: {value: 0.1}, maxLength: first.hyperparameters.maxLength},
      hardware: {accelerator: 'nvidia'},
      environment: {python: 'venv/python'},
    })
    expect([second?.hyperparameters.epochs, second?.model.revision, second?.next]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(second && followingSpec(second, 'job:x')).toBe(undefined)
    expect([(await readSpec('kernelgen-smol')).model.licence?.value, first.model.licence]).toEqual([
      'apache-2.0',
      undefined,
    ])
    const stated = await readSpec('kernelgen-smol', {'model.name': 'a/b', 'model.licence': 'mit'})
    expect(stated.model.licence?.value).toBe('mit')
  })

  test('state what Table 6 of the paper states, and nothing else as the paper’s', async () => {
    const sft = {
      learningRate: 1.25e-6,
      schedule: 'cosine',
      warmupRatio: 0.01,
      microBatch: 1,
      globalBatch: 128,
      weightDecay: 0.1,
      gradientClip: 1,
    }
    expect(ofPaper(await readSpec('sft-full'))).toEqual(sft)
    expect(ofPaper(await readSpec('sft-lora'))).toEqual({...sft, learningRate: 1.25e-5})
    expect(ofPaper(await readSpec('dpo'))).toMatchObject({
      learningRate: 1e-6,
      schedule: 'cosine',
      warmupRatio: 0.1,
      globalBatch: 64,
      steps: 150,
      beta: 0.1,
    })
    expect(valuesOf(await readSpec('dpo'))).not.toHaveProperty('epochs')
  })

  test('the scaling study differs in the model and the machines alone', async () => {
    const {hyperparameters, tuning, data} = await readSpec('sft-full')
    const models: Record<string, string> = {
      'sft-1-7b': 'Qwen/Qwen3-1.7B',
      'sft-4b': 'Qwen/Qwen3-4B',
      'sft-8b': 'Qwen/Qwen3-8B',
      'sft-14b': 'Qwen/Qwen3-14B',
      'sft-32b': 'Qwen/Qwen3-32B',
      'sft-coder-30b-a3b': 'Qwen/Qwen3-Coder-30B-A3B-Instruct',
    }
    for (const [name, model] of Object.entries(models)) {
      const spec = await readSpec(name)
      expect(spec).toMatchObject({hyperparameters, tuning, data, model: {name: {value: model, source: 'paper'}}})
      expect(spec.model.thinking.value).toBe(name !== 'sft-coder-30b-a3b')
    }
  })

  test('Table 4 is two kinds of negatives by two schedules, and all else is alike', async () => {
    const seen = new Set<string>()
    for (const negatives of ['compile-fail', 'execution-fail'])
      for (const schedule of ['constant', 'cosine']) {
        const spec = await readSpec(`dpo-8b-${negatives}-${schedule}`)
        expect(spec.dpo?.strategies.value).toEqual([negatives])
        expect(spec.hyperparameters.schedule).toMatchObject({value: schedule, source: 'paper'})
        expect(spec.model.name.value).toBe('job:sft-8b')
        const {strategies: _, ...dpo} = spec.dpo ?? {strategies: undefined}
        const {schedule: __, ...rest} = spec.hyperparameters
        seen.add(JSON.stringify([dpo, rest, spec.parallel, spec.hardware, spec.data]))
      }
    expect(seen.size).toBe(1)
    expect((await readSpec('dpo-8b-execution-fail-cosine')).dpo?.strategies.source).toBe('ours')
  })

  test('Figure 5 leaves out parts, and takes shares, of one run', async () => {
    const whole = await readSpec('sft-8b')
    for (const share of [25, 50, 75]) {
      const spec = await readSpec(`sft-8b-share-${share}`)
      expect(spec.data.share).toMatchObject({value: share / 100, source: 'paper'})
      expect(spec.hyperparameters).toEqual(whole.hyperparameters)
    }
    const without = async (part: string) => (await readSpec(`sft-8b-without-${part}`)).data.without.value
    expect(
      [...(await without('documentation')), ...(await without('general')), ...(await without('kernels'))].sort(),
    ).toEqual([
      ...['api-correction', 'documentation', 'evaluated', 'general', 'kernel', 'kernel-correction'],
      ...['optimisation', 'project'],
    ])
  })
})

describe('reading', () => {
  test('a file takes over what it extends key by key, and is called by its own name', async () => {
    const file = await written('extends: sft-lora\nhyperparameters: {globalBatch: 64}\ntuning: {rank: 8}\n')
    const spec = await readSpec(file)
    expect(spec.name).toBe('mine')
    expect(spec.description).toBe('')
    expect(spec.hyperparameters.globalBatch).toEqual({value: 64, source: 'ours'})
    expect(spec.hyperparameters.learningRate).toMatchObject({value: 1.25e-5, source: 'paper'})
    expect(spec.tuning).toMatchObject({rank: {value: 8, source: 'ours'}, alpha: {value: 32, source: 'inferred'}})
  })

  test('what is set beside it counts most, and counts as ours', async () => {
    const spec = await readSpec('dpo', {
      'hyperparameters.learningRate': '1e-5',
      'dpo.strategies': '[orange-over-purple]',
      name: 'other',
    })
    expect(spec.hyperparameters.learningRate).toEqual({value: 1e-5, source: 'ours'})
    expect(spec.dpo?.strategies).toEqual({value: ['orange-over-purple'], source: 'ours'})
    expect(spec.name).toBe('other')
  })

  test('a value with a source takes nothing over from the one that it replaces', async () => {
    const file = await written('extends: sft-full\nhyperparameters: {seed: {value: 7, source: paper}}\n')
    expect((await readSpec(file)).hyperparameters.seed).toEqual({value: 7, source: 'paper'})
    const note = {'hyperparameters.seed.note': 'as in the other run'}
    expect((await readSpec(file, note)).hyperparameters.seed).toEqual({
      value: 7,
      source: 'paper',
      note: Object.values(note)[0],
    })
  })

  test('epochs take steps away and steps epochs, and null any key', async () => {
    expect(valuesOf(await readSpec('dpo', {'hyperparameters.epochs': '2'}))).not.toHaveProperty('steps')
    expect(valuesOf(await readSpec('sft-full', {'hyperparameters.steps': '9'}))).not.toHaveProperty('epochs')
    expect((await readSpec('sft-full', {'hyperparameters.seed': 'null'})).hyperparameters.seed.note).toBe(
      'stock scripts of MindSpeed-LLM',
    )
  })

  test('a backend of another kind brings none of the keys of the one before', async () => {
    const base = await written(
      'extends: starter-sft\nbackend: {kind: slurm, time: "1:00:00", partition: npu}\n',
      'base',
    )
    const over = base.replace('base.yaml', 'over.yaml')
    await writeFile(over, 'extends: base.yaml\nbackend: {kind: local}\n')
    expect((await readSpec(over)).backend).toEqual({kind: 'local'})
    expect((await readSpec(base, {'backend.time': '"2:00:00"'})).backend).toMatchObject({
      time: '2:00:00',
      partition: 'npu',
    })
  })

  test('what is written down of a job with all its values reads as the same job', async () => {
    for (const name of ['dpo', 'sft-lora', 'starter-sft']) {
      const spec = await readSpec(name, {allow: '[rows-cut]', trainer: '{a: 1.0e-6, b: true, c: [x]}'})
      expect(await readSpec(await written(stringify(spec), 'spec'))).toEqual(spec)
    }
  })

  const refused: [string, string, Record<string, string>, string[]][] = [
    [
      'a string for a number',
      'extends: sft-full\nhyperparameters: {learningRate: "1e-6"}',
      {},
      ['hyperparameters.learningRate', 'expected number, received string', 'seen "1e-6"', 'mine.yaml'],
    ],
    [
      'a number out of range',
      'extends: sft-full',
      {'hyperparameters.globalBatch': '0'},
      ['hyperparameters.globalBatch', 'seen 0', 'in --set hyperparameters.globalBatch=0'],
    ],
    [
      'an unknown key',
      'extends: sft-full\nhyperparameters: {learningrate: 1.0e-6}',
      {},
      ['unknown key hyperparameters.learningrate', 'Did you mean hyperparameters.learningRate?'],
    ],
    [
      'an unknown key beside a value',
      'extends: sft-full\nhyperparameters: {seed: {value: 1, source: ours, not: x}}',
      {},
      ['unknown key hyperparameters.seed.not', 'Did you mean hyperparameters.seed.note?'],
    ],
    [
      'a source that is none',
      'extends: sft-full\nhyperparameters: {seed: {value: 1, source: guess}}',
      {},
      ['hyperparameters.seed.source', '"paper"|"inferred"|"ours"', 'seen "guess"'],
    ],
    ['a spec that is not shipped', 'extends: sft-ful', {}, ['There is no job sft-ful', 'Did you mean sft-full?']],
    ['a file that is not there', 'extends: other.yaml', {}, ['other.yaml cannot be read']],
    ['a ring', 'extends: mine.yaml', {}, ['a cycle', 'Remove `extends` from']],
    ['a method without its section', 'extends: sft-full', {method: 'dpo'}, ['dpo: required when `method` is dpo']],
    [
      'neither steps nor epochs',
      'extends: sft-full',
      {'hyperparameters.epochs': 'null'},
      ['exactly one of `steps` and `epochs`'],
    ],
  ]
  test.each(refused)('%s is refused with where it stands and what to do', async (_, text, set, expected) => {
    const error = await readSpec(await written(text), set).catch((error: Error & {fix: string}) => error)
    expect(error).toMatchObject({code: 'config-invalid'})
    const said = `${(error as Error).message} ${(error as {fix: string}).fix}`
    for (const part of expected) expect(said).toContain(part)
  })

  test('a value of a base is blamed on the base', async () => {
    const base = await written('extends: sft-full\nhyperparameters: {seed: x}\n', 'base')
    const over = base.replace('base.yaml', 'over.yaml')
    await writeFile(over, 'extends: base.yaml\ncheckpoints: {every: 3}\n')
    await expect(readSpec(over)).rejects.toThrow(/hyperparameters\.seed: .* in \S*base\.yaml/)
  })
})
