import {existsSync} from 'node:fs'
import {mkdir, mkdtemp, readFile, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {asyncBufferFromFile, parquetReadObjects} from 'hyparquet'
import {compressors} from 'hyparquet-compressors'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {ColumnType} from '../../datasets/parquet/column-types.ts'
import mix from '../../datasets/mix.ts'
import {createParquetFile} from '../../datasets/parquet/parquet-file.ts'
import type {CotSample} from '../../datasets/schema/sample.ts'
import {type EarlierJob, readShape} from '../../trainers/find-model.ts'
import {makePlan, writeRows, type PlanWorld} from '../../trainers/make-plan.ts'
import {preflight} from '../../trainers/preflight/preflight.ts'
import {readSpec} from '../../trainers/read-spec.ts'
import {walk} from '../../engine/files.ts'
import {collect, recordingContext, sftRow, stream} from '../datasets/rows.ts'
import {addCommit, newRepository, sha256, type StoredFile} from '../helpers/hub-repository.ts'
import {testHub} from '../helpers/hub-server.ts'
import {temporaryFolder} from '../helpers/temporary.ts'
import {assistant, sound} from './checked-jobs.ts'
import {dataset, modelFolder, planWorld, qwen3Config, samples} from './job-world.ts'

let source: string
beforeAll(async () => {
  source = await dataset(await mkdtemp(join(tmpdir(), 'plan-')))
})
afterAll(() => rm(source, {recursive: true, force: true}))

async function parquetFile(
  path: string,
  columns: readonly {name: string; type: ColumnType}[],
  row: (at: number) => Record<string, unknown>,
): Promise<void> {
  await mkdir(dirname(path), {recursive: true})
  const file = await createParquetFile(path, columns, {codec: 'zstd', rowGroupBytes: 1e6, rowGroupRows: 100})
  for (let at = 0; at < 40; at += 1) await file.write(row(at))
  await file.finish()
  await file.publish(path)
}

async function planned(name: string, set: Record<string, string> = {}, over: Partial<PlanWorld> = {}) {
  const model: Record<string, string> = name.startsWith('dpo') ? {'model.name': await modelFolder()} : {}
  return makePlan(await readSpec(name, {'data.source': source, ...model, ...set}), await planWorld(over))
}

const ids = async (job: Awaited<ReturnType<typeof planned>>) =>
  (await collect(job.rows.read())).map(({id}) => id as string)

describe('rows', () => {
  test('are those of the data set, in its order, with their hash and that of the manifest', async () => {
    const {plan, rows} = await planned('sft-full')
    expect(plan.data).toMatchObject({rows: 80, sha256: rows.sha256})
    expect(plan.data.manifest).toMatch(/^[0-9a-f]{64}$/)
    expect((await collect(rows.read())).map(({prompt}) => (prompt as {content: string}[])[0]?.content)).toEqual(
      samples().map(({prompt}) => prompt),
    )
  })

  test('of a share are those that the export takes, and a smaller share is a part of a larger', async () => {
    const shares = [0.25, 0.5, 0.75]
    const kept = await Promise.all(
      shares.map(async (share) => ids(await planned('sft-8b', {'data.share': `${share}`}))),
    )
    for (const [index, share] of shares.entries()) {
      const context = {...recordingContext(), directory: await temporaryFolder()}
      const exported = await collect(mix({share}).run(stream(samples().map((one) => sftRow(one))), context))
      expect(kept[index]).toEqual(exported.map(({id}) => id))
      expect(Math.abs((kept[index]?.length ?? 0) - share * 80)).toBeLessThanOrEqual(2)
      const larger = new Set(kept[index + 1] ?? kept[index])
      expect(kept[index]?.filter((id) => !larger.has(id))).toEqual([])
    }
  })

  test('of a share of data that others made are taken by question', async () => {
    const others = await temporaryFolder()
    const turn = {role: 'string', content: 'string'} as const
    const columns = ['prompt', 'completion'].map((name) => ({name, type: {list: {struct: turn}}}))
    await parquetFile(join(others, 'data/sft/train-0.parquet'), columns, (at) => ({
      prompt: [{role: 'user', content: `question ${at % 20}`}],
      completion: [{role: 'assistant', content: `answer ${at}`}],
    }))
    const {rows} = await planned('sft-8b', {'data.source': others, 'data.share': '0.5'})
    const asked = (await collect(rows.read())).map(({prompt}) => JSON.stringify(prompt))
    expect([asked.length, new Set(asked).size]).toEqual([20, 10])
  })

  test('can be without kinds and of some strategies', async () => {
    const kinds = await collect((await planned('sft-8b', {'data.without': '[documentation, project]'})).rows.read())
    expect(kinds.map(({kind}) => kind)).toEqual(Array(25).fill('kernel'))
    const pairs = await collect((await planned('dpo-8b-compile-fail-cosine')).rows.read())
    expect(pairs.map(({strategy}) => strategy)).toEqual(Array(4).fill('compile-fail'))
  })

  test('for a reward are each task once', async () => {
    const grpo = '{judge: "http://localhost:1", generations: 2, maxCompletionLength: 64}'
    const {plan, rows} = await planned('starter-sft', {method: 'grpo', 'data.config': 'dpo', grpo})
    expect(plan.data.rows).toBe(6)
    await writeRows({plan, rows})
    expect((await written(plan.data.files[0]))[0]).toMatchObject({task_id: 'task-0', prompt: [{role: 'user'}]})
    // TRL hands columns over by name: the client's own must be among them.
    const client = await readFile('eval/serve/python/ascend_cot_judge/trl.py', 'utf8')
    expect(client).toMatch(/def judge_reward\(completions: [^,]+, task_id: /)
  })

  test('as a view without think blocks are checked, hashed and written without them', async () => {
    const unthinking = {'model.thinking': 'false'}
    for (const [name, columns] of [
      ['sft-8b', ['completion']],
      ['dpo-8b-compile-fail-cosine', ['chosen', 'rejected']],
    ] as const) {
      const [whole, viewed] = [
        await planned(name, unthinking),
        await planned(name, {...unthinking, 'data.view': 'no-think'}),
      ]
      const codes = async (job: typeof whole) => (await preflight(job, sound)).findings.map(({code}) => code)
      expect([await codes(whole), await codes(viewed)]).toEqual([
        expect.arrayContaining(['think-as-text']),
        expect.not.arrayContaining(['think-as-text']),
      ])
      expect(viewed.plan.data.sha256).not.toBe(whole.plan.data.sha256)
      expect([viewed.plan.id === whole.plan.id, viewed.rows.count]).toEqual([false, whole.rows.count])
      const before = await collect(whole.rows.read())
      const after = await collect(viewed.rows.read())
      const text = (row: Record<string, unknown>, column: string) =>
        (row[column] as {content: string}[])[0]?.content ?? ''
      for (const [at, row] of before.entries())
        for (const column of columns) {
          expect(text(row, column)).toMatch(/^<think>/)
          expect(after[at]?.[column]).toEqual(assistant(text(row, column).split('</think>\n\n')[1] ?? ''))
        }
      expect(after.map(({id, prompt}) => [id, prompt])).toEqual(before.map(({id, prompt}) => [id, prompt]))
      await writeRows(viewed)
      expect(JSON.stringify(await written(viewed.plan.data.files[0]))).not.toContain('think>')
    }
  })

  test('have a hash that follows from what is trained on, and from nothing else', async () => {
    const hash = async (set: Record<string, string>) => (await planned('sft-8b', set)).plan.data.sha256
    const whole = await hash({})
    expect(await hash({engine: 'trl', 'parallel.tensor': '1', 'parallel.context': '1'})).toBe(whole)
    expect(await hash({'data.share': '0.5'})).not.toBe(whole)
    const other = async (over: Partial<CotSample>) => {
      const rows = samples().map((one, at) => sftRow(at === 7 ? {...one, ...over} : one))
      return hash({'data.source': await dataset(await temporaryFolder(), {sft: rows})})
    }
    expect(await other({stages: {'documentation-cot': 9}})).toBe(whole)
    expect(await other({answer: 'Another one.'})).not.toBe(whole)
    await expect(planned('sft-8b', {'data.sha256': whole})).resolves.toBeDefined()
    await expect(planned('sft-8b', {'data.sha256': 'f'.repeat(64)})).rejects.toMatchObject({
      code: 'input-invalid',
      message: expect.stringContaining(`the hash ${whole}, expected ffff`) as string,
    })
  })
})

async function written(path = ''): Promise<Record<string, unknown>[]> {
  return parquetReadObjects({file: await asyncBufferFromFile(path), compressors})
}

describe('what a trainer is given', () => {
  const forms: [string, string, string, string[]][] = [
    ['trl', 'starter-sft', 'sft', ['id', 'prompt', 'completion']],
    ['trl', 'starter-dpo', 'dpo', ['id', 'prompt', 'chosen', 'rejected']],
    ['llama-factory', 'starter-sft', 'sft', ['id', 'messages']],
    ['llama-factory', 'starter-dpo', 'dpo', ['id', 'messages', 'chosen', 'rejected']],
    ['mindspeed-llm', 'starter-sft', 'sft', ['id', 'instruction', 'input', 'output']],
    ['mindspeed-llm', 'starter-dpo', 'dpo', ['id', 'system', 'question', 'chosen', 'rejected']],
    ['ms-swift', 'starter-sft', 'sft', ['id', 'messages', 'channel']],
    ['ms-swift', 'starter-dpo', 'dpo', ['id', 'messages', 'rejected_response']],
  ]
  test.each(forms)('%s, %s', async (engine, name, config, columns) => {
    const job = await planned(name, {engine, 'data.config': config, 'model.name': await modelFolder()})
    expect(existsSync(job.plan.folder)).toBe(false)
    await writeRows(job)
    const rows = await written(job.plan.data.files[0])
    expect(rows).toHaveLength(job.plan.data.rows)
    expect(Object.keys(rows[0] ?? {})).toEqual(columns)
    expect(rows.flatMap(Object.values).filter((cell) => cell === null || cell === undefined)).toEqual([])
    const first = await readFile(job.plan.data.files[0] ?? '')
    await writeRows(job)
    expect(first.equals(await readFile(job.plan.data.files[0] ?? ''))).toBe(true)
  })

  test('a method that a trainer has no form for is refused', async () => {
    const set = {engine: 'ms-swift', method: 'kto', kto: '{beta: 0.1}'}
    await expect(planned('starter-sft', set)).rejects.toThrow('kto is not supported here with ms-swift')
  })
})

describe('a job', () => {
  test('is called by what it trains, and neither by where nor by when it runs', async () => {
    const world = await planWorld()
    const idOf = async (set: Record<string, string>) =>
      (await makePlan(await readSpec('sft-full', {'data.source': source, ...set}), world)).plan.id
    const id = await idOf({})
    expect(id).toMatch(/^sft-full-[0-9a-f]{8}$/)
    expect(await idOf({'environment.python': '/x/python', allow: '[a]', 'checkpoints.every': '7'})).toBe(id)
    for (const [key, value] of Object.entries({
      'hyperparameters.learningRate': '2.0e-6',
      'data.share': '0.5',
      'model.name': 'Qwen/Qwen3-8B',
      'hardware.nodes': '4',
      trainer: '{x: 1}',
    }))
      expect(await idOf({[key]: value}), key).not.toBe(id)
  })
})

test('a job that is taken up again keeps its name and place', async () => {
  const resumed = {id: 'sft-8b-1', folder: '/a/sft-8b-1', output: '/b', checkpoint: '/b/checkpoint-2'}
  const spec = await readSpec('sft-8b', {'data.source': source})
  const {plan} = await makePlan(spec, await planWorld(), resumed)
  const {id, folder, output, resume, data} = plan
  expect({id, folder, output, checkpoint: resume}).toEqual(resumed)
  expect(data.files).toEqual(['/a/sft-8b-1/data/train.parquet'])
})

describe('models', () => {
  const shape = {architecture: 'Qwen3ForCausalLM', layers: 36, hidden: 4096, headSize: 128, experts: 0}

  test('are described by their config, and weighed', async () => {
    expect(await readShape(await modelFolder())).toMatchObject({...shape, parameters: 8_190_735_360})
    const experts = {num_experts: 128, num_experts_per_tok: 8, moe_intermediate_size: 768}
    const a3b = {...experts, num_hidden_layers: 48, hidden_size: 2048, num_key_value_heads: 4}
    expect((await readShape(await modelFolder({...qwen3Config, ...a3b})))?.parameters).toBe(30_532_122_624)
    const tied = {tie_word_embeddings: true, hidden_size: 1024, num_attention_heads: 16, intermediate_size: 3072}
    expect((await readShape(await modelFolder({...qwen3Config, ...tied, num_hidden_layers: 28})))?.parameters).toBe(
      596_049_920,
    )
  })

  test('a folder is one with a config; another one is refused with what to name', async () => {
    const folder = await modelFolder()
    expect((await planned('sft-8b', {'model.name': folder})).plan.model).toMatchObject({path: folder, shape})
    await expect(planned('sft-8b', {'model.name': await temporaryFolder()})).rejects.toThrow('it has no config.json')
    await expect(planned('sft-8b', {'model.name': 'trainers/none'})).rejects.toThrow('is not a model folder')
    const broken = await modelFolder({architectures: []})
    await expect(planned('sft-8b', {'model.name': broken})).rejects.toThrow('does not describe a language model')
  })

  test('of the Hub keep their name, and are described where they were fetched', async () => {
    const modelCache = await temporaryFolder()
    expect((await planned('sft-8b', {}, {modelCache})).model).toMatchObject({
      path: 'Qwen/Qwen3-8B',
      files: null,
      shape: null,
    })
    const repository = join(modelCache, 'models--Qwen--Qwen3-8B')
    const snapshot = await modelFolder(qwen3Config, join(repository, 'snapshots', 'c0ffee'))
    await mkdir(join(repository, 'refs'))
    await writeFile(join(repository, 'refs', 'main'), 'c0ffee\n')
    expect((await planned('sft-8b', {}, {modelCache})).model).toMatchObject({
      path: 'Qwen/Qwen3-8B',
      files: snapshot,
      shape,
    })
    expect((await planned('sft-8b', {'model.revision': 'other'}, {modelCache})).model.shape).toBeNull()
  })

  const parent = async (kind: string, over: Partial<EarlierJob> = {}): Promise<EarlierJob> => ({
    id: 'sft-8b-12345678',
    folder: '/jobs/sft-8b-12345678',
    spec: await readSpec('sft-8b', {'tuning.kind': kind}),
    model: {path: await modelFolder(), adapter: null},
    checkpoint: await modelFolder(),
    ...over,
  })
  const from = (job: EarlierJob | undefined) =>
    planned('dpo-8b-compile-fail-cosine', {'model.name': 'job:sft-8b'}, {earlierJob: () => Promise.resolve(job)})

  test('of an earlier job are its last checkpoint, or an adapter on what it started from', async () => {
    const full = await parent('full')
    expect((await from(full)).plan.model).toMatchObject({path: full.checkpoint, adapter: null, shape})
    const lora = await parent('lora')
    expect((await from(lora)).plan.model).toMatchObject({path: lora.model.path, adapter: lora.checkpoint, shape})
    const twice = await parent('lora', {folder: await temporaryFolder(), model: {path: 'x', adapter: 'y'}})
    await modelFolder(qwen3Config, join(twice.folder, 'merged'))
    expect((await from(twice)).plan.model).toMatchObject({
      path: join(twice.folder, 'merged'),
      adapter: twice.checkpoint,
    })
  })

  test('a job that is not there, or left nothing, is refused with what to run', async () => {
    await expect(from(undefined)).rejects.toMatchObject({
      message: 'There is no job sft-8b.',
      fix: expect.stringContaining('ascend-cot train sft-8b') as string,
    })
    const left = await parent('full', {checkpoint: null})
    await expect(from(left)).rejects.toMatchObject({
      message: `The job ${left.id} left no checkpoint.`,
      fix: expect.stringMatching(/otherwise start it again: `ascend-cot train \S+\/spec\.yaml --out \S+`\.$/) as string,
    })
    const trial = planned('starter-dpo', {'model.name': 'job:trial'}, {earlierJob: () => Promise.resolve(undefined)})
    await expect(trial).rejects.toMatchObject({
      fix: expect.not.stringContaining('train trial') as string,
    })
  })
})

describe('data that cannot be trained on is refused', () => {
  const refused: [string, string, Record<string, string>, string, string][] = [
    ['no folder', 'sft-8b', {'data.source': '/none/at/all'}, 'There is no data set', 'npm start'],
    [
      'no rows of a configuration',
      'sft-8b',
      {'data.config': 'kto'},
      'configuration kto, split train',
      'Its configurations: dpo, sft',
    ],
    ['no rows of a split', 'sft-8b', {'data.split': 'validation'}, 'split validation', 'data.split'],
    ['other columns', 'starter-dpo', {'data.config': 'sft'}, 'has no column chosen, rejected', 'data.config'],
    ['a kind that is none', 'sft-8b', {'data.without': '[kernal]'}, 'there is no kind kernal', 'Did you mean kernel?'],
    [
      'a strategy that is none',
      'dpo-8b-compile-fail-cosine',
      {'dpo.strategies': '[compile]'},
      'there is no strategy compile',
      'Known are execution-fail',
    ],
    [
      'all left out',
      'sft-8b',
      {'data.without': '[documentation, kernel, project]'},
      'is left after data.without',
      'so that rows are left',
    ],
  ]
  test.each(refused)('%s', async (_, name, set, message, fix) => {
    const error = await planned(name, {'model.name': await modelFolder(), ...set}).catch((error: Error) => error)
    expect(error).toMatchObject({
      message: expect.stringContaining(message) as string,
      fix: expect.stringContaining(fix) as string,
    })
  })

  test('conversations, of which the questions would be learnt as well', async () => {
    const others = await temporaryFolder()
    const turns = {list: {struct: {role: 'string', content: 'string'}}} as const
    const path = join(others, 'data/sft/train-0.parquet')
    await parquetFile(path, [{name: 'messages', type: turns}], () => ({messages: [{role: 'user', content: 'a'}]}))
    await expect(planned('sft-8b', {'data.source': others})).rejects.toMatchObject({
      message: expect.stringContaining('has no column prompt, completion') as string,
      fix: expect.stringContaining('the model would learn the questions too') as string,
    })
  })

  test('a file that was changed after its manifest', async () => {
    const changed = await dataset(await temporaryFolder())
    const file = join(changed, 'data/sft/train-00000-of-00001.parquet')
    const bytes = await readFile(file)
    bytes[bytes.length - 20] = (bytes.at(-20) ?? 0) ^ 1
    await writeFile(file, bytes)
    await expect(planned('sft-8b', {'data.source': changed})).rejects.toThrow(/data\/sft\/train\S+ is \w+…, listed/)
  })
})

describe('a data set on the Hub', () => {
  async function published() {
    const hub = await testHub({largeBytes: 1000})
    const repository = newRepository(false)
    hub.repositories.set('me/data', repository)
    const stored: [string, StoredFile][] = []
    for await (const path of walk(source)) {
      const bytes = await readFile(join(source, path))
      stored.push([path, {bytes, large: path.endsWith('.parquet')}])
    }
    for (const [, {bytes}] of stored) hub.store.set(sha256(bytes), bytes)
    const {sha} = addCommit(repository, 'files', new Map(stored))
    const access = {endpoint: hub.url, fetch}
    return {hub, sha, over: {hub: () => Promise.resolve(access)}}
  }

  test('is fetched at its commit, once, and gives the rows that it gives here', async () => {
    const {hub, sha, over} = await published()
    const cache = await temporaryFolder()
    const there = await planned('sft-8b', {'data.source': `hub:me/data@${sha}`}, {...over, cache})
    expect(there.plan.data).toMatchObject({...(await planned('sft-8b')).plan.data, files: there.plan.data.files})
    const fetches = () => hub.requests.filter((line) => line.includes('/resolve/') && line.includes('parquet')).length
    const before = fetches()
    expect(hub.requests.some((line) => line.includes('data/dpo'))).toBe(false)
    await planned('sft-8b', {'data.source': `hub:me/data@${sha}`}, {...over, cache})
    expect([before, fetches()]).toEqual([1, 1])
  })

  test('needs a commit: the newest is named, and one that is not there is refused', async () => {
    const {sha, over} = await published()
    await expect(planned('sft-8b', {'data.source': 'hub:me/data@main'}, over)).rejects.toMatchObject({
      message: expect.stringContaining('expected hub:<owner>/<name>@<commit>, seen hub:me/data@main') as string,
      fix: `Its newest commit: hub:me/data@${sha}.`,
    })
    const other = `hub:me/data@${'0'.repeat(40)}`
    await expect(planned('sft-8b', {'data.source': other}, over)).rejects.toThrow(
      'has no visible data set me/data at 000',
    )
  })
})
