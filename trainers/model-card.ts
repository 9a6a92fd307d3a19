import {basename} from 'node:path'
import {stringify} from 'yaml'
import {count, table} from '../datasets/card/card-sections.ts'
import {foreignText} from '../datasets/card/foreign-text.ts'
import {licences} from '../datasets/gates/licences.ts'
import type {JobRecord, MetricsLine} from '../datasets/schema/job.ts'
import type {RateScore} from '../datasets/schema/score.ts'
import type {Lineage} from './lineage.ts'
import type {JobSpec} from './spec.ts'

/** A job on the way to a model, as described in the card. */
export interface TrainedStep {
  record: JobRecord
  spec: JobSpec
  curve: readonly MetricsLine[]
  /** Of all attempts, from submission to end. */
  seconds: number
}

interface ModelCard {
  title: string
  /** The first job first. */
  steps: readonly [TrainedStep, ...TrainedStep[]]
  lineage: Lineage
  /** Measurements of the models, and how they were made; undefined without any. */
  measures: {notes: readonly string[]; columns: readonly string[]; rows: readonly (readonly string[])[]} | undefined
  /** The model's scores from `eval`, by run. */
  scores: readonly {run: string; rates: RateScore}[]
}

/**
 * The card of a model that jobs made, as the Hub reads it: what it was made from, how training went, what was measured
 * and what was not. All figures come from the jobs' records.
 */
export function modelCard({title, steps, lineage, measures, scores}: ModelCard): string {
  const data = dataOf(lineage)
  return `${[
    metadata(steps),
    `# ${title}`,
    introduction(steps),
    '## What it was made from',
    table(
      ['job', 'on', 'rows', 'SHA-256 of the rows', "of the data set's manifest"],
      data.map(({job, source}) => [
        `\`${job}\``,
        `${foreignText(publicSource(source.source))}, ${source.config}/${source.split}`,
        count(source.rows),
        `\`${source.sha256}\``,
        source.manifest === null ? 'has none' : `\`${source.manifest}\``,
      ]),
    ),
    ...sourceSection(data),
    '## Training',
    table(
      ['', ...steps.map(({record}) => record.method.toUpperCase())],
      trainingRows(steps).filter(([, ...cells]) => cells.some((cell) => cell !== '')),
    ),
    'Losses and rewards are means over the first and the last quarter of the steps, on training rows.',
    '## What was measured',
    ...measureSection(measures, scores),
    '## Limits',
    limits(measures !== undefined, scores.length > 0),
  ].join('\n\n')}\n`
}

function metadata(steps: ModelCard['steps']): string {
  const [{spec, record}] = steps
  const isLora = steps.at(-1)?.spec.tuning.kind.value === 'lora'
  const head = {
    license: spec.model.licence?.value ?? 'other',
    // A local folder means nothing to others.
    ...(record.base.path.startsWith('/') ? {} : {base_model: record.base.path}),
    library_name: isLora ? 'peft' : 'transformers',
    pipeline_tag: 'text-generation',
    tags: ['ascend-c', 'npu', 'kernel-generation', 'code', ...steps.map((step) => step.record.method)],
  }
  return `---\n${stringify(head, {lineWidth: 0})}---`
}

/** The model that training started from. For a local folder, only its name is given. */
export function publicBase({base}: JobRecord): string {
  return base.name.startsWith('job:') || !base.path.startsWith('/') ? base.name : basename(base.path)
}

const publicSource = (source: string) => (source.startsWith('hub:') ? source : basename(source))

/** `lineage.json`: the same lineage without local paths. */
export function lineageText(lineage: Lineage, base: string): string {
  const told = ({data, ...one}: Lineage): unknown => ({
    ...one,
    base: 'job' in one.base ? told(one.base) : {...one.base, name: base},
    data: {...data, source: publicSource(data.source)},
  })
  return `${JSON.stringify(told(lineage), null, 1)}\n`
}

function introduction(steps: ModelCard['steps']): string {
  const [{spec, record}] = steps
  const {revision} = record.base
  const licence = spec.model.licence?.value
  const methods = steps.map((step) => step.record.method.toUpperCase()).join(', then ')
  return [
    `Writes Ascend C kernels for Huawei's NPUs. Trained from ${foreignText(publicBase(record))}` +
      `${revision === null ? '' : ` at \`${revision}\``} by ${methods}, with \`ascend-cot train ${spec.name}\`.`,
    licence === undefined
      ? 'The licence of the base model was not stated: look it up before you use this model.'
      : `The base model is under ${licence}; the rows are under the licences below.`,
  ].join('\n')
}

interface StepData {
  job: string
  source: Lineage['data']
}

function dataOf({job, base, data}: Lineage): StepData[] {
  return [...('job' in base ? dataOf(base) : []), {job, source: data}]
}

