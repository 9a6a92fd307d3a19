import {describe, expect, test} from 'vitest'
import {asHubError, hubArguments, hubDataset, hubFiles, hubUser, isHubError} from '../../../datasets/hub/hub.ts'
import {addCommit, gitId, newRepository, sha256, type StoredFile} from '../../helpers/hub-repository.ts'
import {testHub} from '../../helpers/hub-server.ts'

const endpoint = 'https://hub.example'
const hub = {endpoint, fetch}
const tokens = `${endpoint}/settings/tokens`
const room = `Free some space or extend the plan (${endpoint}/settings/billing), then run the command again.`
const later = 'Run the command again later; it resumes where it stopped.'

const failure = (statusCode: number, message = '', data?: object) =>
  Object.assign(new Error(message), {statusCode, url: `${endpoint}/api/x?signature=secret`, data})

describe('a refusal of the Hub', () => {
  test.each<[number, string, string]>([
    [400, 'endpoint-rejected', later],
    [401, 'key-missing', `Set HF_TOKEN to your own valid token: ${tokens}.`],
    [402, 'endpoint-rejected', room],
    [
      403,
      'endpoint-rejected',
      `Use a token with write access to that name (${tokens}), or a name of your own. If storage is short: ${room}`,
    ],
    [
      404,
      'endpoint-rejected',
      'Check the spelling of owner and name; the owner must exist. For a private data set, use a token with write ' +
        `access to that name (${tokens}).`,
    ],
    [412, 'endpoint-rejected', 'Someone else committed meanwhile. Run the command again and check the differences.'],
    [413, 'endpoint-rejected', `A file is larger than the Hub accepts, or the storage is full. ${room}`],
    [429, 'endpoint-overloaded', 'Wait a few minutes, then run the command again; it resumes where it stopped.'],
    [499, 'endpoint-rejected', later],
    [500, 'endpoint-overloaded', later],
    [503, 'endpoint-overloaded', later],
    [507, 'endpoint-rejected', room],
  ])('%i is %s', (status, code, fix) => {
    expect(asHubError(failure(status), hub, 'It failed')).toMatchObject({
      code,
      message: `It failed: ${endpoint} answered ${status}.`,
      fix,
      scope: 'run',
      evidence: {status, url: `${endpoint}/api/x`, said: ''},
    })
  })

  test.each<[string, string, object | undefined, string]>([
    ['its error', 'Api error with status 400', {error: 'bad\n name'}, ' (bad name)'],
    ['else its message', 'general', {error: '', message: 'no room'}, ' (no room)'],
    ['else what the library says', 'Invalid name. URL: https://x/y. Request: 7', undefined, ' (Invalid name)'],
    ['nothing that says nothing', 'Api error with status 400. URL: https://x', {error: 3}, ''],
    ['no more than 300 characters', 'x'.repeat(301), undefined, ` (${'x'.repeat(300)})`],
  ])('is told in the words of %s', (_what, message, data, said) => {
    const error = asHubError(failure(400, message, data), hub, 'It failed') as Error
    expect(error.message).toBe(`It failed: ${endpoint} answered 400${said}.`)
  })

  test('is known by its status; other errors stay what they are', () => {
    expect(isHubError(failure(500))).toBe(true)
    const others = [new Error('x'), {statusCode: 500}, Object.assign(new Error('x'), {statusCode: '500'}), null]
    for (const other of others) {
      expect(isHubError(other)).toBe(false)
      expect(asHubError(other, hub, '')).toBe(other)
    }
  })
})

test('a token travels as an argument of its own, where there is one', () => {
  expect(hubArguments(hub)).toEqual({hubUrl: endpoint, fetch})
  expect(hubArguments({...hub, token: 't'})).toEqual({hubUrl: endpoint, fetch, accessToken: 't'})
})

describe('a data set on the Hub', () => {
  const file = (text: string, large = false): StoredFile => ({bytes: Buffer.from(text), large})

  async function withCard(card: string, files: Record<string, StoredFile> = {}) {
    const server = await testHub({token: 'hf_t'})
    const repository = newRepository(false)
    const all = {'README.md': file(card), ...files}
    const {sha} = addCommit(repository, 'files', new Map(Object.entries(all)))
    server.repositories.set('me/set', repository)
    return {access: {endpoint: server.url, token: 'hf_t', fetch}, sha}
  }

  test('is its commit and what lies in it', async () => {
    const rows = file('PAR1', true)
    const {access, sha} = await withCard('# A set', {'data/sft/train-0.parquet': rows})
    expect(await hubDataset(access, 'me/set')).toMatchObject({sha, private: false, configs: []})
    expect(await hubDataset(access, 'me/none')).toBeUndefined()
    expect(await hubUser(access)).toBe('me')
    const files = await hubFiles(access, 'me/set', sha)
    expect(files.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      {path: 'README.md', bytes: 7, gitId: gitId(Buffer.from('# A set'))},
      {path: 'data/sft/train-0.parquet', bytes: 4, sha256: sha256(rows.bytes)},
    ])
  })

  test('cannot be seen with a token that is none', async () => {
    const {access} = await withCard('')
    await expect(hubUser({...access, token: 'hf_other'})).rejects.toMatchObject({
      code: 'key-missing',
      message: expect.stringMatching(/^The token was not accepted: .* answered 401/) as string,
    })
  })
})
