import {describe, expect, test} from 'vitest'
import {publishDataset, type PublishAsked} from '../../../pipelines/commands/publish.ts'
import type {Terminal} from '../../../pipelines/commands/terminal.ts'
import {addCommit, headOf, type Repository} from '../../helpers/hub-repository.ts'
import {testHub, type HubServer} from '../../helpers/hub-server.ts'
import {released} from '../../helpers/released.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld} from '../../helpers/world.ts'

const token = 'hf_correctHorse'
const dataset = {
  'README.md': '---\nlicense: apache-2.0\n---\n# A set\n',
  'data/sft/train-00000-of-00001.parquet': 'PAR1 small PAR1',
}

interface Asked extends Partial<PublishAsked> {
  known?: boolean
  display?: Terminal['display']
  /** Cells of the terminal. */
  width?: number
}

async function publishing(out: string, hub: HubServer, {known = true, display, width, ...asked}: Asked = {}) {
  const world = recordedWorld({HF_ENDPOINT: hub.url, HOME: '/nowhere', ...(known ? {HF_TOKEN: token} : {})})
  const terminal = {...world.terminal, display, width}
  const request = {name: 'me/cot', out, yes: false, isPublic: false, json: false, ...asked}
  const code = await publishDataset(request, {...world, terminal}, {sleep: async () => {}})
  const said = world.said.filter((line) => !line.startsWith(out))
  return {code, printed: world.printed.map((text) => text.replaceAll(hub.url, 'HUB')), said}
}

describe('the name of a data set', () => {
  const refused = async (name: string) => {
    const request = {name, out: '/nowhere', yes: false, isPublic: false, json: false}
    const error = await publishDataset(request, recordedWorld()).catch((one: unknown) => one as {code: string})
    return (error as {code: string}).code
  }
  test.each(['me/cot', 'a/b', 'Me-2/ascend_cot.v1-x', 'me/c.git2', 'me/a-b-c', 'me/a_._b', `me/${'x'.repeat(93)}`])(
    '%s is one',
    async (name) => {
      // The folder is looked at next, and it is not there.
      expect(await refused(name)).not.toBe('config-invalid')
    },
  )
  test.each([
    'cot',
    'me/',
    '/cot',
    'me/cot/more',
    '-me/cot',
    'me-/cot',
    'me/-cot',
    'me/cot.',
    'me/.cot',
    'me/a--b',
    'me/a..b',
    'me/cot.git',
    'me/c ot',
    'mé/cot',
    `me/${'x'.repeat(94)}`,
  ])('%s is none', async (name) => {
    expect(await refused(name)).toBe('config-invalid')
  })
})

