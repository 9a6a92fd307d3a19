import {posix} from 'node:path'
import {kernelName, parseOperatorDefinitions} from '../../../cpp/op-def.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {HostKernelPair} from '../../../datasets/schema/scenario.ts'
import type {Inline} from '../specialise/host-files.ts'
import {resolveConditions} from '../../../cpp/resolve-conditions.ts'
import {tidy} from '../specialise/tidy.ts'
import {elementTypes} from '../../../cpp/types.ts'
import type {TensorSpec} from '../../../datasets/schema/tensor.ts'
import {withoutCommentsAndLiterals, replacePieces, withoutComments} from '../../../cpp/code-pieces.ts'
import {balanced} from '../../../cpp/tokenized.ts'
import {declaredHost} from '../specialise/declared-host.ts'
import {definitionOf} from './requested-task.ts'
import {tilingRegistrations} from '../../../cpp/tiling.ts'

type Whole = {ok: true; files: [header: SourceFile, host: SourceFile, kernel: SourceFile]} | Refusal
type Refusal = {ok: false; reason: string; detail: string}

const refuse = (reason: string, detail: string): Refusal => ({ok: false, reason, detail})

/**
 * A pair in the three files that a benchmark asks for: the header of the tiling structure, all else of the host in one
 * file, its definition in the types of the scenario, and the kernel. Not built yet.
 */
export function wholeOperator(given: HostKernelPair, inline: Inline, mostBytes: number): Whole {
  const pair = withTilingHeader(given)
  const {operator, entry, host, kernel, scenario} = pair
  const name = kernelName(operator)
  if (entry !== name) return refuse('entry-named-otherwise', `${entry}, expected ${name}`)
  const header = tilingHeader(pair)
  if (!header) return refuse('tiling-in-no-header', operator)
  const files = new Map(host.map((file) => [file.path, file]))
  const apart = inline(header.path, files)
  const rest = hostBeside({host, inline, own: new Set([header.path, ...apart.dependencies]), name})
  const missing = [...apart.missing, ...rest.missing, ...apart.cycles, ...rest.cycles]
  if (missing.length > 0 || apart.tooLong || rest.tooLong) return refuse('host-in-pieces', missing.join(', '))
  const defined = withDefinition(tidy(resolveConditions(rest.text, new Map())), pair)
  if (defined === undefined) return refuse('definition-unread', operator)
  const tensors = [...scenario.inputs, ...scenario.outputs]
  const written: [SourceFile, SourceFile, SourceFile] = [
    {path: `op_host/${name}_tiling.h`, text: trimmed(guarded(tidy(apart.text)))},
    {path: `op_host/${name}.cpp`, text: trimmed(withInclude(defined, `${name}_tiling.h`))},
    {path: `op_kernel/${name}.cpp`, text: trimmed(withTypeMacros(kernel.text, tensors))},
  ]
  const bytes = written.reduce((sum, {text}) => sum + Buffer.byteLength(text), 0)
  return bytes > mostBytes
    ? refuse('source-too-long', `${bytes} bytes, at most ${mostBytes}`)
    : {ok: true, files: written}
}

/** As a benchmark reads it. */
const trimmed = (text: string) => `${text.trim()}\n`

interface Beside {
  host: readonly SourceFile[]
  inline: Inline
  /** Paths in the header. */
  own: ReadonlySet<string>
  name: string
}

/** The host's sources, the definition last, in one text with all that they include besides the header. */
function hostBeside({host, inline, own, name}: Beside): ReturnType<Inline> {
  const defines = ({text}: SourceFile) => parseOperatorDefinitions(text).length > 0
  const sources = host.filter(({path}) => /\.(?:cpp|cc)$/.test(path))
  const ordered = [...sources.filter((file) => !defines(file)), ...sources.filter(defines)]
  const root = `op_host/whole/${name}.cpp`
  const includes = ordered.map(({path}) => `#include "${posix.relative(posix.dirname(root), path)}"`)
  const files = host.map((file) => (own.has(file.path) ? {...file, text: '#pragma once\n'} : file))
  files.push({path: root, text: `${includes.join('\n')}\n`})
  return inline(root, new Map(files.map((file) => [file.path, file])))
}

function withInclude(text: string, header: string): string {
  const first = /^[ \t]*#\s*include\b/m.exec(text)
  const at = first?.index ?? 0
  return `${text.slice(0, at)}#include "${header}"\n${text.slice(at)}`
}

