import {counted} from '../../engine/counted.ts'
import {join, resolve} from 'node:path'
import {kindTally, readStats} from '../../datasets/card/stats.ts'
import {LabelledCandidate} from '../../datasets/schema/candidate.ts'
import {labels, type Label} from '../../datasets/schema/label.ts'
import type {Config} from '../workspace/config.ts'
import type {Spending} from '../../engine/llm/connect.ts'
import {readRunRecord, type RunRecord} from '../../engine/run.ts'
import {besideReleases} from '../workspace/recipe-names.ts'
import {artifactsOf, emittedBy, findRuns, isRelease} from '../workspace/runs.ts'
import {describeSpending} from './stage-line.ts'
import {stageTable} from './status.ts'
import {table, wrapped} from './text-table.ts'
import type {World} from './world.ts'

interface Finished {
  config: Config
  records: readonly RunRecord[]
  reportFile: string
  seconds: number
  spending: Readonly<Spending>
}

/**
 * The last lines of a command: records by kind, labels by colour, what was dropped and why, and where everything is.
 */
export async function printSummary(
  {config, records, reportFile, seconds, spending}: Finished,
  {terminal}: World,
  {json}: {json: boolean},
): Promise<void> {
  const [rows, labels, artifacts] = await Promise.all([
    exportedRows(config.out),
    labelCounts(config.out),
    artifactsOf(config.out),
  ])
  const dataset = join(resolve(config.out), 'dataset')
  const made = new Set(records.map(({recipe}) => recipe))
  const isExported = [...made].some(exports)
  if (json) {
    terminal.print(JSON.stringify({seconds, rows, labels, dataset, report: reportFile, spending, runs: records}))
    return
  }
  for (const {recipe, counts} of records) terminal.print(`\n${recipe}\n${stageTable(counts, terminal.width)}`)
  if (rows.length > 0 && isExported)
    terminal.print(
      `\n${table(
        ['records', 'kind', 'rows'],
        rows.map(({config: name, kind, count}) => [name, kind, count]),
        terminal.width,
      )}`,
    )
  if (labels.length > 0 && made.has('candidates'))
    terminal.print(
      `\n${table(
        ['label', 'candidates', 'observed by'],
        labels.map(({label, count, executor}) => [label, count, executor]),
        terminal.width,
      )}`,
    )
  const spent = describeSpending(spending)
  terminal.print('')
  const isBeside = made.size > 0 && [...made].every((recipe) => besideReleases.includes(recipe))
  const older = isExported ? await otherSeeds(config) : await olderDataset(config)
  const line = (text: string) => terminal.print(wrapped(text, 10, terminal.width ?? Infinity))
  if (artifacts.length > 0 && !isBeside) line(`data set  ${dataset}  (${counted(artifacts.length, 'file')}${older})`)
  terminal.print(`report    ${reportFile}`)
  line(`took      ${seconds.toFixed(1)} s${spent === '' ? '' : `; ${spent}`}`)
}

const exports = (recipe: string) => recipe === 'card' || isRelease(recipe)

/** A command that released nothing must not present the folder's older files as its result. */
async function olderDataset({out, seed}: Config): Promise<string> {
  const card = await readRunRecord(join(resolve(out), 'card'))
  const other = card && card.seed !== seed ? `, with the seed ${card.seed} where this one has ${seed}` : ''
  return `, from an earlier run${other}: release again to include this run`
}

/** A release reads every run of the folder, whatever its seed. */
async function otherSeeds({out, seed}: Config): Promise<string> {
  const others = (await findRuns(out)).map(({record}) => record).filter((record) => record.seed !== seed)
  const made = others.filter(({recipe}) => !exports(recipe))
  const told = made.map(({recipe, seed: other}) => `${recipe} with seed ${other}`)
  return told.length === 0 ? '' : `; not made with this command's seed ${seed}: ${told.join(', ')}`
}

/** Rows of the exported files by configuration and kind, read back from the files. */
async function exportedRows(out: string): Promise<{config: string; kind: string; count: number}[]> {
  const artifacts = (await artifactsOf(out)).filter(({kind}) => kind === 'parquet')
  const stats = await readStats(join(resolve(out), 'dataset'), artifacts)
  return stats.flatMap(({config, tallies}) =>
    (tallies[kindTally[config]] ?? []).map(([kind, count]) => ({
      config,
      kind,
      count,
    })),
  )
}

/** Candidates by label and by the executor whose verdict decided it. */
async function labelCounts(out: string): Promise<{label: Label; count: number; executor: string}[]> {
  const tally = new Map<string, {label: Label; count: number; executor: string}>()
  for await (const {label, verdict} of emittedBy(out, 'candidates', LabelledCandidate)) {
    const executor = `${verdict.executor.name} (${verdict.executor.compiler}, ${verdict.executor.soc})`
    const entry = tally.get(`${label} ${executor}`) ?? {label, count: 0, executor}
    entry.count += 1
    tally.set(`${label} ${executor}`, entry)
  }
  return [...tally.values()].sort((a, b) => labels.indexOf(a.label) - labels.indexOf(b.label))
}
