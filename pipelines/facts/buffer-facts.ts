import type {BufferFact} from '../../datasets/schema/code-facts.ts'
import type {Declaration, FileSyntax, FunctionSyntax} from '../../cpp/syntax.ts'
import {evaluate, type Scope} from '../../cpp/expressions.ts'
import {variableOf} from './variable.ts'

/** Buffers of the target's classes, and those of base classes that it initialises itself. */
export function bufferFacts(
  declarations: readonly Declaration[],
  {functions, classes}: FileSyntax,
  scope: Scope,
): BufferFact[] {
  const setUps = functions.flatMap(setUpsOf)
  const facts = declarations.flatMap((declaration) => {
    const isOwn = classes.some(({name}) => name === declaration.owner)
    const own = setUps.filter(({name, owner}) => name === declaration.name && (!isOwn || owner === declaration.owner))
    return isOwn || own.length > 0 ? (bufferFact(declaration, own, scope) ?? []) : []
  })
  // `#if` declares one buffer in two ways, and two bases may name theirs alike: a class sets up one of them.
  const seen = new Set<string>()
  return facts.filter(({owner, name}) => {
    const key = `${owner}::${name}`
    return !seen.has(key) && Boolean(seen.add(key))
  })
}

/** A kernel for both kinds of core is compiled once for each, so this condition is not a separate case. */
const coreKind = /^ASCEND_IS_AI[CV]$|^g_coreType == (?:AscendC::)?AI[CV]$/

interface SetUp {
  name: string
  owner: string
  count: string
  bytes: string
  isConditional: boolean
}

/** What a function gives InitBuffer. */
function setUpsOf(syntax: FunctionSyntax): SetUp[] {
  const {owner, calls} = syntax
  const ofShare = shareNames(syntax)
  return calls.flatMap(({args: [target, second, third], name, branches}) => {
    if (name !== 'InitBuffer' || target === undefined || second === undefined) return []
    const size = third === undefined ? {count: '1', bytes: second} : {count: second, bytes: third}
    return [
      {
        name: variableOf(target),
        owner,
        ...size,
        isConditional: branches.some(({condition}) => !coreKind.test(condition) && !isForAnyShare(condition, ofShare)),
      },
    ]
  })
}

/** Names of a function that are computed from the index of the core: where its share begins, how much that is. */
function shareNames({assignments}: FunctionSyntax): Set<string> {
  const names = new Set<string>()
  const index = assignments.filter(({value}) => /^\W*(?:AscendC::)?GetBlockIdx\(\)$/.test(value)).map(({name}) => name)
  const known = () =>
    new RegExp(String.raw`\b(?:${['GetBlockIdx', ...index, ...[...names].map(lastName)].join('|')})\b`)
  for (const {name, value} of assignments) {
    if (!index.includes(name) && known().test(value)) names.add(name)
  }
  return names
}

const lastName = (name: string) => /\w+$/.exec(name)?.[0] ?? name

/** Whether a condition only asks if the core has a share: every core that has one then does the same. */
function isForAnyShare(condition: string, names: ReadonlySet<string>): boolean {
  const left = /^!?\(?([\w.>-]+) (?:>=?|<|!=|==) (?:0|[\w.>-]+)\)?$/.exec(condition)?.[1]
  return left !== undefined && [...names].some((name) => lastName(name) === lastName(left))
}

const positions = /\b(VECIN|VECOUT|VECCALC|LCM|A1|A2|B1|B2|C1|C2|CO1|CO2|TSCM)\b/

function bufferFact(declaration: Declaration, setUps: readonly SetUp[], scope: Scope): BufferFact | undefined {
  const match = /^(?:AscendC::)?(TQue|TQueBind|TBuf)\s*(?:<(.*)>)?$/.exec(declaration.type)
  if (!match) return undefined
  const [, kind, templates] = match
  const [first] = setUps
  const fact = {
    name: declaration.name,
    position: positions.exec(templates ?? '')?.[1] ?? 'VECCALC',
    bytes: first?.bytes ?? '',
    certain: setUps.every((one) => !one.isConditional && one.bytes === first?.bytes && one.count === first.count),
    owner: first?.owner || declaration.owner,
  }
  if (kind === 'TBuf') return {...fact, kind: 'buffer', count: '1'}
  return {...fact, kind: 'queue', count: first?.count ?? depthOf(templates ?? '1', scope)}
}

/** The last template argument of a queue: its number of blocks, unless InitBuffer says another. */
function depthOf(templates: string, scope: Scope): string {
  const depth = templates.split(',').at(-1)!.trim()
  return String(evaluate(depth, scope) ?? depth)
}

/**
 * Queues that order the pipes: those through which one function passes a tile to another. A queue whose tiles are only
 * allocated and freed orders nothing. One side may be in an included file, as of a base class, or in a function that
 * gets the queue as an argument.
 * @param given the text of the included files
 */
export function passingQueues(
  buffers: readonly BufferFact[],
  functions: readonly FunctionSyntax[],
  given: string,
): string[] {
  return buffers.map(({name}) => name).filter((name) => isPassedOn(name, functions, given))
}

function isPassedOn(queue: string, functions: readonly FunctionSyntax[], given: string): boolean {
  const sides = functions.flatMap((one) => {
    const names = [queue, ...parametersFor(queue, one, functions)]
    return one.calls.filter(({receiver}) => names.includes(variableOf(receiver))).map(({name}) => name)
  })
  const isOwn = sides.includes('EnQue') || sides.includes('DeQue')
  const isGiven = (api: string) => new RegExp(`\\b${queue}\\s*\\.\\s*(?:template\\s+)?${api}\\b`).test(given)
  return ['EnQue', 'DeQue'].every((api) => sides.includes(api) || (isOwn && isGiven(api)))
}

/** Parameters of a function that are this queue in some call of it. */
function parametersFor(queue: string, one: FunctionSyntax, functions: readonly FunctionSyntax[]): string[] {
  if (!one.parameters.some(isQueue)) return []
  const calls = functions.flatMap((other) => other.calls).filter(({name}) => name === one.name)
  return one.parameters.flatMap((parameter, index) =>
    isQueue(parameter) && calls.some(({args}) => variableOf(args[index] ?? '') === queue) ? parameter.name : [],
  )
}

function isQueue({type}: FunctionSyntax['parameters'][number]): boolean {
  return /\bTQue(?:Bind)?\b/.test(type)
}
