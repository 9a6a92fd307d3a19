import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {hubAccess} from '../../../pipelines/workspace/hub-access.ts'
import {Config} from '../../../pipelines/workspace/config.ts'
import {generalFiles} from '../../../pipelines/workspace/general-files.ts'
import {addCommit, newRepository, type StoredFile} from '../../helpers/hub-repository.ts'
import {testHub, type Fault, type HubServer} from '../../helpers/hub-server.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const row = JSON.stringify({question: 'Why?', reasoning: 'Since it is so.', answer: 'Because.'})
const many = `${row}\n`.repeat(2000)
const apache = '---\nlicense: apache-2.0\n---\n'

/** A Hub with data sets of these files. */
async function hubWith(sets: Record<string, Record<string, string>>, faults: Fault[] = []): Promise<HubServer> {
  const hub = await testHub({faults, largeBytes: 1000})
  for (const [name, files] of Object.entries(sets)) {
    const repository = newRepository(false)
    const stored = Object.entries(files).map(([path, text]): [string, StoredFile] => [
      path,
      {bytes: Buffer.from(text), large: text.length > 1000},
    ])
    addCommit(repository, 'files', new Map(stored))
    hub.repositories.set(name, repository)
  }
  return hub
}

async function filesOf(hub: HubServer, sources: object[] | undefined, cache: string, more: object = {}) {
  const said: string[] = []
  const config = Config.parse({cache, ...(sources ? {sources: {general: sources}} : {}), ...more})
  const world = {now: () => 0, signal: new AbortController().signal, sleep: () => Promise.resolve()}
  const access = () => hubAccess({HF_ENDPOINT: hub.url, HOME: '/nowhere'}, world)
  return {files: await generalFiles({config, hub: access, say: (text) => void said.push(text)}), said}
}

const set = {'README.md': apache, 'data/train.jsonl': many, 'data/test.jsonl': row, 'other/train.jsonl': row}
const fetched = (hub: HubServer) => hub.requests.filter((line) => line.startsWith('GET /datasets/'))

describe('a data set of the Hub', () => {
  test('is pinned to a commit, fetched once, and described by its own card', async () => {
    const hub = await hubWith({'a/b': set})
    const cache = await temporaryFolder()
    const {files, said} = await filesOf(hub, [{dataset: 'a/b', config: 'data', model: 'm'}], cache)
    const commit = hub.repositories.get('a/b')?.commits[1]?.sha ?? ''
    expect(files).toMatchObject([
      {
        files: [{path: 'data/train.jsonl', format: 'jsonl'}],
        columns: {prompt: 'question', reasoning: 'reasoning', answer: 'answer'},
        origin: {repository: 'https://huggingface.co/datasets/a/b', revision: commit, licence: 'Apache-2.0'},
        model: 'm',
      },
    ])
    expect(said).toEqual(['fetching a/b data/train.jsonl (0.1 MB)'])
    const before = fetched(hub).length
    await filesOf(hub, [{dataset: 'a/b', config: 'data'}], cache)
    expect(fetched(hub).length).toBe(before)
  })

  test('read at a commit stays what it was', async () => {
    const hub = await hubWith({'a/b': set})
    const first = hub.repositories.get('a/b')?.commits[1]?.sha ?? ''
    addCommit(hub.repositories.get('a/b') as never, 'gone', new Map())
    const {files} = await filesOf(hub, [{dataset: 'a/b', revision: first, split: 'test'}], await temporaryFolder())
    expect(files[0]?.files.map(({path}) => path)).toEqual(['data/test.jsonl'])
  })

  test.each<[string, Fault[]]>([
    ['a connection that is cut halfway', [{match: /GET \/cdn/, times: 2, does: 'cut-half'}]],
    ['an answer 500', [{match: /GET \/cdn/, times: 2, does: 500}]],
    ['another ETag', [{match: /GET \/cdn/, times: 1, does: 'stale-etag'}]],
  ])('arrives whole in spite of %s', async (_, faults) => {
    const hub = await hubWith({'a/b': set}, faults)
    const cache = await temporaryFolder()
    const {files} = await filesOf(hub, [{dataset: 'a/b', config: 'data'}], cache)
    expect(readdirSync(join(files[0]?.root ?? '', 'data'))).toEqual(['train.jsonl'])
    const asked = hub.headers.filter((_headers, at) => hub.requests[at]?.startsWith('GET /cdn'))
    const ranges = asked.flatMap(({range}) => range ?? [])
    expect(ranges.length).toBe(faults[0]?.does === 'cut-half' ? 2 : 0)
  })

  test('that a killed process had begun is continued, and begun again where its bytes were of another file', async () => {
    for (const part of [many.slice(0, 5000), 'x'.repeat(5000), 'x'.repeat(many.length), 'x'.repeat(many.length + 5)]) {
      const hub = await hubWith({'a/b': set})
      const cache = await temporaryFolder()
      const commit = hub.repositories.get('a/b')?.commits[1]?.sha ?? ''
      const folder = join(cache, 'hub/a--b', commit, 'data')
      mkdirSync(folder, {recursive: true})
      writeFileSync(join(folder, 'train.jsonl.part'), part)
      await filesOf(hub, [{dataset: 'a/b', config: 'data'}], cache)
      expect(readdirSync(folder)).toEqual(['train.jsonl'])
      expect(readFileSync(join(folder, 'train.jsonl'), 'utf8')).toBe(many)
    }
  })

  test('whose card declares configurations is read by them', async () => {
    const card = `${apache.slice(0, -4)}configs:\n- config_name: main\n---\n`
    const hub = await hubWith({'a/b': {...set, 'README.md': card}})
    const {files} = await filesOf(hub, [{dataset: 'a/b', config: 'other'}], await temporaryFolder())
    expect(files[0]?.files.map(({path}) => path)).toEqual(['other/train.jsonl'])
  })
})

