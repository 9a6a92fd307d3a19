import {mkdir, rename} from 'node:fs/promises'
import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {PipelineError} from '../engine/errors.ts'
import {removeFolder} from '../engine/files.ts'
import {textId} from '../engine/ids.ts'
import {runCommand} from '../engine/subprocess.ts'

interface Remote {
  url: string
  /** All 40 digits: what is published must be found again. */
  commit: string
}

/** `https://host/owner/name@<commit>`, also `ssh://`, `file://` and `git@host:owner/name@<commit>`; else undefined. */
export function remoteOf(root: string): Remote | undefined {
  const isRemote = /^(?:https?|ssh|git|file):\/\//.test(root) || /^[\w.-]+@[\w.-]+:(?!\/\/)/.test(root)
  if (!isRemote) return undefined
  const [, url = '', commit = ''] = /^(.*[^@])@([0-9a-f]{40})$/.exec(root) ?? []
  if (commit !== '') return {url, commit}
  throw new PipelineError('config-invalid', `${withoutLogin(root)} does not name a commit.`, {
    fix: 'Append the full commit: https://host/owner/name@<40 digits>. `git ls-remote <url>` prints it.',
  })
}

/** An address may hold a password. */
function withoutLogin(address: string): string {
  return address.replace(/^(\w+:\/\/)[^/]*@(?=[^/]*\/)/, '$1')
}

// Git must not prompt, and files stored outside a repository (LFS) are pictures.
const quiet = [
  'core.askPass=',
  'core.sshCommand=ssh -oBatchMode=yes',
  'filter.lfs.smudge=cat',
  'filter.lfs.required=false',
]

/**
 * The checkout of a commit below `folder`, downloaded once, without its history. A killed download leaves nothing
 * usable. @throws PipelineError `input-missing` with git's message, `toolchain-missing` without git
 */
export async function fetchedCheckout({url, commit}: Remote, folder: string): Promise<string> {
  const name = url
    .replace(/\/+$/, '')
    .replace(/^.*[/:]/, '')
    .replace(/\.git$/, '')
    .replace(/[^\w.-]/g, '_')
  const place = join(folder, `${name}-${commit.slice(0, 12)}-${textId(url).slice(0, 8)}`)
  if (existsSync(place)) return place
  const partial = `${place}.${process.pid}.part`
  await removeFolder(partial)
  await mkdir(partial, {recursive: true})
  try {
    const steps = [
      ['init', '--quiet'],
      ['remote', 'add', 'origin', url],
      ['fetch', '--quiet', '--depth', '1', 'origin', commit],
      ['checkout', '--quiet', '--detach', commit],
    ]
    for (const step of steps) await git(step, partial, {url, commit})
    await rename(partial, place)
  } finally {
    await removeFolder(partial)
  }
  return place
}

async function git(args: readonly string[], cwd: string, {url, commit}: Remote): Promise<void> {
  const all = [...quiet.flatMap((setting) => ['-c', setting]), ...args]
  const {code, stderr, timedOut} = await runCommand('git', all, {cwd, timeoutSeconds: 3600})
  if (code === 0) return
  const said = timedOut ? 'it took longer than an hour' : withoutLogin(stderr.trim().split('\n').at(-1) ?? '')
  throw new PipelineError('input-missing', `${withoutLogin(url)} at ${commit} cannot be downloaded: ${said}`, {
    fix: 'Check the address and the commit, or clone it by hand and give the folder.',
    evidence: {commit},
  })
}
