import type {HostFacts, Launch, Structure, InputReads} from '../../datasets/schema/code-facts.ts'
import {withoutComments} from '../../cpp/code-pieces.ts'
import {parseOperatorDefinitions} from '../../cpp/op-def.ts'
import type {OperatorSource} from '../../datasets/schema/operator.ts'
import {checkOf} from './checks.ts'
import {onChip} from './chip-text.ts'
import type {Call, FileSyntax, FunctionSyntax, FunctionFlow, Statement} from '../../cpp/syntax.ts'
import {evaluate, type Scope} from '../../cpp/expressions.ts'
import {knownSizes} from './host-sizes.ts'
import {reportedUbBytes} from './memory-plan.ts'
import {syntaxOf} from '../../cpp/read-syntax.ts'
import {tilingBlocks, tilingRegistrations} from '../../cpp/tiling.ts'
import {scopeOf} from '../../cpp/scope.ts'
import {functionFlows} from '../../cpp/statements.ts'

/** Facts of a host-side file, seen with the declarations of the files that it includes. */
export async function hostFacts(given: OperatorSource): Promise<HostFacts> {
  const source = onChip(given)
  const own = await syntaxOf(source.target.text)
  const included: FileSyntax[] = []
  for (const dependency of source.dependencies) included.push(await syntaxOf(dependency.text))
  const text = withoutComments(source.target.text)
  const everything = [text, ...source.dependencies.map((file) => withoutComments(file.text))]
  const scope = scopeOf(
    [own, ...included].flatMap((file) => file.declarations),
    own.classes,
    source.dtypes,
  )
  const flows = (await functionFlows(source.target.text)).filter(({isDeclared}) => !isDeclared)
  const sets = setFields(own.functions)
  const calls = own.functions.flatMap((one) => one.calls)
  return {
    definitions: parseOperatorDefinitions(source.target.text),
    structures: carriers(everything, [own, ...included], sets),
    sets,
    launch: launchOf(flows),
    blockDim: firstArguments(calls, 'SetBlockDim'),
    tilingKeys: firstArguments(calls, 'SetTilingKey'),
    platform: [...new Set(calls.flatMap(platformQuery))],
    inputs: inputReads(own.functions, scope),
    attributes: /attr/i.test(text) ? attributesRead(calls, scope) : [],
    flows,
    known: knownSizes(flows, bufferSizes(calls), reportedUbBytes, scope),
    refusals: flows.flatMap(refusalsOf).filter(uniqueRefusal()),
    constants: [...scope.constants],
    functions: own.functions,
    registrations: [...text.matchAll(/\b(IMPL_OP_OPTILING|IMPL_OP_INFERSHAPE|IMPL_OP)\s*\(\s*(\w+)\s*\)/g)].map(
      ([, macro, name]) => `${macro}(${name})`,
    ),
    bindings: tilingRegistrations(text).map(({operator, structure}) => ({operator, structure})),
  }
}

function firstArguments(calls: readonly Call[], api: string): string[] {
  return [...new Set(calls.filter(({name}) => name === api).flatMap(({args}) => args[0] ?? []))]
}

function platformQuery({name, args}: Call): HostFacts['platform'] {
  if (/^GetCoreNum/.test(name)) return ['cores']
  if (name === 'GetLibApiWorkSpaceSize') return ['library-workspace']
  if (name !== 'GetCoreMemSize') return []
  const [memory = ''] = args
  if (/\bUB$/.test(memory)) return ['ub']
  if (/\bL1$/.test(memory)) return ['l1']
  return /\bL0_[ABC]$/.test(memory) ? ['l0'] : []
}

/** Variables that GetCoreMemSize fills with the bytes of the unified buffer. */
function bufferSizes(calls: readonly Call[]): string[] {
  return calls.flatMap(({name, args: [memory = '', variable = '']}) =>
    name === 'GetCoreMemSize' && /\bUB$/.test(memory) && /^[\w.]+$/.test(variable) ? [variable] : [],
  )
}

/** Only those whose position is a number: of a counter, the text of the argument says nothing. */
function attributesRead(calls: readonly Call[], scope: Scope): HostFacts['attributes'] {
  return calls
    .filter(({name}) => /^Get(?:AttrPointer|Int|Float|Bool|Str)$/.test(name))
    .flatMap(({args: [argument = ''], templates: [type = ''], result = ''}) => {
      const index = evaluate(argument, scope)
      return index === undefined || (result === '' && type === '') ? [] : [{name: result, index, type}]
    })
}

const tilingStructures = (text: string): Structure[] => tilingBlocks(text).map(asStructure)

