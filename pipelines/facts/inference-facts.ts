import type {InferenceFacts} from '../../datasets/schema/code-facts.ts'
import {withoutComments} from '../../cpp/code-pieces.ts'
import type {OperatorSource} from '../../datasets/schema/operator.ts'
import {checkOf} from './checks.ts'
import type {Call, FunctionFlow, Statement} from '../../cpp/syntax.ts'
import {inferredShapes} from './inferred-shapes.ts'
import {squeeze} from '../../cpp/nodes.ts'
import {syntaxOf} from '../../cpp/read-syntax.ts'
import {scopeOf} from '../../cpp/scope.ts'
import {functionFlows} from '../../cpp/statements.ts'

/** Facts of a file that infers shapes and types of an operator's outputs. */
export async function inferenceFacts(source: OperatorSource): Promise<InferenceFacts> {
  const text = withoutComments(source.target.text)
  const functions = (await functionFlows(source.target.text)).filter(({isDeclared}) => !isDeclared)
  const own = await syntaxOf(source.target.text)
  const statements = functions.flatMap(({statements: all}) => all)
  const names = own.functions.flatMap(({calls}) => calls.map(({name}) => name))
  const registrations = registrationsIn(text)
  const bound = registrations.flatMap(({calls: all}) => all.map(({args}) => args.replace(/^.*::/, '')))
  const defined = new Set(functions.map(({name}) => name))
  const calls = own.functions.flatMap((one) => one.calls)
  const constants = new Map(scopeOf(own.declarations, own.classes, source.dtypes).constants)
  const written = (pattern: RegExp) =>
    unique(calls.filter(({name}) => pattern.test(name)).map(({name, args}) => `${name}(${args.join(', ')})`))
  return {
    functions,
    registrations,
    reads: {
      inputs: written(/^Get(?:Optional|Required|Dynamic)?Input(?:Shape|DataType|Desc)$/),
      values: written(/^Get(?:Optional|Required)?InputTensor$/),
      attributes: written(/^Get(?:AttrPointer|Int|Float|Bool|Str|ListInt)$/),
    },
    shapes: functions.flatMap((one) => inferredShapes(one, constants)),
    writes: functions.flatMap((one) => writesOf(one)),
    types: functions.flatMap(({name: method, statements: all}) => all.flatMap((one) => typeOf(one, method, constants))),
    asked: askedOf(calls, constants),
    rules: unique(
      [...names, ...bound].filter((name) => /^Infer(?:Shape|DataType)(?:4|For)?\w+/.test(name) && !defined.has(name)),
    ),
    handlesUnknownRank: /\b\w*UnknownRank\w*\s*\(|\bUNKNOWN_RANK\b|\bUNKNOWN_DIM_NUM\b/.test(text),
    handlesUnknownDims:
      /\bIsUnknown(?:Shape|Dim)\w*\s*\(|\bUNKNOWN_DIM\b|\bSetAllUnknownDim\b|\bSetUnknownShape\b/.test(text),
    axes: unique(
      statements.filter(wrapsAxis).map(({target, operator, text: value}) => `${target} ${operator} ${value}`),
    ),
    refusals: refusalsOf(statements),
    nulls: unique(statements.flatMap((one) => nullOf(one))),
    constants: [...constants],
  }
}

/** `.InferShape(InferShapeAdd).InputsDataDependency({1})`: what is bound, call by call. */
const boundCalls = String.raw`(?:\s*\.\s*\w+\s*\([^();]*(?:\([^()]*\)[^();]*)*\))*`

const registration = new RegExp(
  String.raw`\b(IMPL_OP(?:_INFERSHAPE)?|INFER_SHAPE_REG\w*|IMPL_OP_OPTILING)\s*\(\s*(\w+)\s*\)(${boundCalls})`,
  'g',
)

function registrationsIn(text: string): InferenceFacts['registrations'] {
  return [...text.matchAll(registration)].map(([, macro, operator, calls]) => ({
    macro: `${macro}(${operator})`,
    calls: [...calls!.matchAll(/\.\s*(\w+)\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)/g)].map(([, name, args]) => ({
      name: name!,
      args: squeeze(args!),
    })),
  }))
}

function typeOf({call, text, branches}: Statement, method: string, constants: Constants): InferenceFacts['types'] {
  const [output = '', dtype = ''] = call?.name === 'SetOutputDataType' ? call.args : []
  if (output === '') return []
  const isFixed = /^(?:ge::)?(?:DataType::)?DT_\w+$/.test(dtype) && branches.length === 0
  const fixed = isFixed ? {output: resolved(output, constants), dtype: dtype.replace(/^.*::/, '')} : undefined
  return [{method, text, fixed}]
}

type Constants = ReadonlyMap<string, number>

function resolved(index: string, constants: Constants): string {
  return String(constants.get(index) ?? index)
}

const questions: readonly [RegExp, InferenceFacts['asked'][number]['what']][] = [
  [/^Get(?:Optional|Required|Dynamic)?InputShape$/, 'shape'],
  [/^Get(?:Optional|Required|Dynamic)?Input(?:DataType|Desc)$/, 'type'],
  [/^Get(?:Optional|Required)?InputTensor$/, 'values'],
  [/^Get(?:AttrPointer|Int|Float|Bool|Str|ListInt)$/, 'attribute'],
]

function askedOf(calls: readonly Call[], constants: Constants): InferenceFacts['asked'] {
  const found = calls.flatMap(({name, args}) => {
    const what = questions.find(([pattern]) => pattern.test(name))?.[1]
    const index = resolved(args[0] ?? '', constants)
    return what !== undefined && /^\d+$/.test(index) ? [{what, index}] : []
  })
  return found.filter((one, at) => found.findIndex(({what, index}) => what === one.what && index === one.index) === at)
}

const shapeWriters =
  /^(?:SetDim|SetDimNum|AppendDim|SetScalar|SetUnknownRank|SetAllUnknownDim|SetUnknownShape|SetOutputShape)$/

/** `*yShape = …`, `yShape->SetDim(…)`: of variables that hold an output's shape, or are handed in to be written. */
function writesOf({name: method, statements, parameters}: FunctionFlow): InferenceFacts['writes'] {
  const fromContext = statements.filter(({call}) => call?.name === 'GetOutputShape').map(({target}) => target)
  const handed = parameters
    .filter(({type}) => /\bShape\s*[*&]/.test(type) && !/\bconst\b/.test(type))
    .map(({name}) => name)
  const outputs = new Set([...fromContext, ...handed])
  const isOutput = (text: string) => outputs.has(text.replace(/^\(?\*?/, '').replace(/[.\->[)].*$/, ''))
  return statements.flatMap(({kind, target, operator, text, call}) => {
    if (kind === 'value' && /^\*/.test(target) && isOutput(target))
      return [{method, text: `${target} ${operator} ${text}`}]
    const isWriter = call && shapeWriters.test(call.name) && (isOutput(call.receiver) || call.args.some(isOutput))
    return kind === 'call' && isWriter ? [{method, text}] : []
  })
}

/** `axis += rank` where `axis < 0`, or the same as a choice. */
function wrapsAxis({kind, target, operator, text, branches}: Statement): boolean {
  if (kind !== 'value' || text.length > 120 || !/ax[ie]s|dim|index|idx/i.test(target)) return false
  const isNegative = branches.some(
    ({condition, arm}) => arm === 'then' && condition.includes(target) && /<\s*0/.test(condition),
  )
  const adds =
    operator === '+=' || new RegExp(String.raw`^\(?${escape(target)}\s*\+|\+\s*${escape(target)}\)?$`).test(text)
  const isChoice = /<\s*0\)?\s*\?[^:]*\+[^:]*:/.test(text) && !/\bnullptr\b/.test(text)
  return (isNegative && adds && operator !== '-=') || (isChoice && operator === '=')
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}

const failure = /\bGRAPH_(?:FAILED|PARAM_INVALID)\b|^false$/

/** By a macro, or by a `return` in a branch. */
function refusalsOf(statements: readonly Statement[]): string[] {
  return unique(
    statements.flatMap((one) => {
      const check = checkOf(one, {isApi: false})
      if (check?.kind === 'fails' && one.branches.length === 0 && failure.test(check.result)) return check.subjects
      // Inside of another branch or a loop, the condition alone does not decide.
      const [only, nested] = one.branches
      const isRefusing = one.kind === 'return' && /\bGRAPH_FAILED\b/.test(one.text) && only?.arm === 'then'
      return isRefusing && !nested && one.loops.length === 0 ? [only.condition] : []
    }),
  ).filter((one) => one.length <= 140 && nullPointers(one).length === 0)
}

/** `x` and `y` of `x == nullptr || y == nullptr`; empty if anything else is tested too. */
function nullPointers(condition: string): string[] {
  const names = condition.split(' || ').map((one) => /^\(?(\w+) == nullptr\)?$/.exec(one)?.[1] ?? '')
  return names.includes('') ? [] : names
}

/** What is checked for null by a macro, or by a branch that fails. */
function nullOf(one: Statement): string[] {
  const check = checkOf(one, {isApi: false})
  if (check?.kind === 'not-null') return check.subjects
  const [only, nested] = one.branches
  const isFailing = one.kind === 'return' && failure.test(one.text) && only?.arm === 'then' && !nested
  if (isFailing && one.loops.length === 0) return nullPointers(only.condition)
  return check?.kind === 'fails' ? nullPointers(check.subjects[0] ?? '') : []
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)]
}
