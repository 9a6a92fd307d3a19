import {spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {chmodSync, chownSync, existsSync, mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, onTestFinished, test} from 'vitest'
import {readRunRecord} from '../../../engine/run.ts'
import {command} from '../../helpers/command.ts'
import {halved, keptIn} from '../../helpers/halved.ts'
import {startRedis} from '../../helpers/redis.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {until} from '../../helpers/until.ts'

// Whole commands as two real users, `daemon` and `nobody`, who share the group `users`.

const users = {daemon: '1', nobody: '65534'}
const group = 100
type User = keyof typeof users

const asUser = (user: User, umask: string, line: readonly string[]) =>
  [
    'setpriv',
    [`--reuid=${users[user]}`, `--regid=${group}`, '--clear-groups', 'sh', '-c', `umask ${umask}; exec "$@"`, 'sh'],
    [process.execPath, ...line],
  ] as const

/** Needs root, and a checkout that others can read. */
const canChange =
  spawnSync('setpriv', ['--reuid=1', '--regid=100', '--clear-groups', 'test', '-r', command]).status === 0

function started(folder: string, user: User, args: readonly string[], umask = '002') {
  const [program, before, line] = asUser(user, umask, [command, ...args])
  const env = {...process.env, HOME: folder, TMPDIR: folder, ASCEND_COT_WORKERS__SILENCE_SECONDS: '8'}
  const child = spawn(program, [...before, ...line], {cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe']})
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text.toString()))
  return {child, ended, said: () => said}
}

/** With a folder for each user; what is made in them belongs to the group. */
async function shared() {
  const folder = await temporaryFolder()
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, 'halved.mjs'), halved)
  for (const user of ['daemon', 'nobody'] as const) {
    mkdirSync(join(folder, user))
    chownSync(join(folder, user), Number(users[user]), group)
    chmodSync(join(folder, user), 0o2775)
  }
  return {recipe: join(folder, 'halved.mjs'), daemon: join(folder, 'daemon'), nobody: join(folder, 'nobody')}
}

const all = Array.from({length: 300}, (_, at) => at).filter((at) => at % 7 !== 0)
const halves = async (folder: string) =>
  (await keptIn(join(folder, 'far/halved'))).kept.map(
    (row) => (JSON.parse(row.replace(/^\S+ /, '')) as {half: number}).half,
  )

describe.skipIf(!canChange)('where the workers are another user in another folder', () => {
  async function withShares(umask: string, records: number) {
    const place = await shared()
    const args = [
      'run',
      place.recipe,
      '--out',
      'far',
      '--workers',
      'folder',
      '--set',
      `workers.recordsPerShare=${records}`,
    ]
    const run = started(place.daemon, 'daemon', args, umask)
    await until(() => /worker --share (\S+) --index N/.test(run.said()), 120)
    const [, root = ''] = /worker --share (\S+) --index N/.exec(run.said()) ?? []
    await until(() => existsSync(join(root, 'wave.json')))
    const task = async (user: User, index: number) => {
      const one = started(place[user], user, ['worker', '--share', root, '--index', String(index)])
      return {code: await one.ended, said: one.said()}
    }
    return {...place, run, root, task}
  }

  test('tasks of a folder give all results, and the run clears the folder', {timeout: 180_000}, async () => {
    const {run, root, task, daemon} = await withShares('002', 110)
    expect((await task('daemon', 0)).code).toBe(0)
    for (const index of [1, 2]) expect(await task('nobody', index)).toMatchObject({code: 0})
    expect(await run.ended).toBe(0)
    expect(await halves(daemon)).toEqual(all.map((at) => at / 2))
    expect(existsSync(root)).toBe(false)
    const workforce = (await readRunRecord(join(daemon, 'far/halved')))?.counts[1]?.workforce
    expect(workforce).toMatchObject({unit: 'share', waiting: 0, working: 0})
    const done = workforce?.workers.map(({by, records}) => [by.split('@')[0], records])
    expect(done).toEqual([
      ['daemon', 110],
      ['nobody', 190],
    ])
  })

  test('a task that may not write there says who may not, and nothing is lost', {timeout: 180_000}, async () => {
    const {run, task, daemon} = await withShares('022', 300)
    const {code, said} = await task('nobody', 0)
    expect(code).toBe(1)
    expect(said).toMatch(/nobody@\S+ may not write into \S+\/shares\/.*\n.*umask 002/s)
    expect((await task('daemon', 0)).code).toBe(0)
    expect(await run.ended).toBe(0)
    expect(await halves(daemon)).toHaveLength(all.length)
  })

  test('workers of a queue go on where those of the first user ended', {timeout: 180_000}, async () => {
    const redis = await startRedis()
    onTestFinished(() => redis.close())
    const {recipe, daemon, nobody} = await shared()
    const first = started(daemon, 'daemon', ['worker', '--queue', redis.url])
    const args = ['run', recipe, '--out', 'far', '--workers', redis.url, '--set', 'workers.recordsPerBatch=10']
    const run = started(daemon, 'daemon', args)
    const workers = async () => (await readRunRecord(join(daemon, 'far/halved')))?.counts[1]?.workforce?.workers ?? []
    await until(async () => (await workers()).some(({records}) => records > 0), 120)
    first.child.kill('SIGKILL')
    started(nobody, 'nobody', ['worker', '--queue', redis.url])
    expect(await run.ended).toBe(0)
    expect(await halves(daemon)).toEqual(all.map((at) => at / 2))
    expect((await workers()).map(({by}) => by.split('@')[0]).sort()).toEqual(['daemon', 'nobody'])
  })
})
