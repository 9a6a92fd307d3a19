import type {OperatorDefinition} from '../../../cpp/op-def.ts'
import {matchesOf, pattern} from '../../../cpp/pattern.ts'
import {syntaxOf} from '../../../cpp/read-syntax.ts'
import {scopeOf} from '../../../cpp/scope.ts'
import {functionFlows} from '../../../cpp/statements.ts'
import {tokenized} from '../../../cpp/tokenized.ts'
import type {InferredShape, ShapeSource} from '../../../datasets/schema/code-facts.ts'
import type {OperatorProject, SourceFile} from '../../../datasets/schema/operator.ts'
import type {Scenario} from '../../../datasets/schema/scenario.ts'
import {inferredShapes} from '../../facts/inferred-shapes.ts'
import type {Call} from './drawn-call.ts'
import type {Dtypes} from './dtype-columns.ts'
import {absent, rolesOf, type Shape} from './roles.ts'

export type InferenceRules = readonly Pick<InferredShape, 'output' | 'rule' | 'hasCases'>[]

const copied = pattern('GetOutputShape($out) = *$context->GetInputShape($in)')
const alike = /\bInferShape4(?:Elewise|Broadcast)\w*/

/** What an operator's inference gives each output, as far as its code is read. */
export async function inferenceRules({host}: OperatorProject, {outputs}: OperatorDefinition): Promise<InferenceRules> {
  const files = host.filter(({text}) => /Infer(?:Data)?Shape|IMPL_OP_INFERSHAPE/.test(text))
  return (await Promise.all(files.map((file) => rulesIn(file, outputs.length)))).flat()
}

async function rulesIn({text}: SourceFile, outputs: number): Promise<InferenceRules> {
  const {declarations, classes} = await syntaxOf(text)
  const {constants} = scopeOf(declarations, classes, {})
  const flows = (await functionFlows(text)).filter(({isDeclared}) => !isDeclared)
  const source = tokenized(text, /\bGetOutputShape\b/)
  const word = (at: number | undefined) => source.tokens[at ?? -1]?.text ?? ''
  const same = (output: string, index: string) =>
    ({output, rule: {kind: 'same', of: 'input', index, isLooped: false}, hasCases: false}) as const
  const named = alike.test(text) ? Array.from({length: outputs}, (_, at) => same(String(at), '0')) : []
  return [
    ...flows.flatMap((flow) => inferredShapes(flow, constants)),
    ...[...matchesOf(source, [copied])].map(({holes: {out, in: input}}) => same(word(out?.from), word(input?.from))),
    ...named,
  ]
}

/** What inference gives each output of a call, by its name; those whose code was not understood are omitted. */
export function inferredOutputs(
  call: Pick<Call, 'inputs' | 'attributes'>,
  {inputs, outputs, attributes}: OperatorDefinition,
  rules: InferenceRules,
): ReadonlyMap<string, Shape> {
  const shapeAt = (index: string) => call.inputs.find(({name}) => name === inputs[Number(index)]?.name)?.shape
  const valueOf = (source: ShapeSource | undefined): number | undefined => {
    if (source?.kind === 'number') return Number(source.value)
    if (source?.kind === 'dimension') return shapeAt(source.of)?.[Number(source.index)]
    if (source?.kind === 'rank') return shapeAt(source.of)?.length
    const name = source ? attributes[Number(source.index)]?.name : undefined
    const value = name === undefined ? undefined : call.attributes[name]
    return typeof value === 'number' ? value : undefined
  }
  const given = ({rule}: InferenceRules[number]): Shape | undefined => {
    if (rule.kind === 'scalar') return []
    if (rule.kind === 'same') {
      const shape = rule.of === 'input' ? shapeAt(rule.index) : undefined
      return rule.without ? shape?.slice(0, -rule.without) : shape
    }
    const sizes = rule.values.map(({source}) => valueOf(source))
    return sizes.includes(undefined) ? undefined : (sizes as number[])
  }
  const found = new Map<string, Shape>()
  for (const [at, {name}] of outputs.entries()) {
    const own = rules.filter(({output}) => output === String(at))
    const shape = own.map(given).find((one) => one !== undefined)
    // Of several cases it is not known which is this call's.
    if (shape && own.every(({hasCases}) => !hasCases)) found.set(name, shape)
  }
  return found
}

/** Whether inference gives a call's outputs the shapes that they have in it; never where its code is not read. */
export function isInferred(scenario: Scenario, definition: OperatorDefinition, rules: InferenceRules): boolean {
  const shapes = inferredOutputs(
    scenario,
    definition,
    rules.map((one) => ({...one, hasCases: false})),
  )
  return definition.outputs.every(({name}) => {
    const shape = scenario.outputs.find((one) => one.name === name)?.shape
    return shape !== undefined && String(shapes.get(name)) === String(shape)
  })
}

/** Whether inputs have parts of their own to play, by their names: no sample of one shape for all is any call. */
export function areUnlike({inputs, operator}: OperatorDefinition, dtypes: Dtypes): boolean {
  const needed = inputs.filter(({kind}) => kind !== 'optional')
  const forms = needed.map((input) => {
    const role = rolesOf(input, inputs.indexOf(input), dtypes[input.name] ?? 'float32', operator).find(
      (one) => one !== absent,
    )
    return JSON.stringify([role?.shape(sample), role?.values !== undefined, role?.range !== undefined])
  })
  return new Set(forms).size > 1
}

const sample: Shape = [3, 5, 7]
