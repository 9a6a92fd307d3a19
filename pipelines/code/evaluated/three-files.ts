import {posix} from 'node:path'
import {kernelName, parseOperatorDefinitions} from '../../../cpp/op-def.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {HostKernelPair} from '../../../datasets/schema/scenario.ts'
import type {Inline} from '../specialise/host-files.ts'
import {resolveConditions} from '../../../cpp/resolve-conditions.ts'
import {tidy} from '../specialise/tidy.ts'
import {withDefinition} from './one-definition.ts'
import {tilingHeader, withTilingHeader} from './tiling-header.ts'
import {elementTypes} from '../../../cpp/types.ts'
import type {TensorSpec} from '../../../datasets/schema/tensor.ts'

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
