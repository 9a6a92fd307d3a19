import {lstat, realpath, stat} from 'node:fs/promises'
import {dirname, isAbsolute, join, relative, resolve, sep} from 'node:path'
import {readInput} from '../engine/input-files.ts'

export interface GitFacts {
  top: string
  revision: string
  /** As the configuration writes it; '' without one. */
  remote: string
}

// The largest public repositories are far smaller.
const smallFile = 1 << 20
const largeFile = 1 << 28

/**
 * What version control says about a folder, read from its files. Git itself is not run: a checkout is untrusted, and
 * its configuration can make git run programs. Undefined outside version control, and for an ignored or untracked
 * folder in another repository.
 */
export async function readGitFolder(folder: string): Promise<GitFacts | undefined> {
  const real = await realpath(folder).catch(() => folder)
  const top = await topOf(real)
  const git = top === undefined ? undefined : await gitDirectory(top)
  if (top === undefined || git === undefined) return undefined
  const shared = await commonDirectory(git)
  const revision = await headOf(git, shared)
  if (revision === undefined) return undefined
  const index = await readInput(join(git, 'index'), largeFile)
  const below = relative(top, real).split(sep).join('/')
  if (below !== '' && !(Buffer.isBuffer(index) && indexHolds(index, below, revision.length / 2))) return undefined
  return {top, revision, remote: originOf((await textOf(join(shared, 'config'))) ?? '')}
}

/** The nearest folder at or above `folder` that is the top of a checkout. */
export async function topOf(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    if (
      await stat(join(at, '.git')).then(
        () => true,
        () => false,
      )
    )
      return at
    if (at === dirname(at)) return undefined
  }
}

/**
 * `.git` itself, or the place that it points to, if that place points back: otherwise a file could claim another
 * repository.
 */
async function gitDirectory(top: string): Promise<string | undefined> {
  const path = join(top, '.git')
  if ((await lstat(path)).isDirectory()) return path
  const named = /^gitdir: ([^\n]+)\n?$/.exec((await textOf(path)) ?? '')?.[1]
  if (named === undefined) return undefined
  const target = isAbsolute(named) ? named : resolve(top, named)
  const worktree = (await textOf(join(target, 'gitdir')))?.trim()
  if (worktree !== undefined) return (await samePlace(resolve(target, worktree), path)) ? target : undefined
  const submodule = valueOf((await textOf(join(target, 'config'))) ?? '', 'core', 'worktree')
  return submodule !== undefined && (await samePlace(resolve(target, submodule), top)) ? target : undefined
}

async function samePlace(a: string, b: string): Promise<boolean> {
  const [one, other] = await Promise.all([a, b].map((path) => realpath(path).catch(() => undefined)))
  return one !== undefined && one === other
}

/** A worktree keeps its HEAD to itself and shares everything else. */
async function commonDirectory(git: string): Promise<string> {
  const named = (await textOf(join(git, 'commondir')))?.trim()
  return named === undefined || named === '' ? git : resolve(git, named)
}

const commit = /^(?:[\da-f]{40}|[\da-f]{64})$/

async function headOf(git: string, shared: string): Promise<string | undefined> {
  const head = (await textOf(join(git, 'HEAD')))?.trim() ?? ''
  const name = /^ref: (refs\/\S+)$/.exec(head)?.[1]
  if (name === undefined) return commit.test(head) ? head : undefined
  if (name.split('/').some((part) => part === '' || part.startsWith('.'))) return undefined
  for (const place of [git, shared]) {
    const loose = (await textOf(join(place, name)))?.trim()
    if (loose !== undefined && commit.test(loose)) return loose
  }
  const packed = (await textOf(join(shared, 'packed-refs'), largeFile)) ?? ''
  const line = packed.split('\n').find((one) => one.endsWith(` ${name}`)) ?? ''
  return commit.test(line.slice(0, -name.length - 1)) ? line.slice(0, -name.length - 1) : undefined
}

function originOf(config: string): string {
  return valueOf(config, 'remote "origin"', 'url') ?? ''
}

/** The last value of a key; includes are not followed. */
function valueOf(config: string, section: string, key: string): string | undefined {
  let here = false
  let value: string | undefined
  for (const line of config.split('\n').map((one) => one.trim())) {
    const equals = line.indexOf('=')
    if (line.startsWith('[')) here = line.replace(/^\[\s*|\s*\].*$/g, '').toLowerCase() === section.toLowerCase()
    else if (here && line.slice(0, equals).trim().toLowerCase() === key) value = unquoted(line.slice(equals + 1))
  }
  return value
}

function unquoted(written: string): string {
  const value = written.trim()
  return value.startsWith('"') ? (value.slice(1).split('"')[0] ?? '') : (value.split(/\s[#;]/)[0] ?? '')
}

async function textOf(path: string, maxBytes = smallFile): Promise<string | undefined> {
  const bytes = await readInput(path, maxBytes)
  return Buffer.isBuffer(bytes) ? bytes.toString('utf8') : undefined
}

/**
 * Whether git's index lists `folder` or anything below it. Also false for an unreadable index: a folder is not
 * attributed to a commit by guess. Format: `gitformat-index(5)`, versions 2 to 4.
 * @param hashBytes 20, or 32 in a repository of SHA-256
 */
export function indexHolds(bytes: Uint8Array, folder: string, hashBytes: number): boolean {
  const index = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (index.length < 12 || index.toString('latin1', 0, 4) !== 'DIRC') return false
  const version = index.readUInt32BE(4)
  if (version < 2 || version > 4) return false
  const below = Buffer.from(`${folder}/`)
  for (const path of paths(index, version, hashBytes)) {
    // A sparse index lists a folder that is not checked out by its own name, with a slash at the end.
    if (path.subarray(0, below.length).equals(below)) return true
    if (path.at(-1) === slash && below.subarray(0, path.length).equals(path)) return true
  }
  return false
}

const slash = 0x2f
/** Times, device, mode, owner and size of an entry; the hash and 16 bits of flags follow. */
const statBytes = 40
const extendedFlag = 0x4000

function* paths(index: Buffer, version: number, hashBytes: number): Generator<Buffer> {
  const count = index.readUInt32BE(8)
  let at = 12
  let previous = Buffer.alloc(0)
  for (let number = 0; number < count; number += 1) {
    const flagsAt = at + statBytes + hashBytes
    if (flagsAt + 2 > index.length) return
    const isExtended = version >= 3 && (index.readUInt16BE(flagsAt) & extendedFlag) !== 0
    const named = flagsAt + (isExtended ? 4 : 2)
    const {cut, next} = version === 4 ? varint(index, named) : {cut: previous.length, next: named}
    const end = index.indexOf(0, next)
    if (end < 0) return
    previous = Buffer.concat([previous.subarray(0, Math.max(0, previous.length - cut)), index.subarray(next, end)])
    yield previous
    // Before version 4, one to eight zero bytes bring the entry to a multiple of eight.
    at = version === 4 ? end + 1 : at + (Math.floor((end - at) / 8) + 1) * 8
  }
}

/** How many bytes of the path before are cut off: git's offset encoding, in which each step adds one. */
function varint(index: Buffer, at: number): {cut: number; next: number} {
  let byte = index[at] ?? 0
  let cut = byte & 0x7f
  let next = at + 1
  while ((byte & 0x80) !== 0 && next < index.length) {
    byte = index[next] ?? 0
    cut = (cut + 1) * 128 + (byte & 0x7f)
    next += 1
  }
  return {cut, next}
}
