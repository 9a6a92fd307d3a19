import {stringify} from 'yaml'
import {PipelineError} from '../../engine/errors.ts'
import type {OpenRun} from '../../engine/run.ts'
import {pairSteps, type PairSteps, type Step} from './pair-way.ts'
import {dropReasons} from '../report/drop-reasons.ts'
import {openRuns} from '../workspace/runs.ts'
import {table, wrapped} from './text-table.ts'
import type {World} from './world.ts'

/**
 * `ascend-cot inspect [id]`: where a record came from, what each stage did with it, and the record itself. Without an
 * id, some records that each run made.
 */
export async function inspect(
  {id = '', out, json}: {id?: string | undefined; out: string; json: boolean},
  {terminal}: World,
): Promise<number> {
  const runs = await openRuns(out)
  try {
    if (id === '') {
      const some = runs.flatMap(firstRecords)
      terminal.print(json ? JSON.stringify(some) : listed(some, terminal.width))
      return 0
    }
    const {whole, way, record} = followed(runs, id)
    if (json) terminal.print(JSON.stringify({id: whole, way: way.map(asValue), record}))
    else {
      terminal.print(`● ${whole}`)
      for (const step of way) terminal.print([describe(step), ...explanations(step)].join('\n'))
      if (record !== null) terminal.print(`\n${readable(record)}`)
    }
    return 0
  } finally {
    for (const run of runs) run.close()
  }
}

/** A few of each run are enough to choose from; the report and the data set's `id` column have them all. */
const shown = 3

interface Listed {
  run: string
  id: string
  /** `kernel`, `task`, …; '' for a record without a kind. */
  kind: string
}

function firstRecords({record: {recipe}, emitted}: OpenRun): Listed[] {
  const some: Listed[] = []
  for (const one of emitted()) {
    const {kind} = (recordOf(one) ?? {}) as {kind?: unknown}
    some.push({run: recipe, id: one.id, kind: typeof kind === 'string' ? kind : ''})
    if (some.length === shown) break
  }
  return some
}

function listed(some: readonly Listed[], width: number | undefined): string {
  const [first] = some
  if (first === undefined) return 'no run has made a record yet: see `ascend-cot status`'
  const rows = some.map(({run, id, kind}) => [id.slice(0, 12), run, kind])
  const more = `the first ${shown} records of each run; see one with \`ascend-cot inspect ${first.id.slice(0, 12)}\``
  return `${table(['id', 'run', 'kind'], rows, width)}\n${wrapped(more, 2, width ?? Infinity)}`
}

/**
 * A record's way through these runs. @param id its first digits
 * @throws PipelineError `input-missing` when no record has them, `input-invalid` when several have
 */
export function followed(runs: readonly OpenRun[], id: string): {whole: string; way: Step[]; record: unknown} {
  const pairs = pairSteps(runs)
  const met = sightings(runs, id)
  const steps = met.length > 0 ? met : pairs.named(id)
  const whole = wholeId(id, steps)
  const found = steps.flatMap((step) => step.outputs).find((output) => output.id === whole)
  const way = inOrder(wayOf(whole, runs, pairs), runs)
  return {whole, way, record: found === undefined ? null : recordOf(found)}
}

const recordOf = ({json}: {json: string}) => JSON.parse(json) as unknown

export const asValue = ({outputs, ...step}: Step) => ({
  ...step,
  outputs: outputs.map((output) => ({id: output.id, record: recordOf(output)})),
})

/** YAML keeps code in lines as written, and escapes control characters. */
const readable = (record: unknown) => stringify(record, {lineWidth: 0}).trimEnd()

/** @throws PipelineError `input-missing` when no record has these first digits, `input-invalid` when several have */
export function wholeId(prefix: string, steps: readonly Step[]): string {
  const ids = [...new Set(steps.flatMap((step) => [step.input, ...idsOf(step)]).filter((id) => id.startsWith(prefix)))]
  const [whole] = ids
  if (whole === undefined || ids.length > 1) throw unclear(prefix, ids)
  return whole
}

