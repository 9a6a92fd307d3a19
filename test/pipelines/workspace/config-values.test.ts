import {describe, expect, test} from 'vitest'
import type {z} from 'zod'
import {fingerprint, TeacherProfile} from '../../../engine/llm/profile.ts'
import {Config, foldersOf, readConfig} from '../../../pipelines/workspace/config.ts'
import {JobSpec} from '../../../trainers/spec.ts'

/** `a.b.c` of a value, with another in its place. */
function withValue(whole: object, path: string, value: unknown): object {
  const [key = '', ...rest] = path.split('.')
  const before = (whole as Record<string, object>)[key] ?? {}
  return {...whole, [key]: rest.length === 0 ? value : withValue(before, rest.join('.'), value)}
}

function takes(schema: z.ZodType, whole: object, path: string, value: unknown): boolean {
  return schema.safeParse(withValue(whole, path, value)).success
}

const counts = [
  'limit',
  'executor.concurrency',
  'samples.candidatesPerTask',
  'samples.maxPairsPerTask',
  'samples.maxPairsPerChosen',
  'samples.maxUnpairedPerTask',
  'samples.callsPerType',
  'samples.questionsPerSection',
  'export.maxTokens',
  'export.maxPerFamily',
  'judge.queue',
  'serving.tensor',
  'serving.maxLength',
]

describe('a value of the configuration', () => {
  test.each(counts)('%s is a whole number from 1 on', (path) => {
    expect([1, 2, 1000].map((value) => takes(Config, {}, path, value))).toEqual([true, true, true])
    expect([0, -1, 1.5, '1'].map((value) => takes(Config, {}, path, value))).toEqual([false, false, false, false])
  })

  test.each<[string, unknown[], unknown[]]>([
    ['samples.faultsThatRun', [0, 0.5, 1], [-0.01, 1.01]],
    ['samples.severalFaults', [0, 0.5, 1], [-0.01, 1.01]],
    ['samples.sharePerPattern', [0.001, 1], [0, 1.01]],
    ['samples.pairStrategies', [['execution-fail']], [[], ['other']]],
    ['samples.languages', [['zh'], ['page', 'en']], [[], ['fr']]],
    ['general.languages', [['zh']], [[], ['page']]],
    ['general.minTokens', [0, 1], [-1, 0.5]],
    ['general.unicode', ['NFC', 'NFKC'], ['NFD']],
    [
      'general.perplexity',
      [
        {low: 0, high: 1},
        {low: 0.4, high: 0.5},
      ],
      [
        {low: 0.5, high: 0.5},
        {low: 0.6, high: 0.5},
      ],
    ],
    ['general.perplexity.low', [], [-0.1]],
    ['export.testFraction', [0, 0.5], [-0.01, 0.51]],
    ['export.share', [0.01, 1], [0, 1.01]],
    ['export.refuseOperatorsBy', [[], ['request'], ['name', 'dtype']], [['dtype'], ['other']]],
    ['export.licences', [['permissive'], {sft: ['MIT']}, {}], [[], [''], {other: ['MIT']}, {sft: []}]],
    ['export.mix', [{documentation: 1, code: 2}, {documentation: 0.5}], [{documentation: 0}, {other: 1}]],
    ['export.tokenizer', ['m'], ['']],
    ['export.views', [[]], [['other']]],
    ['judge.mostMib', [1, 1024], [0, 1025, 1.5]],
    ['judge.tokenVariable', ['T'], ['']],
    ['judge.reward.speed', [0, 1], [-1]],
    ['serving.port', [0, 65_535], [-1, 65_536, 1.5]],
    ['serving.python', ['p'], ['']],
    ['budget.tokens', [1], [0, 1.5]],
    ['budget.cost', [0.01], [0]],
    ['executor.sandbox', ['auto', 'bwrap', 'unshare', 'none-and-i-accept-the-risk'], ['none']],
    ['executor.recheck', ['failed', 'all', 'none'], ['some']],
    ['out', ['r'], ['']],
    ['cache', ['c'], ['']],
    ['seed', ['s'], ['']],
    ['sources.general', [], [[]]],
    ['samples.other', [], [1]],
    ['other', [], [1]],
  ])('%s takes %j and refuses %j', (path, taken, refused) => {
    for (const value of taken) expect(takes(Config, {}, path, value), JSON.stringify(value)).toBe(true)
    for (const value of refused) expect(takes(Config, {}, path, value), JSON.stringify(value)).toBe(false)
  })
})

