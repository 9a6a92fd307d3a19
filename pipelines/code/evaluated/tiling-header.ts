import {replacePieces, withoutComments} from '../../../cpp/code-pieces.ts'
import {kernelName} from '../../../cpp/op-def.ts'
import {balanced} from '../../../cpp/tokenized.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {HostKernelPair} from '../../../datasets/schema/scenario.ts'
import {tilingRegistrations} from '../../../cpp/tiling.ts'

/** The header that declares the structure which the kernel reads. */
export function tilingHeader(pair: HostKernelPair): SourceFile | undefined {
  const structure = tilingStructure(pair)
  if (structure === undefined) return undefined
  const declares = new RegExp(String.raw`\bBEGIN_TILING_DATA_DEF\s*\(\s*${structure}\s*\)|${plainly(structure)}`)
  return pair.host.find(({path, text}) => /\.(?:h|hpp)$/.test(path) && declares.test(withoutComments(text)))
}

/** The same pair with such a header, where one can be made of what a source declares. */
export function withTilingHeader(pair: HostKernelPair): HostKernelPair {
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
