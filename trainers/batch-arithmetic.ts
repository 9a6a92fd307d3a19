import {PipelineError} from '../engine/errors.ts'
import type {Arithmetic} from './plan.ts'
import type {JobSpec} from './spec.ts'

type Needs = Pick<JobSpec, 'hardware' | 'parallel' | 'hyperparameters'>

/**
 * Devices, micro-batches and steps of a job for a number of rows.
 * @throws PipelineError `config-invalid` when they do not divide evenly, with the numbers and the nearest that do
 */
export function arithmeticOf({hardware, parallel, hyperparameters: h}: Needs, rows: number): Arithmetic {
  const world = hardware.nodes * hardware.devicesPerNode
  const dataParallel = dataParallelOf(world, parallel)
  const globalBatch = h.globalBatch.value
  const accumulation = accumulationOf(globalBatch, h.microBatch.value, dataParallel)
  const steps = h.steps?.value ?? Math.max(1, Math.ceil(((h.epochs?.value ?? 1) * rows) / globalBatch))
  return {
    world,
    dataParallel,
    accumulation,
    steps,
    // As transformers rounds, in favour of a slower start.
    warmupSteps: Math.ceil(roundedOff(h.warmupRatio.value * steps)),
    epochs: (steps * globalBatch) / rows,
  }
}

/** 0.07 × 100 is a little more than 7 in floating point. */
const roundedOff = (value: number) => Number(value.toFixed(9))

function dataParallelOf(world: number, {tensor, pipeline, context}: JobSpec['parallel']): number {
  const group = tensor.value * pipeline.value * context.value
  if (world % group === 0) return world / group
  const spelled = `tensor ${tensor.value} × pipeline ${pipeline.value} × context ${context.value}`
  const near = [Math.floor(world / group) * group, Math.ceil(world / group) * group].filter((one) => one > 0)
  throw new PipelineError('config-invalid', `${world} devices do not divide into groups of ${group} (${spelled}).`, {
    fix: `Use ${near.join(' or ')} devices (\`hardware\`), or a smaller \`parallel\`.`,
    evidence: {world, group},
  })
}

function accumulationOf(globalBatch: number, microBatch: number, dataParallel: number): number {
  const atOnce = microBatch * dataParallel
  if (globalBatch % atOnce === 0) return globalBatch / atOnce
  const spelled = `${dataParallel} data-parallel devices × ${microBatch} rows`
  const near = [Math.floor(globalBatch / atOnce) * atOnce, Math.ceil(globalBatch / atOnce) * atOnce]
  const micro = largestDivisor(globalBatch / dataParallel, microBatch)
  const fixes = [
    `Set \`hyperparameters.globalBatch\` to ${near.filter((one) => one > 0).join(' or ')}`,
    ...(micro === undefined ? [] : [`or \`hyperparameters.microBatch\` to ${micro}`]),
    ...(atOnce > globalBatch ? [`or use at most ${Math.floor(globalBatch / microBatch)} data-parallel devices`] : []),
  ]
  throw new PipelineError(
    'config-invalid',
    `A step of ${globalBatch} rows is not a multiple of ${atOnce}, the rows processed at once (${spelled}).`,
    {fix: `${fixes.join(', ')}.`, evidence: {globalBatch, microBatch, dataParallel}},
  )
}

/** The largest number up to `most` that divides `whole`; undefined when `whole` is not an integer. */
function largestDivisor(whole: number, most: number): number | undefined {
  if (!Number.isInteger(whole)) return undefined
  for (let one = Math.min(most, whole); one > 0; one -= 1) if (whole % one === 0) return one
  return undefined
}
