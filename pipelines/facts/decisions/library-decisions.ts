import type {FunctionFlow, Statement} from '../../../cpp/syntax.ts'
import {evaluate} from '../../../cpp/expressions.ts'
import type {HostFacts, LibraryFacts} from '../../../datasets/schema/code-facts.ts'
import type {Decision} from '../../../datasets/schema/decision.ts'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {checkOf} from '../checks.ts'
import {cleaned, withoutBrackets} from './cleaned.ts'
import {hostDecisions} from './host-decisions.ts'
import {decided, fact, few, rule} from './host-view.ts'
import {kernelDecisions} from './kernel-decisions.ts'

/** Why a file behind a high-level interface is as it is, besides decisions common to its side. */
export function libraryDecisions(source: OperatorSource, facts: LibraryFacts): Decision[] {
  if (facts.side === 'host')
    return [...boundsDecisions(facts), ...hostDecisions(source, asHost(facts)), ...assertDecisions(facts)]
  return [
    ...formsDecision(facts),
    ...templateDecisions(facts),
    ...memoryDecisions(facts),
    ...kernelDecisions(source, facts.kernel),
    ...maskDecision(facts),
    ...assertDecisions(facts),
  ].slice(0, 10)
}

/** A library's host file passes nothing to a kernel; its computations are described like any host's. */
function asHost({functions, constants, kernel: {methods}}: LibraryFacts): HostFacts {
  return {
    ...{definitions: [], structures: [], sets: [], blockDim: [], tilingKeys: [], platform: [], attributes: []},
    ...{known: [], refusals: [], registrations: [], bindings: [], flows: functions, constants},
    launch: {cores: [], workspace: [], keys: []},
    inputs: {shapes: [], types: [], presence: []},
    functions: methods.map(({syntax}) => syntax),
  }
}

const isWorking = (name: string) => /tmp|temp|shared|work|stack/i.test(name)
const statementsOf = ({functions}: LibraryFacts): Statement[] => functions.flatMap(({statements}) => statements)
const written = ({target, text}: Statement) => (target === '' ? text : `${target} = ${text}`)

const workingOf = ({parameters}: FunctionFlow) =>
  parameters.filter(({type, name}) => /\bLocalTensor\b/.test(type) && isWorking(name)).map(({name}) => name)

/** One function with and without working memory of the caller's. */
function formsDecision({functions}: LibraryFacts): Decision[] {
  const popped = functions.find(({statements}) => statements.some(({text}) => /\bPopStackBuffer\b/.test(text)))
  for (const one of functions) {
    const [buffer] = workingOf(one)
    const forms = functions.filter(({name}) => name === one.name)
    const without = forms.filter((form) => workingOf(form).length === 0 && hasTensors(form))
    if (buffer === undefined || without.length === 0) continue
    const values = {name: one.name, buffer, forms: forms.length, without: without.length}
    const because = [fact(buffer), rule('PopStackBuffer', 'rest-of-memory')]
    return [decided('library-memory', popped ? 'forms-stack' : 'forms', one.name, values, because)]
  }
  return []
}

const hasTensors = ({parameters}: FunctionFlow) => parameters.some(({type}) => /\bLocalTensor\b/.test(type))

