import {execFileSync, spawnSync} from 'node:child_process'
import {chmodSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {randomFrom} from '../../engine/random.ts'
import {areSame, cacheOf, ended, packageIn, startIn} from './queue.ts'

const random = randomFrom('bench array')
const users = {daemon: 1, nobody: 65_534}
const group = 100

/**
 * Candidates of the bundled tasks, judged by an array of a Slurm cluster on this machine, whose tasks are killed and
 * requeued; tasks of another user, in another folder and with another cache, take shares by hand. What it kept is
 * compared with a run in one process, which is made if it is not there. Needs root.
 */
export async function benchArray(folder: string, candidatesPerTask: number): Promise<void> {
  const own = packageIn(join(folder, 'package'))
  for (const [user, id] of Object.entries(users)) {
    rmSync(join(folder, user, 'array'), {recursive: true, force: true})
    mkdirSync(join(folder, user), {recursive: true})
    chownSync(join(folder, user), id, group)
    chmodSync(join(folder, user), 0o2775)
  }
  const cluster = resolve(folder, 'cluster')
  execFileSync('test/trainers/slurm-node.sh', ['start', cluster], {stdio: 'inherit'})
  process.env.SLURM_CONF = join(cluster, 'slurm.conf')
  const size = ['--set', `samples.candidatesPerTask=${candidatesPerTask}`]
  const began = performance.now()
  try {
    const alone = startIn(folder, own, ['run', 'candidates', '--out', 'near', ...cacheOf(folder, 'near'), ...size])
    const place = join(folder, 'daemon')
    const array = ['--workers', 'slurm:2', '--partition', 'trial', '--set', 'workers.recordsPerShare=100']
    const args = ['run', 'candidates', '--out', 'array', ...cacheOf(place, 'cache'), ...size, ...array]
    const run = ended(startIn(place, own, args, as('daemon')))
    const other = {shares: join(place, 'array/candidates/shares'), own, folder: join(folder, 'nobody')}
    const [code, aloneCode, planted] = await Promise.all([run, ended(alone), plant(run, other)])
    console.log(`ended with ${code} and ${aloneCode} after ${((performance.now() - began) / 1000).toFixed(0)} s`)
    console.log(planted)
    if (code !== 0 || aloneCode !== 0) process.exitCode = 1
  } finally {
    execFileSync('test/trainers/slurm-node.sh', ['stop', cluster])
  }
  if (!(await areSame(join(folder, 'near/candidates'), join(folder, 'daemon/array/candidates')))) process.exitCode = 1
}

const as = (user: keyof typeof users) => [
  ...['setpriv', `--reuid=${users[user]}`, `--regid=${group}`, '--clear-groups'],
  ...['sh', '-c', 'umask 002; exec "$@"', 'sh'],
]

interface Other {
  shares: string
  own: string
  folder: string
}

/** Until the run ends: a task is killed, another requeued, or the other user takes a share. */
async function plant(run: Promise<unknown>, {shares, own, folder}: Other) {
  const planted = {killed: 0, requeued: 0, byHand: 0}
  let isOver = false
  const over = run.finally(() => (isOver = true))
  while (!isOver) {
    await Promise.race([over, sleep(45_000 + 90_000 * random.unit())])
    const tasks = asked('squeue', '-h', '-r', '-t', 'R', '-o', '%i')
    if (isOver || !tasks?.length) continue
    const task = random.pick(tasks)
    const choice = random.unit()
    if (choice < 0.4) {
      if (asked('scancel', '--full', '--signal=KILL', task)) planted.killed += 1
    } else if (choice < 0.8) {
      if (asked('scontrol', 'requeue', task)) planted.requeued += 1
    } else {
      const share = openShare(shares)
      if (!share) continue
      const code = await ended(startIn(folder, own, ['worker', ...share, ...cacheOf(folder, 'cache')], as('nobody')))
      planted.byHand += code === 0 ? 1 : 0
    }
  }
  return planted
}

/** One that nobody has finished, and that the array comes to last. */
function openShare(shares: string): string[] | undefined {
  const root = existsSync(shares) ? readdirSync(shares).map((stage) => join(shares, stage))[0] : undefined
  if (root === undefined || !existsSync(join(root, 'done'))) return undefined
  const finished = new Set(readdirSync(join(root, 'done')))
  const last = readdirSync(join(root, 'in'))
    .sort()
    .findLastIndex((name) => !finished.has(name))
  return last < 0 ? undefined : ['--share', root, '--index', String(last)]
}

/** Lines of the answer; undefined when the cluster refuses. */
function asked(command: string, ...args: readonly string[]): string[] | undefined {
  const {stdout, status} = spawnSync(command, args, {encoding: 'utf8'})
  if (status !== 0) return undefined
  return stdout.trim().split('\n').filter(Boolean)
}
