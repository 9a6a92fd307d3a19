import {nearest} from '../../engine/nearest.ts'
import type {PlannedJob} from '../make-plan.ts'
import {chatTemplate, checkedChat, controlTokens} from './chat-template.ts'
import type {CheckedJob, JobFacts} from './checked-job.ts'
import {environmentChecks} from './environment-checks.ts'
import {type Severity, findingCodes, found, type Finding, count, percent} from './finding.ts'
import {pairChecks, unpairedChecks} from './pair-checks.ts'
import {costOf, resourceChecks, type JobCost} from './resources.ts'
import {rowLengths} from './row-lengths.ts'
import {rowShape} from './row-shape.ts'
import {rowView, type RowCheck, Tally} from './row-view.ts'
import {thinkBlocks} from './think-blocks.ts'
import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {decontaminationPath} from '../../datasets/contamination/decontamination-file.ts'
import type {Config} from '../../datasets/schema/export.ts'

const ofRows: readonly ((job: CheckedJob) => RowCheck)[] = [rowShape, thinkBlocks, controlTokens, chatTemplate, leaks]

const ofMethods: Readonly<Record<string, readonly ((job: CheckedJob) => RowCheck)[]>> = {
  dpo: [pairChecks],
  kto: [unpairedChecks],
}

const ofJob: readonly ((job: CheckedJob) => Finding[])[] = [
  composition,
  stepChecks,
  resourceChecks,
  adapterChecks,
  environmentChecks,
  outputFolder,
]

interface Preflight {
  /** Errors first. */
  findings: readonly Finding[]
  /** Findings that the specification allows; they stop nothing. */
  allowed: readonly Finding[]
  cost: JobCost
}

/** Checks for everything that would waste a run, before launch. Every row is read once. */
export async function preflight(planned: PlannedJob, facts: JobFacts): Promise<Preflight> {
  const {plan, rows, model} = planned
  const job: CheckedJob = {...planned, facts, chat: await checkedChat(model.files)}
  const lengths = rowLengths(job)
  const checks = [...[...ofRows, ...(ofMethods[plan.spec.method] ?? [])].map((check) => check(job)), lengths]
  let number = 0
  for await (const cells of rows.read()) {
    number += 1
    const view = rowView(cells, number, plan.spec.method)
    for (const check of checks) check.look(view)
  }
  const all = [...checks.flatMap((check) => check.findings()), ...ofJob.flatMap((check) => check(job))]
  const {allow} = plan.spec
  const findings = [...all.filter(({code}) => !allow.includes(code)), ...unknownCodes(allow)]
  const allowed = ordered(all.filter(({code}) => allow.includes(code)))
  return {findings: ordered(findings), allowed, cost: costOf(plan, lengths.tokens())}
}

const order: readonly Severity[] = ['error', 'warning', 'note']

const ordered = (findings: readonly Finding[]) =>
  [...findings].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))

/** A misspelt code allows nothing. */
function unknownCodes(allow: readonly string[]): Finding[] {
  return allow
    .filter((code) => !(findingCodes as readonly string[]).includes(code))
    .flatMap((code) => {
      const guess = nearest(code, findingCodes)
      const fix = guess === undefined ? `Known are ${findingCodes.join(', ')}.` : `Did you mean ${guess}?`
      return found('allow-unknown', `\`allow\` contains an unknown code, ${code}.`, fix)
    })
}

/** Columns that mark a row as containing benchmark data. */
const telling = ['contaminated', 'is_contaminated', 'leak', 'leaked', 'benchmark']

const isSet = (cell: unknown) => cell !== undefined && cell !== null && cell !== false && cell !== '' && cell !== 0

/** Finds rows that are marked as leaks, and data sets without a record of decontamination. */
export function leaks({data, plan: {spec}}: CheckedJob): RowCheck {
  const leaking = new Tally()
  const told = decontaminationPath(spec.data.config as Config)
  const cleaned = existsSync(join(data.root, told))
  return {
    look(row) {
      if (telling.some((name) => isSet(row.cells[name])) || row.cells['decontaminated'] === false) leaking.add(row)
    },
    findings: () => [
      ...leaking.found(
        'benchmark-leak',
        (rows) => `${rows} are marked as part of a benchmark: a score on it would be meaningless.`,
        'Remove these rows before training.',
      ),
      ...(cleaned
        ? []
        : found(
            'not-decontaminated',
            `${data.root} does not record which benchmarks its rows were compared with (no ${told}).`,
            'Train on a release of this project, whose stage `decontaminate` writes it.',
          )),
    ],
  }
}

