import type {CheckedJob} from './checked-job.ts'
import {found, type Finding} from './finding.ts'

/** Checks existing checkpoints against the one to resume from, and a resumed job against its original. */
export function outputFolder(job: CheckedJob): Finding[] {
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
