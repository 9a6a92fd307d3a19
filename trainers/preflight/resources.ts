import type {JobPlan, ModelShape} from '../plan.ts'
import type {CheckedJob} from './checked-job.ts'
import {found, gib, type Finding} from './finding.ts'

/** Bytes of a weight in bf16, and of Adam's float32 state for it: a copy and two moments. */
const weightBytes = 2
const optimiserBytes = 12
const gradientBytes = 4

/** A job's estimated resources; null if the model's shape is not available. */
export interface JobCost {
  /** Tokens read in all steps. */
  tokens: number
  /** Bytes on one device: weights, gradients, optimiser and activations. */
  memoryBytes: number | null
  /** Device hours at `assumedFlops` each; also null on a CPU. */
  hours: number | null
}

/** Assumed operations of a device per second: about two fifths of the peak of an Ascend 910B or an A100. */
export const assumedFlops = 1.2e14

/** @param tokens of all rows, counted once */
export function costOf(plan: JobPlan, tokens: number): JobCost {
  const {spec, model, arithmetic} = plan
  const all = Math.round(tokens * arithmetic.epochs)
  const {shape} = model
  if (!shape) return {tokens: all, memoryBytes: null, hours: null}
  const memoryBytes = stateBytes(plan, shape) + activationBytes(plan, shape)
  const idle = shape.layers * (shape.experts - shape.expertsPerToken) * 3 * shape.hidden * shape.expertFeedForward
  // Two operations per weight in the forward pass, two for activation gradients, two for gradients of trained weights.
  const passes = [
    2,
    2,
    spec.tuning.kind.value === 'full' ? 2 : 0,
    spec.hyperparameters.gradientCheckpointing.value ? 2 : 0,
  ]
  const reference = spec.method === 'dpo' || spec.method === 'kto' ? 2 : 0
  const each = passes.reduce((sum, one) => sum + one, reference)
  const hours = (each * (shape.parameters - idle) * all) / assumedFlops / 3600
  return {tokens: all, memoryBytes, hours: spec.hardware.accelerator === 'cpu' ? null : hours}
}

/** Checks checkpoints against free disk space, and weights and activations against device memory. */
export function resourceChecks(job: CheckedJob): Finding[] {
  const {shape} = job.plan.model
  if (shape) return [...diskFinding(job, shape), ...memoryFinding(job, shape)]
  return found(
    'shape-unknown',
    `The config.json of ${job.plan.model.path} is not available: memory and disk use cannot be estimated.`,
  )
}

/** Weights that change: all, or those of the adapters at every linear layer. */
function trained(shape: ModelShape, {tuning}: CheckedJob['plan']['spec']): number {
  if (tuning.kind.value === 'full') return shape.parameters
  const {hidden, heads, keyValueHeads, headSize, feedForward, layers, experts, expertFeedForward} = shape
  const attention = 2 * (hidden + heads * headSize) + 2 * (hidden + keyValueHeads * headSize)
  const wide = experts > 0 ? experts * expertFeedForward : feedForward
  return tuning.rank.value * layers * (attention + 3 * (hidden + wide))
}

function diskFinding({plan: {spec, output}, facts}: CheckedJob, shape: ModelShape): Finding[] {
  const each = trained(shape, spec) * (weightBytes + optimiserBytes)
  // A new one is completed before the oldest is deleted.
  const needed = each * (spec.checkpoints.keep + 1)
  if (facts.freeBytes === null || needed <= facts.freeBytes) return []
  const fits = Math.floor(facts.freeBytes / each) - 1
  return found(
    'disk-short',
    `${spec.checkpoints.keep} checkpoints and the one being written need ${gib(needed)} (${gib(each)} each), ` +
      `but only ${gib(facts.freeBytes)} are free for ${output}.`,
    fits >= 1 ? `Use --set checkpoints.keep=${fits}, or free some space.` : 'Free some space, or use another disk.',
  )
}

function memoryFinding({plan}: CheckedJob, shape: ModelShape): Finding[] {
  const {memoryGib} = plan.spec.hardware
  if (memoryGib === 0) return []
  const states = stateBytes(plan, shape)
  const all = states + activationBytes(plan, shape)
  const memory = memoryGib * 2 ** 30
  if (all <= memory) return []
  return found(
    'memory-short',
    `Weights, gradients and optimiser need about ${gib(states)} on each device, with activations of ` +
      `${plan.spec.hyperparameters.maxLength.value} tokens ${gib(all)}; a device has ${memoryGib} GiB.`,
    'Shard it further (`parallel.sharding: zero3`, `parallel.tensor`, more devices), or train LoRA.',
    states > memory ? 'error' : 'warning',
  )
}

function stateBytes({spec, arithmetic}: CheckedJob['plan'], shape: ModelShape): number {
  const {parallel, tuning, method} = spec
  const {tensor, pipeline, expert, context} = parallel
  const ofExperts = shape.layers * shape.experts * 3 * shape.hidden * shape.expertFeedForward
  const dense = (shape.parameters - ofExperts) / (tensor.value * pipeline.value)
  const own = dense + ofExperts / (pipeline.value * Math.max(tensor.value, expert.value))
  const spread = arithmetic.dataParallel * context.value
  const sharding = parallel.sharding.value
  const weights = sharding === 'zero3' || sharding === 'fsdp2' ? spread : 1
  const gradients = sharding === 'none' || sharding === 'distributed-optimizer' ? 1 : spread
  const optimiser = sharding === 'none' ? 1 : spread
  if (tuning.kind.value === 'lora') return (own * weightBytes) / weights
  // A preference is measured against the model that training started from.
  const reference = method === 'dpo' || method === 'kto' ? weightBytes / weights : 0
  return own * (weightBytes / weights + gradientBytes / gradients + optimiserBytes / optimiser + reference)
}

/** Layer inputs if activations are recomputed, otherwise about seventeen times as much; plus the logits. */
function activationBytes({spec}: CheckedJob['plan'], shape: ModelShape): number {
  const {hyperparameters: h, parallel, method} = spec
  const sequences = h.microBatch.value * (method === 'dpo' ? 2 : 1)
  const tokens = (h.maxLength.value * sequences) / (parallel.tensor.value * parallel.context.value)
  const layers = (shape.layers / parallel.pipeline.value) * shape.hidden * 2 * (h.gradientCheckpointing.value ? 1 : 17)
  return tokens * (layers + shape.vocabulary * 6)
}