describe('what a dry run says', () => {
  test('of everything that may be: sent, changed, removed, there already, of others', async () => {
    const hub = await testHub({token})
    const before = {...dataset, 'README.md': 'old card', 'data/sft/train-00000-of-00002.parquet': 'x'}
    await publishing(await released(await temporaryFolder(), before), hub, {yes: true})
    const repository = hub.repositories.get('me/cot') as Repository
    const logo = {bytes: Buffer.from('logo'), large: false}
    const {sha} = addCommit(repository, 'a picture', new Map([...headOf(repository).files, ['logo.png', logo]]))
    const now = {...dataset, 'data/sft/test-00000-of-00001.parquet': 'y'.repeat(1000)}
    const out = await released(await temporaryFolder(), now)
    const {code, printed} = await publishing(out, hub)
    expect([code, printed.join('\n')]).toEqual([
      0,
      [
        `HUB/datasets/me/cot, as me: commit ${sha.slice(0, 8)}, private`,
        '   file                                   size',
        '+  data/sft/test-00000-of-00001.parquet   1.0 kB',
        '~  README.md                              36 B    was 8 B',
        '-  data/sft/train-00000-of-00002.parquet  1 B     removed',
        '1 file there already (15 B)',
        'not part of this data set, left unchanged: .gitattributes, logo.png',
        '2 files to send (1.0 kB), 1 to remove',
        'nothing was sent: this was a dry run; pass --yes to publish',
      ].join('\n'),
    ])
    const {printed: json} = await publishing(out, hub, {json: true})
    expect(json.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        address: 'HUB/datasets/me/cot',
        there: {sha, private: true, configs: []},
        added: [{path: 'data/sft/test-00000-of-00001.parquet', bytes: 1000}],
        changed: [{path: 'README.md', bytes: 36, before: 8}],
        removed: [{path: 'data/sft/train-00000-of-00002.parquet', bytes: 1}],
        same: [{path: 'data/sft/train-00000-of-00001.parquet', bytes: 15}],
        foreign: [
          {path: '.gitattributes', bytes: 46},
          {path: 'logo.png', bytes: 4},
        ],
        published: false,
      },
    ])
  })

  test.each([
    [{}, 'HUB/datasets/me/cot, as me: no data set there, or none that this token may see; it will be created, private'],
    [
      {isPublic: true},
      'HUB/datasets/me/cot, as me: no data set there, or none that this token may see; it will be created, public',
    ],
    [
      {known: false},
      'HUB/datasets/me/cot: no data set there, or none that this token may see; it will be created, private',
    ],
  ])('of a place where nothing is: %j', async (asked, line) => {
    const {printed} = await publishing(await released(await temporaryFolder(), dataset), await testHub({token}), asked)
    expect(printed[0]?.split('\n')[0]).toBe(line)
  })

  test.each([
    [true, false, ', private'],
    [true, true, ', private; it stays private: change that in its settings on the Hub'],
    [false, true, ', public'],
  ])('of a data set that is private (%s), asked for as public (%s)', async (isPrivate, isPublic, end) => {
    const hub = await testHub({token})
    const out = await released(await temporaryFolder(), dataset)
    await publishing(out, hub, {yes: true, isPublic: !isPrivate})
    const {sha} = headOf(hub.repositories.get('me/cot') as Repository)
    const {printed} = await publishing(out, hub, {isPublic})
    expect(printed.join('\n')).toBe(
      [
        `HUB/datasets/me/cot, as me: commit ${sha.slice(0, 8)}${end}`,
        '2 files there already (51 B)',
        'not part of this data set, left unchanged: .gitattributes',
        'nothing to publish: the Hub already has these files',
      ].join('\n'),
    )
  })

  test.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [1049, '1.0 kB'],
    [1051, '1.1 kB'],
    [99_900, '99.9 kB'],
    [1_000_000, '1.0 MB'],
    [2_500_000, '2.5 MB'],
  ])('%i bytes are %s', async (bytes, size) => {
    const out = await released(await temporaryFolder(), {...dataset, 'data/sft/more.parquet': 'x'.repeat(bytes)})
    const {printed} = await publishing(out, await testHub({token}))
    expect(/more\.parquet +(.*)/.exec(printed.join('\n'))?.[1]).toBe(size)
  })
})

describe('what a publication says', () => {
  test('without a display: each large file once, when all of it is sent', async () => {
    const hub = await testHub({token})
    const {code, printed, said} = await publishing(await released(await temporaryFolder(), dataset), hub, {yes: true})
    const {sha, title} = headOf(hub.repositories.get('me/cot') as Repository)
    expect([code, title]).toEqual([0, 'Data set of ascend-cot: 2 files'])
    expect(printed.at(-1)).toBe(`published: HUB/datasets/me/cot/commit/${sha}`)
    expect(printed.join('\n')).not.toContain('dry run')
    expect(said).toEqual(['sent 15 B of 51 B: data/sft/train-00000-of-00001.parquet'])
  })

  test('with a display: lines that fit, and none is left', async () => {
    const drawn: (readonly string[])[] = []
    const display = {width: 22, height: 10, draw: (lines: readonly string[]) => void drawn.push(lines)}
    const hub = await testHub({token})
    const out = await released(await temporaryFolder(), dataset)
    const {said} = await publishing(out, hub, {
      yes: true,
      display: display as unknown as NonNullable<Terminal['display']>,
    })
    expect(said).toEqual([])
    expect(drawn.at(-1)).toEqual([])
    expect(drawn.at(-2)).toEqual(['sent 15 B of 51 B: da'])
  })

  test('as JSON: one line', async () => {
    const hub = await testHub({token})
    const out = await released(await temporaryFolder(), dataset)
    const {printed} = await publishing(out, hub, {yes: true, json: true})
    const {sha} = headOf(hub.repositories.get('me/cot') as Repository)
    expect(printed.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({there: null, same: [], published: true, commit: sha}),
    ])
  })
})

test('a plan on a narrow terminal breaks its sentences and leaves its table as it is', async () => {
  const out = await released(await temporaryFolder(), dataset)
  const hub = await testHub({token})
  const {printed} = await publishing(out, hub, {width: 48})
  expect(printed).toHaveLength(1)
  expect(printed[0]?.split('\n').slice(-6)).toEqual([
    '   file                                   size',
    '+  README.md                              36 B',
    '+  data/sft/train-00000-of-00001.parquet  15 B',
    '2 files to send (51 B), 0 to remove',
    'nothing was sent: this was a dry run; pass --yes',
    '  to publish',
  ])
})