/** The structures whose fields are set here; for a file that sets none, those that it declares itself. */
function carriers([own = '', ...others]: readonly string[], files: readonly FileSyntax[], sets: HostFacts['sets']) {
  const plain = files.flatMap(({structs}) => structs.filter(({name}) => /tiling/i.test(name)).map(asStructure))
  const declared = tilingStructures(own)
  if (sets.length === 0) return declared
  const all = [...declared, ...others.flatMap(tilingStructures), ...plain]
  const set = new Set(sets.map(({field}) => field))
  const hits = ({fields}: Structure) => fields.filter(({name}) => set.has(name)).length
  const most = Math.max(0, ...all.map(hits))
  // Several structures with the same fields: which one is meant is unclear from the names alone.
  const best = all.filter((one) => hits(one) === most)
  return most > 0 && new Set(best.map(({name}) => name)).size === 1 ? best.slice(0, 1) : []
}

function asStructure({name, fields}: Structure): Structure {
  return {name, fields: fields.map(({type, name, size}) => ({type, name, ...(size !== undefined && {size})}))}
}

/** `tiling.set_x(v)`, and `tiling->x = v` for plain structures. */
function setFields(functions: readonly FunctionSyntax[]): HostFacts['sets'] {
  return functions.flatMap(({name: method, calls, assignments}) => [
    ...calls.flatMap(({name, args}) =>
      name.startsWith('set_') && args[0] !== undefined
        ? [{field: name.slice(4), operator: '=', value: args[0], method}]
        : [],
    ),
    ...assignments.flatMap(({name, operator, value}) => {
      const [, field, index = ''] = /^\w*[tT]iling\w*\s*(?:\.|->)\s*(\w+)\s*(\[[^;]*\])?$/.exec(name) ?? []
      // One element of a field is not a value of the field.
      return field === undefined ? [] : [{field, operator: index + operator, value, method}]
    }),
  ])
}