/** What is settled when the kernel that uses the library is compiled. */
function templateDecisions(facts: LibraryFacts): Decision[] {
  const templates = few(
    facts.functions.flatMap(({templates: all}) => all).filter((one) => one.includes(' = ')),
    4,
  )
  const conditions = statementsOf(facts).flatMap(({branches}) => branches.map(({condition}) => condition))
  const types = few(
    conditions.filter((one) => /^(?:\w+::)*(?:IsSameType|is_same)\w*<|^sizeof\(\w+\) == /.test(one)),
    3,
  )
  const isVector = conditions.some((one) => /ASCEND_IS_AIC|g_coreType == AIC$/.test(one))
  const flags = templates.filter((one) => /^bool \w+ = (?:true|false)$/.test(one))
  const named = flags.map((one) => one.split(' ')[1] ?? '')
  const used = few(named.filter((one) => conditions.some((each) => each.split(/\W+/).includes(one))))
  const configs = templates.filter((one) => /Config\b|\bCFG\b|CONFIG/.test(one))
  return [
    ...(isVector
      ? [
          decided(
            'library-mode',
            'vector-only',
            'AIC',
            {
              names: few(
                facts.functions.map(({name}) => name),
                2,
              ),
            },
            [],
          ),
        ]
      : []),
    ...(types.length > 0
      ? [decided('library-mode', 'by-type', types[0] ?? '', {conditions: types}, types.map(fact))]
      : []),
    ...(used.length > 0 ? [decided('library-mode', 'flags', used[0] ?? '', {names: used}, flags.map(fact))] : []),
    ...(used.length === 0 && named.includes('isReuseSource')
      ? [
          decided('library-mode', 'reuse', 'isReuseSource', {name: 'isReuseSource'}, [
            fact('bool isReuseSource = false'),
          ]),
        ]
      : []),
    ...(configs.length > 0
      ? [decided('library-mode', 'config', configs[0] ?? '', {names: configs}, configs.map(fact))]
      : []),
  ]
}

/** Working memory: how many elements fit at once, and how it is shared out. */
function memoryDecisions(facts: LibraryFacts): Decision[] {
  const all = statementsOf(facts).filter(({kind}) => kind === 'value')
  const isSaid = formsDecision(facts).some(({situation}) => situation === 'forms-stack')
  return [...piecesDecision(all), ...carvedDecision(facts), ...(isSaid ? [] : stackDecision(facts))]
}

function piecesDecision(all: readonly Statement[]): Decision[] {
  const text = (one: Statement) => cleaned(one.text)
  for (const tail of all) {
    const [, total, piece] = /^(\w+(?:\.\w+)*) % (\w+(?:\.\w+)*)$/.exec(text(tail)) ?? []
    if (total === undefined || piece === undefined) continue
    const rounds = all.find((one) => text(one) === `${total} / ${piece}`)
    const sized = all.filter(({target}) => target.split('.').at(-1) === piece.split('.').at(-1))
    const memory = sized.find((one) => isWorking(one.text))
    const rounded = sized.find((one) => / \/ (\w+) \* \1$/.test(text(one)))
    if (!rounds || sized.length === 0) continue
    const values = {total, piece, rounds: rounds.target, tail: tail.target, rounded: rounded ? 'yes' : 'no'}
    const because = [...sized.slice(0, 2), rounds, tail].map((one) => fact(written(one)))
    return [decided('library-memory', memory ? 'pieces-of-memory' : 'pieces', piece, values, because)]
  }
  return []
}

