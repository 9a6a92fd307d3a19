import type {KernelFacts, Method, MoveFact, StepFact, Variant, SplitFact} from '../../datasets/schema/code-facts.ts'
import {functionFlows} from '../../cpp/statements.ts'
import type {OperatorSource} from '../../datasets/schema/operator.ts'
import {matrixApis, synchronisationApis, vectorApis} from '../../cpp/interfaces.ts'
import {bufferFacts, passingQueues} from './buffer-facts.ts'
import type {Call, FileSyntax, FunctionSyntax, FunctionFlow, Branch} from '../../cpp/syntax.ts'
import {globalFacts, moveFacts} from './move-facts.ts'
import {onChip} from './chip-text.ts'
import {globalFunctions} from '../../cpp/global-functions.ts'
import {squeeze, childrenOf, fieldText} from '../../cpp/nodes.ts'
import {syntaxOf} from '../../cpp/read-syntax.ts'
import {scopeOf} from '../../cpp/scope.ts'
import type {Node} from 'web-tree-sitter'
import {readCpp} from '../../cpp/parse.ts'
import {armOf, functionDeclarator, splitName} from '../../cpp/read-function.ts'

/** Facts of a kernel-side file: what it does by itself, seen with the declarations of the files that it includes. */
export async function kernelFacts(given: OperatorSource): Promise<KernelFacts> {
  const source = onChip(given)
  const own = await syntaxOf(source.target.text)
  const included: FileSyntax[] = []
  for (const dependency of source.dependencies) included.push(await syntaxOf(dependency.text))
  const all = [own, ...included]
  const declarations = all.flatMap((file) => file.declarations)
  const scope = scopeOf(declarations, own.classes, source.dtypes)
  const buffers = bufferFacts(declarations, own, scope)
  const globals = globalFacts(declarations, own.functions)
  const moves = own.functions.flatMap((method) => moveFacts(method, globals))
  const launched = new Set(definedEntries(source.target.text))
  const isLaunched = ({owner, name}: FunctionSyntax) => owner === '' && launched.has(name)
  const methods = own.functions.map(
    (syntax): Method => ({syntax, role: isLaunched(syntax) ? 'entry' : roleOf(syntax, moves)}),
  )
  const calls = callFacts(own, all, givenComputations(source, included))
  const works = calls.steps.length + calls.matrixCalls.length + moves.length > 0
  const isScalar = !works && methods.every(({role}) => role !== 'process')
  return {
    classes: own.classes.filter(({name}) => own.functions.some(({owner}) => owner === name)),
    methods,
    entries: entriesOf(methods),
    variants: await entryVariants(source.target.text, [...launched]),
    buffers,
    passingQueues: passingQueues(buffers, own.functions, source.dependencies.map(({text}) => text).join('\n')),
    globals,
    moves,
    ...calls,
    split: splitFacts(own.functions),
    tilingFields: tilingFields(own.functions),
    constants: [...scope.constants],
    types: [...scope.types],
    comments: [...new Set(own.classes.map(({comment}) => comment).filter(Boolean))],
    scalar: isScalar ? await workingFunctions(source.target.text) : [],
  }
}

/** Those with a body, except entries, which are described by their class and its tiling keys. */
async function workingFunctions(text: string): Promise<FunctionFlow[]> {
  const flows = await functionFlows(text)
  const entries = new Set(definedEntries(text))
  return flows.filter(({isDeclared, name}) => !isDeclared && !entries.has(name))
}

const definedEntries = (text: string) => globalFunctions(text).map(({name}) => name)

function entriesOf(methods: readonly Method[]): KernelFacts['entries'] {
  return methods
    .filter(({role}) => role === 'entry')
    .map(({syntax: {name, parameters}}) => ({name, parameters: parameters.map((one) => one.name)}))
}

type CallFacts = Pick<
  KernelFacts,
  'vectorCalls' | 'steps' | 'matrixCalls' | 'synchronisation' | 'tilingKeys' | 'atomics'
>