const workspaceTarget = /GetWorkspaceSizes\(|^\*?\w*[wW]ork[sS]pace\w*\[0\]$|^\*\w*[wW]ork[sS]pace\w*$/

function launchOf(flows: readonly FunctionFlow[]): Launch {
  const all = flows.flatMap(({statements}) => statements)
  const calls = (name: string) => all.filter(({call}) => call?.name === name)
  const asks = (flow: FunctionFlow) => flow.statements.some(({text}) => text.includes('GetWorkspaceSizes'))
  return {
    cores: calls('SetBlockDim'),
    workspace: flows
      .filter(asks)
      .flatMap(({statements}) =>
        statements.filter(({kind, target}) => kind === 'value' && workspaceTarget.test(target)),
      ),
    keys: keysOf(flows, calls('SetTilingKey')),
  }
}

function keysOf(flows: readonly FunctionFlow[], calls: readonly Statement[]): Statement[] {
  const values = flows.flatMap(({statements}) => statements).filter(({kind}) => kind === 'value')
  const getters = flows.filter(({name}) => name === 'GetTilingKey').flatMap(({statements}) => statements)
  const returned = getters.filter(({kind}) => kind === 'return')
  const found = [...calls.map((one) => one.call?.args[0] ?? ''), ...returned.map(({text}) => text)]
  const variables = found.map((one) => one.replace(/^static_cast<[^<>]*>\((.*)\)$/, '$1'))
  const given = values.filter(({target, text}) => variables.includes(target) && !/^0\w*$/.test(text))
  const fields = variables.flatMap((one) => fieldGetter.exec(one)?.[1] ?? [])
  const setters = flows.flatMap(({statements}) => statements.filter(({call}) => fields.some((one) => sets(call, one))))
  const isSet = (one = '') => setters.some(({call}) => sets(call, fieldGetter.exec(one)?.[1] ?? ''))
  const isPlain = ({call}: Statement) =>
    !isSet(call?.args[0]) && !variables.some((one) => one === call?.args[0] && isGiven(one, given))
  return [
    ...given,
    ...setters,
    ...calls.filter(isPlain),
    ...returned.filter(({text}) => text !== '0' && !isGiven(text, given)),
  ].sort((a, b) => a.line - b.line)
}

/** `tilingData.get_tilingKey()`: the field says where the key got its value. */
const fieldGetter = /^[\w.>:-]*\bget_(\w+)\(\)$/

function sets(call: Statement['call'], field: string): boolean {
  return call?.name === `set_${field}`
}

function isGiven(variable: string, given: readonly Statement[]): boolean {
  return given.some(({target}) => target === variable)
}

const failure = /\bGRAPH_FAILED$/
/** That a step failed is passed on; null pointers and the clearing of memory do not concern the tiling. */
const isPassedOn = /[!=]= (?:ge::)?GRAPH_SUCCESS|\bnullptr\b|\bmemset_s\(|^\w*[rR]et\w*$/

/** `if (c) { … return ge::GRAPH_FAILED; }` and `OP_CHECK_IF(c, …, return ge::GRAPH_FAILED)`. */
function refusalsOf({statements}: FunctionFlow): HostFacts['refusals'] {
  return statements.flatMap((statement) => {
    const check = checkOf(statement, {isApi: false})
    const {branches, kind, text} = statement
    const inner = branches.at(-1)
    if (check?.kind === 'fails' && failure.test(check.result)) return worthTelling(check.subjects[0] ?? '', branches)
    if (kind !== 'return' || !failure.test(text) || inner?.arm !== 'then') return []
    return worthTelling(inner.condition, branches.slice(0, -1))
  })
}

function worthTelling(condition: string, branches: Statement['branches']): HostFacts['refusals'] {
  const isLong = condition.length > 120 || branches.some((one) => one.condition.length > 80)
  return isLong || isPassedOn.test(condition) ? [] : [{condition: condition.replace(/^\(([^()]*)\)$/, '$1'), branches}]
}

function uniqueRefusal(): (one: HostFacts['refusals'][number]) => boolean {
  const seen = new Set<string>()
  return (one) => {
    const key = JSON.stringify([one.condition, one.branches.map(({condition, arm}) => [condition, arm])])
    return !seen.has(key) && Boolean(seen.add(key))
  }
}

interface Read {
  index: number
  what: keyof InputReads
}

/** What the functions of a file ask of the inputs. */
function inputReads(functions: readonly FunctionSyntax[], scope: Scope): InputReads {
  const reads = functions.flatMap((one) => readsOf(one, scope))
  const of = (what: keyof InputReads) => [...new Set(reads.filter((one) => one.what === what).map(({index}) => index))]
  const [shapes, types] = [of('shapes'), of('types')].map((one) => one.sort((a, b) => a - b))
  const rest = of('presence').filter((index) => !shapes!.includes(index) && !types!.includes(index))
  return {shapes: shapes!, types: types!, presence: rest.sort((a, b) => a - b)}
}

const getter = /\bGet(?:Optional)?Input(Shape|Desc|Tensor)\s*\(((?:[^()]|\([^()]*\))*)\)/g

function readsOf({body}: FunctionSyntax, scope: Scope): Read[] {
  return [...body.matchAll(getter)].flatMap((found) => {
    const [whole, kind = '', argument = ''] = found
    const index = evaluate(argument.trim(), scope)
    if (index === undefined) return []
    const [before, after] = [body.slice(0, found.index), body.slice(found.index + whole.length)]
    return lookedAt(kind, before, after, body).map((what) => ({index, what}))
  })
}

/** By the getter, the chain behind it, and the variable that takes it. */
function lookedAt(kind: string, before: string, after: string, body: string): Read['what'][] {
  if (/^\s*[!=]= nullptr\b/.test(after) || /\bnullptr [!=]= [\w.>:-]*$/.test(before)) return ['presence']
  const name = /(\w+)\s*=\s*[\w.>:-]*$/.exec(before)?.[1] ?? ''
  const uses = name === '' ? '' : usesOf(name, body)
  const chain = `${/^(?:\s*->\s*\w+\([^()]*\))*/.exec(after)?.[0] ?? ''}${uses}`
  const isUsed = chain !== ''
  if (name !== '' && !isUsed && !handsOn(name, body)) return isCompared(name, body) ? ['presence'] : []
  const [asksShape, asksType] = [/Shape|Dim|GetSize/.test(chain), /DataType/.test(chain)]
  if (kind === 'Shape') return ['shapes']
  if (kind === 'Desc') return asksType || !/Format/.test(chain) ? ['types'] : []
  return [...(asksShape ? (['shapes'] as const) : []), ...(asksType ? (['types'] as const) : [])]
}

/** `->GetDataType()` of every use of a pointer, and `*x` as a use of what it points to. */
function usesOf(name: string, body: string): string {
  const members = body.matchAll(new RegExp(String.raw`\b${name}\s*(?:->|\.)\s*\w+`, 'g'))
  const whole = new RegExp(String.raw`\*\s*${name}\b`).test(body) ? `*${name}` : ''
  return [...members].map(([use]) => use.slice(name.length)).join(' ') + whole
}

function isCompared(name: string, body: string): boolean {
  return new RegExp(String.raw`\b${name} [!=]= nullptr\b|\bnullptr [!=]= ${name}\b`).test(body)
}

/** Whether a variable is an argument of a function that may look at it. */
function handsOn(name: string, body: string): boolean {
  const calls = body.matchAll(new RegExp(String.raw`\b(\w+)\s*\(([^()]*\b${name}\b[^()]*)\)`, 'g'))
  const looks = ([, call = '', list = '']: RegExpMatchArray) =>
    !/^(?:if|while|OPS?_\w+|CHECK_\w+)$/.test(call) && !/[!=]= nullptr|nullptr [!=]=/.test(list)
  return [...calls].some(looks) || new RegExp(String.raw`=\s*${name}\s*;`).test(body)
}