function carvedDecision({temporaries}: LibraryFacts): Decision[] {
  const offsets = temporaries.filter(({text}) => /^\w+ = \w+\[[^[\]]+\]$/.test(text))
  const baseOf = ({text}: LibraryFacts['temporaries'][number]) => text.split(/ = |\[/)[1]
  const parts = offsets.filter((one) => baseOf(one) === baseOf(offsets[0] ?? one))
  const retyped = temporaries.filter(({text}) => /\.ReinterpretCast<(?:float|half|u?int\d+_t)>\(\)$/.test(text))
  const names = few(
    parts.map(({text}) => text.split(' = ')[0] ?? ''),
    5,
  )
  const [first] = retyped
  const [, target = '', from = '', type = ''] = /^(\w+) = (\w+)\.ReinterpretCast<(\w+)>/.exec(first?.text ?? '') ?? []
  return [
    ...(names.length > 1
      ? [
          decided(
            'library-memory',
            'carved',
            names[0] ?? '',
            {
              names,
              offsets: few(
                parts.map(({text}) => text),
                2,
              ),
            },
            parts.slice(0, 3).map(({text}) => fact(text)),
          ),
        ]
      : []),
    ...(target !== '' && target !== from
      ? [decided('library-memory', 'retyped', target, {target, from, type}, [fact(first?.text ?? '')])]
      : []),
  ]
}

function stackDecision(facts: LibraryFacts): Decision[] {
  const popped = facts.functions.filter(({statements}) => statements.some(({text}) => /\bPopStackBuffer\b/.test(text)))
  const [first] = popped
  return first
    ? [
        decided('library-memory', 'stack', first.name, {name: first.name, count: popped.length}, [
          fact('PopStackBuffer'),
          rule('PopStackBuffer', 'rest-of-memory'),
        ]),
      ]
    : []
}

/** Which elements instructions touch: a setting that outlives the file's own. */
function maskDecision({masks, functions}: LibraryFacts): Decision[] {
  const counts = functions
    .flatMap(({statements}) => statements)
    .flatMap(({call}) => (call?.name === 'SetVectorMask' ? [call.args.at(-1) ?? ''] : []))
  const values = {
    masks,
    counts: few(
      counts.filter((one) => /^[\w.]+$/.test(one)),
      2,
    ),
  }
  const because = masks.map(fact)
  if (masks.includes('SetMaskCount'))
    return [
      decided('library-mode', values.counts.length > 0 ? 'counter' : 'counter-open', 'SetMaskCount', values, because),
    ]
  return masks.includes('SetVectorMask') ? [decided('library-mode', 'mask', 'SetVectorMask', values, because)] : []
}

/** What callers of the library may do wrong. */
function assertDecisions(facts: LibraryFacts): Decision[] {
  const asserted = statementsOf(facts).flatMap((one) => {
    const name = one.call?.name ?? ''
    const condition = /^(?:ASCENDC_ASSERT|ASSERT)$/.test(name) ? one.call?.args[0] : hostCondition(one)
    return condition === undefined ? [] : [withoutBrackets(condition).replace(/ && "[^"]*"$/, '')]
  })
  const own = asserted.filter((one) => !/^\w+$|nullptr|"|^platform/.test(one))
  const chips = few(
    own.filter((one) => /NpuArch|SocVersion/.test(one)),
    2,
  )
  const limits = few(
    own.filter((one) => !chips.includes(one)),
    3,
  )
  const isHost = facts.side === 'host'
  return [
    ...(limits.length > 0
      ? [
          decided(
            'library-check',
            isHost ? 'asserted-host' : 'asserted',
            limits[0] ?? '',
            {conditions: limits},
            limits.map(fact),
          ),
        ]
      : []),
    ...(chips.length > 0
      ? [decided('library-check', 'chip', chips[0] ?? '', {conditions: chips}, chips.map(fact))]
      : []),
  ]
}

function hostCondition(one: Statement): string | undefined {
  return one.call?.name === 'ASCENDC_HOST_ASSERT' ? checkOf(one, {isApi: true})?.subjects[0] : undefined
}

/** How much working memory a caller may give: the least, the most that is of use, and what one element costs. */
function boundsDecisions(facts: LibraryFacts): Decision[] {
  const {functions} = facts
  const bounds = functions.find(({name}) => /^Get\w+MaxMinTmp\w*Size$/.test(name))
  const factor = functions.find(({name}) => /^Get\w+TmpBufferFactorSize$/.test(name))
  const values = {name: bounds?.name ?? '', factor: factor?.name ?? ''}
  return [
    ...(bounds
      ? [decided('library-size', 'bounds', bounds.name, values, [fact(bounds.name), rule('tmp', 'least-and-most')])]
      : []),
    ...liveDecision(facts),
    ...(factor ? [decided('library-size', 'factor', factor.name, values, [fact(factor.name)])] : []),
  ]
}

/** `typeSize == sizeof(float) ? A : B`: tensors that are alive at once, by the type. */
function liveDecision(facts: LibraryFacts): Decision[] {
  const constants = new Map(facts.constants)
  const number = (text: string) => evaluate(text, {constants, types: new Map()})
  for (const one of statementsOf(facts)) {
    const [, wide = '', narrow = ''] = /sizeof\(float\)\)? \? ([A-Z][A-Z\d_]+) : ([A-Z][A-Z\d_]+)$/.exec(one.text) ?? []
    const [float, half] = [number(wide), number(narrow)]
    if (float === undefined || half === undefined) continue
    const liveSame = float === half ? 'live-same' : 'live-float'
    const values = {float, half, wide, narrow}
    return [decided('library-size', float < half ? 'live-half' : liveSame, wide, values, [fact(written(one))])]
  }
  return []
}