describe('before anything is fetched or run it is told', () => {
  test.each<[string, object, string]>([
    [
      'a licence that is not stated',
      {dataset: 'a/none'},
      'The licence of a/none is unknown, so a release would refuse',
    ],
    ['one that no release takes', {dataset: 'a/nc'}, 'a/nc is under CC-BY-NC-4.0, which releases refuse'],
    ['a folder without one', {root: '/nowhere'}, 'The licence of /nowhere is unknown'],
    ['a data set that is not there', {dataset: 'a/gone'}, 'has no visible data set a/gone.'],
    ['a revision that is not there', {dataset: 'a/b', revision: 'v9'}, 'has no visible data set a/b at v9.'],
    ['a split that is not there', {dataset: 'a/b', split: 'dev'}, 'of configuration default, split dev.'],
  ])('%s', async (_, source, message) => {
    const files = {'README.md': '# nothing', 'train.jsonl': many}
    const hub = await hubWith({
      'a/none': files,
      'a/nc': {...files, 'README.md': '---\nlicense: cc-by-nc-4.0\n---\n'},
      'a/b': set,
    })
    await expect(filesOf(hub, [source], await temporaryFolder())).rejects.toThrow(message)
    expect(fetched(hub)).toEqual([])
  })

  test('the licence file of a folder counts where none is stated', async () => {
    const hub = await testHub()
    const root = await temporaryFolder()
    writeFileSync(join(root, 'a.jsonl'), `${JSON.stringify({prompt: 'p', reasoning: 'r', answer: 'a'})}\n`)
    await expect(filesOf(hub, [{root}], await temporaryFolder())).rejects.toThrow('is unknown')
    writeFileSync(join(root, 'LICENSE'), readFileSync('LICENSE'))
    const {files} = await filesOf(hub, [{root}], await temporaryFolder())
    expect(files[0]?.origin.licence).toBe('Apache-2.0')
  })

  test('that a licence is stated in the configuration is enough', async () => {
    const hub = await hubWith({'a/none': {'train.jsonl': many}})
    const {files} = await filesOf(hub, [{dataset: 'a/none', licence: 'MIT'}], await temporaryFolder())
    expect(files[0]?.origin.licence).toBe('MIT')
  })

  test('columns that are mapped and are not there', async () => {
    const hub = await hubWith({'a/b': set})
    const source = {dataset: 'a/b', columns: {prompt: 'q', answer: 'answer'}}
    const reading = filesOf(hub, [source], await temporaryFolder())
    await expect(reading).rejects.toThrow('a/b has no column q; it has question, reasoning, answer.')
  })

  test('a folder that is not there, or holds nothing to read', async () => {
    const hub = await hubWith({})
    const empty = await temporaryFolder()
    for (const root of ['/nowhere', empty])
      await expect(filesOf(hub, [{root, licence: 'MIT'}], empty)).rejects.toThrow(root)
  })
})

test('without a configuration the data sets of the paper are asked for', async () => {
  const ids = [
    'Congliu/Chinese-DeepSeek-R1-Distill-data-110k',
    'Hugodonotexit/math-code-science-deepseek-r1-en',
    'voidful/reasoning_gemini_300k',
  ]
  const hub = await hubWith(Object.fromEntries(ids.map((id) => [id, {...set, 'other/train.jsonl': ''}])))
  const {files} = await filesOf(hub, undefined, await temporaryFolder())
  expect(files.map(({origin}) => origin.repository)).toEqual(ids.map((id) => `https://huggingface.co/datasets/${id}`))
})
