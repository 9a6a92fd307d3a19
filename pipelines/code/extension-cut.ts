import type {ApiFacts, DefinitionFacts, Described, DtypeList} from '../../datasets/schema/code-facts.ts'
import {withoutComments} from '../../cpp/code-pieces.ts'
import type {OperatorSource} from '../../datasets/schema/operator.ts'
import {apiFacts} from '../facts/api-facts.ts'
import {type Check, checkOf} from '../facts/checks.ts'
import {onChip} from '../facts/chip-text.ts'
import {definitionSyntax} from '../facts/definition-chains.ts'
import {columnTensors, definitionFacts} from '../facts/definition-facts.ts'
import {type DtypeRoute, dtypeRoute} from '../facts/dtype-route.ts'
import {childrenOf, fieldText, squeeze} from '../../cpp/nodes.ts'
import {readCpp} from '../../cpp/parse.ts'

/** A file with one part taken out, and what that part was: the question is to put it in. */
export type Cut = {text: string} & (
  | {
      kind: 'column'
      column: {name: string; dtype: string; format: string}[]
      columns: number
      lists: number
      ownTables: string[]
    }
  | {
      kind: 'branch'
      key: string
      /** All keys that the entry handles without the arm, also where one arm serves several. */
      others: string[]
      /** Whether no other key is tested after the arm. */
      isLast: boolean
      variants: string[]
      before: string[]
      calls: string[]
    }
  | {kind: 'dtype'; dtype: string; list: DtypeList; isLookedUp: boolean; others: number; route: DtypeRoute}
  | {kind: 'check'; check: Check; method: string; status: string | undefined}
)

interface Piece {
  start: number
  end: number
}

/** The part of a file that can be asked for by itself, or undefined where it has none. */
export function extensionCut(source: OperatorSource, described: Described): Promise<Cut | undefined> {
  if (described.role === 'definition') return columnCut(source, described.facts)
  if (described.role === 'kernel') return branchCut(source)
  if (described.role === 'api') return apiCut(source, described.facts)
  return Promise.resolve(undefined)
}

const listCalls = /^(?:DataType|Format|UnknownShapeFormat)$/

/** The last column of the table of types, in every list at once. */
async function columnCut(source: OperatorSource, facts: DefinitionFacts): Promise<Cut | undefined> {
  const {columns, tensors, chips} = facts
  const last = columns.at(-1)
  if (!last || columns.length < 2 || columnTensors(tensors).length !== tensors.length) return undefined
  const {lists, chains} = await definitionSyntax(withoutComments(source.target.text))
  const variables = chains
    .filter(({base}) => base === 'this')
    .flatMap(({links}) => links.filter(({name}) => listCalls.test(name)).flatMap(({args}) => args[0] ?? []))
  const cut = lists.filter(
    ({name, base}) =>
      (base === 'this' && listCalls.test(name)) || (base === '' && name !== '' && variables.includes(name)),
  )
  if (cut.some(({entries}) => entries.length !== columns.length)) return undefined
  const text = without(
    source.target.text,
    cut.map(({entries}) => ({start: entries.at(-2)!.end, end: entries.at(-1)!.end})),
  )
  const left = await definitionFacts({...source, target: {...source.target, text}})
  const isRest = JSON.stringify(left.columns) === JSON.stringify(columns.slice(0, -1))
  const isUntouched = JSON.stringify(left.chips) === JSON.stringify(chips)
  if (!isRest || !isUntouched || columns.slice(0, -1).some((one) => one.join() === last.join())) return undefined
  return {
    kind: 'column',
    text,
    column: tensors.map(({name, formats}, index) => ({name, dtype: last[index]!, format: formats.at(-1) ?? ''})),
    columns: columns.length,
    lists: cut.length,
    ownTables: chips.filter((one) => one.tensors.length > 0).map(({chip}) => chip),
  }
}

function without(text: string, pieces: readonly Piece[]): string {
  let rest = text
  for (const {start, end} of [...pieces].sort((a, b) => b.start - a.start))
    rest = rest.slice(0, start) + rest.slice(end)
  return rest
}

const keyCondition = /^\(\s*TILING_KEY_IS\(\s*(\w+)\s*\)\s*\)$/

