import {PipelineError} from './errors.ts'
import {canonicalJson, envelopeOf, type Envelope} from './ids.ts'
import type {Drop, Outcome} from './ledger-records.ts'
import type {AnyStage} from './pipeline.ts'
import type {Context} from './stage.ts'

/** A record between two stages: its value, and the envelope that identifies it. */
export interface Item extends Envelope {
  value: unknown
}

/** A stage at work, and how far its inputs may be trusted. */
export interface AtWork {
  stage: AnyStage
  context: Context
  /** Whether inputs were checked by the neighbour's output schema, which is the same object. */
  trusted: boolean
}

interface Worked {
  outcome: Outcome
  outputs: Item[]
}

/**
 * One record through the function of a stage.
 * @throws what concerns the whole run; a failure of the record is an outcome
 */
export async function workOn(
  item: Item,
  at: AtWork,
  fn: (value: unknown, context: Context) => unknown,
): Promise<Worked> {
  const {stage, context, trusted} = at
  const drops: Drop[] = []
  const recording: Context = {
    ...context,
    drop(_item, reason, detail = '') {
      drops.push({reason, detail})
      return []
    },
  }
  try {
    const value = trusted ? item.value : checked(stage, 'input', item.value)
    const values = (await fn(value, recording)) as readonly unknown[]
    if (values.length === 0 && drops.length === 0)
      throw new TypeError(`stage ${stage.name} yielded nothing for a record and dropped it without a reason`)
    const outputs = values.map((output) => (isSame(output, item, at) ? item : asOutput(stage, output)))
    return {outcome: {outputs: outputs.map(({id, json}) => ({id, json})), drops}, outputs}
  } catch (error) {
    if (!(error instanceof PipelineError) || error.scope === 'run') throw error
    const failure = {code: error.code, message: error.message, fix: error.fix}
    return {outcome: {outputs: [], drops, failure}, outputs: []}
  }
}

/** Whether a record that fits the neighbour's schema also fits this stage's output. */
export const handsOn = ({stage, trusted}: Pick<AtWork, 'stage' | 'trusted'>) => trusted && stage.output === stage.input

/** Whether an output is the input, unchanged: then it was checked and hashed before. */
const isSame = (output: unknown, item: Item, at: AtWork) =>
  output === item.value && handsOn(at) && canonicalJson(output) === item.json

export const asOutput = (stage: AnyStage, output: unknown) => asItem(checked(stage, 'output', output))

export function asItem(value: unknown): Item {
  return {value, ...envelopeOf(value)}
}

/** @throws PipelineError `record-invalid`: the stage is at fault, so the run stops */
export function checked(stage: AnyStage, side: 'input' | 'output', value: unknown): unknown {
  const result = stage[side].safeParse(value)
  if (result.success) return result.data
  const problem = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
  throw new PipelineError(
    'record-invalid',
    `The ${side} of stage ${stage.name} (version ${stage.version}) does not fit its schema: ${problem}`,
    {
      fix: `Fix the stage, or raise the version of "${stage.name}" if its schema changed on purpose.`,
      evidence: {stage: stage.name, side, problem},
    },
  )
}