/** Checks steps against warm-up, rows and checkpoints. */
function stepChecks({plan: {spec, arithmetic, data}}: CheckedJob): Finding[] {
  const {steps, warmupSteps, epochs} = arithmetic
  const {every} = spec.checkpoints
  const late = found(
    'warm-up-whole',
    `Warm-up takes ${warmupSteps} of ${steps} steps: the peak learning rate is reached late or never.`,
    'Train for more steps, or lower `hyperparameters.warmupRatio`.',
  )
  const unseen = found('rows-unseen', `${count(steps)} steps see ${percent(epochs)} of ${count(data.rows)} rows.`)
  const unsaved = found(
    'checkpoint-late',
    `A checkpoint every ${every} of ${steps} steps: a killed job starts from scratch.`,
    `--set checkpoints.every=${Math.max(1, Math.floor(steps / 4))}.`,
  )
  return [...(warmupSteps >= steps ? late : []), ...(epochs < 1 ? unseen : []), ...(every > steps ? unsaved : [])]
}

/** LoRA on top of a job that trained LoRA. */
function adapterChecks({plan: {spec}, model: {parent}}: CheckedJob): Finding[] {
  if (parent?.spec.tuning.kind.value !== 'lora') return []
  const [own, theirs] = [spec.tuning, parent.spec.tuning]
  if (own.kind.value === 'full') {
    return found(
      'adapter-untuned',
      `${parent.id} trained an adapter (LoRA); this job trains all weights, the adapter merged into them.`,
      'Set `tuning.kind: lora` to continue with an adapter.',
    )
  }
  const same = own.rank.value === theirs.rank.value && own.alpha.value === theirs.alpha.value
  if (same) return []
  return found(
    'adapter-rank',
    `LoRA of rank ${own.rank.value}, alpha ${own.alpha.value} follows ${parent.id} of rank ${theirs.rank.value}, ` +
      `alpha ${theirs.alpha.value}.`,
    `--set tuning.rank=${theirs.rank.value} --set tuning.alpha=${theirs.alpha.value}.`,
    spec.engine === 'mindspeed-llm' ? 'error' : 'warning',
  )
}

/** Excluding a part that does not exist changes nothing: the run would be the full one under another name. */
function composition({plan: {spec}, rows}: CheckedJob): Finding[] {
  const without = spec.data.without.value
  if (without.length === 0 || rows.leftOut > 0) return []
  return found(
    'composition-unchanged',
    `\`data.without\` names ${without.join(', ')}, but the data set has no such row: nothing was excluded.`,
    'Make these rows first, or treat the run as training on the whole data set.',
  )
}

/** Checks existing checkpoints against the one to resume from, and a resumed job against its original. */
function outputFolder(job: CheckedJob): Finding[] {
  const {plan, facts} = job
  if (facts.unwritable !== null) return unwritable(facts.unwritable, plan.output)
  if (plan.resume !== null) return [...checkpointFinding(job), ...changes(job)]
  if (facts.checkpoints.length === 0) return []
  return found(
    'output-occupied',
    `${plan.output} already holds ${facts.checkpoints.join(', ')}: some trainers resume from there unasked, ` +
      'others overwrite it.',
    `Start another job with --set name=<name>; or, if this one failed, \`ascend-cot train resume ${plan.id}\`.`,
  )
}

const unwritable = (why: string, output: string): Finding[] =>
  found('output-unwritable', `${output} cannot be written: ${why}.`, 'Choose a writable folder with --out.')

function checkpointFinding({plan: {resume, output}, facts}: CheckedJob): Finding[] {
  if (resume !== null && facts.checkpoints.some((name) => resume === name || resume.endsWith(`/${name}`))) return []
  return found(
    'checkpoint-missing',
    `There is no checkpoint ${resume}; ${output} holds ${facts.checkpoints.join(', ') || 'none'}.`,
    'Choose one of these, or start the job from scratch.',
  )
}

/** What must not change halfway through a schedule. */
function changes({plan, facts: {before}}: CheckedJob): Finding[] {
  if (!before) return []
  const traits = (of: NonNullable<typeof before>): Record<string, string | number> => ({
    'hash of the rows': of.data.sha256.slice(0, 12),
    'global batch': of.spec.hyperparameters.globalBatch.value,
    'micro-batch': of.spec.hyperparameters.microBatch.value,
    'data-parallel devices': of.arithmetic.dataParallel,
    'learning rate': of.spec.hyperparameters.learningRate.value,
    schedule: of.spec.hyperparameters.schedule.value,
    'warm-up steps': of.arithmetic.warmupSteps,
    steps: of.arithmetic.steps,
    seed: of.spec.hyperparameters.seed.value,
  })
  const was = traits(before)
  const differing = Object.entries(traits(plan)).filter(([name, value]) => was[name] !== value)
  if (differing.length === 0) return []
  const spelled = differing.map(([name, value]) => `${name} ${value}, was ${was[name]}`)
  return found(
    'resume-differs',
    `The job has changed since it was started: ${spelled.join('; ')}.`,
    'Resume with the same values and data set, or start another job from its checkpoint.',
  )
}
