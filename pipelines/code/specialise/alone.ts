import {withoutCommentsAndLiterals} from '../../../cpp/code-pieces.ts'
import {meetingApis} from '../../../cpp/interfaces.ts'
import type {OperatorDefinition} from '../../../cpp/op-def.ts'
import {balanced} from '../../../cpp/tokenized.ts'
import type {Scenario} from '../../../datasets/schema/scenario.ts'
import {holdersGone} from './holders.ts'
import {foldBranches} from './fold-branches.ts'
import {reachableFrom} from './reachable.ts'
import {asPlainEntry} from './template-entry.ts'
import {tidy} from './tidy.ts'
import {withTilingKey} from './tiling-keys.ts'
import {coresName, tilingConstants, type TilingStructures} from './tiling-constants.ts'
import type {Scope} from '../../../cpp/expressions.ts'
import {squeeze, declaredName, nodesOf} from '../../../cpp/nodes.ts'
import {readCpp} from '../../../cpp/parse.ts'
import {syntaxOf} from '../../../cpp/read-syntax.ts'
import {scopeOf} from '../../../cpp/scope.ts'
import {applyEdits, type Edit, withoutLine} from '../../../cpp/edit.ts'
import {staticTruth} from './static-truth.ts'
import type {Node} from 'web-tree-sitter'

/** Vector cores of Atlas A2, all of which a host without tiling launches. */
const vectorCores = 48

type Alone = {ok: true; texts: string[]} | {ok: false; reason: string; detail: string}

interface Reduced {
  kernel: string
  entry: string
  operator: string
  definition: OperatorDefinition
  scenario: Scenario
  structures: TilingStructures
  /** The structure that a kernel reads which names none. */
  registered: string | undefined
}

/**
 * A reduced kernel without its host: the scenario's tiling values as constants, no tiling data, no macros of types,
 * cores without work at once at their end. Several texts, the plainest one first: an executor says which is right.
 */
export async function standAlone(reduced: Reduced): Promise<Alone> {
  const {kernel, entry, scenario, structures, registered} = reduced
  const keyed = await withTilingKey(kernel, scenario.trace.tilingKey, true)
  const plain = asPlainEntry(keyed, entry, scenario.trace.tilingKey)
  const refused = unfit(reduced, plain)
  if (refused) return refused
  const source = withoutNulls(plain)
  const read = tilingRead(source, registered)
  if (!read.ok) return read
  const mentioned = new Set(withoutCommentsAndLiterals(source).match(/[A-Za-z_]\w*/g))
  const constants = tilingConstants(structures, read.structure ?? '', scenario.trace, (name) => mentioned.has(name))
  if (!constants.ok) return constants
  const declared = withoutStructures(read.text, constants.structures, read.structure)
  const body = withEntry(declared, reduced)
  if (!body) return {ok: false, reason: 'entry-unread', detail: entry}
  const whole = withConstants(body, constants.text)
  const held = await holdersGone(whole)
  const texts = [held === undefined ? undefined : await conditionsKnown(await membersGone(held)), held, whole]
  const finished = await Promise.all(
    [...new Set(texts.flatMap((text) => text ?? []))].map(async (text) => {
      const left = tidy(await reachableFrom(await foldBranches(text), entry))
      return `${left.trim()}\n`
    }),
  )
  const rest = /\bDTYPE_\w+|\bGET_TILING_DATA\w*|\bTILING_KEY_(?:IS|VAR)\b/.exec(
    withoutCommentsAndLiterals(finished[0] ?? ''),
  )
  return rest ? {ok: false, reason: 'host-macro-left', detail: rest[0]} : {ok: true, texts: finished}
}

const meeting = new RegExp(String.raw`\b(?:${meetingApis.join('|')})\s*[<(]`)

