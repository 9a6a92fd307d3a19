import {createHash} from 'node:crypto'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {z} from 'zod'
import {walk} from '../files.ts'
import {canonicalJson, contentId} from '../ids.ts'
import type {Json} from '../json.ts'
import {ownExtension, ownRoot, ownVersion} from '../own-package.ts'
import type {AnyStage} from '../pipeline.ts'

/**
 * What has to be the same on every machine that works on a stage. The stage's options hold the rest: its executor with
 * compiler, twin and chip, and the Python of a reference.
 */
export const Fingerprint = z.strictObject({
  /** Of this package. */
  package: z.string(),
  /** A hash over the package's modules: a checkout has one version for many states. */
  code: z.string(),
  stage: z.string(),
  stageVersion: z.int(),
  /** What its outcomes are stored under. */
  key: z.string(),
  options: z.unknown(),
})
export type Fingerprint = z.infer<typeof Fingerprint>

export async function fingerprintOf({name, version, options = null}: AnyStage, key: string): Promise<Fingerprint> {
  const code = await (codeHash ??= hashOfCode())
  // As it arrives: a key without a value does not travel.
  const sent = JSON.parse(canonicalJson(options)) as unknown
  return {package: ownVersion(), code, stage: name, stageVersion: version, key, options: sent}
}

let codeHash: Promise<string> | undefined

const rooms = ['cpp', 'datasets', 'engine', 'eval', 'pipelines', 'sources', 'trainers']

async function hashOfCode(): Promise<string> {
  const hash = createHash('sha256')
  for (const room of rooms) {
    for await (const path of walk(join(ownRoot, room))) {
      if (!path.endsWith(ownExtension)) continue
      hash.update(`${room}/${path}\n`).update(readFileSync(join(ownRoot, room, path)))
    }
  }
  return hash.digest('hex').slice(0, 16)
}

/** Names a fingerprint in results and labels. */
export const fingerprintId = (fingerprint: Fingerprint) => contentId(fingerprint)

/** In what two fingerprints differ: `options.executor.compiler is "g++ 12" here and "clang 15" in the run`. */
export function differences(run: Fingerprint, here: Fingerprint): string[] {
  const [there, own] = [leaves(run), leaves(here)]
  const names = [...new Set([...there.keys(), ...own.keys()])]
  const differing = names.filter((name) => there.get(name) !== own.get(name))
  // The key is a hash of the others.
  const telling = differing.length > 1 ? differing.filter((name) => name !== 'key') : differing
  return telling.map(
    (name) => `${name} is ${own.get(name) ?? 'absent'} here and ${there.get(name) ?? 'absent'} in the run`,
  )
}

/** Longer texts, such as prompts, are not shown. */
const mostShown = 80

function leaves(value: unknown, path = '', found = new Map<string, string>()): Map<string, string> {
  if (typeof value !== 'object' || value === null) {
    const text = canonicalJson(value ?? null)
    found.set(path, text.length > mostShown ? `a text with the id ${contentId(value as Json)}` : text)
  } else {
    for (const [name, one] of Object.entries(value)) leaves(one, path === '' ? name : `${path}.${name}`, found)
  }
  return found
}
