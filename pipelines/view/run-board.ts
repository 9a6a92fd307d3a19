import {cells} from '../../datasets/parquet/columns.ts'
import {SplitRow} from '../../datasets/schema/export.ts'
import {PipelineError} from '../../engine/errors.ts'
import {openRun, type OpenRun, type RunRecord} from '../../engine/run.ts'
import {Refusal} from '../../engine/service.ts'
import {followed} from '../commands/inspect.ts'
import {estimates} from '../commands/stage-line.ts'
import {dropReasons} from '../report/drop-reasons.ts'
import {findRuns, openRuns} from '../workspace/runs.ts'
import type {Curve, DropReason, Drops, Records, RecordWay, Runs} from './protocol.ts'

/** The present state of every run of an output folder; there may be none yet. */
export async function runsNow(out: string): Promise<Runs> {
  const runs = await findRuns(out).catch((error: unknown) => {
    if (error instanceof PipelineError && error.code === 'run-missing') return []
    throw error
  })
  return {
    runs: runs.map(({record: {recipe, state, startedAt, endedAt, error, counts, spent, history = []}}) => ({
      ...{recipe, state, startedAt, endedAt, stages: counts, spent},
      totals: estimates(counts).map((total) => total ?? null),
      labels: labelLines(history),
      error: error && {message: error.message, fix: error.fix},
    })),
  }
}

/** A line for each name that outputs were given, over the seconds of the run. */
function labelLines(history: NonNullable<RunRecord['history']>): Curve['lines'] {
  const names = new Set(history.flatMap(({tallies}) => Object.keys(tallies)))
  return [...names].map((name) => ({
    name,
    points: history.map(({seconds, tallies}): [number, number] => [seconds, tallies[name] ?? 0]),
  }))
}

const examplesOfReason = 5

/** Why a stage of a run dropped records, most frequent first, with the first examples. */
export async function dropsOf(out: string, recipe: string, stage: string): Promise<Drops> {
  const found = (await findRuns(out)).find(({record}) => record.recipe === recipe)
  const run = found && (await openRun(found.directory))
  try {
    const ledger = run?.stage(stage)
    if (!ledger) throw unknown(`stage ${stage} of ${recipe}`)
    const reasons = new Map<string, DropReason & {examples: DropReason['examples'][number][]}>()
    for (const {input, drops} of ledger.dropped()) {
      for (const {reason, detail} of drops) {
        const {means, do: todo} = dropReasons.named(reason) ?? {}
        const known = reasons.get(reason) ?? {reason, means, todo, count: 0, examples: []}
        reasons.set(reason, known)
        known.count += 1
        if (known.examples.length < examplesOfReason)
          known.examples.push({id: input.id, detail, about: placeOf(JSON.parse(input.json))})
      }
    }
    return {reasons: [...reasons.values()].sort((a, b) => b.count - a.count)}
  } finally {
    run?.close()
  }
}

/** Where a record came from: its path, or that of what is inside it. */
function placeOf(value: unknown): string {
  const {origin, task, record, candidate, name} = (value ?? {}) as Record<string, {path?: unknown} | undefined>
  if (typeof origin?.path === 'string') return origin.path
  const inner = task ?? record ?? candidate
  if (typeof inner === 'object' && inner !== null) return placeOf(inner)
  return typeof name === 'string' ? name : ''
}

/** Records of a page of their list. */
const recordsAtOnce = 50

/** What a run wrote, from a place in its order. */
export async function recordsOf(out: string, recipe: string, from: number): Promise<Records> {
  const found = (await findRuns(out)).find(({record}) => record.recipe === recipe)
  const run = found && (await openRun(found.directory))
  if (!run) throw unknown(`run ${recipe}`)
  try {
    const records: Records['records'][number][] = []
    let place = 0
    for (const {id, json} of run.emitted()) {
      if (place >= from) records.push({id, about: placeOf(JSON.parse(json))})
      place += 1
      if (records.length === recordsAtOnce) break
    }
    return {count: run.record.counts.at(-1)?.written ?? 0, records}
  } finally {
    run.close()
  }
}

/** Records of these kinds become rows as they are. */
const rowKinds = ['sft', 'dpo'] as const

function rowOf(id: string, record: unknown): RecordWay['row'] {
  for (const config of rowKinds) {
    const row = SplitRow.safeParse({config, id, split: 'train', record})
    if (row.success) return {config, cells: cells(row.data)}
  }
  return null
}

/** A record's way through the runs. */
export async function wayOfRecord(out: string, id: string): Promise<RecordWay> {
  return withRuns(out, (runs) => wayIn(runs, id))
}

/** The ways of rows, without the records themselves; of those that runs know. */
export async function waysOf(out: string, ids: readonly string[]): Promise<RecordWay[]> {
  return withRuns(out, (runs) =>
    ids.flatMap((id) => {
      try {
        return [{...wayIn(runs, id), record: null, row: null}]
      } catch (error) {
        if (error instanceof Refusal) return []
        throw error
      }
    }),
  )
}

async function withRuns<T>(out: string, use: (runs: readonly OpenRun[]) => T): Promise<T> {
  const runs = await openRuns(out)
  try {
    return use(runs)
  } finally {
    for (const run of runs) run.close()
  }
}

function wayIn(runs: readonly OpenRun[], id: string): RecordWay {
  try {
    const {whole, way, record} = followed(runs, id)
    const steps = way.map(({recipe, stage, as, input, outputs, drops, failure}) => ({
      ...{recipe, stage, as, input, drops},
      outputs: outputs.map((output) => output.id),
      failure: failure?.message,
    }))
    return {id: whole, way: steps, record, row: rowOf(whole, record)}
  } catch (error) {
    if (error instanceof PipelineError && error.code === 'input-missing') throw unknown(`record ${id}`)
    throw error
  }
}

/** What a page asked for, and is not there (any more). */
export function unknown(what: string): Refusal {
  return new Refusal(404, 'not-found', `There is no ${what} here.`, {fix: 'Load the page again.'})
}
