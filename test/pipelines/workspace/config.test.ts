import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {readConfig} from '../../../pipelines/workspace/config.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

async function fileWith(text: string): Promise<string> {
  const file = join(await temporaryFolder(), 'ascend-cot.yaml')
  writeFileSync(file, text)
  return file
}

describe('the configuration', () => {
  test('takes flags over the environment over the file over defaults', async () => {
    const file = await fileWith('out: from-file\nseed: from-file\nbudget: {tokens: 1}\n')
    const config = await readConfig({
      file,
      env: {ASCEND_COT_SEED: 'from-env', ASCEND_COT_BUDGET__TOKENS: '2'},
      flags: {'budget.tokens': '3'},
    })
    expect(config).toMatchObject({out: 'from-file', seed: 'from-env', budget: {tokens: 3}, cache: '.ascend-cot'})
  })

  test('joins words of a variable into one key', async () => {
    const config = await readConfig({file: await fileWith(''), env: {ASCEND_COT_SAMPLES__CANDIDATES_PER_TASK: '5'}})
    expect(config.samples).toMatchObject({candidatesPerTask: 5, maxPairsPerTask: 8, callsPerType: 2})
  })

  test('has the Python beside the boards as it was named', async () => {
    const file = await fileWith('executor: {python: python3}\n')
    expect((await readConfig({file, env: {}})).executor.python).toBe('python3')
    const config = await readConfig({file, env: {ASCEND_COT_EXECUTOR__PYTHON: '/opt/npu/bin/python'}})
    expect(config.executor).toMatchObject({kind: 'twin', python: '/opt/npu/bin/python'})
  })

  test('names an unknown key by its whole path', async () => {
    const file = await fileWith('executor: {compilr: clang-15}\n')
    await expect(readConfig({file, env: {}})).rejects.toMatchObject({
      code: 'config-invalid',
      message: `The configuration is not valid: unknown key executor.compilr in ${file}`,
      fix: 'Did you mean executor.compiler?',
    })
  })

  test('says what a value should have been', async () => {
    const file = await fileWith('export: {testFraction: 2}\n')
    await expect(readConfig({file, env: {}})).rejects.toThrow('export.testFraction: Too big')
  })

  test('refuses broken YAML with the place', async () => {
    await expect(readConfig({file: await fileWith('out: [unclosed\n'), env: {}})).rejects.toThrow(
      /not valid YAML.*line 2/s,
    )
    const text = 'teachers:\n  a: {baseUrl: "https://me:pass-word-123@host/v1}\n'
    const error: unknown = await readConfig({file: await fileWith(text), env: {}}).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({message: expect.stringMatching(/not valid YAML.*line 3/) as string})
    expect((error as Error).message).not.toContain('pass-word')
  })

  test('refuses a named file that does not exist', async () => {
    await expect(readConfig({file: '/nowhere/x.yaml', env: {}})).rejects.toMatchObject({
      code: 'config-invalid',
      fix: 'Check the path given with --config.',
    })
  })

  test('does not take other variables for configuration', async () => {
    await expect(
      readConfig({file: await fileWith(''), env: {ASCEND_HOME_PATH: '/usr/local/Ascend', PATH: '/bin'}}),
    ).resolves.toMatchObject({out: 'runs'})
  })
})

test('keys that name parts of the data set are told from those that do not', async () => {
  const given = (flags: Record<string, string>) => readConfig({env: {}, flags})
  await expect(given({'export.mix': '{documentaton: 1}'})).rejects.toThrow(
    /export.mix: .*expected one of documentation, kernel/,
  )
  await expect(given({'export.licences': '{sftt: [MIT]}'})).rejects.toThrow(
    /export.licences: .*expected one of sft, dpo/,
  )
  const {export: options} = await given({
    'export.mix': '{code: 2, documentation: 1}',
    'export.licences': '{sft: [MIT]}',
  })
  expect(options).toMatchObject({mix: {code: 2, documentation: 1}, licences: {sft: ['MIT']}, share: 1})
})

const defaults = {
  out: 'runs',
  cache: '.ascend-cot',
  seed: 'ascend-cot',
  teachers: {},
  sources: {benchmarks: []},
  workers: {
    namespace: 'default',
    options: [],
    passwordVariable: 'QUEUE_PASSWORD',
    priority: 0,
    recordsPerBatch: 64,
    recordsPerShare: 2000,
    silenceSeconds: 30,
    volumes: {},
  },
  executor: {kind: 'twin', sandbox: 'auto', soc: 'Ascend910_9392', concurrency: 2, recheck: 'failed', confirm: 'none'},
  budget: {},
  judge: {
    reward: {kind: 'labels', green: 1, orange: 0.3, purple: 0, unreadable: -0.1, decoy: -0.1, speed: 0},
    queue: 4096,
    mostMib: 32,
    tokenVariable: 'JUDGE_TOKEN',
  },
  serving: {port: 8000, tensor: 1},
  samples: {
    candidatesPerTask: 12,
    candidatesFrom: [],
    faultsThatRun: 0.5,
    severalFaults: 0.2,
    maxPairsPerTask: 8,
    maxPairsPerChosen: 2,
    pairDistance: 'far',
    maxUnpairedPerTask: 12,
    pairStrategies: ['execution-fail', 'compile-fail'],
    callsPerType: 2,
    counterfactuals: 4,
    workedQuestions: 2,
    craftedDesigns: 200,
    craftedSteps: 24,
    languages: ['page'],
    questionsPerSection: 4,
    deviceShare: 0.6,
    sharePerPattern: 0.02,
  },
  general: {languages: ['zh', 'en'], unicode: 'NFC', minTokens: 64, perplexity: {low: 0.002, high: 0.98}},
  export: {
    codec: 'zstd',
    testFraction: 0.05,
    maxTokens: 32_768,
    maxPerFamily: 8,
    maxRepeated: 0.8,
    refuseOperatorsBy: ['request'],
    views: [],
    window: 32_768,
    arrow: false,
    share: 1,
    refuseMarked: ['false'],
    rejected: 'releases',
  },
}

