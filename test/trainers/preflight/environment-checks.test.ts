import {describe, expect, test} from 'vitest'
import type {CheckedJob, JobFacts} from '../../../trainers/preflight/checked-job.ts'
import {environmentChecks} from '../../../trainers/preflight/environment-checks.ts'
import {readSpec} from '../../../trainers/read-spec.ts'
import {sound} from '../checked-jobs.ts'

async function found(set: Record<string, string>, facts: Partial<JobFacts> = {}) {
  const spec = await readSpec('starter-sft', set)
  const job = {plan: {spec}, facts: {...sound, keys: [], ...facts}} as unknown as CheckedJob
  return environmentChecks(job).map(({code, severity, message, fix}) => [code, severity, message, fix])
}

const having = (...names: string[]): Partial<JobFacts> => ({
  probe: {versions: Object.fromEntries(names.map((name) => [name, '1'])), keys: null},
})

describe('the environment of a trainer', () => {
  test('that nobody asked is told of', async () => {
    expect(await found({'environment.python': 'py'}, {probe: null})).toEqual([
      [
        'environment-unasked',
        'warning',
        'The versions and keys of py were not checked.',
        'Set environment.python=<path> to the interpreter of the trl environment.',
      ],
    ])
  })

  test('that an image brings is asked by nobody', async () => {
    const backend = '{kind: kubernetes, form: volcano, image: i}'
    expect(await found({backend}, {probe: null})).toEqual([])
  })

  const full = {'tuning.kind': 'full'}
  const lora = {'tuning.kind': 'lora'}
  const ascend = {'hardware.accelerator': 'ascend'}
  test.each<[Record<string, string>, string[]]>([
    [full, ['trl', 'torch']],
    [lora, ['trl', 'peft', 'torch']],
    [{...full, ...ascend}, ['trl', 'torch-npu']],
    [{...full, 'parallel.sharding': 'zero2'}, ['trl', 'deepspeed', 'torch']],
    [{...full, 'parallel.sharding': 'zero3'}, ['trl', 'deepspeed', 'torch']],
    [{...full, 'parallel.sharding': 'fsdp2'}, ['trl', 'torch']],
    [{...lora, engine: 'llama-factory'}, ['llamafactory', 'torch']],
    [{...lora, engine: 'ms-swift'}, ['ms-swift', 'torch']],
    [{...full, ...ascend, engine: 'mindspeed-llm'}, ['torch-npu']],
  ])('for %j needs the packages %j', async (set, packages) => {
    expect(await found(set, having(...packages))).toEqual([])
    const [first = '', ...others] = packages
    const all = {...set, 'environment.python': 'py'}
    const install = (names: string[]) => [
      ...['trainer-missing', 'error', `py has no ${names.join(', ')}, which this job needs.`],
      `py -m pip install ${names.join(' ')}; or set environment.python=<path>.`,
    ]
    expect(await found(all, having(...others))).toEqual([install([first])])
    expect(await found(all, having())).toEqual([install(packages)])
  })

  test('knows the keys that it is given', async () => {
    const probe = {versions: sound.probe?.versions ?? {}, keys: ['learning_rate', 'max_length']}
    expect(await found({}, {probe, keys: ['learning_rate', 'max_length']})).toEqual([])
    const set = {trainer: '{max_lenght: 3, learning_rate: 1}'}
    expect(await found(set, {probe, keys: ['learning_rate', 'zzz']})).toEqual([
      ['key-unknown', 'error', 'The installed trl has no key zzz.', 'Remove it, or install another version.'],
      ['key-unknown', 'error', 'The installed trl has no key max_lenght (`trainer`).', 'Did you mean max_length?'],
    ])
    expect(await found(set, {probe: {...probe, keys: null}, keys: ['zzz']})).toEqual([])
  })

  test('is given numbers as numbers', async () => {
    const fix = 'Write it without quotes and with a decimal point: 1.0e-6.'
    const message = (key: string, text: string) => `trainer.${key} is the text "${text}", not a number.`
    const trainer = '{a: "1e-6", b: " 3 ", c: "", d: " ", e: "x", f: 4, g: true, h: "Infinity"}'
    expect(await found({trainer}, having('trl', 'peft', 'torch'))).toEqual([
      ['number-as-text', 'error', message('a', '1e-6'), fix],
      ['number-as-text', 'error', message('b', ' 3 '), fix],
    ])
  })
})

describe('devices', () => {
  const two = {'hardware.accelerator': 'nvidia', 'hardware.devicesPerNode': '2'}
  const short = (shown: string, instead: string) => [
    [
      ...['devices-short', 'error'],
      `This machine shows ${shown} (nvidia), but \`hardware\` requires 2.`,
      `Use --set hardware.${instead}, or run it elsewhere (--set backend.kind=slurm or kubernetes).`,
    ],
  ]

  test('are as many as are asked for, or more', async () => {
    expect(await found(two, {devices: 2})).toEqual([])
    expect(await found(two, {devices: 3})).toEqual([])
    expect(await found(two, {devices: 1})).toEqual(short('1 device', 'devicesPerNode=1'))
    expect(await found(two, {devices: 0})).toEqual(short('no devices', 'accelerator=cpu'))
  })

  test('are counted where the job runs, and not of a processor', async () => {
    expect(await found(two, {devices: null})).toEqual([])
    expect(await found({...two, 'hardware.accelerator': 'cpu'}, {devices: 1})).toEqual([])
    expect(await found({...two, backend: '{kind: slurm, time: "1:00"}'}, {devices: 1})).toEqual([])
  })
})