describe('words of variables and flags', () => {
  const read = (env: Record<string, string>, flags: Record<string, string> = {}) =>
    readConfig({file: '/dev/null', env, flags})
  test('variables step into sections by two underscores and join words by one', async () => {
    const config = await read({
      ASCEND_COT_OUT: 'o',
      ASCEND_COT_EXPORT__MAX_TOKENS: '9',
      ASCEND_COT_JUDGE__REWARD__GREEN: '2',
      OTHER_OUT: 'x',
      ASCEND_COT: 'x',
    })
    expect([config.out, config.export.maxTokens, config.judge.reward.green]).toEqual(['o', 9, 2])
  })
  test('a fault is told in the words of who said it last, and long or secret texts are not repeated', async () => {
    const fault = (env: Record<string, string>, flags: Record<string, string>) =>
      read(env, flags).then(
        () => '',
        (error: unknown) => (error as {fix: string}).fix,
      )
    expect(await fault({ASCEND_COT_LIMIT: '0'}, {})).toBe('Fix the variable ASCEND_COT_LIMIT.')
    expect(await fault({ASCEND_COT_LIMIT: '5'}, {limit: '0'})).toBe('Fix --set limit=0.')
    expect(await fault({}, {limit: 'x'.repeat(40)})).toBe(`Fix --set limit=${'x'.repeat(40)}.`)
    expect(await fault({}, {limit: 'x'.repeat(41)})).toBe('Fix --set limit=….')
    expect(await fault({}, {'teachers.kernel.model': '3'})).toMatch(/^Fix --set teachers\.kernel\.model=…\./)
  })
  test('folders are found by the kind of source', async () => {
    const config = await read({}, {'sources.kernels': '[{root: /k}]'})
    expect(foldersOf(config, 'kernels')).toMatchObject([{root: '/k'}])
    expect(foldersOf(config, 'docs')).toBeUndefined()
    expect(foldersOf(Config.parse({}), 'kernels')).toBeUndefined()
  })
})

describe('a teacher', () => {
  const least = {model: 'm', baseUrl: 'http://h.example/v1'}
  test('that says nothing more', () => {
    expect(TeacherProfile.parse(least)).toEqual({
      ...least,
      maxTokens: 16_384,
      extraBody: {},
      stream: true,
      concurrency: 16,
      timeoutSeconds: 180,
      idleSeconds: 90,
      maxAttempts: 6,
      patienceSeconds: 3600,
      outageSeconds: 180,
      expectedCompletionTokens: 4096,
    })
  })

  test.each<[string, unknown[], unknown[]]>([
    ['temperature', [0, 2], [-0.1, 2.1]],
    ['topP', [0.1, 1], [0, 1.1]],
    ['maxTokens', [1], [0, 1.5]],
    ['concurrency', [1], [0, 1.5]],
    ['requestsPerMinute', [0.5], [0]],
    ['tokensPerMinute', [0.5], [0]],
    ['timeoutSeconds', [0.5, 300], [0, 301]],
    ['idleSeconds', [0.5, 300], [0, 301]],
    ['maxAttempts', [1], [0, 1.5]],
    ['patienceSeconds', [0.1], [0]],
    ['outageSeconds', [0.1], [0]],
    ['expectedCompletionTokens', [1], [0, 1.5]],
    ['model', ['m'], ['']],
    ['systemPrompt', ['s'], ['']],
    [
      'baseUrl',
      ['https://h/v1', 'http://127.0.0.1:8000'],
      ['ftp://h/v1', 'h/v1', 'http://u@h/v1', 'http://u:p@h/v1', 'http://h/v1?key=1', 'http://h/v1#a'],
    ],
    [
      'apiKeyEnv',
      ['MY_KEY', '_k', 'A1', 'DEEPSEEK_API_KEY', 'abcdefghijklmnop', 'A23456789012345678', 'abcdefghijklm1'],
      ['1KEY', 'MY KEY', '', 'sk-1', 'abcdefghijklmno1', 'MY_abcdefghijklmno1'],
    ],
    [
      'price',
      [{promptPerMillion: 0, completionPerMillion: 0, currency: 'USD'}],
      [
        {promptPerMillion: -1, completionPerMillion: 0, currency: 'USD'},
        {promptPerMillion: 0, completionPerMillion: -1, currency: 'USD'},
        {promptPerMillion: 0, completionPerMillion: 0, currency: 'usd'},
        {promptPerMillion: 0, completionPerMillion: 0, currency: 'USDT'},
      ],
    ],
  ])('%s takes %j and refuses %j', (path, taken, refused) => {
    for (const value of taken) expect(takes(TeacherProfile, least, path, value), JSON.stringify(value)).toBe(true)
    for (const value of refused) expect(takes(TeacherProfile, least, path, value), JSON.stringify(value)).toBe(false)
  })

  test('its replies depend on what shapes them, and on no limit', () => {
    const of = (more: object) => fingerprint(TeacherProfile.parse({...least, ...more}))
    for (const shaping of [
      {model: 'n'},
      {baseUrl: 'http://other.example/v1'},
      {temperature: 0.5},
      {topP: 0.5},
      {maxTokens: 5},
      {systemPrompt: 's'},
      {extraBody: {a: 1}},
    ])
      expect(of(shaping), JSON.stringify(shaping)).not.toBe(of({}))
    for (const other of [
      {baseUrl: 'http://h.example/v1/'},
      {stream: false},
      {concurrency: 1},
      {timeoutSeconds: 1},
      {maxAttempts: 1},
      {patienceSeconds: 1},
      {price: {promptPerMillion: 1, completionPerMillion: 1, currency: 'USD'}},
      {expectedCompletionTokens: 1},
    ])
      expect(of(other), JSON.stringify(other)).toBe(of({}))
  })
})

