import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {basename, join} from 'node:path'
import {expect, test} from 'vitest'
import {runCommand} from '../../engine/subprocess.ts'
import {describeCheckout} from '../../sources/checkout.ts'
import {fetchedCheckout, remoteOf} from '../../sources/git-remote.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

const commit = 'a'.repeat(40)

test.each([
  [`https://host/owner/name@${commit}`, 'https://host/owner/name'],
  [`https://user:secret@host/owner/name.git@${commit}`, 'https://user:secret@host/owner/name.git'],
  [`git@host:owner/name@${commit}`, 'git@host:owner/name'],
  [`file:///srv/name@${commit}`, 'file:///srv/name'],
])('%s is a repository at a commit', (root, url) => {
  expect(remoteOf(root)).toEqual({url, commit})
})

test.each(['../ops-math', '/srv/ops@2', 'ops-math', 'C:/ops'])('%s is a folder', (root) => {
  expect(remoteOf(root)).toBeUndefined()
})

test.each([
  'https://host/owner/name',
  'https://user:secret@host/name',
  'https://host/name@main',
  'git@host:owner/name',
])('%s does not name a commit', (root) => {
  expect(() => remoteOf(root)).toThrow('does not name a commit')
  expect(() => remoteOf(root)).not.toThrow('secret')
})

async function repository() {
  const folder = await temporaryFolder()
  const git = async (...args: string[]) => {
    const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com']
    const {code, stdout, stderr} = await runCommand('git', [...who, ...args], {cwd: folder})
    expect(code, stderr).toBe(0)
    return stdout.trim()
  }
  await git('init', '--quiet')
  const commits: string[] = []
  for (const text of ['first', 'second']) {
    writeFileSync(join(folder, 'a.md'), text)
    await git('add', '.')
    await git('commit', '--quiet', '-m', text)
    commits.push(await git('rev-parse', 'HEAD'))
  }
  return {url: `file://${folder}`, commits: commits as [string, string]}
}

test('a commit is fetched once, as it was, and knows where it is from', async () => {
  const {url, commits} = await repository()
  const cache = await temporaryFolder()
  const places = []
  for (const commit of [...commits, commits[0]]) places.push(await fetchedCheckout({url, commit}, cache))
  expect(places.map((place) => readFileSync(join(place, 'a.md'), 'utf8'))).toEqual(['first', 'second', 'first'])
  expect(places[2]).toBe(places[0])
  const name = new RegExp(`^${basename(url)}-${commits[0].slice(0, 12)}-[0-9a-f]{8}$`)
  expect(basename(places[0]!)).toMatch(name)
  expect(readdirSync(cache)).toHaveLength(2)
  expect((await describeCheckout(places[0]!)).revision).toBe(commits[0])
})

test('what cannot be fetched leaves nothing behind and says what git says', async () => {
  const {url} = await repository()
  const cache = join(await temporaryFolder(), 'checkouts')
  mkdirSync(cache)
  const failing = fetchedCheckout({url, commit}, cache)
  await expect(failing).rejects.toMatchObject({
    code: 'input-missing',
    message: expect.stringContaining(commit) as string,
  })
  expect(readdirSync(cache)).toEqual([])
})
