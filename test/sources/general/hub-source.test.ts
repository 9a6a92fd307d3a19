import {describe, expect, test} from 'vitest'
import type {GeneralSource} from '../../../datasets/schema/general.ts'
import {findDataset} from '../../../sources/general/hub-source.ts'

const sha = 'c'.repeat(40)

/** A Hub with one data set of these files; a card may declare configurations. */
function find(files: readonly string[], source: Partial<GeneralSource> = {}, cardData?: object, status = 200) {
  const asked: string[] = []
  const reply = (body: unknown, code = 200) => Promise.resolve(Response.json(body, {status: code}))
  const answer = (address: Parameters<typeof fetch>[0]) => {
    const {pathname} = new URL(address instanceof Request ? address.url : address)
    asked.push(pathname)
    const tree = files.map((path) => ({type: 'file', path, size: 3, oid: `id of ${path}`}))
    if (pathname.includes('/tree/')) return reply([{type: 'directory', path: 'data', size: 0}, ...tree])
    const found = {_id: '1', id: 'a/b', sha, private: false, downloads: 0, likes: 0, gated: false, lastModified: '2026'}
    return reply({...found, cardData}, status)
  }
  const hub = {endpoint: 'https://hub.test', fetch: answer}
  return {asked, found: findDataset(hub, {dataset: 'a/b', ...source} as GeneralSource)}
}

const paths = async (files: readonly string[], source: Partial<GeneralSource> = {}, cardData?: object) =>
  (await find(files, source, cardData).found).files.map(({path}) => path)

describe('a data set', () => {
  test('is found at one commit, with the licence of its card', async () => {
    const {asked, found} = find(['a.jsonl'], {revision: 'v1'}, {license: 'mit'})
    expect(await found).toEqual({
      name: 'a/b',
      commit: sha,
      licence: 'mit',
      files: [{path: 'a.jsonl', bytes: 3, gitId: 'id of a.jsonl'}],
    })
    expect(asked).toEqual(['/api/datasets/a/b/revision/v1', `/api/datasets/a/b/tree/${sha}`])
  })

  test('that is not shown is missing, with what may be done', async () => {
    await expect(find([], {revision: 'v1'}, {}, 404).found).rejects.toMatchObject({
      code: 'input-missing',
      message: 'https://hub.test has no visible data set a/b at v1.',
      fix:
        'Check its name and revision in sources.general; for a private or gated one, accept its ' +
        'terms and set HF_TOKEN.',
    })
    await expect(find([], {}, {}, 404).found).rejects.toMatchObject({
      message: 'https://hub.test has no visible data set a/b.',
    })
  })

  test('without files of the wanted kind says which there are', async () => {
    const configs = [
      {config_name: 'x', data_files: []},
      {config_name: 'y', data_files: []},
    ]
    await expect(find(['README.md'], {config: 'z', split: 'test'}, {configs}).found).rejects.toMatchObject({
      code: 'input-missing',
      message: 'a/b has no Parquet, Arrow, JSON or CSV of configuration z, split test.',
      fix: 'Its configurations: x, y. Choose one with config and split in sources.general.',
    })
    await expect(find(['README.md']).found).rejects.toMatchObject({
      message: 'a/b has no Parquet, Arrow, JSON or CSV of configuration default, split train.',
      fix: 'Its configurations: none are declared. Choose one with config and split in sources.general.',
    })
  })
})

describe('files that the card declares', () => {
  const configs = [
    {
      config_name: 'one',
      data_files: [
        {split: 'train', path: ['data/train-*', 'more/**/x?.parquet']},
        {split: 'test', path: 'data/test.parquet'},
      ],
    },
    {config_name: 'two', data_files: 'two/**.jsonl'},
    {config_name: 'empty', data_files: []},
  ]
  const files = [
    ...['data/train-1.parquet', 'data/train-2.jsonl', 'data/sub/train-1.parquet', 'data/test.parquet'],
    ...['data/testxparquet.json', 'more/a/b/x1.parquet', 'more/x2.parquet', 'more/x12.parquet'],
    ...['two/a.jsonl', 'two/b/c.jsonl', 'train.parquet', '.hidden/data/train-1.parquet', 'data/train-3.txt'],
  ]
  const train = ['data/train-1.parquet', 'data/train-2.jsonl', 'more/a/b/x1.parquet', 'more/x2.parquet']

  test.each<[Partial<GeneralSource>, string[]]>([
    [{}, train],
    [{config: 'one'}, train],
    [{split: 'test'}, ['data/test.parquet']],
    [{config: 'two'}, ['two/a.jsonl', 'two/b/c.jsonl']],
  ])('are those of %j', async (source, expected) => {
    expect(await paths(files, source, {configs})).toEqual(expected)
  })

  test('a configuration that no card declares is not there', async () => {
    await expect(paths(['three/train.jsonl'], {config: 'three'}, {configs})).rejects.toMatchObject({
      code: 'input-missing',
    })
    expect(await paths(['empty/train.jsonl', 'train.jsonl'], {config: 'empty'}, {configs})).toEqual([
      'empty/train.jsonl',
    ])
  })
})

describe('files that no card declares', () => {
  test.each<[string, Partial<GeneralSource>, string[], string[]]>([
    ['those of another split are left', {}, ['a.jsonl', 'test.jsonl', 'x/validation-1.jsonl'], ['a.jsonl']],
    ['a split has several names', {}, ['training.jsonl', 'train_2.jsonl'], ['training.jsonl', 'train_2.jsonl']],
    [
      'one is asked for',
      {split: 'test'},
      ['a.jsonl', 'Testing.jsonl', 'x/test/b.jsonl'],
      ['Testing.jsonl', 'x/test/b.jsonl'],
    ],
    [
      'valid is short for validation',
      {split: 'validation'},
      ['valid.jsonl', 'my-val.jsonl', 'dev.jsonl'],
      ['valid.jsonl', 'my-val.jsonl'],
    ],
    ['some are called dev or eval', {split: 'dev'}, ['dev.jsonl', 'eval.jsonl'], ['dev.jsonl']],
    [
      'a word that only begins like a split is none',
      {},
      ['testament.jsonl', 'contest.jsonl'],
      ['testament.jsonl', 'contest.jsonl'],
    ],
    [
      'those of a configuration lie in its folder',
      {config: 'x'},
      ['x/a.jsonl', 'y/a.jsonl', 'xa.jsonl'],
      ['x/a.jsonl'],
    ],
    ['a folder may lie deeper', {config: 'x'}, ['data/x/a.jsonl'], ['data/x/a.jsonl']],
    ['of several formats the best is taken', {}, ['a.json', 'b.jsonl', 'c.arrow', 'd.parquet'], ['d.parquet']],
    ['Arrow before lines', {}, ['a.json', 'b.jsonl', 'c.arrow'], ['c.arrow']],
    ['lines before lists', {}, ['a.json', 'b.jsonl'], ['b.jsonl']],
    ['hidden files are none', {}, ['a.jsonl', '.b.jsonl', 'x/.c/d.jsonl'], ['a.jsonl']],
    ['nor are files about the data set', {}, ['a.json', 'dataset_info.json', 'x/state.json'], ['a.json']],
  ])('%s', async (_, source, files, expected) => {
    expect(await paths(files, source)).toEqual(expected)
  })
})