describe('a training job', () => {
  const least = {
    name: 'job-1',
    method: 'sft',
    engine: 'trl',
    model: {name: 'a/b'},
    data: {source: 'runs/dataset', config: 'sft'},
    tuning: {kind: 'full'},
    hyperparameters: {
      learningRate: 1e-5,
      schedule: 'cosine',
      warmupRatio: 0.1,
      microBatch: 1,
      globalBatch: 8,
      epochs: 1,
      weightDecay: 0.1,
      gradientClip: 1,
      maxLength: 4096,
    },
    hardware: {accelerator: 'cpu'},
  }
  const ours = <T>(value: T) => ({value, source: 'ours'})

  test('that says nothing more', () => {
    const script = (note: string) => ({source: 'inferred', note})
    const stock = script('stock SFT script of MindSpeed-LLM')
    const lora = script('stock LoRA script of MindSpeed-LLM for Qwen3')
    expect(JobSpec.parse(least)).toEqual({
      name: 'job-1',
      description: '',
      method: 'sft',
      engine: 'trl',
      model: {name: ours('a/b'), thinking: ours(true)},
      data: {source: 'runs/dataset', config: 'sft', split: 'train', without: ours([]), share: ours(1)},
      tuning: {kind: ours('full'), rank: {value: 16, ...lora}, alpha: {value: 32, ...lora}, dropout: ours(0)},
      hyperparameters: {
        learningRate: ours(1e-5),
        schedule: ours('cosine'),
        minLearningRate: ours(0),
        warmupRatio: ours(0.1),
        microBatch: ours(1),
        globalBatch: ours(8),
        epochs: ours(1),
        weightDecay: ours(0.1),
        gradientClip: ours(1),
        adamBeta1: {value: 0.9, ...stock},
        adamBeta2: {value: 0.95, ...stock},
        maxLength: ours(4096),
        precision: ours('bf16'),
        gradientCheckpointing: ours(true),
        seed: {value: 42, ...script('stock scripts of MindSpeed-LLM')},
      },
      parallel: {tensor: ours(1), pipeline: ours(1), context: ours(1), expert: ours(1), sharding: ours('none')},
      hardware: {accelerator: 'cpu', nodes: 1, devicesPerNode: 1, memoryGib: 0},
      environment: {python: 'python3', setup: [], variables: {}},
      backend: {kind: 'local'},
      checkpoints: {every: 50, keep: 3},
      trainer: {},
      allow: [],
    })
    const {dpo, kto, grpo} = JobSpec.parse({
      ...least,
      dpo: {beta: 0.1},
      kto: {beta: 0.1},
      grpo: {judge: 'http://h/', generations: 4, maxCompletionLength: 99},
    })
    expect(dpo).toEqual({beta: ours(0.1), loss: ours('sigmoid'), likelihoodWeight: ours(0), strategies: ours([])})
    expect(kto).toEqual({beta: ours(0.1), desirableWeight: ours(1), undesirableWeight: ours(1)})
    expect(grpo).toEqual({
      judge: 'http://h/',
      generations: ours(4),
      maxCompletionLength: ours(99),
      temperature: ours(1),
      beta: ours(0),
    })
  })

  test.each<[string, unknown[], unknown[]]>([
    ['name', ['a', 'a-1'], ['A', 'a_b', '-a', 'a--b', '']],
    ['model.name', ['m'], ['']],
    ['data.source', ['d'], ['']],
    ['data.share', [0.01, 1], [0, 1.1]],
    ['data.sha256', ['a'.repeat(64)], ['a'.repeat(63), 'g'.repeat(64)]],
    ['tuning.rank', [1], [0, 1.5]],
    ['tuning.alpha', [1], [0]],
    ['tuning.dropout', [0, 1], [-0.1, 1.1]],
    ['hyperparameters.learningRate', [1e-6, 1], [0, 1.1]],
    ['hyperparameters.minLearningRate', [0, 1], [-0.1, 1.1]],
    ['hyperparameters.warmupRatio', [0, 1], [-0.1, 1.1]],
    ['hyperparameters.microBatch', [1], [0, 1.5]],
    ['hyperparameters.globalBatch', [1], [0]],
    ['hyperparameters.weightDecay', [0, 1], [-0.1, 1.1]],
    ['hyperparameters.gradientClip', [0.1], [0]],
    ['hyperparameters.adamBeta1', [0, 1], [1.1]],
    ['hyperparameters.adamBeta2', [0, 1], [1.1]],
    ['hyperparameters.maxLength', [1], [0]],
    ['hyperparameters.seed', [0, 1], [-1, 0.5]],
    ['hyperparameters.epochs', [0.5], [0]],
    ['hyperparameters.steps', [], [5]],
    ['dpo', [{beta: 0.1}, {beta: 0.1, likelihoodWeight: 0}], [{}, {beta: 0}, {beta: 0.1, likelihoodWeight: -1}]],
    ['kto', [{beta: 0.1}], [{beta: 0}, {beta: 1, desirableWeight: 0}, {beta: 1, undesirableWeight: 0}]],
    [
      'grpo',
      [{judge: 'http://h', generations: 2, maxCompletionLength: 1, beta: 0}],
      [
        {judge: 'h', generations: 2, maxCompletionLength: 1},
        {judge: 'http://h', generations: 1, maxCompletionLength: 1},
        {judge: 'http://h', generations: 2, maxCompletionLength: 0},
        {judge: 'http://h', generations: 2, maxCompletionLength: 1, temperature: 0},
        {judge: 'http://h', generations: 2, maxCompletionLength: 1, beta: -1},
      ],
    ],
    ['parallel.tensor', [1], [0]],
    ['hardware.nodes', [1], [0]],
    ['hardware.devicesPerNode', [1], [0]],
    ['hardware.memoryGib', [0, 64], [-1]],
    ['checkpoints.every', [1], [0]],
    ['checkpoints.keep', [1], [0]],
    ['environment.variables', [{A_1: 'x'}], [{a: 'x'}, {'1A': 'x'}]],
    [
      'backend',
      [
        {kind: 'slurm', time: '1:00', options: ['--x']},
        {kind: 'kubernetes', form: 'volcano', image: 'i'},
      ],
      [
        {kind: 'slurm', time: '1:00', options: ['x']},
        {kind: 'slurm'},
        {kind: 'kubernetes', form: 'volcano', image: ''},
      ],
    ],
    ['method', ['sft'], ['dpo', 'kto', 'grpo', 'other']],
    ['other', [], [1]],
  ])('%s takes %j and refuses %j', (path, taken, refused) => {
    for (const value of taken) expect(takes(JobSpec, least, path, value), JSON.stringify(value)).toBe(true)
    for (const value of refused) expect(takes(JobSpec, least, path, value), JSON.stringify(value)).toBe(false)
  })

  test('a job says what its method needs, and steps or epochs', () => {
    const issues = (over: object) =>
      JobSpec.safeParse({...least, ...over}).error?.issues.map(({path, message}) => `${path.join('.')}: ${message}`)
    expect(issues({method: 'dpo'})).toEqual(['dpo: required when `method` is dpo'])
    const {epochs: _, ...rest} = least.hyperparameters
    const both = 'hyperparameters.steps: exactly one of `steps` and `epochs`'
    expect(issues({hyperparameters: rest})).toEqual([both])
    expect(issues({hyperparameters: {...least.hyperparameters, steps: 3}})).toEqual([both])
    expect(issues({hyperparameters: {...rest, steps: 3}})).toBeUndefined()
  })
})
