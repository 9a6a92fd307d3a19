import type {KernelSource} from '../../datasets/schema/kernel.ts'
import {matrixApis, movementApis, synchronisationApis, vectorApis} from './apis.ts'
import {bytesOfDtype, evaluate, type Scope} from './expressions.ts'
import {readCpp} from './parse.ts'
import {
  readSyntax,
  type Call,
  type ClassSyntax,
  type Declaration,
  type FileSyntax,
  type FunctionSyntax,
} from './syntax.ts'

export type Role = 'init' | 'process' | 'copy-in' | 'compute' | 'copy-out' | 'entry' | 'other'

export interface Method {
  role: Role
  syntax: FunctionSyntax
}

/** Memory of the unified buffer (or L1, L0 …) that a kernel asks the pipe for. Sizes are expressions as they are written. */
export interface BufferFact {
  name: string
  kind: 'queue' | 'buffer'
  /** `VECIN`, `VECOUT`, `VECCALC`, `A1` … */
  position: string
  /** Memory blocks; `1` for a TBuf. */
  count: string
  /** Bytes of one block; '' when no InitBuffer call names it here. */
  bytes: string
  owner: string
}

export interface GlobalFact {
  name: string
  type: string
  /** Argument of SetGlobalBuffer, and its length argument. */
  address: string
  length: string
}

export interface MoveFact {
  api: string
  direction: 'in' | 'out' | 'inside'
  local: string
  global: string
  /** Last argument: an element count, or the name of a parameter structure. */
  amount: string
  method: string
}

export interface KernelFacts {
  classes: ClassSyntax[]
  methods: Method[]
  entries: {name: string; parameters: string[]}[]
  buffers: BufferFact[]
  globals: GlobalFact[]
  moves: MoveFact[]
  vectorCalls: {method: string; call: Call}[]
  /** Vector instructions and calls into the included files, in order: what happens to a tile. */
  steps: {method: string; call: Call; from: string | undefined}[]
  matrixCalls: string[]
  synchronisation: {method: string; call: Call}[]
  /** Statements that place a core in the whole: those with GetBlockIdx or GetBlockNum, or a variable that holds one of them. */
  split: {statement: string; method: string}[]
  tilingFields: string[]
  tilingKeys: string[]
  /** Numeric constants by name, of the target and what it includes. */
  constants: Map<string, number>
  scope: Scope
  atomics: string[]
  workspace: boolean
  /** Comments above the target's classes, without marks. */
  comments: string[]
}

/** Facts of a kernel-side file: what it does by itself, seen with the declarations of the files that it includes. */
export async function kernelFacts(source: KernelSource): Promise<KernelFacts> {
  const own = await syntaxOf(source.target.text)
  const included: FileSyntax[] = []
  for (const dependency of source.dependencies) included.push(await syntaxOf(dependency.text))
  const all = [own, ...included]
  const scope = scopeOf(
    all.flatMap(({declarations}) => declarations),
    own,
    source.dtypes,
  )
  const declarations = all.flatMap((file) => file.declarations)
  const globals = globalFacts(declarations, own.functions)
  const moves = own.functions.flatMap((method) => moveFacts(method, globals))
  const methods = own.functions.map((syntax) => ({syntax, role: roleOf(syntax, moves)}))
  const calls = own.functions.flatMap((method) => method.calls.map((call) => ({method: method.name, call})))
  const given = givenComputations(source, included)
  // A class may have a `Min` of its own; then a plain `Min` is that one.
  const shadowed = new Set(all.flatMap((file) => file.functions.map(({name}) => name)))
  const isVector = ({call}: {call: Call}) =>
    vectorApis.has(call.name) &&
    isFree(call) &&
    call.args.length >= 2 &&
    !(shadowed.has(call.name) && call.receiver === '')
  return {
    classes: own.classes.filter(({name}) => own.functions.some(({owner}) => owner === name)),
    methods,
    entries: methods
      .filter(({role}) => role === 'entry')
      .map(({syntax}) => ({name: syntax.name, parameters: syntax.parameters.map(({name}) => name)})),
    buffers: bufferFacts(declarations, own, scope),
    globals,
    moves,
    vectorCalls: calls.filter(isVector),
    steps: calls.flatMap(({method, call}): KernelFacts['steps'] => {
      if (isVector({call})) return [{method, call, from: undefined}]
      const from =
        call.args.length >= 2 && (call.receiver === '' || call.receiver === 'this' || /^[A-Z]\w*$/.test(call.receiver))
          ? given.get(call.name)
          : undefined
      return from === undefined || /^Init/.test(call.name) ? [] : [{method, call, from}]
    }),
    matrixCalls: [...new Set(calls.map(({call}) => call.name).filter((name) => matrixApis.has(name)))],
    synchronisation: calls.filter(({call}) => synchronisationApis.has(call.name)),
    split: splitFacts(own.functions),
    tilingFields: tilingFields(own.functions),
    tilingKeys: [
      ...new Set(calls.filter(({call}) => call.name === 'TILING_KEY_IS').flatMap(({call}) => call.args[0] ?? [])),
    ],
    constants: new Map(scope.constants),
    scope,
    atomics: [...new Set(calls.map(({call}) => call.name).filter((name) => /^SetAtomic(?!None)/.test(name)))],
    workspace: calls.some(({call}) => call.name === 'GetUserWorkspace'),
    comments: [...new Set(own.classes.map(({comment}) => comment).filter(Boolean))],
  }
}

