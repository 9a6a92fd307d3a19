import type {OperatorDefinition} from '../../../cpp/op-def.ts'
import type {Scenario} from '../../../datasets/schema/scenario.ts'
import {attributeChanges} from './attribute-values.ts'
import {callOf, type Plan} from './drawn-call.ts'
import type {Dtypes} from './dtype-columns.ts'
import {absent, rolesOf, type Shape} from './roles.ts'
import type {Found} from './search.ts'
import type {Trial} from './trial.ts'

/** Sizes that differ in what they ask of an operator: few elements, many, rows of no whole block, uneven shares. */
const sizes: Readonly<Record<number, readonly Shape[]>> = {
  1: [[37], [256], [6_000], [40_003], [65_536]],
  2: [
    [7, 33],
    [48, 256],
    [129, 100],
    [3, 6_000],
    [400, 160],
    [1, 64],
  ],
  3: [
    [3, 5, 33],
    [8, 32, 128],
    [2, 48, 260],
    [17, 40, 64],
    [1, 3, 2_000],
  ],
  4: [
    [2, 8, 8, 8],
    [3, 5, 7, 9],
    [4, 32, 16, 16],
    [1, 64, 30, 20],
    [8, 16, 4, 64],
  ],
  5: [
    [1, 16, 2, 8, 8],
    [2, 8, 4, 8, 16],
    [1, 3, 5, 7, 9],
    [1, 32, 4, 16, 16],
  ],
}

interface Drawing {
  definition: OperatorDefinition
  dtypes: Dtypes
  trial: Trial
  /** Limits the number of scenarios. */
  most: number
}

/** Scenarios of one build that differ in substance: another tiling key first, then blocks, then tiling values. */
export async function varied(found: Found, {definition, dtypes, trial, most}: Drawing): Promise<Scenario[]> {
  const kept: Scenario[] = [found.scenario]
  for (const {plan, base} of variants(found, definition, dtypes)) {
    const end = await serveEither(trial, callOf(definition, dtypes, plan, base), base)
    if (end) kept.push(end)
    if (new Set(kept.map(keyOf)).size >= most && kept.length >= most + spare) break
  }
  return distinct(kept, most)
}

/** Scenarios drawn beyond those that are kept, so that there is a choice. */
const spare = 2

async function serveEither(trial: Trial, call: ReturnType<typeof callOf>, base: Shape): Promise<Scenario | undefined> {
  const strict = await trial.serve(call, base, false)
  if (strict.ok) return strict.scenario
  if (strict.outcome !== 'violated') return undefined
  const loose = await trial.serve(call, base, true)
  return loose.ok ? loose.scenario : undefined
}

function variants({plan, base}: Found, definition: OperatorDefinition, dtypes: Dtypes): {plan: Plan; base: Shape}[] {
  const shapes = sizes[base.length] ?? []
  const changes = attributeChanges(definition, base).map((change) => ({
    plan: {...plan, attributes: {...plan.attributes, ...change}},
    base,
  }))
  const optional = definition.inputs.flatMap((input, position) => {
    if (plan.inputs[input.name] !== absent) return []
    const roles = rolesOf(input, position, dtypes[input.name] ?? 'float32', definition.operator)
    const role = roles.find((one) => one !== absent)
    return role ? [{plan: {...plan, inputs: {...plan.inputs, [input.name]: role}}, base}] : []
  })
  const resized = shapes.map((shape) => ({plan, base: shape}))
  return [...resized.slice(0, 3), ...optional.slice(0, 2), ...changes.slice(0, 3), ...resized.slice(3)]
}

/** What tells two runs apart. */
function keyOf({trace: {tilingKey, blockDim, tiling}}: Scenario): string {
  return JSON.stringify([tilingKey, blockDim, tiling])
}

/** Those that differ in substance: another tiling key first, then blocks, then tiling values. */
export function distinct(scenarios: readonly Scenario[], most: number): Scenario[] {
  const views: readonly ((one: Scenario) => unknown)[] = [
    ({trace}) => trace.tilingKey,
    ({trace}) => `${trace.tilingKey} ${trace.blockDim}`,
    keyOf,
  ]
  const kept: Scenario[] = []
  for (const view of views) {
    for (const one of scenarios) {
      if (kept.length >= most) return kept
      if (!kept.some((other) => view(other) === view(one))) kept.push(one)
    }
  }
  return kept
}
