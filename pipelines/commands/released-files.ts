import {counted} from '../../engine/counted.ts'
import {existsSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {localFiles} from '../../datasets/hub/local-files.ts'
import type {LocalFile} from '../../datasets/hub/publish-diff.ts'
import {configs, type Config} from '../../datasets/schema/export.ts'
import {PipelineError} from '../../engine/errors.ts'
import {readRunRecord, type RunRecord} from '../../engine/run.ts'
import {manifestPath} from '../../datasets/hub/manifest.ts'
import {verifyDataset} from '../../datasets/verify/verify-dataset.ts'
import {findJob} from '../../trainers/job-folder.ts'
import {artifactsOf} from '../workspace/runs.ts'
import {writeModel} from './train/write-model.ts'

/** The gates that must precede the Parquet files of a configuration, whichever recipe made them. */
const gates: {readonly [C in Config]: readonly string[]} = {
  sft: ['decontaminate', 'licence-gate', 'export-gate'],
  dpo: ['decontaminate', 'licence-gate', 'export-gate'],
  apis: ['licence-gate', 'export-gate'],
  errors: ['licence-gate', 'export-gate'],
  kto: ['decontaminate', 'licence-gate', 'export-gate'],
  optimisation: ['decontaminate', 'licence-gate', 'export-gate'],
}

export interface Released {
  directory: string
  files: LocalFile[]
  /** How it was checked, a line each. */
  checked: readonly string[]
}

/** How many faults are listed at most. */
const told = 5

/**
 * The files of an output folder's data set, if they may be published: every release passed its gates, the card
 * describes exactly these releases, and the folder holds what those runs wrote, byte for byte.
 * @throws PipelineError `run-missing` or `input-invalid`: what is wrong, and what to run
 */
export async function releasedFiles(out: string): Promise<Released> {
  const directory = join(resolve(out), 'dataset')
  const releases = await releasesOf(out)
  if (releases.length === 0 && existsSync(join(directory, manifestPath))) return copiedFiles(directory)
  const card = await readRunRecord(join(resolve(out), 'card'))
  if (releases.length === 0 || !existsSync(directory))
    throw refusal(`${resolve(out)} holds no data set`, 'Make one with `npm start`, or give its folder with --out.')
  for (const {name, config, record} of releases) {
    if (record.state !== 'finished')
      throw refusal(`${name} has not finished`, 'Finish it with `ascend-cot resume`, then run `ascend-cot run card`.')
    const skipped = gates[config].filter((gate) => !record.stages.some((stage) => stage.name === gate))
    if (skipped.length > 0)
      throw refusal(`${name} was made without ${skipped.join(', ')}`, `Run \`ascend-cot run ${name} card\`.`)
  }
  if (card?.state !== 'finished' || !releases.every((release) => isRead(release, card)))
    throw refusal('The card does not describe the files next to it', 'Run `ascend-cot run card`.')
  const files = await localFiles(directory)
  const faults = await faultsOf(out, files)
  if (faults.length > 0) {
    const more = faults.length > told ? `, and ${faults.length - told} more` : ''
    const onlyCard = faults.every((fault) => fault.startsWith('README.md '))
    if (onlyCard) throw refusal(`${directory} is not what was released: ${faults.join(', ')}`, cardFix)
    const recipes = releases.map(({name}) => name).join(' ')
    const fix = `Run \`ascend-cot run ${recipes} card\`; remove files that are not part of the data set.`
    throw refusal(`${directory} is not what was released: ${faults.slice(0, told).join(', ')}${more}`, fix)
  }
  return {directory, files, checked: releases.flatMap(gateLines)}
}

/**
 * The files of a training job's model, with a newly written card.
 * @param given `job:<id>`
 * @throws PipelineError `job-missing`, or `input-invalid` where the job did not succeed
 */
export async function releasedModel(given: string, out: string): Promise<Released> {
  const {folder, steps, isMeasured} = await writeModel(out, await findJob(out, given.replace(/^job:/, '')))
  const trained = steps.map(({record: {id, method, data}}) => {
    const {source, config, split, sha256} = data
    const rows = `${counted(data.rows, 'row')} of ${source} ${config}/${split}, ${sha256.slice(0, 12)}…`
    return `${id}: ${method} on ${rows}`
  })
  const measured = isMeasured ? 'the card contains its measurements' : 'it has no measurements; the card states that'
  return {directory: folder, files: await localFiles(folder), checked: [...trained, measured]}
}

/** A folder that no run here made, as checked by `verify`. */
async function copiedFiles(directory: string): Promise<Released> {
  const {rows, problems} = await verifyDataset(directory)
  const [first] = problems
  if (first) {
    const more = problems.length > 1 ? `, and ${counted(problems.length - 1, 'more problem')}` : ''
    const fix = `\`ascend-cot verify ${directory}\` lists them with their fixes.`
    throw refusal(`${directory} does not match its manifest and card: ${first.file} ${first.what}${more}`, fix)
  }
  const checked = [
    `no run here made it: ${rows} rows match manifest and card (\`verify\`)`,
    'its gates ran where it was released',
  ]
  return {directory, files: await localFiles(directory), checked}
}

const lookedFor: Readonly<Record<string, string>> = {
  decontaminate: 'tasks of the benchmarks',
  'licence-gate': 'licences',
  'export-gate': 'secrets, personal data and form',
}

/** What a release's gates passed, and why they dropped the rest. */
function gateLines({name, config, record}: Release): string[] {
  return record.counts
    .filter(({stage}) => gates[config].includes(stage))
    .map(({stage, read, dropped, reasons}) => {
      const why = Object.entries(reasons).map(([reason, count]) => `${reason} ${count}`)
      const looked = `${stage} checked ${read} for ${lookedFor[stage] ?? 'faults'}`
      return `${name}: ${looked}, refused ${dropped}${why.length > 0 ? ` (${why.join(', ')})` : ''}`
    })
}

const cardFix =
  'Run `ascend-cot run card`, which rewrites it; put your own text in a file: --set export.words=<file>.md.'

interface Release {
  name: string
  config: Config
  record: RunRecord
}

async function releasesOf(out: string): Promise<Release[]> {
  const found: Release[] = []
  for (const config of configs) {
    const name = `release-${config}`
    const record = await readRunRecord(join(resolve(out), name))
    if (record) found.push({name, config, record})
  }
  return found
}

/** Whether the card was made of this release as it is now. */
function isRead({name, record}: Release, card: RunRecord): boolean {
  return (card.reads ?? []).some(({directory, ended}) => directory.endsWith(`/${name}`) && ended === record.endedAt)
}

async function faultsOf(out: string, files: readonly LocalFile[]): Promise<string[]> {
  const written = new Map((await artifactsOf(out)).map((artifact) => [artifact.path, artifact]))
  const lying = new Set(files.map(({path}) => path))
  return [
    ...files.flatMap(({path, sha256}) => {
      const artifact = written.get(path)
      if (!artifact) return [`${path} was not written by a release`]
      return artifact.sha256 === sha256 ? [] : [`${path} was changed after its release`]
    }),
    ...[...written.keys()].filter((path) => !lying.has(path)).map((path) => `${path} is gone`),
  ]
}

function refusal(what: string, fix: string): PipelineError {
  return new PipelineError('input-invalid', `${what}.`, {fix})
}
