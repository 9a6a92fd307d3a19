import {basename} from 'node:path'
import {stringify} from 'yaml'
import {count, table} from '../datasets/card/card-sections.ts'
import {foreignText} from '../datasets/card/foreign-text.ts'
import {licences} from '../datasets/gates/licences.ts'
import type {JobRecord, MetricsLine} from '../datasets/schema/job.ts'
import type {RateScore} from '../datasets/schema/score.ts'
import type {Lineage} from './lineage.ts'
import type {JobSpec} from './spec.ts'

/** A job on the way to a model, as far as it is told of. */
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
  /** What was read of the models, and how; undefined where nothing was. */
  measures: {notes: readonly string[]; columns: readonly string[]; rows: readonly (readonly string[])[]} | undefined
  /** What `eval` scored of it, by the run that did. */
  scores: readonly {run: string; rates: RateScore}[]
}

/**
 * The card of a model that jobs made, as the Hub reads it: what it was made from, how training went, what was measured
 * of it and what was not. All figures are of the jobs' own records.
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
    'Losses and rewards are means over the first and the last quarter of the steps, on rows that were trained on.',
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
    // A folder of this machine means nothing to others.
    ...(record.base.path.startsWith('/') ? {} : {base_model: record.base.path}),
    library_name: isLora ? 'peft' : 'transformers',
    pipeline_tag: 'text-generation',
    tags: ['ascend-c', 'npu', 'kernel-generation', 'code', ...steps.map((step) => step.record.method)],
  }
  return `---\n${stringify(head, {lineWidth: 0})}---`
}

/** What training began from. Of a folder its own name is all that is told: it lies on this machine. */
export function publicBase({base}: JobRecord): string {
  return base.name.startsWith('job:') || !base.path.startsWith('/') ? base.name : basename(base.path)
}

const publicSource = (source: string) => (source.startsWith('hub:') ? source : basename(source))

/** `lineage.json`: the same lineage without the places of this machine. */
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
      ? 'The licence of the model that it was trained from was not stated to the program: look it up before you use it.'
      : `The model that it was trained from is under ${licence}; the rows are under the licences below.`,
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
      : [`Not all of them allow any use: ${restricted.map(foreignText).join(', ')}. Ask what that means for a model.`]),
    ...(unknown.length === 0
      ? []
      : [
          `The sources of the rows of ${unknown.map(({job}) => `\`${job}\``).join(', ')} are not told: the data set ` +
            'has no manifest, or is no longer the one that was trained on.',
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
    row('rows or pairs a step', (step) => String(h(step).globalBatch.value)),
    row('view of the rows', ({spec}) => spec.data.view?.value ?? ''),
    row('passes over the rows', ({record}) => record.arithmetic.epochs.toFixed(2)),
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

/** Trainers count from nothing again in each attempt. */
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
  const none = 'No measure was taken of the model itself.'
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
    '- Code of the rows was judged by the executors that the data set names; the CPU twin is no NPU.',
    ...(isMeasured
      ? ['- Bits per byte and ranking tell what is likely to the model, not whether what it writes compiles or runs.']
      : []),
    ...(isScored ? [] : ['- Nothing here says that a kernel which it writes is right: compile and test each.']),
    '- Trained on requests of a few forms, about Ascend C alone; other uses were not looked at.',
  ].join('\n')
}
