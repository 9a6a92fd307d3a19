import type {Statement} from '../../../cpp/syntax.ts'
import type {InferenceFacts} from '../../../datasets/schema/code-facts.ts'
import type {Decision} from '../../../datasets/schema/decision.ts'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {lastName} from '../settled-values.ts'
import {decided, fact, few, rule} from './host-view.ts'
import {readsDecision, shapeDecisions} from './inference-shapes.ts'
import {InferenceView} from './inference-view.ts'

/** Why a file infers the shapes and types that it does: rules, what is unknown, what is refused. */
export function inferenceDecisions(_: OperatorSource, facts: InferenceFacts): Decision[] {
  const view = new InferenceView(facts)
  return [
    ...readsDecision(facts),
    ...shapeDecisions(view),
    ...sharedRules(facts),
    ...valuesDecision(view),
    ...unknownDecisions(view),
    ...axisDecision(facts),
    ...rangeDecision(facts),
    ...typeDecisions(view),
    ...refusalDecisions(facts),
    ...pointerDecision(view),
    ...nullDecision(facts),
    ...operatorsDecision(facts),
  ]
}

/** What the shared rules of the operator base give. */
function sharedRules({rules, registrations}: InferenceFacts): Decision[] {
  return rules.slice(0, 1).map((name) => {
    const values = {name, operators: registrations.length}
    const known = /Elewise/.test(name) ? 'elementwise' : 'shared'
    const situation = /Broadcast/.test(name) ? 'broadcast' : known
    return decided('inference-shape', situation, name, values, [fact(name), rule(name, situation)])
  })
}

function valuesDecision({facts, statements}: InferenceView): Decision[] {
  const {values} = facts.reads
  const [first] = values
  const isRead = statements.some(({text}) => /GetData<|GetConst\w*|GetTensorData|->GetData\(/.test(text))
  if (first === undefined || !isRead) return []
  const needs = facts.registrations.some(({calls}) => calls.some(({name}) => name === 'InputsDataDependency'))
  const situation = needs ? 'values-declared' : 'values'
  return [decided('inference-unknown', situation, first, {reads: few(values, 3)}, few(values, 3).map(fact))]
}

function unknownDecisions({facts, statements}: InferenceView): Decision[] {
  const {handlesUnknownRank, handlesUnknownDims, shapes} = facts
  const asks = few(
    statements
      .flatMap(({branches}) => branches.map(({condition}) => condition))
      .filter((one) => /UnknownRank/.test(one)),
    2,
  )
  const writes = few(
    statements.flatMap(({call}) =>
      /^SetUnknownRank|^SetAllUnknownDim|^SetUnknownShape/.test(call?.name ?? '') ? [call?.name ?? ''] : [],
    ),
    2,
  )
  const because = [...asks.map(fact), rule('InferShape', 'unknown-rank')]
  const isCopied = shapes.length > 0 && shapes.every(({rule: {kind}, hasCases}) => kind === 'same' && !hasCases)
  const whole = shapes.every(({rule: shape}) => shape.kind === 'same' && !shape.isLooped)
  return [
    ...(handlesUnknownRank && asks.length > 0
      ? [
          decided(
            'inference-unknown',
            writes.length > 0 ? 'rank-written' : 'rank',
            asks[0] ?? '',
            {asks, writes},
            because,
          ),
        ]
      : []),
    ...(handlesUnknownDims ? dimsDecision(statements) : []),
    ...(isCopied && whole && !handlesUnknownRank && !handlesUnknownDims
      ? [
          decided(
            'inference-unknown',
            'copied-along',
            shapes[0]?.variable ?? '',
            {variable: shapes[0]?.variable ?? ''},
            [rule('InferShape', 'unknown-rank')],
          ),
        ]
      : []),
  ]
}

function dimsDecision(statements: readonly Statement[]): Decision[] {
  const asks = few(
    statements
      .flatMap(({branches, text}) => [
        ...branches.map(({condition}) => condition),
        ...(/UNKNOWN_DIM|IsUnknown(?:Dim|Shape)/.test(text) ? [text] : []),
      ])
      .filter((one) => /UNKNOWN_DIM\b|IsUnknown(?:Dim|Shape)/.test(one) && !/^OP_/.test(one)),
    2,
  )
  if (asks.length === 0) return []
  return [
    decided('inference-unknown', 'dims', asks[0] ?? '', {asks}, [...asks.map(fact), rule('InferShape', 'unknown-dim')]),
  ]
}

function axisDecision({axes}: InferenceFacts): Decision[] {
  const shown = few(axes, 2)
  return shown.length === 0
    ? []
    : [decided('inference-unknown', 'axis', shown[0] ?? '', {axes: shown}, shown.map(fact))]
}

function rangeDecision({registrations}: InferenceFacts): Decision[] {
  const bound = registrations.flatMap(({calls}) => calls).find(({name}) => name === 'InferShapeRange')
  if (!bound) return []
  return [
    decided('inference-unknown', 'range', bound.args, {name: bound.args}, [fact(`InferShapeRange(${bound.args})`)]),
  ]
}

function typeDecisions(view: InferenceView): Decision[] {
  const {types} = view.facts
  const isOfInput = (text: string) =>
    /GetInputDataType|GetDataType\(\)/.test(text) ||
    view.valuesOf(text).some((one) => /GetInputDataType|GetDataType\(\)/.test(one.text))
  const [first] = types
  if (!first) return []
  const fixed = types.flatMap((one) => one.fixed ?? [])
  const because = types.slice(0, 3).map(({text}) => fact(text))
  if (fixed.length > 0) {
    const kinds = [...new Set(fixed.map(({dtype}) => dtype))]
    const isAll = fixed.length === types.length
    const values = {dtypes: kinds, outputs: few(fixed.map(({output}) => output)), count: fixed.length}
    return [decided('inference-types', isAll ? 'fixed' : 'some-fixed', kinds[0] ?? '', values, because)]
  }
  const given = few(
    types.map(({text}) => /,\s*(.+)\)$/.exec(text)?.[1] ?? ''),
    3,
  )
  const values = {given, count: types.length}
  const isOne = types.length === 1 || given.length === 1
  return given.length === 0 || !given.every(isOfInput)
    ? []
    : [decided('inference-types', isOne ? 'followed' : 'each', given[0] ?? '', values, because)]
}

