import {readdir, realpath} from 'node:fs/promises'
import {basename, dirname, join, relative, resolve, sep} from 'node:path'
import {recognisedLicence} from '../datasets/gates/licence-words.ts'
import {findFiles, readInput} from '../engine/input-files.ts'
import {readGitFolder, topOf, type GitFacts} from './git-folder.ts'
import {declaredLicence} from './licence.ts'

/** A folder's data for the origin of records. */
export interface Checkout {
  /** `https://host/owner/name`, without credentials; the folder's name when no public remote is known. */
  repository: string
  /** Commit; `unversioned` outside version control. */
  revision: string
  /** SPDX identifier, `LicenseRef-CANN-OSL-…`, or `NOASSERTION`. */
  licence: string
}

/** Without a licence file, the headers of this many source files are read. */
const headersAsked = 64

/** Longest file that is read as a page or as source code. The largest page of the vendor's documentation has 286 kB. */
export const sourceBytes = 8 << 20

/** Describes the checkout that `root` is, or is in. */
export async function describeCheckout(root: string): Promise<Checkout> {
  const folder = resolve(root)
  const git = await readGitFolder(folder)
  return {
    repository: publicUrl(git?.remote ?? '') ?? basename(git?.top ?? folder),
    revision: git?.revision ?? 'unversioned',
    licence: (await licenceAround(folder, git))?.licence ?? (await agreedHeaders(folder)) ?? 'NOASSERTION',
  }
}

/** The text of the licence file that applies to `root`, for data sets that must include a copy. */
export async function licenceText(root: string): Promise<LicenceText | undefined> {
  const folder = resolve(root)
  return licenceAround(folder, await readGitFolder(folder))
}

interface LicenceText {
  licence: string
  text: string
}

async function licenceAround(folder: string, git: GitFacts | undefined): Promise<LicenceText | undefined> {
  const real = await realpath(folder).catch(() => folder)
  return licenceFile(real, git?.top ?? real)
}

/** Path of `root` in its checkout, or in `around`, with a trailing slash; '' at the top or outside version control. */
export async function pathInCheckout(root: string, around?: string): Promise<string> {
  const top = around === undefined ? await topOf(root) : resolve(around)
  return top === undefined || top === root ? '' : `${relative(top, root).split(sep).join('/')}/`
}

/**
 * `git@host:owner/name.git`, `ssh://…` and `https://user:token@…` as one plain address; undefined for a path on this
 * machine.
 */
export function publicUrl(remote: string): string | undefined {
  const scp = /^(?:[\w.-]+@)([\w.-]+):(?!\/\/)\/?(.+)$/.exec(remote)
  const url = /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([\w.-]+)(?::\d+)?\/(.+)$/.exec(remote)
  const match = scp ?? url
  if (!match) return undefined
  const path = (match[2] as string)
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
  return `https://${(match[1] as string).toLowerCase()}/${path}`
}

/** A longer text is not a licence. */
const licenceBytes = 1 << 20

/** The nearest licence file from `folder` up to `top`. Links are ignored: they may point to any local file. */
async function licenceFile(folder: string, top: string): Promise<LicenceText | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const names = await readdir(at).catch(() => [])
    for (const name of names.filter((one) => /^(?:licen[cs]e|copying)(?:\.(?:txt|md))?$/i.test(one)).sort()) {
      const bytes = await readInput(join(at, name), licenceBytes)
      const text = Buffer.isBuffer(bytes) ? bytes.toString('utf8') : ''
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
    for await (const {path, refused} of findFiles(folder)) {
      if (refused || !/\.(?:h|hpp|cpp|cc|asc|py|md|html)$/.test(path)) continue
      const bytes = await readInput(join(folder, path), sourceBytes)
      const licence = Buffer.isBuffer(bytes) ? declaredLicence(bytes.toString('utf8')) : undefined
      if (licence !== undefined) declared.add(licence)
      asked += 1
      if (asked >= headersAsked) break
    }
  } catch {
    // A folder that cannot be read is the caller's to report; it declares nothing.
  }
  return declared.size === 1 ? [...declared][0] : undefined
}