/** Functions of the included files that work on tiles, by name. */
function givenComputations(source: KernelSource, included: readonly FileSyntax[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const [index, {functions}] of included.entries()) {
    for (const {name, parameters, calls} of functions) {
      const onTiles =
        parameters.some(({type}) => /\bLocalTensor\b/.test(type)) ||
        calls.some((call) => vectorApis.has(call.name) && call.args.length >= 3)
      if (onTiles) found.set(name, source.dependencies[index]?.path ?? '')
    }
  }
  return found
}

export function syntaxOf(text: string): Promise<FileSyntax> {
  return readCpp(text, (root) => readSyntax(root, text))
}

/** Constants in the order of declaration, and the bytes of types that the dtypes decide. */
export function scopeOf(
  declarations: readonly Declaration[],
  own: FileSyntax,
  dtypes: Readonly<Record<string, string>>,
): Scope {
  const types = new Map<string, number>()
  for (const [name, dtype] of Object.entries(dtypes)) {
    const bytes = bytesOfDtype(dtype)
    if (bytes !== undefined) types.set(`DTYPE_${name.toUpperCase()}`, bytes)
  }
  const first = [...types.values()][0]
  const typeParameters = own.classes
    .flatMap(({templates}) => templates)
    .flatMap((one) => /^(?:typename|class)\s+(\w+)/.exec(one)?.[1] ?? [])
  if (first !== undefined) for (const name of typeParameters) types.set(name, first)
  const scope = {constants: new Map<string, number>(), types}
  for (const {name, value, type, constant} of declarations) {
    if (
      !constant ||
      value === '' ||
      scope.constants.has(name) ||
      !/^(?:macro|u?int(?:8|16|32|64)?(?:_t)?|size_t|auto|long|unsigned.*)$/.test(type)
    )
      continue
    const known = evaluate(value.replace(/^\{(.*)\}$/, '$1'), scope)
    if (known !== undefined) scope.constants.set(name, known)
  }
  return scope
}

function isFree({receiver}: Call): boolean {
  return receiver === '' || receiver === 'AscendC'
}

function roleOf(method: FunctionSyntax, moves: readonly MoveFact[]): Role {
  if (/\b__global__\b/.test(method.returns) || isEntry(method)) return 'entry'
  const own = moves.filter((move) => move.method === method.name)
  if (/^init(?!.*value)/i.test(method.name)) return 'init'
  if (/^process$/i.test(method.name)) return 'process'
  if (
    /^copy_?in|^(?:load|read)/i.test(method.name) ||
    (own.length > 0 && own.every(({direction}) => direction === 'in'))
  )
    return 'copy-in'
  if (/^copy_?out|^(?:store|write)/i.test(method.name) && own.length > 0) return 'copy-out'
  if (own.length > 0 && own.every(({direction}) => direction === 'out')) return 'copy-out'
  if (/^compute|^calc/i.test(method.name) || method.calls.some((call) => vectorApis.has(call.name) && isFree(call)))
    return 'compute'
  return 'other'
}

/** Entries are free functions whose parameters are all global addresses. */
function isEntry({owner, parameters, returns}: FunctionSyntax): boolean {
  return (
    owner === '' &&
    returns === 'void' &&
    parameters.length > 1 &&
    parameters.every(({type}) => /^(?:GM_ADDR|uint8_t|const uint8_t|half|float|int32_t)$/.test(type)) &&
    parameters.filter(({type}) => type === 'GM_ADDR' || type === 'uint8_t').length > 1
  )
}