function refusalDecisions({refusals}: InferenceFacts): Decision[] {
  const own = refusals.filter((one) => !/GRAPH_(?:SUCCESS|FAILED)|nullptr/.test(one))
  const ranks = few(
    own.filter((one) => /GetDimNum|[dD]im_?[nN]um|_dim\b|GetSize\(\)/.test(one)),
    3,
  )
  const rest = few(
    own.filter((one) => !ranks.includes(one)),
    3,
  )
  return [
    ...(ranks.length > 0
      ? [decided('inference-refusal', 'rank', ranks[0] ?? '', {conditions: ranks}, ranks.map(fact))]
      : []),
    ...(rest.length > 0
      ? [decided('inference-refusal', 'values', rest[0] ?? '', {conditions: rest}, rest.map(fact))]
      : []),
  ]
}

/** An attribute or a shape that the caller omitted, if that is not an error. */
function pointerDecision({facts: {functions}}: InferenceView): Decision[] {
  const found = functions
    .flatMap(({statements}) => statements)
    .filter(
      ({kind, text, branches}) =>
        kind === 'value' && text.includes('*') && /^\w+ != nullptr$/.test(branches.at(-1)?.condition ?? ''),
    )
  const names = few(
    found.map(({target}) => lastName(target)),
    4,
  )
  const asked = few(
    found.map(({branches}) => branches.at(-1)?.condition.split(' ')[0] ?? ''),
    4,
  )
  if (names.length === 0) return []
  const because = found.slice(0, 2).map(({target, text}) => fact(`${target} = ${text}`))
  return [decided('inference-shape', 'left-out', names[0] ?? '', {names, asked}, because)]
}

/** Pointers that the framework gives, which are null where the node lacks the requested part. */
function nullDecision({nulls}: InferenceFacts): Decision[] {
  const names = few(
    nulls.filter((one) => one !== 'context'),
    5,
  )
  return names.length < 2 ? [] : [decided('inference-refusal', 'nulls', names[0] ?? '', {names}, names.map(fact))]
}

/** One rule for several operators. */
function operatorsDecision({registrations}: InferenceFacts): Decision[] {
  const operators = few(
    registrations.map(({macro}) => /\((\w+)\)/.exec(macro)?.[1] ?? ''),
    5,
  )
  return operators.length < 2
    ? []
    : [decided('inference-shape', 'operators', operators[0] ?? '', {operators}, operators.map(fact))]
}
