import {counted} from '../../../engine/counted.ts'
import {join} from 'node:path'
import type {Rendering, Word} from '../../../trainers/engines/engine.ts'
import type {JobPlan} from '../../../trainers/plan.ts'
import {count, gib} from '../../../trainers/preflight/finding.ts'
import {assumedFlops, type JobCost} from '../../../trainers/preflight/resources.ts'
import {quoted} from '../../../trainers/backends/shell.ts'
import {table} from '../text-table.ts'

/** Below this width, four columns are unreadable. */
const leastForTable = 72

const narrow = ([path, value, source]: readonly string[]) => `${path} ${value} (${source})`

/** A job's size and cost, where its values come from, and what would be run, before anything is started. */
export function jobPage(plan: JobPlan, {files, steps}: Rendering, width: number, cost?: JobCost): string {
  const {id, spec, model, data, arithmetic} = plan
  const {micro, global} = {micro: spec.hyperparameters.microBatch.value, global: spec.hyperparameters.globalBatch.value}
  const {nodes, devicesPerNode, accelerator} = spec.hardware
  const {accumulation, dataParallel, warmupSteps} = arithmetic
  const facts: [string, string][] = [
    ['job', `${id}: ${spec.method.toUpperCase()} (${spec.tuning.kind.value}) with ${spec.engine}, ${placeOf(plan)}`],
    ['model', [model.path, ...(model.adapter === null ? [] : [`with ${model.adapter}`])].join(' ')],
    [
      'data',
      `${spec.data.source} ${spec.data.config}/${spec.data.split}: ` +
        `${counted(data.rows, 'row')}, ${data.sha256.slice(0, 12)}…`,
    ],
    ['devices', `${nodes} × ${devicesPerNode} ${accelerator}`],
    ['batch', `${global} = ${micro} × ${accumulation} × ${dataParallel} (micro-batch × accumulation × data-parallel)`],
    ['steps', `${arithmetic.steps}, ${warmupSteps} of them to warm up; ${arithmetic.epochs.toFixed(2)} epochs`],
    ...(plan.resume === null ? [] : ([['continues from', plan.resume]] as [string, string][])),
    ...(cost === undefined ? [] : ([['costs', costText(cost)]] as [string, string][])),
    ['writes', plan.output],
  ]
  const written = files.map(({path}) => path).join(', ') || 'nothing'
  const values = taggedValues(spec).map(({path, value, source, note}) => [path, value, source, note] as const)
  return [
    table(['', ''], facts, width).trim(),
    width < leastForTable ? values.map(narrow).join('\n') : table(['value', '', 'source', 'why'], values, width),
    `written at its start, into ${join(plan.folder, 'rendered')}: ${written}`,
    ...steps.map(({name, argv}) => `${name}, run then:\n  ${argv.map(shown).join(' ')}`),
  ].join('\n\n')
}

/** `2,400,000 tokens; about 45 GiB per device; about 12 device hours at 120 TFLOP/s each`. */
export function costText({tokens, memoryBytes, hours}: JobCost): string {
  const memory = memoryBytes === null ? 'memory and time unknown without the config.json of its model' : undefined
  return [
    `about ${count(tokens)} tokens`,
    memory ?? `about ${gib(memoryBytes ?? 0)} per device`,
    ...(hours === null ? [] : [`about ${Number(hours.toPrecision(2))} device hours at ${assumedFlops / 1e12} TFLOP/s`]),
  ].join('; ')
}

function placeOf({spec: {backend}}: JobPlan): string {
  if (backend.kind === 'slurm') return 'under Slurm'
  return backend.kind === 'kubernetes' ? `on Kubernetes (${backend.form})` : 'on this machine'
}

/** An inline program would fill the page; it is in the attempt's script. */
const shown = (word: Word) => {
  if (typeof word !== 'string') return `<${word.rendezvous}>`
  return word.includes('\n') ? '<program>' : quoted(word)
}

interface TaggedValue {
  path: string
  value: string
  source: string
  note: string
}

/** Every value of a specification that says where it comes from. */
function taggedValues(given: unknown, path = ''): TaggedValue[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return []
  const fields = given as Record<string, unknown>
  if (typeof fields['source'] === 'string' && 'value' in fields) {
    const {value, source, note = ''} = fields
    return [{path, value: JSON.stringify(value), source, note: String(note)}]
  }
  return Object.entries(fields).flatMap(([key, value]) => taggedValues(value, path === '' ? key : `${path}.${key}`))
}
