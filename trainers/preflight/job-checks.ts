import type {CheckedJob} from './checked-job.ts'
import {count, found, percent, type Finding} from './finding.ts'

/** Checks steps against warm-up, rows and checkpoints. */
export function stepChecks({plan: {spec, arithmetic, data}}: CheckedJob): Finding[] {
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
export function adapterChecks({plan: {spec}, model: {parent}}: CheckedJob): Finding[] {
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
export function composition({plan: {spec}, rows}: CheckedJob): Finding[] {
  const without = spec.data.without.value
  if (without.length === 0 || rows.leftOut > 0) return []
  return found(
    'composition-unchanged',
    `\`data.without\` names ${without.join(', ')}, but the data set has no such row: nothing was excluded.`,
    'Make these rows first, or treat the run as training on the whole data set.',
  )
}
