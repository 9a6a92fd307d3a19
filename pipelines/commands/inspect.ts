import {join} from 'node:path'
import {PipelineError} from '../core/errors.ts'
import {openLedger, type Sighting} from '../core/ledger.ts'
import {findRuns, type FoundRun} from './runs.ts'
import type {World} from './world.ts'

interface Step extends Sighting {
  recipe: string
}

/** `ascend-cot inspect <id>`: what a record came from, what became of it in every stage, and the record itself. */
export async function inspect({id, out, json}: {id: string; out: string; json: boolean}, {terminal}: World): Promise<number> {
  const runs = await findRuns(out)
  const ledgers = runs.map(({directory, record}) => ({recipe: record.recipe, ledger: openLedger(join(directory, 'ledger.db'))}))
  try {
    const look = (prefix: string): Step[] => ledgers.flatMap(({recipe, ledger}) => ledger.sightings(prefix).map((sighting) => ({recipe, ...sighting})))
    const found = look(id)
    const ids = [...new Set(found.flatMap((step) => [step.input, ...step.outputs.map((output) => output.id)]).filter((one) => one.startsWith(id)))]
    const [whole] = ids
    if (whole === undefined || ids.length > 1) throw unclear(id, ids)
    const steps = [
      ...trace(whole, (one) => look(one).filter((step) => has(step, one)), (step) => [step.input]),
      ...trace(whole, (one) => look(one).filter((step) => step.input === one), (step) => step.outputs.map((output) => output.id)),
    ]
    const way = inOrder(steps, runs)
    const record = found.flatMap((step) => step.outputs).find((output) => output.id === whole)?.json
    if (json) terminal.print(JSON.stringify({id: whole, way, record: record === undefined ? null : (JSON.parse(record) as unknown)}))
    else {
      terminal.print(`● ${whole}`)
      for (const step of way) terminal.print(describe(step))
      if (record !== undefined) terminal.print(`\n${JSON.stringify(JSON.parse(record), null, 2)}`)
    }
    return 0
  } finally {
    for (const {ledger} of ledgers) ledger.close()
  }
}

const has = (step: Step, id: string) => step.outputs.some((output) => output.id === id)

/** Every step once, in the order in which records pass the stages; a gate that lets a record through is met from both sides. */
function inOrder(steps: readonly Step[], runs: readonly FoundRun[]): Step[] {
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

function describe({recipe, stage, input, outputs, drops, failure}: Step): string {
  const result = failure ? `failed: ${failure.message}`
    : outputs.length > 0 ? `→ ${outputs.map((output) => output.id.slice(0, 12)).join(' ')}`
    : `dropped: ${drops.map(({reason, detail}) => (detail === '' ? reason : `${reason} (${detail})`)).join('; ')}`
  return `  ${recipe}/${stage}  ${input.slice(0, 12)} ${result}`
}

function unclear(id: string, ids: readonly string[]): PipelineError {
  return ids.length === 0
    ? new PipelineError('input-missing', `No record has an id that begins with ${id}.`, {fix: 'Take an id from the data set\'s `id` column, from `ascend-cot failed`, or from the report.', scope: 'run'})
    : new PipelineError('input-invalid', `${ids.length} records have ids that begin with ${id}: ${ids.slice(0, 5).join(', ')}.`, {fix: 'Give more digits.', scope: 'run'})
}
