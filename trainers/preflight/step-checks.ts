import type {CheckedJob} from './checked-job.ts'
import {count, percent, type Finding} from './finding.ts'

/** Checks steps against warm-up, rows and checkpoints. */
export function stepChecks({plan: {spec, arithmetic, data}}: CheckedJob): Finding[] {
  const {steps, warmupSteps, epochs} = arithmetic
  const findings: Finding[] = []
  if (warmupSteps >= steps)
    findings.push({
      code: 'warm-up-whole',
      severity: 'warning',
      message: `Warm-up takes ${warmupSteps} of ${steps} steps: the peak learning rate is reached late or never.`,
      fix: 'Train for more steps, or lower `hyperparameters.warmupRatio`.',
    })
  if (epochs < 1)
    findings.push({
      code: 'rows-unseen',
      severity: 'note',
      message: `${count(steps)} steps see ${percent(epochs)} of ${count(data.rows)} rows.`,
      fix: '',
    })
  if (spec.checkpoints.every > steps)
    findings.push({
      code: 'checkpoint-late',
      severity: 'warning',
      message: `A checkpoint every ${spec.checkpoints.every} of ${steps} steps: a killed job starts from scratch.`,
      fix: `--set checkpoints.every=${Math.max(1, Math.floor(steps / 4))}.`,
    })
  return findings
}