function unfit({entry, definition, scenario}: Reduced, kernel: string): Alone | undefined {
  const {blockDim} = scenario.trace
  const code = withoutCommentsAndLiterals(kernel)
  const dynamic = [...definition.inputs, ...definition.outputs].find(({kind}) => kind === 'dynamic')
  const refuse = (reason: string, detail: string) => ({ok: false as const, reason, detail})
  if (dynamic) return refuse('dynamic-list', dynamic.name)
  if (definition.shapeFromKernel) return refuse('shape-from-kernel', definition.operator)
  if (new RegExp(String.raw`\btemplate\s*<[^{}()]*>[^{}();]*\b__global__\b[^{}();]*\b${entry}\s*\(`).test(code))
    return refuse('template-entry', entry)
  const cube = /\b(?:TCubeTiling|REGIST_MATMUL_OBJ|Mmad|KERNEL_TYPE_(?:MIX_)?AIC\w*)\b/.exec(code)?.[0]
  if (cube !== undefined) return refuse('cube-cores', cube)
  if (blockDim > vectorCores) return refuse('more-blocks-than-cores', String(blockDim))
  if (blockDim < vectorCores && meeting.test(code)) return refuse('waits-for-all-cores', `${blockDim} cores have work`)
  return undefined
}

/** The host passes neither workspace nor tiling: nothing may ask for the one or needs the header of the other. */
function withoutNulls(text: string): string {
  const own = text.replace(/^[ \t]*#\s*include\s*["<]kernel_tiling\/kernel_tiling\.h[">][^\n]*\n/gm, '')
  return own.replace(/^[ \t]*if\s*\(\s*\w*[wW]ork\w*\s*==\s*nullptr\s*\)\s*\{\s*return;\s*\}[ \t]*\n/gm, '')
}

type Read = {ok: true; text: string; structure: string | undefined} | {ok: false; reason: string; detail: string}

/** Declarations of the tiling data become objects of the structure of constants. */
function tilingRead(text: string, registered: string | undefined): Read {
  const bare = text.replace(
    /^[ \t]*REGISTER_TILING_(?:DEFAULT|FOR_TILINGKEY)\s*\([^()]*(?:\([^()]*\))?[^()]*\)\s*;?[ \t]*\n/gm,
    '',
  )
  const forms = [...bare.matchAll(/\b(GET_TILING_DATA\w*)\s*\(([^()]*)\)\s*;?/g)]
  const names = new Set<string>()
  for (const [whole, form, list = ''] of forms) {
    const [first = '', second] = list.split(',').map((part) => part.trim())
    if (form === 'GET_TILING_DATA') names.add(registered ?? '')
    else if (form === 'GET_TILING_DATA_WITH_STRUCT' && second !== undefined) names.add(first)
    else return {ok: false, reason: 'tiling-form', detail: whole}
  }
  const [structure, ...others] = [...names]
  if (others.length > 0) return {ok: false, reason: 'several-tilings', detail: [...names].join(', ')}
  if (structure === '') return {ok: false, reason: 'tiling-unread', detail: 'no structure is registered'}
  const object = (_: string, form: string, list: string) =>
    `TilingDataDef ${list.split(',')[form === 'GET_TILING_DATA' ? 0 : 1]?.trim()};`
  return {ok: true, text: bare.replace(/\b(GET_TILING_DATA\w*)\s*\(([^()]*)\)\s*;?/g, object), structure}
}

/** Without the kernel's own declarations of the structures, and with the new name wherever one is a type. */
function withoutStructures(text: string, names: readonly string[], root: string | undefined): string {
  return names.filter(Boolean).reduce((changed, name) => {
    const without = changed.replace(declarationOf(changed, name), '')
    const type = name === root ? 'TilingDataDef' : `TilingDataDef::${name}`
    return without.replace(new RegExp(String.raw`(?:\b(?:optiling|\w*[tT]iling\w*)::)?\b${name}\b`, 'g'), type)
  }, text)
}

function declarationOf(text: string, name: string): string {
  const opening = new RegExp(String.raw`(?:#pragma pack[^\n]*\n)?\bstruct\s+(?:alignas\(\d+\)\s*)?${name}\s*\{`).exec(
    text,
  )
  if (!opening) return ''
  const open = opening.index + opening[0].length - 1
  const body = balanced(text, open) ?? ''
  const rest = /^\s*;(?:\s*#pragma pack\([^\n]*\n)?/.exec(text.slice(open + body.length + 2))?.[0] ?? ''
  return text.slice(opening.index, open + body.length + 2 + rest.length)
}

/**
 * The entry with the names that a benchmark gives its last two parameters, and with an end for cores without work.
 * No other function may have a parameter that looks like the entry's.
 */
function withEntry(text: string, {entry, definition, scenario}: Reduced): string | undefined {
  const head = new RegExp(String.raw`\b__global__\b[^;{}()]*\b${entry}\s*\(`).exec(withoutCommentsAndLiterals(text))
  if (!head) return undefined
  const open = head.index + head[0].length - 1
  const list = balanced(text, open)
  const start = list === undefined ? -1 : text.indexOf('{', open + list.length + 2)
  const body = balanced(text, start)
  const names = (list ?? '').split(',').map((part) => /(\w+)\s*$/.exec(part)?.[1] ?? '')
  const count = definition.inputs.length + definition.outputs.length + 2
  if (body === undefined || names.length !== count || names.includes('')) return undefined
  const [workspace, tiling] = names.slice(-2) as [string, string]
  const own = renamed(renamed(body, workspace, 'workspace'), tiling, 'tiling')
  const parameters = [...names.slice(0, -2), 'workspace', 'tiling'].map((name) => `GM_ADDR ${name}`).join(', ')
  const idle = scenario.trace.blockDim < vectorCores ? idleCores : ''
  return [
    otherWorkspaces(text.slice(0, open)),
    `(${parameters})\n{\n${idle}${own.replace(/^[ \t]*\n/, '')}}`,
    otherWorkspaces(text.slice(start + body.length + 2)),
  ].join('')
}

const idleCores = `    if (AscendC::GetBlockIdx() >= TilingDataDef::${coresName}) {\n        return;\n    }\n`

const renamed = (text: string, from: string, to: string) =>
  from === to ? text : text.replace(new RegExp(String.raw`(?<!\.|->)\b${from}\b`, 'g'), to)

/** A benchmark adds a parameter behind every `GM_ADDR workspace`. */
function otherWorkspaces(text: string): string {
  const names = new Set([...text.matchAll(/\bGM_ADDR (workspace\w*)/g)].map(([, name]) => name as string))
  return [...names].reduce(
    (changed, name) => renamed(changed, name, `user${name[0]?.toUpperCase()}${name.slice(1)}`),
    text,
  )
}

/** The structure behind the includes, and the number of cores from it. */
function withConstants(text: string, constants: string): string {
  const counted = text.replace(/\b(?:AscendC::)?GetBlockNum\s*\(\s*\)/g, `TilingDataDef::${coresName}`)
  const asked = counted.search(/\bTilingDataDef\b/)
  const includes = [...counted.matchAll(/^[ \t]*#\s*include\b[^\n]*\n/gm)]
  const last = includes.findLast(({index}) => asked < 0 || index < asked)
  const at = last ? last.index + last[0].length : 0
  return `${counted.slice(0, at)}\n${constants}\n\n${counted.slice(at).replace(/^\n+/, '')}`
}

/**
 * `true` or `false` for the conditions of `if`s that tiling constants settle, in addition to numbers and other
 * constants.
 */
export async function conditionsKnown(text: string): Promise<string> {
  const scope = await unmistakable(text)
  const values = constantsOf(text)
  const edits = await readCpp(text, (root) =>
    root.descendantsOfType('if_statement').flatMap((node) => {
      const condition = node?.childForFieldName('condition')
      const bare = squeeze(condition?.text ?? '').replace(/^\(([^]*)\)$/, '$1')
      if (!node || !condition || node.hasError || !bare.includes('TilingDataDef::')) return []
      const numbers = bare.replace(/\bTilingDataDef::(\w+)\b/g, (whole, name: string) => values.get(name) ?? whole)
      const truth = staticTruth(numbers, scope)
      return truth === undefined ? [] : [{start: condition.startIndex, end: condition.endIndex, text: `(${truth})`}]
    }),
  )
  return applyEdits(text, edits)
}

/** Values of tiling constants by name; a name that an inner structure has as well says nothing by itself. */
function constantsOf(text: string): Map<string, string> {
  const all = [...text.matchAll(/\bstatic constexpr \w+ (\w+) = (-?\d+|true|false)(?:U?LL)?;/g)].map(
    ([, name = '', value = '']) => ({name, value}),
  )
  const own = all.filter(({name}) => all.filter((one) => one.name === name).length === 1)
  return new Map(own.map(({name, value}) => [name, value]))
}

/** Constants of the text whose names nothing else in it has. */
async function unmistakable(text: string): Promise<Scope> {
  const {declarations, classes} = await syntaxOf(text)
  const scope = scopeOf(
    declarations.filter(({owner}) => owner === ''),
    classes,
    {},
  )
  const constants = [...scope.constants].filter(([name]) => {
    const set = text.match(new RegExp(String.raw`\b${name}\s*(?:=(?!=)|\{)`, 'g')) ?? []
    return set.length === 1 && !new RegExp(String.raw`[\w>][\s&*]+${name}\s*[,)]`).test(text)
  })
  return {...scope, constants: new Map(constants)}
}

/**
 * The text with tiling constants in place of the members that are set to one, once and in every run of the function
 * that sets them. Whether nothing reads such a member before is for an executor to say.
 */
export async function membersGone(text: string): Promise<string> {
  const edits = await readCpp(text, (root) => {
    const members = heldConstants(root)
    const kept = changedOtherwise(root)
    const own = new Map([...members].filter(([name]) => !kept.has(name)))
    return [...own.values()].map(({statement}) => withoutLine(statement, text)).concat(useEdits(root, own))
  })
  return applyEdits(text, edits)
}

interface Held {
  constant: string
  statement: Node
}

const bareName = (node: Node | null) => (node?.text ?? '').replace(/^this\s*->\s*/, '')

/** Members by name with the constants that they are set to. */
function heldConstants(root: Node): Map<string, Held> {
  const fields = nodesOf(root, 'field_declaration').flatMap((node) =>
    node.childrenForFieldName('declarator').flatMap((one) => (one ? declaredName(one) : [])),
  )
  const found = new Map<string, Held>()
  for (const assignment of nodesOf(root, 'assignment_expression')) {
    const name = bareName(assignment.childForFieldName('left'))
    const constant = (assignment.childForFieldName('right')?.text ?? '').replace(/^static_cast<\w+>\(([^()]*)\)$/, '$1')
    if (!/^TilingDataDef::[\w:.]+$/.test(constant) || fields.filter((one) => one === name).length !== 1) continue
    const statement = assignment.parent
    const isSure =
      statement?.type === 'expression_statement' && statement.parent?.parent?.type === 'function_definition'
    if (isSure && assignment.childForFieldName('operator')?.text === '=') found.set(name, {constant, statement})
  }
  return found
}

/** Names that are set more than once, counted, handed out by address, or that mean something else as well. */
function changedOtherwise(root: Node): ReadonlySet<string> {
  const set = nodesOf(root, 'assignment_expression').map((node) => bareName(node.childForFieldName('left')))
  const counted = nodesOf(root, ['update_expression', 'pointer_expression']).map((node) =>
    bareName(node.childForFieldName('argument')),
  )
  const declared = nodesOf(root, ['parameter_declaration', 'declaration']).flatMap((node) =>
    node.childrenForFieldName('declarator').flatMap((one) => (one ? declaredName(one) : [])),
  )
  const ofOthers = nodesOf(root, 'field_expression').flatMap((node) =>
    node.childForFieldName('argument')?.text === 'this' ? [] : (node.childForFieldName('field')?.text ?? []),
  )
  return new Set([...set.filter((name, at) => set.indexOf(name) !== at), ...counted, ...declared, ...ofOthers])
}

function useEdits(root: Node, members: ReadonlyMap<string, Held>): Edit[] {
  const direct = nodesOf(root, 'identifier')
  const through = nodesOf(root, 'field_expression').filter(
    (node) => node.childForFieldName('argument')?.text === 'this',
  )
  return [...direct, ...through].flatMap((node) => {
    const held = members.get(bareName(node))
    return held ? [{start: node.startIndex, end: node.endIndex, text: held.constant}] : []
  })
}