export function sightings(runs: readonly OpenRun[], prefix: string): Step[] {
  return runs.flatMap((run) => run.sightings(prefix).map((sighting) => ({recipe: run.record.recipe, ...sighting})))
}

/** The path to and from a record, across runs; from a pair to its candidates, and from a candidate to its pairs. */
function wayOf(id: string, runs: readonly OpenRun[], pairs: PairSteps): Step[] {
  const before = (one: string) => stepsTo(one, runs)
  const after = (one: string) => stepsFrom(one, runs)
  const [back, forth] = [before(id), after(id)]
  const made = pairs.into(new Set([id, ...back.map(({input}) => input)]))
  const joined = made.length > 0 ? [] : pairs.from(new Set([id, ...forth.flatMap(idsOf)]))
  const beyond = joined.flatMap(idsOf).flatMap(after)
  return [...made.flatMap(({input}) => before(input)), ...back, ...made, ...forth, ...joined, ...beyond]
}

export function stepsTo(id: string, runs: readonly OpenRun[]): Step[] {
  const making = (it: string) => sightings(runs, it).filter((step) => has(step, it))
  return trace(id, making, (step) => [step.input])
}

export function stepsFrom(id: string, runs: readonly OpenRun[]): Step[] {
  return trace(id, (it) => sightings(runs, it).filter((step) => step.input === it), idsOf)
}

const idsOf = ({outputs}: Step): string[] => outputs.map((output) => output.id)

const has = (step: Step, id: string) => step.outputs.some((output) => output.id === id)

/** Every step once, in the order of the stages; a gate that passes a record is reached from both sides. */
export function inOrder(steps: readonly Step[], runs: readonly OpenRun[]): Step[] {
  const rank = (step: Step) => {
    const run = runs.findIndex(({record}) => record.recipe === step.recipe)
    return run * 1000 + (runs[run]?.record.stages.findIndex(({name}) => name === step.stage) ?? 0)
  }
  const once = new Map(steps.map((step) => [`${step.recipe} ${step.stage} ${step.input}`, step]))
  return [...once.values()].sort((a, b) => rank(a) - rank(b))
}

/** Steps reached from an id, nearest first; every step once. */
function trace(start: string, look: (id: string) => Step[], next: (step: Step) => string[]): Step[] {
  const steps: Step[] = []
  const seen = new Set<string>()
  let frontier = [start]
  while (frontier.length > 0) {
    const reached: string[] = []
    for (const step of frontier.flatMap(look)) {
      const key = `${step.recipe} ${step.stage} ${step.input}`
      if (seen.has(key)) continue
      seen.add(key)
      steps.push(step)
      reached.push(...next(step))
    }
    frontier = reached
  }
  return steps
}

export function describe(step: Step): string {
  const role = step.as === undefined ? '' : `(${step.as}) `
  return `  ${step.recipe}/${step.stage}  ${step.input.slice(0, 12)} ${role}${resultOf(step)}`
}

function resultOf({outputs, drops, failure}: Step): string {
  if (failure) return `failed: ${failure.message}`
  if (outputs.length > 0) return `→ ${outputs.map((output) => output.id.slice(0, 12)).join(' ')}`
  const reasons = drops.map(({reason, detail}) => (detail === '' ? reason : `${reason} (${detail})`))
  return `dropped: ${reasons.join('; ')}`
}

/** What the reasons of our own stages mean, and what to do about them. */
function explanations({drops}: Step): string[] {
  return [...new Set(drops.map(({reason}) => reason))].flatMap((reason) => {
    const known = dropReasons.named(reason)
    return known ? [`    ${reason}: ${known.means} What to do: ${known.do}`] : []
  })
}

function unclear(id: string, ids: readonly string[]): PipelineError {
  return ids.length === 0
    ? new PipelineError('input-missing', `No record has an id that begins with ${id}.`, {
        fix: "Take an id from `ascend-cot inspect`, from the data set's `id` column, or from the report.",
      })
    : new PipelineError(
        'input-invalid',
        `${ids.length} records have ids that begin with ${id}: ${ids.slice(0, 5).join(', ')}.`,
        {fix: 'Give more digits.'},
      )
}
