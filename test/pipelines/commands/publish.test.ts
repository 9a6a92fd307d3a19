import {spawn} from 'node:child_process'
import {appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {reportError} from '../../../pipelines/commands/terminal.ts'
import {publishDataset, type PublishAsked} from '../../../pipelines/commands/publish.ts'
import {ascendCot, command} from '../../helpers/command.ts'
import {addCommit, headOf, sha256, type Repository} from '../../helpers/hub-repository.ts'
import {testHub, type Fault, type HubServer} from '../../helpers/hub-server.ts'
import {cardOf, released} from '../../helpers/released.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {recordedWorld} from '../../helpers/world.ts'

const token = 'hf_correctHorse'
const large = Buffer.from(Array.from({length: 30_000}, (_, at) => `row ${at}`).join('\n'))
const dataset = {
  'README.md': '---\nlicense: apache-2.0\n---\n# A set\n',
  'NOTICES.md': 'notices\n',
  'data/sft/train-00000-of-00001.parquet': large,
  'data/sft/test-00000-of-00001.parquet': 'PAR1 small PAR1',
}

async function publishing(
  out: string,
  hub: HubServer,
  more: Partial<PublishAsked> & {env?: Record<string, string>} = {},
) {
  const {env = {HF_TOKEN: token}, ...asked} = more
  const world = recordedWorld({HF_ENDPOINT: hub.url, HOME: '/nowhere', ...env})
  const pauses: number[] = []
  const sleep = async (milliseconds: number) => void pauses.push(milliseconds)
  const request = {name: 'me/cot', out, yes: true, isPublic: false, json: false, ...asked}
  const code = await publishDataset(request, world, {sleep}).catch((error: unknown) =>
    reportError(error, world.terminal),
  )
  return {code, printed: world.printed.join('\n'), said: world.said.join('\n'), pauses}
}

/** What lies at the head, by path: whether it is what was released. */
function there(hub: HubServer, name = 'me/cot'): Record<string, string> {
  const repository = hub.repositories.get(name)
  const files = repository ? [...headOf(repository).files] : []
  return Object.fromEntries(files.map(([path, {bytes}]) => [path, sha256(bytes)]))
}

const wanted = Object.fromEntries(Object.entries(dataset).map(([path, text]) => [path, sha256(Buffer.from(text))]))
const commits = (hub: HubServer) => hub.repositories.get('me/cot')?.commits.length
const sent = (hub: HubServer) => hub.requests.filter((line) => line.startsWith('PUT'))

describe('publish', () => {
  test('sends nothing before --yes, and tells what it would send', async () => {
    const out = await released(await temporaryFolder(), dataset)
    const hub = await testHub({token})
    const {code, printed} = await publishing(out, hub, {yes: false})
    expect(code).toBe(0)
    expect(printed).toBe(
      [
        `${hub.url}/datasets/me/cot, as me: no data set there, or none that this token may see; it will be created, private`,
        '   file                                   size',
        '+  NOTICES.md                             8 B',
        '+  README.md                              36 B',
        '+  data/sft/test-00000-of-00001.parquet   15 B',
        '+  data/sft/train-00000-of-00001.parquet  288.9 kB',
        '4 files to send (288.9 kB), 0 to remove',
        'nothing was sent: this was a dry run; pass --yes to publish',
      ].join('\n'),
    )
    expect(hub.requests.every((line) => line.startsWith('GET'))).toBe(true)
  })

  test('makes one commit in a private data set, and none where the files lie there already', async () => {
    const out = await released(await temporaryFolder(), dataset)
    const hub = await testHub({token, partBytes: 50_000, pageSize: 2})
    const first = await publishing(out, hub)
    expect(first.code).toBe(0)
    expect(there(hub)).toMatchObject(wanted)
    expect(hub.repositories.get('me/cot')?.private).toBe(true)
    expect(commits(hub)).toBe(2)
    const again = await publishing(out, hub)
    expect([again.code, commits(hub)]).toEqual([0, 2])
    expect(again.printed).toContain('nothing to publish: the Hub already has these files')
    expect(again.printed).toContain('not part of this data set, left unchanged: .gitattributes')
  })

  test('removes what an earlier release left in its folders, and leaves alone what others put beside them', async () => {
    const before = {...dataset, 'data/sft/train-00000-of-00002.parquet': 'old', 'README.md': 'old card'}
    const hub = await testHub({token})
    await publishing(await released(await temporaryFolder(), before), hub)
    const repository = hub.repositories.get('me/cot') as Repository
    const logo = {bytes: Buffer.from('logo'), large: false}
    addCommit(repository, 'a picture', new Map([...headOf(repository).files, ['pictures/logo.png', logo]]))
    const uploads = sent(hub).length
    const {printed} = await publishing(await released(await temporaryFolder(), dataset), hub)
    expect(printed).toContain('-  data/sft/train-00000-of-00002.parquet  3 B   removed')
    expect(printed).toContain('~  README.md                              36 B  was 8 B')
    expect(Object.keys(there(hub)).sort()).toEqual(
      [...Object.keys(dataset), '.gitattributes', 'pictures/logo.png'].sort(),
    )
    expect([commits(hub), sent(hub).length]).toEqual([4, uploads])
  })

  test('makes the data set public only where that is said', async () => {
    const out = await released(await temporaryFolder(), dataset)
    const hub = await testHub({token})
    await publishing(out, hub, {isPublic: true})
    expect(hub.repositories.get('me/cot')?.private).toBe(false)
    const changed = await released(await temporaryFolder(), {...dataset, 'NOTICES.md': 'more\n'})
    const {code, said} = await publishing(changed, hub)
    expect([code, commits(hub)]).toEqual([2, 2])
    expect(said).toContain('error: me/cot is public on the Hub, but --public was not given.')
  })
})

const batch = /info\/lfs\/objects\/batch/
const commit = /POST .*\/commit\/main/

const failsTwice = (match: RegExp): Fault => ({match, times: 2, does: 500})

describe('a Hub in trouble', () => {
  /** With how often the commit is sent. */
  const faults: [string, Fault[], number][] = [
    ['429 with Retry-After', [{match: batch, times: 2, does: 429, headers: {'retry-after': '7'}}], 1],
    ['500 everywhere', [/whoami/, /revision/, /tree/, /create/, /preupload/, batch, /storage/].map(failsTwice), 1],
    ['connections that are cut', [{match: /storage|preupload|tree/, times: 5, does: 'cut'}], 1],
    ['parts under the ETag of another', [{match: /PUT .*\/storage\/\w+\/2/, times: 1, does: 'stale-etag'}], 1],
    ['an answer to the creation that is lost', [{match: /create/, times: 1, does: 'cut-after'}], 1],
    ['an answer to an upload that is lost', [{match: /PUT .*storage/, times: 1, does: 'cut-after'}], 1],
    ['a commit that is cut', [{match: commit, times: 1, does: 'cut'}], 2],
    ['a commit whose answer is lost', [{match: commit, times: 1, does: 'cut-after'}], 1],
    ['a commit that fails three times', [{match: commit, times: 3, does: 500}], 4],
  ]
  test.each(faults)('%s: all files arrive, in one commit', async (_, planted, tries) => {
    const out = await released(await temporaryFolder(), dataset)
    const hub = await testHub({token, faults: planted, partBytes: 50_000})
    const {code, said} = await publishing(out, hub)
    expect(code, said).toBe(0)
    expect(hub.faults.filter(({times}) => times > 0)).toEqual([])
    expect(there(hub)).toMatchObject(wanted)
    expect(commits(hub)).toBe(2)
    expect(hub.requests.filter((line) => commit.test(line))).toHaveLength(tries)
  })

  test('waits as long as it is asked to', async () => {
    const out = await released(await temporaryFolder(), dataset)
    const hub = await testHub({token, faults: [{match: batch, times: 1, does: 429, headers: {'retry-after': '7'}}]})
    const {pauses, said} = await publishing(out, hub)
    expect(pauses).toEqual([7000])
    expect(said).toContain('the Hub answered 429; retrying in 7 s')
  })

  test('that stays away stops the command; the next one sends only what is missing', async () => {
    const out = await released(await temporaryFolder(), dataset)
    const hub = await testHub({token, faults: [{match: commit, times: 99, does: 500}]})
    const failed = await publishing(out, hub)
    expect(failed.code).toBe(1)
    expect(failed.said).toContain(
      'answered 500 (planted 500).\n  → Run the command again later; it resumes where it stopped.',
    )
    expect([commits(hub), sent(hub).length]).toEqual([1, 2])
    hub.faults.length = 0
    expect((await publishing(out, hub)).code).toBe(0)
    expect([commits(hub), sent(hub).length]).toEqual([2, 2])
    expect(there(hub)).toMatchObject(wanted)
  })

  /** How often each part of the large file was sent. */
  function partsSent(hub: HubServer): Record<string, number> {
    const numbers = sent(hub).flatMap((line) => /\/storage\/\w+\/(\d+)/.exec(line)?.[1] ?? [])
    return Object.fromEntries([...new Set(numbers)].map((one) => [one, numbers.filter((n) => n === one).length]))
  }
  const third = /PUT .*\/storage\/\w+\/3\?/

  test.each<[string, Fault['does']]>([
    ['is answered with 500', 500],
    ['is cut', 'cut'],
  ])('whose storage fails for one part goes on with that part alone, where each attempt %s', async (_, does) => {
    const out = await released(await temporaryFolder(), dataset)
    const hub = await testHub({token, faults: [{match: third, times: 6, does}], partBytes: 50_000})
    const {code, said} = await publishing(out, hub)
    expect(code, said).toBe(0)
    expect(partsSent(hub)).toEqual({1: 1, 2: 1, 3: 7, 4: 1, 5: 1, 6: 1})
    expect(hub.requests.filter((line) => batch.test(line))).toHaveLength(2)
    expect(there(hub)).toMatchObject(wanted)
    expect(commits(hub)).toBe(2)
  })

  test('whose addresses have become too old is asked for others, and all parts are sent there', async () => {
    const out = await released(await temporaryFolder(), dataset)
    const hub = await testHub({token, faults: [{match: /\/6\?upload=1&/, times: 1, does: 403}], partBytes: 50_000})
    const {code, said} = await publishing(out, hub)
    expect(code, said).toBe(0)
    expect(sent(hub).filter((line) => line.includes('upload=2&'))).toHaveLength(6)
    expect(there(hub)).toMatchObject(wanted)
    expect(commits(hub)).toBe(2)
  })

  test('where somebody else commits meanwhile keeps their commit', async () => {
    const out = await released(await temporaryFolder(), dataset)
    const hub = await testHub({token, faults: [{match: commit, times: 1, does: 412}]})
    const {code, said} = await publishing(out, hub)
    expect([code, commits(hub)]).toEqual([1, 1])
    expect(said).toContain('Someone else committed meanwhile.')
  })
})

describe('a publication that is refused', () => {
  test.each<[string, Fault | undefined, {name?: string; env?: Record<string, string>}, string]>([
    ['without a token', undefined, {env: {}}, 'Publishing needs a Hub token, and none is set.\n  → Set HF_TOKEN'],
    ['with one that is none', undefined, {env: {HF_TOKEN: 'a-word-of-mine'}}, 'HF_TOKEN does not hold a Hub token'],
    [
      'with one that the Hub does not know',
      undefined,
      {env: {HF_TOKEN: 'hf_old'}},
      'answered 401 (Invalid credentials',
    ],
    ['in the name of others', undefined, {name: 'other/cot'}, '→ Use a token with write access to that name'],
    [
      'for want of room',
      {match: batch, times: 1, does: 402, body: 'quota'},
      {},
      '→ Free some space or extend the plan',
    ],
    ['for a file too large', {match: commit, times: 1, does: 413}, {}, '→ A file is larger than the Hub accepts'],
    [
      'where the owner is not there',
      {match: /create/, times: 1, does: 404},
      {},
      '→ Check the spelling of owner and name',
    ],
    ['under no name', undefined, {name: 'cot'}, '"cot" is not the name of a data set on the Hub.'],
    ['under a name with two dots', undefined, {name: 'me/a..b'}, 'is not the name of a data set'],
  ])('%s says what to do, and nothing of the token', async (_, fault, asked, message) => {
    const out = await released(await temporaryFolder(), dataset)
    const hub = await testHub({token, faults: fault ? [fault] : []})
    const {code, said, printed} = await publishing(out, hub, asked)
    expect(code).toBe(message.includes('name of a data set') ? 2 : 1)
    expect(said).toContain(message)
    expect(commits(hub) ?? 1).toBe(1)
    for (const secret of [token, 'hf_old', 'a-word-of-mine', 'signature']) expect(said + printed).not.toContain(secret)
  })

  test('for want of a network names the address', async () => {
    const out = await released(await temporaryFolder(), dataset)
    const hub = await testHub({token})
    await hub.close()
    const {code, said} = await publishing(out, hub)
    expect(code).toBe(1)
    const local = [
      `${join(out, 'dataset')}: 4 files (288.9 kB), licence apache-2.0`,
      '  release-sft: decontaminate checked 2 for tasks of the benchmarks, refused 0',
      '  release-sft: licence-gate checked 2 for licences, refused 0',
      '  release-sft: export-gate checked 2 for secrets, personal data and form, refused 0',
      '',
    ].join('\n')
    expect(said.startsWith(local), said).toBe(true)
    expect(said).toMatch(/could not be reached, 6 times: .*ECONNREFUSED.*\.\n {2}→ Check the network and the address/)
  })

  test('hides a token that the Hub repeats', async () => {
    const out = await released(await temporaryFolder(), dataset)
    const hub = await testHub({token, faults: [{match: /create/, times: 1, does: 403, body: `no: Bearer ${token}`}]})
    const {said} = await publishing(out, hub)
    expect(said).toContain('403 (no: Bearer [key hidden])')
  })

  test('the token is sent to the Hub and never to its storage', async () => {
    const out = await released(await temporaryFolder(), dataset)
    const hub = await testHub({token})
    await publishing(out, hub)
    const withToken = hub.requests.filter((_, at) => hub.headers[at]?.authorization !== undefined)
    expect(withToken.length).toBeGreaterThan(3)
    expect(withToken.filter((line) => line.includes('/storage/'))).toEqual([])
  })

  test('the file in which the Hub keeps a token is read where HF_TOKEN is not set', async () => {
    const out = await released(await temporaryFolder(), dataset)
    const hub = await testHub({token})
    const home = await temporaryFolder()
    mkdirSync(join(home, '.cache/huggingface'), {recursive: true})
    writeFileSync(join(home, '.cache/huggingface/token'), `${token}\n`)
    expect((await publishing(out, hub, {env: {HOME: home}})).code).toBe(0)
  })
})

describe('a data set that is not what was released', () => {
  const cases: [string, (out: string) => unknown, string][] = [
    [
      'with a changed file',
      (out) => appendFileSync(join(out, 'dataset/README.md'), 'mine'),
      'README.md was changed after its release.\n  → Run `ascend-cot run card`, which rewrites it; put your own text',
    ],
    [
      'without a file',
      (out) => rmSync(join(out, 'dataset/data/sft/test-00000-of-00001.parquet')),
      'data/sft/test-00000-of-00001.parquet is gone',
    ],
    [
      'with a file of somebody',
      (out) => writeFileSync(join(out, 'dataset/notes.txt'), 'private'),
      'notes.txt was not written by a release',
    ],
    ['without a card', (out) => rmSync(join(out, 'card'), {recursive: true}), 'The card does not describe the files'],
    [
      'released again after its card',
      async (out) => {
        await released(join(out, 'again'), {...dataset, 'data/sft/train-00000-of-00001.parquet': 'other'})
        rmSync(join(out, 'release-sft'), {recursive: true})
        renameSync(join(out, 'again/release-sft'), join(out, 'release-sft'))
      },
      'The card does not describe the files next to it',
    ],
    ['that is not there', (out) => rmSync(out, {recursive: true}), 'holds no data set'],
  ]
  test.each(cases)('%s is refused before the Hub is asked', async (_, spoil, message) => {
    const out = await released(await temporaryFolder(), dataset)
    await spoil(out)
    const hub = await testHub({token})
    const {code, said} = await publishing(out, hub)
    expect(code).toBe(1)
    expect(said).toContain(message)
    expect(hub.requests).toEqual([])
  })

  test.each(['decontaminate', 'licence-gate', 'export-gate'])('that went around %s is refused', async (gate) => {
    const out = await released(await temporaryFolder(), dataset, {without: [gate]})
    await cardOf(out, dataset)
    const {said} = await publishing(out, await testHub({token}))
    expect(said).toContain(`error: release-sft was made without ${gate}.\n  → Run \`ascend-cot run release-sft card\`.`)
  })
})

describe('without a stand-in', () => {
  const set = async () => released(await temporaryFolder(), dataset)
  const asked = {name: 'me/cot', yes: true, isPublic: false, json: false}
  const sleep = async () => undefined

  test.each<[string, Record<string, string>, string]>([
    ['no address', {}, 'http://127.0.0.1:1'],
    // As the Hub's own would be, which no fault in the guard should meet.
    ['the address of another machine', {HF_ENDPOINT: 'https://hub.invalid'}, 'tests ask no other machine'],
  ])('tests with %s reach nobody', async (_, env, expected) => {
    const world = recordedWorld({HF_TOKEN: token, ...env})
    await expect(publishDataset({...asked, out: await set()}, world, {sleep})).rejects.toMatchObject({
      code: 'endpoint-unreachable',
      message: expect.stringContaining(expected) as string,
    })
  })

  test('nor do commands that tests start', async () => {
    const env = {HF_TOKEN: '', HOME: '/nowhere', XDG_CACHE_HOME: '', HF_HOME: '', HF_TOKEN_PATH: ''}
    const {said, code} = ascendCot(await set(), ['publish', 'me/cot', '--out', '.', '--yes'], env)
    expect([code, said]).toEqual([1, expect.stringContaining('(http://127.0.0.1:1/settings/tokens)')])
  })
})

describe('a process that is killed', () => {
  test('in the middle of an upload loses nothing and commits nothing; the next one goes on', async () => {
    const out = await released(await temporaryFolder(), dataset)
    let child: ReturnType<typeof spawn> | undefined
    const killAt = /PUT .*\/storage\/\w+\/3/
    const hub = await testHub({
      token,
      partBytes: 50_000,
      onRequest: (line) => void (killAt.test(line) && child?.kill('SIGKILL')),
    })
    const env = {...process.env, HF_ENDPOINT: hub.url, HF_TOKEN: token}
    child = spawn(process.execPath, [command, 'publish', 'me/cot', '--out', out, '--yes'], {env, stdio: 'ignore'})
    const signal = await new Promise((resolve) => child?.once('close', (_, name) => resolve(name)))
    expect(signal).toBe('SIGKILL')
    expect(commits(hub)).toBe(1)
    const whole = [...hub.store.keys()]
    child = undefined
    const before = sent(hub).length
    expect((await publishing(out, hub)).code).toBe(0)
    expect(there(hub)).toMatchObject(wanted)
    expect(commits(hub)).toBe(2)
    const again = sent(hub).slice(before)
    for (const id of whole) expect(again.filter((line) => line.includes(id))).toEqual([])
  })
})

test('the command says as JSON what it did', async () => {
  const out = await released(await temporaryFolder(), dataset)
  const hub = await testHub({token})
  const {printed} = await publishing(out, hub, {json: true})
  const done = JSON.parse(printed) as {commit: string; added: unknown[]}
  expect(done).toMatchObject({published: true, there: null, commit: hub.repositories.get('me/cot')?.commits[1]?.sha})
  expect(done.added).toHaveLength(4)
  const again = await publishing(out, hub, {json: true})
  expect(JSON.parse(again.printed)).toMatchObject({published: false, added: [], there: {private: true}})
})
