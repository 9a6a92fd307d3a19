import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {parse} from 'yaml'
import {PipelineError} from '../../../engine/errors.ts'
import type {Engine} from '../../../trainers/engines/engine.ts'
import {llamaFactory} from '../../../trainers/engines/llama-factory.ts'
import {mindspeedLlm} from '../../../trainers/engines/mindspeed-llm.ts'
import {msSwift} from '../../../trainers/engines/ms-swift.ts'
import {trl} from '../../../trainers/engines/trl.ts'
import type {JobPlan} from '../../../trainers/plan.ts'
import {JobSpec} from '../../../trainers/spec.ts'

export const engines: readonly Engine[] = [trl, llamaFactory, msSwift, mindspeedLlm]

/** A folder with one `plan.json` and what is rendered from it for each case, by engine. */
export const root = 'test/fixtures/trainers'

export const casesOf = (engine: string): string[] => readdirSync(join(root, engine))

type Loose = Record<string, unknown>
interface Change {
  spec?: Loose
  plan?: Loose
}

/** The plan of a case, with keys of its specification and of itself replaced, one level of objects deep. */
export function planOf(path: string, {spec = {}, plan = {}}: Change = {}): JobPlan {
  const given = JSON.parse(readFileSync(join(root, path, 'plan.json'), 'utf8')) as Loose & {spec: Loose}
  return {...merged(given, plan), spec: JobSpec.parse(merged(given.spec, spec))} as JobPlan
}

function merged(given: Loose, change: Loose): Loose {
  const both = Object.entries(change).map(([key, value]) => {
    const old = given[key]
    return [key, isObject(old) && isObject(value) ? {...old, ...value} : value]
  })
  return {...given, ...Object.fromEntries(both)}
}

const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A client of the judge, as little as there can be of one. */
export const companions = {judgeClient: [{path: 'ascend_cot_judge/__init__.py', text: '# the client\n'}]}

/** What a trainer on top of transformers reads. */
export function keysOf(engine: Engine, plan: JobPlan): Record<string, unknown> {
  const file = engine.render(plan, companions).files.find(({path}) => path === `${plan.spec.method}.yaml`)
  return parse(file?.text ?? '', {version: '1.1'}) as Record<string, unknown>
}

export function refusalOf(engine: Engine, plan: JobPlan): PipelineError {
  try {
    engine.render(plan)
  } catch (error) {
    if (error instanceof PipelineError) return error
    throw error
  }
  throw new Error('it was rendered')
}

/** A step's words; those of the rendezvous are left out. */
export const wordsOf = (engine: Engine, plan: JobPlan, name: string) =>
  engine
    .render(plan)
    .steps.find((step) => step.name === name)
    ?.argv.filter((one) => typeof one === 'string') ?? []
