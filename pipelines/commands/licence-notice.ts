import {counted, inThousands} from '../../engine/counted.ts'
import {defaultAllow} from '../../datasets/gates/licence-gate.ts'
import {isAllowed, licences} from '../../datasets/gates/licences.ts'
import {configs, type Config as DataConfig} from '../../datasets/schema/export.ts'
import {SourceFolder} from '../../datasets/schema/source-folder.ts'
import type {Pipeline} from '../../engine/pipeline.ts'
import {FinishedRun, openRun, readRunRecord, type RunRecord} from '../../engine/run.ts'
import {describeCheckout} from '../../sources/checkout.ts'
import {sourceKinds} from '../../sources/kinds.ts'
import {quoted} from '../../trainers/backends/shell.ts'
import {Config, licencesFor} from '../workspace/config.ts'
import {licenceTexts} from '../workspace/licence-texts.ts'
import {localFolders} from '../workspace/source-folders.ts'
import type {Terminal} from './terminal.ts'

/** Records of a run that are examined: enough to see a licence that all of a source shares. */
const recordsAsked = 20_000

/**
 * Reports, before a run spends anything, which records a release would refuse because of a licence, how many they are,
 * and the setting that fixes it. Prints nothing if all may be published.
 */
export async function tellLicences(pipeline: Pipeline<unknown>, config: Config, terminal: Terminal): Promise<void> {
  for (const sentence of await sentencesOn(pipeline, config)) terminal.say(`warning: ${sentence}`)
}

async function sentencesOn(pipeline: Pipeline<unknown>, config: Config): Promise<string[]> {
  const data = configs.find((one) => pipeline.name === `release-${one}`)
  if (data) return ofRelease(pipeline, config, data)
  const kind = sourceKinds.find(({name}) => name === pipeline.name)
  return kind ? ofSources(pipeline, config, kind.name) : []
}

/** A page or file may state its own licence; this applies to those that do not. */
async function ofSources(pipeline: Pipeline<unknown>, config: Config, kind: string): Promise<string[]> {
  const folders = pipeline.origins.flatMap((origin) => SourceFolder.safeParse(origin).data ?? [])
  const sentences: string[] = []
  for (const {root, licence} of folders) {
    const known = licence ?? (await describeCheckout(root)).licence
    if (isAllowed(known, allowedIn(config, 'sft'))) continue
    const state = `--set 'sources.${kind}=[{root: ${root}, licence: <SPDX identifier>}]'`
    const what = `releases will refuse everything in ${root} that states no licence of its own: it is ${known}.`
    sentences.push(`${what}\n  → ${known === unknown ? `State it: ${state}` : allowing(known, config, 'sft')}`)
  }
  return sentences
}

async function ofRelease(pipeline: Pipeline<unknown>, config: Config, data: DataConfig): Promise<string[]> {
  const counts = new Map<string, number>()
  let read = 0
  for (const origin of pipeline.origins) read += await countLicences(FinishedRun.parse(origin).directory, counts)
  const allow = allowedIn(config, data)
  const refused = [...counts].filter(([licence]) => !isAllowed(licence, allow))
  const sentences: string[] = []
  if (refused.length > 0) {
    const list = refused.map(([licence, records]) => `${licence} (${records})`).join(', ')
    const number = refused.reduce((sum, [, records]) => sum + records, 0)
    const mends = await Promise.all(
      refused.map(([licence]) => (licence === unknown ? stating(pipeline, config) : allowing(licence, config, data))),
    )
    const share = `${inThousands(number)} of ${counted(read, 'record')} of ${pipeline.name}`
    const what = `${share} will be refused because of their licence: ${list}.`
    sentences.push([what, ...new Set(mends)].join('\n  → '))
  }
  const texts = await licenceTexts(config)
  for (const licence of counts.keys()) {
    if (!isAllowed(licence, allow) || licences[licence]?.permissive || texts[licence] !== undefined) continue
    const what = `rows under ${licence} must be published with its text, and no source folder contains that text.`
    sentences.push(`${what}\n  → Give this command the source folders too: the card ships their LICENSE.`)
  }
  return sentences
}

const unknown = 'NOASSERTION'

const allowedIn = (config: Config, data: DataConfig) => licencesFor(config, data) ?? defaultAllow

function allowing(licence: string, config: Config, data: DataConfig): string {
  return `If you may publish it: --set export.licences=[${[...allowedIn(config, data), licence].join(', ')}]`
}

/**
 * The command that makes the rows again with their folders' licence. A release is too late to state one: a file may
 * name another, which is only known when it is read.
 */
async function stating(release: Pipeline<unknown>, config: Config): Promise<string> {
  const runs = release.origins.map((origin) => FinishedRun.parse(origin).directory)
  const records = (await Promise.all(runs.map(recordsBehind))).flat()
  const given = records.flatMap(({config: own}) => Config.safeParse(own).data ?? [])
  const settings = await Promise.all(kinds.map((kind) => settingFor(kind, given, config)))
  const stated = settings.flat()
  if (stated.length === 0)
    return 'All their source folders have a licence, but files in them name one whose conditions are unknown.'
  const names = new Set([...records.map(({recipe}) => recipe), release.name])
  return `State it where they are made: ascend-cot run ${[...names].join(' ')} ${stated.join(' ')}, settings as before.`
}

const kinds = [...sourceKinds.map(({name}) => name), 'tasks']

/** The flags that state a licence for folders without one; empty if all have one. */
async function settingFor(kind: string, given: readonly Config[], now: Config): Promise<string[]> {
  const lists = await Promise.all([...given, now].map(async (one) => (await localFolders(one, kind)) ?? []))
  const stated = new Map(lists.pop()?.map(({root, licence}) => [root, licence]))
  // General data may have no folder: its licence was checked before it was read.
  const folders = [...new Map(lists.flat().map((folder) => [folder.root, folder])).values()].filter(({root}) => root)
  const known = await Promise.all(folders.map(isKnown))
  if (!known.includes(false)) return []
  const list = folders.map((folder, index) =>
    known[index] ? folder : {...folder, licence: stated.get(folder.root) ?? '<SPDX identifier>'},
  )
  return [`--set ${quoted(`sources.${kind}=[${list.map(flow).join(', ')}]`)}`]
}

/** Runs that were read come before the run that read them. */
async function recordsBehind(directory: string): Promise<RunRecord[]> {
  const record = await readRunRecord(directory)
  if (!record) return []
  const before = await Promise.all((record.reads ?? []).map((read) => recordsBehind(read.directory)))
  return [...before.flat(), record]
}

const isKnown = async ({root, licence}: SourceFolder) =>
  licence !== undefined || (await describeCheckout(root)).licence !== unknown

/** As a mapping of YAML. */
const flow = (folder: SourceFolder) =>
  `{${Object.entries(folder)
    .map(([key, value]) => `${key}: ${/^[\w<./-][\w ./>-]*$/.test(String(value)) ? value : JSON.stringify(value)}`)
    .join(', ')}}`

/** Adds the licences of a run's records, read from their canonical JSON; returns how many were examined. */
async function countLicences(directory: string, counts: Map<string, number>): Promise<number> {
  const run = await openRun(directory)
  let read = 0
  try {
    for (const {json} of run?.emitted() ?? []) {
      const [, licence] = /"origin":\{"licence":"([^"\\]+)"/.exec(json) ?? []
      if (licence !== undefined) counts.set(licence, (counts.get(licence) ?? 0) + 1)
      read += 1
      if (read >= recordsAsked) break
    }
  } finally {
    run?.close()
  }
  return read
}