/** What the calls of the target say; `given` are the functions of the included files that work on tiles. */
function callFacts(own: FileSyntax, all: readonly FileSyntax[], given: ReadonlyMap<string, string>): CallFacts {
  const label = labels(own.functions)
  const calls = own.functions.flatMap((method) => method.calls.map((call) => ({method: label(method), call})))
  const names = [...new Set(calls.map(({call}) => call.name))]
  // A class may have its own `Min`; then a plain `Min` is that one.
  const shadowed = new Set(all.flatMap((file) => file.functions.map(({name}) => name)))
  const works = new Set(own.functions.filter((one) => one.calls.some((call) => isVector(call, shadowed))))
  const helpers = new Set([...works].map(({name}) => name))
  const working = new Set([...works].map(label))
  const keys = calls.filter(({call}) => call.name === 'TILING_KEY_IS').flatMap(({call}) => call.args[0] ?? [])
  return {
    vectorCalls: calls.filter(({call}) => isVector(call, shadowed)),
    steps: calls.flatMap(({method, call}): StepFact[] => {
      if (isVector(call, shadowed)) return [{method, call, from: undefined}]
      // Among instructions, a function of the same file is a step; described by what it does.
      const isHelper = working.has(method) && helpers.has(call.name)
      const from = isHelper ? '' : given.get(call.name)
      return from === undefined || !isPlainCall(call) ? [] : [{method, call, from}]
    }),
    matrixCalls: names.filter((name) => matrixApis.has(name)),
    synchronisation: calls.filter(({call}) => synchronisationApis.has(call.name)),
    tilingKeys: [...new Set(keys)],
    atomics: names.filter((name) => /^SetAtomic(?!None)/.test(name)),
  }
}

/** Names functions apart: by name, else with their class, else with the types of their parameters. */
function labels(functions: readonly FunctionSyntax[]): (one: FunctionSyntax) => string {
  const withClass = ({owner, name}: FunctionSyntax) => (owner === '' ? name : `${squeeze(owner)}::${name}`)
  const withTypes = (one: FunctionSyntax) => `${withClass(one)}(${one.parameters.map(({type}) => type).join(', ')})`
  return (one) => {
    const namesakes = functions.filter(({name}) => name === one.name)
    if (namesakes.length === 1) return one.name
    const isAlone = namesakes.filter((other) => withClass(other) === withClass(one)).length === 1
    if (isAlone) return withClass(one)
    // Templates may differ in their constraints alone.
    const twins = namesakes.filter((other) => withTypes(other) === withTypes(one))
    return twins.length === 1 ? withTypes(one) : `${withTypes(one)} /* ${twins.indexOf(one) + 1} */`
  }
}

function isVector(call: Call, shadowed: ReadonlySet<string>): boolean {
  const isShadowed = shadowed.has(call.name) && call.receiver === ''
  return vectorApis.has(call.name) && isFree(call) && isOnTensors(call) && !isShadowed
}

/** An instruction gives nothing back; `Ceil(a, b)` and the like on two numbers are functions of the same name. */
function isOnTensors({name, args, result}: Call): boolean {
  return args.length >= (/^(?:Ceil|Floor|Round|Min|Max)$/.test(name) ? 3 : 2) && result === undefined
}

/** A call of a free function, of the class itself or of one that is named, on at least two arguments. */
function isPlainCall({name, receiver, args}: Call): boolean {
  const isNamed = receiver === '' || receiver === 'this' || /^[A-Z]\w*$/.test(receiver)
  return isNamed && args.length >= 2 && !/^Init/.test(name)
}

/** Functions of the included files that work on tiles, by name. */
function givenComputations(source: OperatorSource, included: readonly FileSyntax[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const [index, {functions}] of included.entries())
    for (const one of functions.filter(isOnTiles)) found.set(one.name, source.dependencies[index]?.path ?? '')
  return found
}

function isOnTiles({parameters, calls}: FunctionSyntax): boolean {
  return (
    parameters.some(({type}) => /\bLocalTensor\b/.test(type)) ||
    calls.some((call) => vectorApis.has(call.name) && call.args.length >= 3)
  )
}

function isFree({receiver}: Call): boolean {
  return receiver === '' || receiver === 'AscendC'
}