/** A header whose guard was a pragma has lost it. */
function guarded(text: string): string {
  if (/^\s*#\s*ifndef\s+(\w+)\s*\n\s*#\s*define\s+\1\b/m.test(text)) return text
  const licence = /^(?:\/\*[^]*?\*\/\s*|\/\/[^\n]*\n)*/.exec(text)?.[0] ?? ''
  return `${licence}#pragma once\n\n${text.slice(licence.length).replace(/^\n+/, '')}`
}

/**
 * A kernel with the definition's macros for the element types of tensors in global memory and, for a type with no other
 * use, of their copies. The macros expand to the types that they replace.
 */
export function withTypeMacros(text: string, tensors: readonly TensorSpec[]): string {
  const all = new Set(tensors.map(({dtype}) => dtype))
  const first = tensors.filter(({dtype}, index) => tensors.findIndex((one) => one.dtype === dtype) === index)
  return first.reduce((changed, {name, dtype}) => {
    const isHalf = dtype === 'float16' || dtype === 'bfloat16'
    const places = isHalf || (dtype === 'float32' && all.size === 1) ? everywhere : inGlobalMemory
    const pattern = new RegExp(places.replaceAll('TYPE', elementTypes[dtype].type), 'g')
    return changed.replace(pattern, `DTYPE_${name.toUpperCase()}`)
  }, text)
}

const inGlobalMemory = String.raw`(?<=\bGlobalTensor<)TYPE(?=>)|(?<=\b__gm__ )TYPE(?=\s*\*)`
const everywhere = [
  inGlobalMemory,
  String.raw`(?<=\b(?:LocalTensor|AllocTensor|DeQue|EnQue|Get|ReinterpretCast|DataCopyPadExtParams)<)TYPE(?=>)`,
  String.raw`(?<=\bsizeof\()TYPE(?=\))`,
].join('|')

/**
 * A host text whose definition of the operator has the types of the scenario alone, as the kernel serves no others;
 * undefined when there is no definition in it. What only spoke of other types goes with them.
 */
function withDefinition(text: string, pair: HostKernelPair): string | undefined {
  const definition = definitionOf(pair)
  const {operator, scenario} = pair
  const found = classOf(text, operator)
  if (!definition || !found) return undefined
  const own = declaredHost(definition, scenario.dtypes).text
  const [start, end] = classOf(own, operator) as [number, number]
  const original = text.slice(...found)
  const depends = definition.inputs.filter(({hostValue}) => hostValue === 'depends').map(({name}) => name)
  const written = depends.reduce(
    (changed, name) => withValueDepend(changed, name, original),
    withFunctions(own.slice(start, end), original),
  )
  return withoutLists(`${text.slice(0, found[0])}${written}${text.slice(found[1])}`)
}

/** `class X … { … };` */
function classOf(text: string, operator: string): [start: number, end: number] | undefined {
  const head = new RegExp(String.raw`\bclass\s+${operator}\s*(?:final\s*)?:\s*public\b[^{;]*`).exec(text)
  const open = head ? head.index + head[0].length : -1
  const body = balanced(text, open)
  if (!head || body === undefined) return undefined
  const close = open + body.length + 2
  return [head.index, close + (/^\s*;/.exec(text.slice(close))?.[0].length ?? 0)]
}

/** The functions that the definition names itself; others are registered by macros next to it. */
function withFunctions(declared: string, original: string): string {
  const bare = withoutCommentsAndLiterals(original)
  const tiling = /\bSetTiling\s*\(\s*([\w:]+)\s*\)/.exec(bare)?.[1]
  const inferred = ['SetInferShape', 'SetInferDataType'].flatMap((call) => {
    const name = new RegExp(String.raw`\b${call}\s*\(\s*([\w:]+)\s*\)`).exec(bare)?.[1]
    return name === undefined ? [] : [`        this->${call}(${name});\n`]
  })
  const set = tiling === undefined ? '' : `        this->AICore().SetTiling(${tiling});\n`
  return declared.replace(/^[ \t]*this->AICore\(\)\.SetTiling\([^\n]*\n/m, `${inferred.join('')}${set}`)
}

function withValueDepend(declared: string, name: string, original: string): string {
  const chain = original.slice(original.indexOf(`Input("${name}")`))
  const how = /\.ValueDepend\s*\([^()]*\)/.exec(chain)?.[0] ?? '.ValueDepend(OPTIONAL)'
  return declared.replace(`Input("${name}")\n`, `Input("${name}")\n            ${how}\n`)
}

/** Lists of types and formats that nothing names any more. */
function withoutLists(text: string): string {
  const list =
    /^[ \t]*(?:static\s+)?const\s+std::vector<ge::(?:DataType|Format)>\s+(\w+)\s*(?:=\s*)?\{[^{}]*\};[ \t]*\n/gm
  return text.replace(list, (whole, name: string) =>
    (text.match(new RegExp(String.raw`\b${name}\b`, 'g')) ?? []).length > 1 ? whole : '',
  )
}

/** The header that declares the structure which the kernel reads. */
function tilingHeader(pair: HostKernelPair): SourceFile | undefined {
  const structure = tilingStructure(pair)
  if (structure === undefined) return undefined
  const declares = new RegExp(String.raw`\bBEGIN_TILING_DATA_DEF\s*\(\s*${structure}\s*\)|${plainly(structure)}`)
  return pair.host.find(({path, text}) => /\.(?:h|hpp)$/.test(path) && declares.test(withoutComments(text)))
}

/** The same pair with such a header, where one can be made of what a source declares. */
function withTilingHeader(pair: HostKernelPair): HostKernelPair {
  return tilingHeader(pair) ? pair : (withPlainHeader(pair) ?? withMacroHeader(pair))
}

function tilingStructure({operator, host, kernel}: HostKernelPair): string | undefined {
  const bare = withoutComments(kernel.text)
  const read = /\b(?:GET_TILING_DATA_WITH_STRUCT|REGISTER_TILING_DEFAULT)\s*\(\s*(?:\w+::)*(\w+)/.exec(bare)?.[1]
  const registered = host
    .flatMap(({text}) => tilingRegistrations(withoutComments(text)))
    .find((one) => one.operator === operator)
  return read ?? registered?.structure
}

const plainly = (structure: string) => String.raw`\bstruct\s+(?:alignas\(\d+\)\s*)?${structure}\s*\{`

/** The structures that a source declares by macro, with their registrations, in a header of their own. */
function withMacroHeader(pair: HostKernelPair): HostKernelPair {
  const declared = /\bBEGIN_TILING_DATA_DEF\b[^]*?\bEND_TILING_DATA_DEF\b;?|\bREGISTER_TILING_DATA_CLASS\s*\([^)]*\);?/g
  const found = pair.host.flatMap(({text}) => text.match(declared) ?? [])
  if (found.length === 0) return pair
  const body = found.join('\n\n')
  const rest = pair.host.map((file) => ({...file, text: file.text.replace(declared, '')}))
  const text = `#include "register/tilingdata_base.h"\n\nnamespace optiling {\n${body}\n} // namespace optiling\n`
  return {...pair, host: [...rest, {path: pathOf(pair), text}]}
}

/** A structure that a source declares as any other, in its own header and in its original namespaces. */
function withPlainHeader(pair: HostKernelPair): HostKernelPair | undefined {
  const structure = tilingStructure(pair)
  if (structure === undefined) return undefined
  for (const file of pair.host) {
    const found = plainStructure(file.text, structure)
    if (!found) continue
    const {start, end, spaces} = found
    const opened = spaces.map((name) => `namespace ${name} {\n`).join('')
    const closed = [...spaces]
      .reverse()
      .map((name) => `\n} // namespace ${name}`)
      .join('')
    const text = `#include <cstdint>\n\n${opened}${file.text.slice(start, end)}${closed}\n`
    const rest = {...file, text: file.text.slice(0, start) + file.text.slice(end)}
    return {...pair, host: [...pair.host.map((one) => (one === file ? rest : one)), {path: pathOf(pair), text}]}
  }
  return undefined
}

interface Found {
  start: number
  end: number
  /** From the outermost. */
  spaces: string[]
}

function plainStructure(text: string, structure: string): Found | undefined {
  // Places in the bare text are places in the text.
  const bare = replacePieces(text, (piece) => piece.replace(/[^\n]/g, ' '))
  const head = new RegExp(plainly(structure)).exec(bare)
  if (!head) return undefined
  const opening = head.index + head[0].length - 1
  const body = balanced(bare, opening)
  if (body === undefined) return undefined
  const closing = opening + 1 + body.length
  const semicolon = /^\s*;/.exec(bare.slice(closing + 1))
  return semicolon
    ? {start: head.index, end: closing + 1 + semicolon[0].length, spaces: spacesBefore(bare.slice(0, head.index))}
    : undefined
}

/** Names of the namespaces that are open at the end of a text. */
function spacesBefore(text: string): string[] {
  const open: (string | undefined)[] = []
  for (const [mark, name] of text.matchAll(/\bnamespace\s+([\w:]+)\s*\{|[{}]/g)) {
    if (mark === '}') open.pop()
    else open.push(name)
  }
  return open.filter((name) => name !== undefined)
}

const pathOf = ({operator}: HostKernelPair) => `op_host/${kernelName(operator)}_tiling.h`
