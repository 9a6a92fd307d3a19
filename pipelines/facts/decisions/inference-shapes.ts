import type {Statement} from '../../../cpp/syntax.ts'
import type {InferenceFacts, InferredShape} from '../../../datasets/schema/code-facts.ts'
import type {Decision} from '../../../datasets/schema/decision.ts'
import {decided, fact, few, rule} from './host-view.ts'
import type {InferenceView, Origin} from './inference-view.ts'

/** All that a rule may be made of. */
export function readsDecision({reads: {inputs, attributes}}: InferenceFacts): Decision[] {
  const shapes = few(
    inputs.filter((one) => one.includes('Shape')),
    4,
  )
  const given = few(attributes, 4)
  const [first] = shapes
  if (first === undefined) return []
  const situation = given.length > 0 ? 'asked-with-attributes' : 'asked'
  return [
    decided(
      'inference-shape',
      situation,
      first,
      {shapes, attributes: given},
      [...shapes, ...given].slice(0, 4).map(fact),
    ),
  ]
}

/** The rule of each output that has one; else by what the file writes into it. */
export function shapeDecisions(view: InferenceView): Decision[] {
  const {shapes} = view.facts
  if (shapes.length === 0) return writtenShape(view)
  const same = shapes.filter(({rule: {kind}}) => kind === 'same')
  const rest = shapes.filter(({rule: {kind}}) => kind !== 'same')
  return [...(same[0] ? [sameShape(same)] : []), ...rest.flatMap((one) => ownShape(one, view)).slice(0, 2)]
}

function sameShape(shapes: readonly InferredShape[]): Decision {
  const [first] = shapes as [InferredShape]
  const own = first.rule.kind === 'same' ? first.rule : undefined
  const outputs = shapes.map(({output}) => output)
  const values = {
    variable: first.variable,
    output: first.output,
    outputs: outputs.length,
    of: own?.of ?? 'input',
    index: own?.index ?? '0',
    without: own?.without ?? 0,
  }
  const because = [fact(`${first.method}: ${first.variable}`), rule('InferShape', 'before-launch')]
  const told = (situation: string) => decided('inference-shape', situation, first.variable, values, because)
  if (first.hasCases) return told('same-or-case')
  if (own?.without) return told('same-without')
  return told(own?.isLooped ? 'same-looped' : 'same-copied')
}

function ownShape({rule: shape, variable, output, hasCases}: InferredShape, view: InferenceView): Decision[] {
  const because = [fact(`${variable}: output ${output}`), rule('InferShape', 'before-launch')]
  if (shape.kind === 'scalar') return [decided('inference-shape', 'scalar', variable, {variable, output}, because)]
  if (shape.kind !== 'dimensions' || hasCases) return []
  return dimensions(
    shape.values.map(({text}) => text),
    {variable, output},
    view,
    because,
  )
}

function dimensions(
  texts: readonly string[],
  named: {variable: string; output: string},
  view: InferenceView,
  because: Decision['because'],
): Decision[] {
  const dims = texts.map(bareDim)
  if (dims.some((one) => one.length > 60) || dims.length === 0) return []
  const by = (origin: Origin) =>
    few(
      dims.filter((one) => view.originOf(one) === origin),
      6,
    )
  const [copied, given, fixed] = [by('shape'), by('attribute'), by('number')]
  const values = {...named, dims, rank: dims.length, copied, given, fixed}
  if (dims.length === 1 && dims[0] === '-1')
    return [decided('inference-shape', 'data-dependent', named.variable, values, because)]
  const known = copied.length + given.length + fixed.length === new Set(dims).size
  const situation = given.length > 0 && copied.length > 0 ? 'mixed-dimensions' : 'dimensions'
  const attributes = given.length > 0 && copied.length === 0 ? 'given-dimensions' : situation
  return [decided('inference-shape', known ? attributes : 'some-dimensions', named.variable, values, because)]
}