/** The last arm of a dispatch on the tiling key. */
async function branchCut(source: OperatorSource): Promise<Cut | undefined> {
  const {target} = source
  const all = await keyArms(target.text)
  const last = all.at(-1)
  const arms = all.filter(({method}) => method === last?.method)
  if (!last || arms.length < 2 || arms.slice(0, -1).some(({key}) => key === last.key)) return undefined
  const removed = target.text.slice(last.start, last.end)
  const variants = variantsOf(last)
  // With the template arguments: `Init<false>` may be all that tells one arm from another.
  const calls = [...last.body.matchAll(/\b([A-Za-z_]\w+(?:<[^;{}()]*>)?)\s*\(/g)].map(([, name]) => name!)
  const known = new Set(calls.filter((name) => !/^(?:if|for|while|switch|return|sizeof|static_cast)\b/.test(name)))
  if (last.isFollowed || /^\s*#/m.test(removed) || (variants.length === 0 && known.size === 0)) return undefined
  const [before, after] = [target.text.slice(last.method, last.start), target.text.slice(last.end, last.methodEnd)]
  const others = keysOnChip(source, `${before}${after}`)
  if (others.length === 0 || !keysOnChip(source, `${before}${removed}${after}`).includes(last.key)) return undefined
  return {
    kind: 'branch',
    text: without(target.text, [{start: last.start, end: last.end}]),
    key: last.key,
    others,
    isLast: !asksForKey.test(withoutComments(after)),
    variants,
    before: variantsOf(arms.at(-2)!),
    calls: [...known],
  }
}

const asksForKey = /\bTILING_KEY_IS\(\s*(\w+)\s*\)/

/** Keys that a function tests on this chip; its entry does not have those for others. */
function keysOnChip(source: OperatorSource, text: string): string[] {
  const {target} = onChip({...source, target: {...source.target, text}, dependencies: []})
  const asked = withoutComments(target.text).matchAll(new RegExp(asksForKey, 'g'))
  return [...new Set([...asked].map(([, key]) => key!))]
}

/** The objects that an arm declares: `KernelAbs<half, 2>`. */
function variantsOf({body}: KeyArm): string[] {
  const types = [...body.matchAll(/([\w:]+<[^;{}()]*>)\s+\w+\s*[;({]/g)].map(([, type]) => squeeze(type!))
  return [...new Set(types)]
}

interface KeyArm extends Piece {
  key: string
  /** Where the function around it begins and ends. */
  method: number
  methodEnd: number
  body: string
  /** Whether another arm hangs on it. */
  isFollowed: boolean
}

/** `if (TILING_KEY_IS(k))` statements in order, each with its `else` before it where it has one. */
function keyArms(text: string): Promise<KeyArm[]> {
  return readCpp(text, (root) => {
    const found: KeyArm[] = []
    const visit = (node: typeof root, [method, methodEnd]: readonly [number, number]): void => {
      const key = node.type === 'if_statement' ? keyCondition.exec(fieldText(node, 'condition'))?.[1] : undefined
      if (key !== undefined) {
        const {parent} = node
        const whole = parent?.type === 'else_clause' ? parent : node
        const begin = /\s*$/.exec(text.slice(0, whole.startIndex))?.index ?? whole.startIndex
        const isFollowed = node.childForFieldName('alternative') !== null
        const body = node.childForFieldName('consequence')?.text ?? ''
        found.push({key, method, methodEnd, body, isFollowed, start: begin, end: whole.endIndex})
      }
      const isMethod = node.type === 'function_definition'
      const inside = isMethod ? ([node.startIndex, node.endIndex] as const) : ([method, methodEnd] as const)
      for (const child of childrenOf(node)) visit(child, inside)
    }
    visit(root, [0, root.endIndex])
    return found.sort((a, b) => a.start - b.start)
  })
}

/** The last entry of a list of types that a check uses, or else one check of a single line. */
async function apiCut(source: OperatorSource, facts: ApiFacts): Promise<Cut | undefined> {
  return (await dtypeCut(source, facts)) ?? checkCut(source, facts)
}

async function dtypeCut({target}: OperatorSource, facts: ApiFacts): Promise<Cut | undefined> {
  const {lists} = facts
  const usable = lists.filter(({dtypes, users}) => users.length > 0 && dtypes.length > 1)
  // The longest: it tells most about which types are wanted where.
  const [list] = [...usable].sort((a, b) => b.dtypes.length - a.dtypes.length)
  const dtype = list?.dtypes.at(-1)
  if (!list || dtype === undefined || list.dtypes.indexOf(dtype) < list.dtypes.length - 1) return undefined
  const {lists: braced} = await definitionSyntax(withoutComments(target.text))
  const found = braced.filter(({name, entries}) => name === list.name && entries.length === list.dtypes.length)
  if (found.length !== 1) return undefined
  const {entries} = found[0]!
  const text = without(target.text, [{start: entries.at(-2)!.end, end: entries.at(-1)!.end}])
  const lookup = new RegExp(String.raw`\b(?:OP_CHECK_DTYPE_NOT_SUPPORT|CheckType)\([^;]*\b${list.name}\b`)
  return {
    kind: 'dtype',
    text,
    dtype,
    list: {...list, dtypes: list.dtypes.slice(0, -1)},
    isLookedUp: lookup.test(withoutComments(target.text)),
    others: lists.length - 1,
    route: dtypeRoute(facts, list),
  }
}

const told = /^(?:dims-|shape-|dtype-same|dtype-is|broadcast)/

async function checkCut(source: OperatorSource, {functions, statuses}: ApiFacts): Promise<Cut | undefined> {
  const {target} = source
  const code = withoutComments(target.text)
  const candidates = functions.flatMap((one) =>
    one.statements.flatMap((statement) => {
      const check = statement.branches.length === 0 ? checkOf(statement, {isApi: true}) : undefined
      return check && told.test(check.kind) && statement.call ? [{check, method: one.name, call: statement.call}] : []
    }),
  )
  const [chosen] = candidates.slice(-1)
  if (!chosen) return undefined
  const [first = '', second = ''] = chosen.call.args.map((one) => one.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  const line = new RegExp(String.raw`\n[ \t]*${chosen.call.name}\(\s*${first},\s*${second},[^;{}]*\);`, 'g')
  const places = [...code.matchAll(line)]
  const [place] = places
  if (!place || places.length > 1) return undefined
  const text = without(target.text, [{start: place.index, end: place.index + place[0].length}])
  const left = await apiFacts({...source, target: {...target, text}})
  if (left.functions.length !== functions.length) return undefined
  return {kind: 'check', text, check: chosen.check, method: chosen.method, status: new Map(statuses).get(chosen.method)}
}
