import {readdir, readFile, stat} from 'node:fs/promises'
import {basename, dirname, join, relative, resolve, sep} from 'node:path'
import {PipelineError} from '../pipelines/core/errors.ts'
import {walk} from '../pipelines/core/files.ts'
import {runCommand} from '../pipelines/core/subprocess.ts'
import {declaredLicence, recognisedLicence} from './licence.ts'

/** What a record's origin needs to know about the folder that it came from. */
export interface Checkout {
  /** `https://host/owner/name`, without credentials; the folder's name when no public remote is known. */
  repository: string
  /** Commit; `unversioned` outside version control. */
  revision: string
  /** SPDX identifier, `LicenseRef-CANN-OSL-…`, or `NOASSERTION`. */
  licence: string
}

/** Without a licence file, the headers of so many source files are asked. */
const headersAsked = 64

/** Describes the checkout that `root` is, or lies in. A machine without git sees an unversioned folder. */
export async function describeCheckout(root: string, signal?: AbortSignal): Promise<Checkout> {
  const folder = resolve(root)
  const git = await readGit(folder, signal)
  return {
    repository: publicUrl(git?.remote ?? '') ?? basename(git?.top ?? folder),
    revision: git?.revision ?? 'unversioned',
    licence: (await licenceFile(folder, git?.top ?? folder))?.licence ?? (await agreedHeaders(folder)) ?? 'NOASSERTION',
  }
}

/** The text of the licence file that `root` stands under, for data sets that must carry a copy of it. */
export async function licenceText(root: string, signal?: AbortSignal): Promise<{licence: string; text: string} | undefined> {
  const folder = resolve(root)
  const git = await readGit(folder, signal)
  return licenceFile(folder, git?.top ?? folder)
}

/** Where `root` lies in the checkout around it, with a slash at the end; '' at its top or outside of version control. */
export async function pathInCheckout(root: string): Promise<string> {
  for (let folder = root; ; folder = dirname(folder)) {
    const top = await stat(join(folder, '.git')).then(() => true, () => false)
    if (top) return folder === root ? '' : `${relative(folder, root).split(sep).join('/')}/`
    if (folder === dirname(folder)) return ''
  }
}

interface GitFacts {
  top: string
  revision: string
  remote: string
}

/** Undefined for a folder that its HEAD does not hold: an ignored or untracked folder inside somebody's repository has no revision. */
async function readGit(folder: string, signal?: AbortSignal): Promise<GitFacts | undefined> {
  const git = async (...args: string[]) => {
    // A checkout made by another account (a mounted disk, a container) is only read here, so its ownership does not matter.
    const {code, stdout} = await runCommand('git', ['-c', 'safe.directory=*', '-C', folder, ...args], signal ? {signal, timeoutSeconds: 60} : {timeoutSeconds: 60})
    return code === 0 ? stdout.trim() : undefined
  }
  try {
    const found = await git('rev-parse', '--show-toplevel', 'HEAD', 'HEAD:./')
    const [top, revision] = found?.split('\n') ?? []
    if (top === undefined || revision === undefined) return undefined
    return {top, revision, remote: (await git('remote', 'get-url', 'origin')) ?? ''}
  } catch (error) {
    if (error instanceof PipelineError && error.code === 'toolchain-missing') return undefined
    throw error
  }
}

/** `git@host:owner/name.git`, `ssh://…` and `https://user:token@…` as one plain address; undefined for a path on this machine. */
export function publicUrl(remote: string): string | undefined {
  const scp = /^(?:[\w.-]+@)([\w.-]+):(?!\/\/)\/?(.+)$/.exec(remote)
  const url = /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([\w.-]+)(?::\d+)?\/(.+)$/.exec(remote)
  const match = scp ?? url
  if (!match) return undefined
  const path = (match[2] as string).replace(/[?#].*$/, '').replace(/\/+$/, '').replace(/\.git$/, '')
  return `https://${(match[1] as string).toLowerCase()}/${path}`
}

/** The nearest licence file from `folder` up to `top`. */
async function licenceFile(folder: string, top: string): Promise<{licence: string; text: string} | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const names = await readdir(at).catch(() => [])
    for (const name of names.filter((one) => /^(?:licen[cs]e|copying)(?:\.(?:txt|md))?$/i.test(one)).sort()) {
      const text = await readFile(join(at, name), 'utf8').catch(() => '')
      const licence = recognisedLicence(text) ?? declaredLicence(text)
      if (licence !== undefined) return {licence, text}
    }
    if (at === top || at === dirname(at)) return undefined
  }
}

/** The one licence that all headers which declare any agree on. */
async function agreedHeaders(folder: string): Promise<string | undefined> {
  const declared = new Set<string>()
  let asked = 0
  try {
    for await (const path of walk(folder)) {
      if (!/\.(?:h|hpp|cpp|cc|asc|py|md|html)$/.test(path)) continue
      const licence = declaredLicence(await readFile(join(folder, path), 'utf8'))
      if (licence !== undefined) declared.add(licence)
      asked += 1
      if (asked >= headersAsked) break
    }
  } catch {
    // A folder that cannot be read is the caller's to report; it declares nothing.
  }
  return declared.size === 1 ? [...declared][0] : undefined
}
