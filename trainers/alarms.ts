import {counted} from '../engine/counted.ts'
import type {Method, Progress} from '../datasets/schema/job.ts'

export interface Alarm {
  code: 'loss-not-finite' | 'loss-flat' | 'accuracy-at-once' | 'chosen-falling' | 'silent' | 'no-checkpoint'
  /** What is seen, in a sentence. */
  says: string
  fix: string
}

export interface Observed {
  method: Method
  /** By step. */
  curve: readonly Progress[]
  /** Since the job's log last grew, and since the attempt was submitted; null when it is not running. */
  silence: {seconds: number; runs: number} | null
  /** Steps between two checkpoints, and the last step of one; null without any. */
  checkpoints: {every: number; last: number | null}
}

/** Warnings about a running job. */
export function alarmsOf(observed: Observed): Alarm[] {
  const {curve, method} = observed
  const ofPairs = method === 'dpo' ? [accuracyAtOnce(curve), chosenFalling(curve), flat(curve)] : []
  return [notFinite(curve), ...ofPairs, silent(observed), withoutCheckpoint(observed)].filter((one) => one !== null)
}

function notFinite(curve: readonly Progress[]): Alarm | null {
  const first = curve.find(({loss}) => loss === null)
  if (!first) return null
  return {
    code: 'loss-not-finite',
    says: `The loss is not finite since step ${first.step}.`,
    fix: 'Cancel the job; lower the learning rate, clip gradients more, or use bf16 instead of fp16.',
  }
}

const fewSteps = 20
const inARow = 3

/** Pairs that are distinguished at once teach nothing: the model used length or style, or has seen them before. */
function accuracyAtOnce(curve: readonly Progress[]): Alarm | null {
  const early = curve.filter(({step}) => step <= fewSteps).map(({metrics}) => accuracyIn(metrics))
  const at = early.findIndex((_, from) => {
    const row = early.slice(from, from + inARow)
    return row.length === inARow && row.every((accuracy) => accuracy !== undefined && accuracy >= 0.999)
  })
  if (at < 0) return null
  return {
    code: 'accuracy-at-once',
    says: `All pairs are already distinguished at step ${curve[at]?.step}.`,
    fix: 'Inspect some pairs: do length, style or truncation give them away, or were they in the SFT data?',
  }
}

const accuracyIn = (metrics: Progress['metrics']) => metrics['rewards/accuracies'] ?? metrics['accuracy']

const window = 5
/** In the reward's own unit, beta times the change of the log-probability. */
const clearFall = 0.5

/** Both likelihoods fall, the rejected one faster: the model moves away from what it should write. */
function chosenFalling(curve: readonly Progress[]): Alarm | null {
  const rewards = curve.flatMap(({metrics}) => metrics['rewards/chosen'] ?? [])
  if (rewards.length < 3 * window) return null
  const [late, before] = [mean(rewards.slice(-window)), mean(rewards.slice(-2 * window, -window))]
  if (late > -clearFall || late >= before) return null
  return {
    code: 'chosen-falling',
    says: `The chosen replies become less likely than at the start: rewards/chosen is ${late.toFixed(2)} and falling.`,
    fix: 'Add their likelihood to the loss (dpo.likelihoodWeight=0.2), or lower the learning rate.',
  }
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** A preference loss starts at ln 2, and stays there if nothing is learnt. */
function flat(curve: readonly Progress[]): Alarm | null {
  const late = curve.slice(-10)
  const still = late.length === 10 && late.every(({loss}) => loss !== null && Math.abs(loss - Math.LN2) < 1e-4)
  if (!still || (late[0]?.step ?? 0) < fewSteps) return null
  return {
    code: 'loss-flat',
    says: `The loss is still ln 2 at step ${late.at(-1)?.step}: the model and its reference are the same.`,
    fix: 'Check that the learning rate is not 0 and that the adapter, or the model, is trained at all.',
  }
}

const patience = 600

/** Ten steps at the job's own pace, but at least ten minutes. */
function silent({curve, silence}: Observed): Alarm | null {
  if (silence === null) return null
  const {seconds, runs} = silence
  const steps = curve.length === 0 ? 1 : Math.max(1, (curve.at(-1)?.step ?? 0) - (curve[0]?.step ?? 0))
  const pace = curve.length < 2 ? 0 : (runs - seconds) / steps
  if (seconds < Math.max(patience, 10 * pace)) return null
  return {
    code: 'silent',
    says: `It has written nothing for ${Math.round(seconds / 60)} minutes.`,
    fix: 'Check its log and its devices: a collective operation that waits for a lost node looks like this.',
  }
}

function withoutCheckpoint({curve, checkpoints: {every, last}}: Observed): Alarm | null {
  const step = curve.at(-1)?.step ?? 0
  if (step - (last ?? 0) <= 2 * every) return null
  return {
    code: 'no-checkpoint',
    says: `Step ${step}, and ${last === null ? 'no checkpoint yet' : `the last checkpoint is from step ${last}`}; \
expected one every ${counted(every, 'step')}.`,
    fix: 'Check free space and permissions of its output folder: a failure now loses everything since then.',
  }
}
