import {PipelineError} from '../../engine/errors.ts'
import type {JobPlan} from '../plan.ts'
import type {Engine} from './engine.ts'

/** The error for something that a trainer cannot do, raised before anything is started. */
export function refusal(message: string, fix: string, evidence: Record<string, unknown> = {}): PipelineError {
  return new PipelineError('config-invalid', message, {fix, evidence})
}

/** @throws PipelineError when `engine` does not support the plan's method */
export function checkMethod({name, methods}: Pick<Engine, 'name' | 'methods'>, {spec}: JobPlan): void {
  if (methods.includes(spec.method)) return
  throw refusal(
    `${name} is set to ${spec.method}, but only supported here for ${methods.join(', ')}.`,
    'Set `engine: trl`, which supports all four methods, or another `method`.',
    {engine: name, method: spec.method},
  )
}

type Section = 'dpo' | 'kto' | 'grpo'

/** The section of a method, which the specification's schema requires. */
export function sectionOf<Name extends Section>(spec: JobPlan['spec'], name: Name): NonNullable<JobPlan['spec'][Name]> {
  const section = spec[name]
  if (section) return section
  throw refusal(`The section \`${name}\` is missing.`, 'Add it to the specification.')
}

type Axis = 'tensor' | 'pipeline' | 'context'

/** Trainers based on transformers' Trainer distribute data, not layers. @throws PipelineError */
export function checkDataParallel({spec: {parallel, engine}}: JobPlan): void {
  for (const axis of ['tensor', 'pipeline', 'context'] satisfies Axis[]) {
    const degree = parallel[axis].value
    if (degree > 1)
      throw refusal(
        `\`parallel.${axis}\` is ${degree}, but ${engine} only supports data parallelism here.`,
        'Set it to 1 and shard with `parallel.sharding: zero3` or `fsdp2`, or train with `engine: mindspeed-llm`.',
        {axis, degree},
      )
  }
  if (parallel.sharding.value === 'distributed-optimizer')
    throw refusal(
      `\`parallel.sharding\` is distributed-optimizer, which ${engine} does not have.`,
      'Set it to none, zero2, zero3 or fsdp2.',
    )
}

/**
 * The keys of `spec.trainer`, in addition to those rendered from the specification.
 * @throws PipelineError when one would silently replace a value that the plan relies on
 */
export function withFurtherKeys<T>(
  rendered: Readonly<Record<string, T>>,
  {spec}: JobPlan,
): Record<string, T | JobPlan['spec']['trainer'][string]> {
  const taken = Object.keys(spec.trainer).filter((key) => key in rendered)
  if (taken.length > 0)
    throw refusal(
      `\`trainer\` sets ${taken.join(', ')}, which other keys of the specification already set.`,
      "Remove these from `trainer` and set the specification's own keys.",
      {taken},
    )
  return {...rendered, ...spec.trainer}
}