describe('without a word from the user', () => {
  test('every setting has the value that the reference names', async () => {
    expect(await readConfig({file: await fileWith(''), env: {}})).toEqual(defaults)
  })

  test('a section that is named and left empty means the same as one that is not named', async () => {
    const sections = ['budget', 'sources', 'executor', 'judge', 'serving', 'samples', 'general', 'export']
    const file = await fileWith(sections.map((name) => `${name}: {}\n`).join(''))
    expect(await readConfig({file, env: {}})).toEqual(await readConfig({file: await fileWith(''), env: {}}))
  })
})

describe('numbers are taken up to their limit and refused beyond it', () => {
  const limits: [key: string, taken: readonly string[], refused: readonly string[]][] = [
    ['limit', ['1'], ['0', '1.5']],
    ['executor.concurrency', ['1'], ['0']],
    ['executor.python', ['python3'], ['""', '3']],
    [
      'workers.on',
      ['folder', 'slurm:1', 'kubernetes:99999', 'redis://host', 'rediss://host:1'],
      ['slurm:0', 'slurm:100000', 'slurm:', 'redis://', 'redis://:secret@host', 'other:1'],
    ],
    ['workers.silenceSeconds', ['4', '3600'], ['3', '3601', '4.5']],
    ['samples.candidatesPerTask', ['1'], ['0']],
    ['samples.faultsThatRun', ['0', '1'], ['-0.1', '1.1']],
    ['samples.severalFaults', ['0', '1'], ['-0.1', '1.1']],
    ['samples.sharePerPattern', ['0.001', '1'], ['0', '1.1']],
    ['samples.deviceShare', ['0', '0.95'], ['-0.1', '0.96']],
    ['samples.workedQuestions', ['0', '4'], ['-1', '1.5']],
    ['samples.craftedDesigns', ['1'], ['0', '1.5']],
    ['samples.craftedSteps', ['1'], ['0', '1.5']],
    ['samples.languages', ['[zh]'], ['[]', '[fr]']],
    ['samples.pairStrategies', ['[compile-fail]'], ['[]']],
    ['general.minTokens', ['0'], ['-1']],
    ['general.languages', ['[en]'], ['[]']],
    [
      'general.perplexity',
      ['{low: 0, high: 1}'],
      ['{low: 0.5, high: 0.5}', '{low: 0, high: 1.1}', '{low: -1, high: 1}'],
    ],
    ['export.testFraction', ['0', '0.5'], ['-0.01', '0.51']],
    ['export.maxTokens', ['1'], ['0']],
    ['export.maxPerFamily', ['1'], ['0']],
    ['export.maxRepeated', ['0', '1'], ['-0.1', '1.1']],
    ['export.share', ['0.001', '1'], ['0', '1.1']],
    ['export.mix', ['{code: 0.1}'], ['{code: 0}']],
    ['export.refuseOperatorsBy', ['[]', '[name, dtype]'], ['[dtype]']],
    ['judge.queue', ['1'], ['0']],
    ['judge.mostMib', ['1', '1024'], ['0', '1025']],
    ['serving.port', ['0', '65535'], ['-1', '65536']],
    ['serving.tensor', ['1'], ['0']],
    ['serving.maxLength', ['1'], ['0']],
  ]
  test.each(limits)('%s', async (key, taken, refused) => {
    for (const text of taken) await expect(readConfig({env: {}, flags: {[key]: text}})).resolves.toBeDefined()
    for (const text of refused)
      await expect(readConfig({env: {}, flags: {[key]: text}}), text).rejects.toMatchObject({code: 'config-invalid'})
  })
})

test('a fault repeats what a flag said up to forty characters, and never what is said of a teacher', async () => {
  const told = async (path: string, text: string) =>
    String(await readConfig({env: {}, flags: {[path]: text}}).catch((error: unknown) => error))
  const forty = `"${'x'.repeat(38)}"`
  expect(await told('limit', forty)).toContain(forty)
  expect(await told('limit', `"${'x'.repeat(39)}"`)).toMatch(/, in --set limit=…$/)
  expect(await told('teachers.a', 'secret')).not.toContain('secret')
})