/** Buffers of the target's classes, and those of base classes that it initialises itself. */
function bufferFacts(
  declarations: readonly Declaration[],
  {functions, classes}: FileSyntax,
  scope: Scope,
): BufferFact[] {
  const sizes = new Map<string, {count: string; bytes: string}>()
  for (const {args, name} of functions.flatMap(({calls}) => calls)) {
    if (name !== 'InitBuffer' || args.length < 2) continue
    const [target, second, third] = args as [string, string, string | undefined]
    sizes.set(base(target), third === undefined ? {count: '1', bytes: second} : {count: second, bytes: third})
  }
  return declarations.flatMap(({type, name, owner}): BufferFact[] => {
    const match = /^(?:AscendC::)?(TQue|TQueBind|TBuf)\s*(?:<(.*)>)?$/.exec(type)
    if (!match) return []
    const size = sizes.get(name)
    if (!size && !classes.some((one) => one.name === owner)) return []
    const position =
      /\b(VECIN|VECOUT|VECCALC|LCM|A1|A2|B1|B2|C1|C2|CO1|CO2|TSCM)\b/.exec(match[2] ?? '')?.[1] ?? 'VECCALC'
    const depth = match[2]?.split(',').at(-1)?.trim() ?? '1'
    const queue = match[1] !== 'TBuf'
    return [
      {
        name,
        kind: queue ? 'queue' : 'buffer',
        position,
        owner,
        count: queue ? (size?.count ?? String(evaluate(depth, scope) ?? depth)) : '1',
        bytes: size?.bytes ?? '',
      },
    ]
  })
}

function globalFacts(declarations: readonly Declaration[], functions: readonly FunctionSyntax[]): GlobalFact[] {
  const set = functions.flatMap(({calls}) => calls).filter(({name}) => name === 'SetGlobalBuffer')
  return declarations.flatMap(({type, name}): GlobalFact[] => {
    const element = /^(?:AscendC::)?GlobalTensor\s*<(.*)>$/.exec(type)?.[1]
    if (element === undefined) return []
    const call = set.find(({receiver}) => base(receiver) === name)
    return [{name, type: element.trim(), address: call?.args[0] ?? '', length: call?.args[1] ?? ''}]
  })
}

function moveFacts({name: method, calls}: FunctionSyntax, globals: readonly GlobalFact[]): MoveFact[] {
  const isGlobal = (argument: string) =>
    globals.some(({name}) => name === base(argument)) || /(?:gm|global)(?:_|tensor)?$/i.test(base(argument))
  return calls
    .filter(({name, args}) => movementApis.has(name) && args.length >= 2)
    .map(({name: api, args}): MoveFact => {
      const [target, from] = args as [string, string]
      const direction = isGlobal(from) && !isGlobal(target) ? 'in' : isGlobal(target) ? 'out' : 'inside'
      return {
        api,
        direction,
        method,
        local: direction === 'out' ? from : target,
        global: direction === 'out' ? target : direction === 'in' ? from : '',
        amount: args.slice(2).join(', '),
      }
    })
}

function splitFacts(functions: readonly FunctionSyntax[]): KernelFacts['split'] {
  const facts: KernelFacts['split'] = []
  const holders = new Set<string>()
  const mentions = (text: string) =>
    /\bGetBlock(?:Idx|Num)\b/.test(text) || [...holders].some((name) => new RegExp(`\\b${name}\\b`).test(text))
  for (const {name: method, assignments, calls} of functions) {
    for (const {name, value} of assignments) {
      if (!mentions(value) || /[;{]/.test(value)) continue
      facts.push({statement: `${name} = ${value}`, method})
      if (/^(?:static_cast<[^<>]*>\()?(?:AscendC::)?GetBlock(?:Idx|Num)\(\)\)?$/.test(value)) holders.add(name)
    }
    for (const {name, receiver, args} of calls) {
      if (name === 'SetGlobalBuffer' && args.some(mentions))
        facts.push({statement: `${receiver}.SetGlobalBuffer(${args.join(', ')})`, method})
    }
  }
  const seen = new Set<string>()
  return facts.filter(({statement}) => (seen.has(statement) ? false : seen.add(statement)))
}

function tilingFields(functions: readonly FunctionSyntax[]): string[] {
  const names = new Set<string>()
  for (const {parameters, calls, body} of functions) {
    const holders = [
      ...parameters.filter(({type, name}) => /tiling/i.test(type) && name !== '').map(({name}) => name),
      ...calls.filter(({name}) => name.startsWith('GET_TILING_DATA')).flatMap(({args}) => args[0] ?? []),
    ]
    for (const holder of holders) {
      for (const [, field] of body.matchAll(new RegExp(`\\b${holder}\\s*(?:\\.|->)\\s*(\\w+)(?!\\s*\\()`, 'g')))
        names.add(field as string)
    }
  }
  return [...names]
}

/** The variable behind an argument: `xGm[progress * tile]` → `xGm`, `(half*)x + 4` → `x`, `this->in` → `in`. */
export function base(argument: string): string {
  const text = argument
    .replace(/^\((?:[\w:\s*<>,]+\*)\)\s*/, '')
    .replace(/^\s*[&*]?\s*(?:this->)?/, '')
    .replace(/^reinterpret_cast<[^<>]*>\(/, '')
  return /^[A-Za-z_]\w*/.exec(text)?.[0] ?? ''
}