function sourceSection(data: readonly StepData[]): string[] {
  const [unknown, known] = [data.filter(({source}) => source.sources.length === 0), data.map(({source}) => source)]
  const rows = known.flatMap(({config, sources}) => sources.map((one) => ({config, ...one})))
  const restricted = [...new Set(rows.map(({licence}) => licence))].filter((one) => !licences[one]?.permissive)
  return [
    ...(rows.length === 0
      ? []
      : [
          'Sources of these rows, and the licences that they state:',
          table(
            ['configuration', 'source', 'revision', 'licence', 'rows'],
            rows.map(({config, repository, revision, licence, rows: held}) => [
              ...[config, foreignText(repository), foreignText(revision.slice(0, 12)), foreignText(licence)],
              count(held),
            ]),
          ),
        ]),
    ...(restricted.length === 0
      ? []
      : [`Not all of them allow any use: ${restricted.map(foreignText).join(', ')}. Check what that means for it.`]),
    ...(unknown.length === 0
      ? []
      : [
          `The sources of the rows of ${unknown.map(({job}) => `\`${job}\``).join(', ')} are unknown: the data set ` +
            'has no manifest, or has changed since training.',
        ]),
  ]
}

function trainingRows(steps: readonly TrainedStep[]): string[][] {
  const row = (name: string, cell: (step: TrainedStep) => string) => [name, ...steps.map(cell)]
  const h = ({spec}: TrainedStep) => spec.hyperparameters
  return [
    row('trainer', ({record}) => `${record.engine} ${record.versions[record.engine] ?? ''}`.trim()),
    row('weights trained', ({spec}) => spec.tuning.kind.value),
    row('optimiser steps', ({record, curve}) => `${curve.at(-1)?.step ?? 0} of ${record.arithmetic.steps}`),
    row('rows or pairs per step', (step) => String(h(step).globalBatch.value)),
    row('view of the rows', ({spec}) => spec.data.view?.value ?? ''),
    row('epochs', ({record}) => record.arithmetic.epochs.toFixed(2)),
    row('learning rate', (step) => `${h(step).learningRate.value.toExponential()}, ${h(step).schedule.value}`),
    row('longest row in tokens', (step) => String(h(step).maxLength.value)),
    row('precision', (step) => h(step).precision.value),
    row('seed', (step) => String(h(step).seed.value)),
    row('devices', ({record, spec}) => `${record.arithmetic.world} × ${spec.hardware.accelerator}`),
    row('seconds', ({seconds}) => count(Math.round(seconds))),
    row('tokens', ({curve}) => tokensOf(curve)),
    row('loss', ({curve}) => fromTo(curve, ({loss}) => loss ?? undefined)),
    row('reward accuracy', ({curve}) => fromTo(curve, ({metrics}) => metrics['rewards/accuracies'])),
    row('reward margin', ({curve}) => fromTo(curve, ({metrics}) => metrics['rewards/margins'])),
  ]
}

/** Trainers restart their counters in each attempt. */
function tokensOf(curve: readonly MetricsLine[]): string {
  const byAttempt = new Map(curve.map(({attempt, metrics}) => [attempt, metrics['num_tokens']]))
  const counted = [...byAttempt.values()].filter((one) => one !== undefined)
  return counted.length === 0 ? '' : count(counted.reduce((sum, one) => sum + one, 0))
}

function fromTo(curve: readonly MetricsLine[], value: (line: MetricsLine) => number | undefined): string {
  const values = curve.map(value).filter((one) => one !== undefined)
  if (values.length === 0) return ''
  const quarter = Math.ceil(values.length / 4)
  const mean = (some: readonly number[]) => (some.reduce((sum, one) => sum + one, 0) / some.length).toFixed(3)
  return `${mean(values.slice(0, quarter))} → ${mean(values.slice(-quarter))}`
}

function measureSection(measures: ModelCard['measures'], scores: ModelCard['scores']): string[] {
  const none = 'The model itself was not measured.'
  const read = measures ? [table(measures.columns, measures.rows), measures.notes.join('\n')] : [none]
  if (scores.length === 0) return [...read, 'Whether kernels that it writes compile and run was not measured.']
  return [
    ...read,
    'Kernels that it wrote, in % of tasks, with the executor that judged them:',
    table(
      ['run', 'tasks', 'candidates', 'k', 'compile', 'correct', 'executor'],
      scores.flatMap(({run, rates}) =>
        rates.execution.map(({k, value}, at) => [
          ...[run, String(rates.tasks), String(rates.judged), String(k)],
          ...[rates.compilation[at]?.value ?? 0, value].map((share) => (100 * share).toFixed(2)),
          rates.executor.name,
        ]),
      ),
    ),
  ]
}

function limits(isMeasured: boolean, isScored: boolean): string {
  return [
    '- The code in the rows was judged by the executors that the data set names; the CPU twin is not an NPU.',
    ...(isMeasured
      ? ['- Bits per byte and ranking show what the model finds likely, not whether its code compiles or runs.']
      : []),
    ...(isScored ? [] : ['- None of this proves that a generated kernel is correct: compile and test each one.']),
    '- Trained on a few forms of requests, only about Ascend C; other uses were not examined.',
  ].join('\n')
}