/** By the method's name, else by what it copies and computes. */
function roleOf(method: FunctionSyntax, moves: readonly MoveFact[]): Method['role'] {
  const {name, calls} = method
  if (isEntry(method)) return 'entry'
  if (/^init(?!.*value)/i.test(name)) return 'init'
  if (/^process$/i.test(name)) return 'process'
  const directions = new Set(moves.filter((move) => move.method === name).map(({direction}) => direction))
  const onlyMoves = (direction: MoveFact['direction']) => directions.size === 1 && directions.has(direction)
  if (/^copy_?in|^(?:load|read)/i.test(name) || onlyMoves('in')) return 'copy-in'
  if ((/^copy_?out|^(?:store|write)/i.test(name) && directions.size > 0) || onlyMoves('out')) return 'copy-out'
  const isComputing = calls.some((call) => vectorApis.has(call.name) && isFree(call))
  return /^compute|^calc/i.test(name) || isComputing ? 'compute' : 'other'
}

const addressTypes = /^(?:GM_ADDR|uint8_t|const uint8_t|half|float|int32_t)$/

/** Entries are free functions whose parameters are all global addresses. */
function isEntry({owner, parameters, returns}: FunctionSyntax): boolean {
  return (
    owner === '' &&
    returns === 'void' &&
    parameters.every(({type}) => addressTypes.test(type)) &&
    parameters.filter(({type}) => type === 'GM_ADDR' || type === 'uint8_t').length > 1
  )
}

function tilingFields(functions: readonly FunctionSyntax[]): string[] {
  const members = functions.flatMap((one) => keptHolders(one, tilingHolders(one)))
  const holders = (one: FunctionSyntax) => [...new Set([...tilingHolders(one), ...members])]
  return [...new Set(functions.flatMap((one) => holders(one).flatMap((holder) => fieldsOf(holder, one.body))))]
}

/** Variables that hold the tiling: parameters of such a type, and what GET_TILING_DATA fills. */
function tilingHolders({parameters, calls}: FunctionSyntax): string[] {
  return [
    ...parameters.filter(({type, name}) => /tiling/i.test(type) && name !== '').map(({name}) => name),
    ...calls.filter(({name}) => name.startsWith('GET_TILING_DATA')).flatMap(({args}) => args[0] ?? []),
  ]
}

/** Members that a method sets to the tiling: other methods read its fields through them. */
function keptHolders({assignments}: FunctionSyntax, holders: readonly string[]): string[] {
  return assignments
    .filter(({operator, value}) => operator === '=' && holders.includes(value))
    .map(({name}) => name.replace(/^this->/, ''))
}

function fieldsOf(holder: string, body: string): string[] {
  const uses = body.matchAll(new RegExp(`\\b${holder}\\s*(?:\\.|->)\\s*(\\w+)(?!\\s*\\()`, 'g'))
  return [...uses].map((match) => match[1]!)
}

/** Objects of classes that do the work; pipes, queues and tensors are what they work with. */
const tools =
  /^(?:AscendC::)?(?:TPipe|TQue|TQueBind|TBuf|TBufPool|GlobalTensor|LocalTensor|LocalMemAllocator|TPosition|GM_ADDR)\b/
const workingClass = /^(?:\w+::)*[A-Z]\w*(?:<[^;{}]*>)?$/
const macroCall = /^[A-Z][A-Z\d_]{5,}$/
const noWork = /^(?:GET_TILING_|KERNEL_TASK|REGISTER_|TILING_KEY_IS|ASC?ENDC?_|SET_)/

/** Variants of the entries of a file, in order. */
export function entryVariants(text: string, entries: readonly string[]): Promise<Variant[]> {
  return readCpp(text, (root) => {
    const macros = new Set(
      root.descendantsOfType('preproc_function_def').map((one) => (one ? fieldText(one, 'name') : '')),
    )
    return root.descendantsOfType('function_definition').flatMap((one) => {
      const named = functionDeclarator(one?.childForFieldName('declarator') ?? null)?.childForFieldName('declarator')
      const body = one?.childForFieldName('body')
      if (!named || !body || !entries.includes(splitName(named).name)) return []
      const objects = variantsIn(body, [], (child) => variantText(child, macros))
      return objects.length > 0 ? objects : variantsIn(body, [], calledForm)
    })
  })
}