/** The dimensions that one function writes in one case. */
interface Form {
  variable: string
  dims: string[]
  /** What decides for it, '' for a function that has one case. */
  condition: string
  /** Dimensions that a loop writes. */
  looped: string[]
  text: string
}

const bareDim = (text: string) => text.replace(/\bstatic_cast<[\w: ]+>\((\w+)\)/g, '$1').trim()

/** `SetDim` and `AppendDim` of outputs by function and case; a shape that is only set to unknown is not a form. */
function formsOf({facts: {functions}}: InferenceView): Form[] {
  const forms = new Map<string, Form>()
  for (const {name, statements} of functions)
    for (const {call, branches, loops, text} of statements) {
      const isShape = call && /^(?:SetDim|AppendDim)$/.test(call.name) && /^\w+$/.test(call.receiver)
      const isOpen = branches.some(({condition, arm}) => arm === 'then' && /IsUnknown/.test(condition))
      if (!isShape || isOpen || /UnknownRank/.test(name)) continue
      const key = JSON.stringify([name, call.receiver, branches.map(({condition, arm}) => [condition, arm])])
      const own = forms.get(key) ?? {variable: call.receiver, dims: [], condition: '', looped: [], text}
      own.condition = branches.filter(({condition}) => !/IsUnknown/.test(condition)).at(-1)?.condition ?? ''
      const dim = bareDim(call.args.at(-1) ?? '')
      if (loops.length > 0) own.looped.push(dim)
      own.dims.push(dim)
      forms.set(key, own)
    }
  return [...forms.values()]
}

/** By what a file writes into its outputs, if no single rule was found. */
function writtenShape(view: InferenceView): Decision[] {
  const forms = formsOf(view)
  const copies = view.statements.filter(
    ({kind, target, text}) => kind === 'value' && /^\*\w+$/.test(target) && /^\*\w+$/.test(text),
  )
  const [first] = forms
  const because = [
    ...forms.slice(0, 4).map(({text}) => fact(text)),
    ...copies.slice(0, 3).map(copyFact),
    rule('InferShape', 'before-launch'),
  ]
  if (!first) return copiedShape(copies, because)
  const named = {variable: first.variable, output: '0'}
  const source = copies.find(({target}) => target === `*${first.variable}`)?.text.slice(1)
  if (source !== undefined && forms.length === 1) {
    const values = {...named, source, dims: few(first.dims, 4), loop: first.looped.length > 0 ? 'yes' : 'no'}
    return [decided('inference-shape', 'copy-and-set', first.variable, values, because)]
  }
  if (forms.length === 1 && first.looped.length === 0) return dimensions(first.dims, named, view, because)
  const plain = forms.filter(({looped, dims}) => looped.length === 0 && dims.every((one) => one.length <= 40))
  const conditions = few(
    forms.map(({condition}) => condition),
    3,
  )
  const values = {
    ...named,
    forms: few(
      plain.map(({dims}) => `(${dims.join(', ')})`),
      3,
    ),
    conditions,
  }
  if (values.forms.length >= 2)
    return [decided('inference-shape', conditions.length > 0 ? 'cases' : 'forms', first.variable, values, because)]
  const isLooped = conditions.length === 0
  const dims = few(
    forms.flatMap((one) => (isLooped ? one.looped : one.dims)).filter((one) => one.length <= 40),
    5,
  )
  const open = {...named, dims, conditions}
  return dims.length === 0
    ? []
    : [decided('inference-shape', isLooped ? 'axis-by-axis' : 'open-cases', first.variable, open, because)]
}

const copyFact = ({target, text}: Statement) => fact(`${target} = ${text}`)

/** `*y = *x` for each output. */
function copiedShape(copies: readonly Statement[], because: Decision['because']): Decision[] {
  const sources = few(
    copies.map(({text}) => text.slice(1)),
    4,
  )
  const targets = few(
    copies.map(({target}) => target.slice(1)),
    4,
  )
  if (sources.length === 0) return []
  return [decided('inference-shape', 'copied', sources[0] ?? '', {sources, targets, count: targets.length}, because)]
}
