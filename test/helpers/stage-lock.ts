import {existsSync} from 'node:fs'
import {dirname, join, normalize} from 'node:path'
import {textId} from '../../engine/ids.ts'
import {code, files, textOf} from './house.ts'

// Which outputs each version of a stage gives, in digests of files: of its cases, and of pages of the words it tells.

/** By the file that holds the version: the version, and `<made from> gives <output>` by case or page, in digests. */
export type Lock = Record<string, {version: number; outputs: Record<string, string>}>

/** Pages of told words: the module whose words they are, and what they are made from, stages for their versions. */
export type ToldPages = [writer: string, pages: string[], from: string[]]

export const stageFiles = code.filter((file) => /^export default function[\s\S]*?\): Stage</m.test(textOf(file)))
/** Versions that are part of a key without being a stage's own. */
export const keyFiles = [...stageFiles, 'pipelines/workspace/reasons.ts']

/** It asks which form of a task can be told, and hands on nothing that is said in it. */
const wordless = 'pipelines/code/evaluated/pair-tasks.ts'

function versionOf(file: string): number {
  const [, version] = /\b(?:version: |reasonVersion = )(\d+)/.exec(textOf(file)) ?? []
  if (version === undefined) throw new TypeError(`${file} has no version`)
  return Number(version)
}

/** Digest of files and of whole folders; of the version alone where a file is a stage; imports do not count. */
function digestOf(paths: readonly string[]): string {
  const texts = paths.flatMap((path) => {
    if (keyFiles.includes(path)) return [`version ${versionOf(path)}`]
    const within = files.filter((file) => file === path || file.startsWith(`${path}/`))
    if (within.length === 0) throw new TypeError(`there is no ${path}`)
    return within.map((file) => textOf(file).replaceAll(/^import [^']*'[^']*'\n/gm, ''))
  })
  return textId(texts.join('\0')).slice(0, 12)
}

/** Everything that runs when a file is imported, files that it loads later included. */
function reachedFrom(file: string): Set<string> {
  const reached = new Set([file])
  for (const one of reached) {
    for (const [, name = ''] of textOf(one).matchAll(
      /(?:^(?:import|export) (?!type )[^'"]*?from |\bimport\()'(\.[^']+\.ts)'/gm,
    )) {
      const target = normalize(join(dirname(one), name))
      if (existsSync(target)) reached.add(target)
    }
  }
  return reached
}

/** Cases of stages, by the stage's file. */
function* cases(): Iterable<[key: string, name: string, from: string[], outputs: string[]]> {
  for (const declared of files.filter((file) => /^test\/fixtures\/stages\/.*\/stage\.json$/.test(file))) {
    const folder = dirname(declared)
    const {file} = JSON.parse(textOf(declared)) as {file: string}
    const outputs = ['out.jsonl', 'dropped.jsonl'].map((name) => `${folder}/${name}`)
    const given = files.filter((one) => one.startsWith(`${folder}/`) && !outputs.includes(one))
    const named = textOf(declared).match(/test\/fixtures\/[\w/.-]+/g) ?? []
    // Its prompts and the twin are part of its key by themselves.
    const prompts = files.filter((one) => dirname(one) === dirname(file) && one.endsWith('.md'))
    const twin = textOf(declared).includes('"twin"') ? ['eval/twin'] : []
    yield [file, folder.replace('test/fixtures/', ''), [...given, ...named, ...prompts, ...twin], outputs]
  }
}

const reachedFromKey = new Map(keyFiles.map((key) => [key, reachedFrom(key)]))

/** The keys of what a module tells: its own where it has one, else those of everything that reaches it. */
function tellers(writer: string): string[] {
  if (keyFiles.includes(writer)) return [writer]
  return keyFiles.filter((key) => reachedFromKey.get(key)?.has(writer) && key !== wordless)
}

export function currentLock(told: readonly ToldPages[]): Lock {
  const lock: Lock = {}
  const note = (key: string, name: string, from: string[], outputs: string[]) => {
    lock[key] ??= {version: versionOf(key), outputs: {}}
    lock[key].outputs[name] = `${digestOf(from)} gives ${digestOf(outputs)}`
  }
  for (const one of cases()) note(...one)
  for (const [writer, pages, from] of told) {
    for (const key of tellers(writer)) {
      for (const page of pages) note(key, `told/${page}`, from, [`test/fixtures/told/${page}`])
    }
  }
  const sorted = <T>(all: Record<string, T>) =>
    Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)))
  return sorted(
    Object.fromEntries(Object.entries(lock).map(([key, one]) => [key, {...one, outputs: sorted(one.outputs)}])),
  )
}

/** What gives other outputs than the lock says, of the same things and under the same version. */
export function hiddenChanges(locked: Lock, now: Lock): string[] {
  return Object.entries(now).flatMap(([key, {version, outputs}]) => {
    const before = locked[key]
    if (before === undefined || version > before.version) return []
    if (version < before.version) return [`${key}: version ${version} comes after ${before.version}`]
    return Object.entries(outputs)
      .filter(([name, digests]) => {
        const [from, output] = (before.outputs[name] ?? '').split(' gives ')
        return digests.startsWith(`${from} `) && !digests.endsWith(` ${output}`)
      })
      .map(([name]) => `${key}: ${name} is another, and the version is still ${version}`)
  })
}