function variantsIn(node: Node, branches: Branch[], textOf: (node: Node) => string | undefined): Variant[] {
  return childrenOf(node).flatMap((child) => {
    const arm = armOf(child, node)
    const here = arm === undefined ? branches : [...branches, arm]
    const text = textOf(child)
    return text === undefined ? variantsIn(child, here, textOf) : [{text, branches: here}]
  })
}

/** `Run<half>(x, y, &tiling);`: a function's template that does all the work. */
function calledForm(node: Node): string | undefined {
  const call = node.type === 'expression_statement' ? node.namedChild(0) : null
  if (call?.type !== 'call_expression') return undefined
  const name = squeeze(fieldText(call, 'function'))
  return /^(?:\w+::)*[A-Z]\w*<[^;{}()]*>$/.test(name) && !tools.test(name) && !noWork.test(name) ? name : undefined
}

function variantText(node: Node, macros: ReadonlySet<string>): string | undefined {
  if (node.type === 'declaration') {
    const type = fieldText(node, 'type')
    if (noWork.test(type)) return undefined
    // `RUN(float);` looks like a declaration where the argument is a type.
    if (macros.has(type)) return squeeze(node.text.replace(/;$/, ''))
    return workingClass.test(type) && !tools.test(type) && !/Tiling\w*$/.test(type) ? squeeze(type) : undefined
  }
  if (node.type !== 'call_expression') return undefined
  const name = fieldText(node, 'function')
  return macroCall.test(name) && macros.has(name) && !noWork.test(name) ? squeeze(node.text) : undefined
}

const blockQuery = /\bGetBlock(?:Idx|Num)\b/
const onlyBlockQuery = /^(?:static_cast<[^<>]*>\()?(?:AscendC::)?GetBlock(?:Idx|Num)\(\)\)?$/

/**
 * Statements that place a core in the whole, each once: those with GetBlockIdx or GetBlockNum, or with a variable that
 * holds one of them.
 */
function splitFacts(functions: readonly FunctionSyntax[]): SplitFact[] {
  const holders = new Set<string>()
  for (const one of functions) splitAssignments(one, holders)
  const facts = functions.flatMap((one) => {
    const known = new Set([...holders, ...passedHolders(one, functions, holders)])
    return [...splitAssignments(one, known), ...splitCalls(one, known)]
  })
  const seen = new Set<string>()
  return facts.filter(({statement, branches}) => {
    const key = JSON.stringify([statement, branches.map(({condition, arm}) => [condition, arm])])
    return !seen.has(key) && Boolean(seen.add(key))
  })
}

/** Parameters that hold the index or number of blocks in every call of this function. */
function passedHolders(
  {name, parameters}: FunctionSyntax,
  functions: readonly FunctionSyntax[],
  holders: ReadonlySet<string>,
): string[] {
  const calls = functions.flatMap((one) => one.calls).filter((call) => call.name === name)
  const isHolder = (argument = '') => holders.has(argument) || onlyBlockQuery.test(argument)
  return parameters.flatMap((parameter, index) =>
    calls.length > 0 && calls.every(({args}) => isHolder(args[index])) ? parameter.name : [],
  )
}

/** @param holders variables that hold an index or number of blocks; those that are found here join them */
function splitAssignments({name: method, assignments}: FunctionSyntax, holders: Set<string>): SplitFact[] {
  const facts: SplitFact[] = []
  for (const {name, operator, value, branches} of assignments) {
    if (!mentionsBlock(value, holders) || /[;{]/.test(value)) continue
    facts.push({statement: `${name} ${operator} ${value}`, method, branches})
    if (operator === '=' && onlyBlockQuery.test(value)) holders.add(name)
  }
  return facts
}

function splitCalls({name: method, calls}: FunctionSyntax, holders: ReadonlySet<string>): SplitFact[] {
  return calls
    .filter(({name, args}) => name === 'SetGlobalBuffer' && args.some((argument) => mentionsBlock(argument, holders)))
    .map(({receiver, args, branches}) => ({
      statement: `${receiver}.SetGlobalBuffer(${args.join(', ')})`,
      method,
      branches,
    }))
}

function mentionsBlock(text: string, holders: ReadonlySet<string>): boolean {
  return blockQuery.test(text) || [...holders].some((name) => new RegExp(`\\b${name}\\b`).test(text))
}
