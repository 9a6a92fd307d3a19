import {withoutComments} from '../../../cpp/code-pieces.ts'
import type {RunTrace} from '../../../datasets/schema/executor.ts'
import {plainStructures, tilingBlocks} from '../../../cpp/tiling.ts'

/** A field of a tiling structure; its type may be another structure. */
interface Field {
  type: string
  name: string
}

/** The tiling structures that some sources declare, by macro or plainly, with their fields in order. */
export type TilingStructures = ReadonlyMap<string, readonly Field[]>

export function tilingStructures(sources: readonly string[]): TilingStructures {
  const found = new Map<string, readonly Field[]>()
  for (const text of sources.map(withoutComments)) {
    for (const {name, fields} of tilingBlocks(text)) found.set(name, fields.map(bare))
    for (const {name, fields} of plainStructures(text)) if (!found.has(name)) found.set(name, fields.map(bare))
  }
  return found
}

const bare = ({type, name}: Field): Field => ({type: bareType(type), name})
const bareType = (type: string) => type.replace(/^(?:std|optiling)::/, '')

/** Structures that the SDK declares and fills: their layout is its own. */
const systemTiling = /^(?:TCubeTiling|\w*Tiling)$/

type Constants = {ok: true; text: string; structures: string[]} | {ok: false; reason: string; detail: string}

/**
 * The values of one run as a structure of constants, under the names that the kernel uses.
 * @param mentions whether the kernel names a field; the others are omitted
 * @param cores of which the structure tells the number
 */
export function tilingConstants(
  structures: TilingStructures,
  root: string,
  {tiling, blockDim}: Pick<RunTrace, 'tiling' | 'blockDim'>,
  mentions: (name: string) => boolean,
): Constants {
  const names: string[] = []
  const body = members(root, '', '    ')
  if ('reason' in body) return body
  const count = Object.values(tiling).reduce<number>((sum, value) => sum + (Array.isArray(value) ? value.length : 1), 0)
  if (count > mostValues) return {ok: false, reason: 'tiling-too-long', detail: `${count} values`}
  const cores = `    static constexpr int64_t ${coresName} = ${blockDim};`
  return {ok: true, text: ['struct TilingDataDef {', cores, ...body.lines, '};'].join('\n'), structures: names}

  function members(
    name: string,
    prefix: string,
    indent: string,
  ): {lines: string[]} | {ok: false; reason: string; detail: string} {
    names.push(name)
    const lines: string[] = []
    for (const field of structures.get(name) ?? []) {
      const value = tiling[`${prefix}${field.name}`]
      if (!mentions(field.name)) continue
      if (value !== undefined) {
        lines.push(`${indent}${constant(field, value)}`)
        continue
      }
      if (!structures.has(field.type)) {
        const reason = systemTiling.test(field.type) ? 'system-tiling' : 'tiling-unread'
        return {ok: false, reason, detail: `${field.type} ${prefix}${field.name}`}
      }
      const inner = members(field.type, `${prefix}${field.name}.`, `${indent}    `)
      if ('reason' in inner) return inner
      lines.push(`${indent}struct ${field.type} {`, ...inner.lines, `${indent}};`)
      lines.push(`${indent}static constexpr ${field.type} ${field.name}{};`)
    }
    return {lines}
  }
}

/** The cores with work, a member of the structure of constants. */
export const coresName = 'usedCores'

const mostValues = 400

function constant({type, name}: Field, value: number | number[]): string {
  if (!Array.isArray(value)) return `static constexpr ${type} ${name} = ${literal(type, value)};`
  return `static constexpr ${type} ${name}[${value.length}] = {${value.map((one) => literal(type, one)).join(', ')}};`
}

function literal(type: string, value: number): string {
  if (type === 'bool') return String(value !== 0)
  if (type !== 'float' && type !== 'double') return `${value}${Math.abs(value) >= 2 ** 31 ? wideSuffix(type) : ''}`
  const shortest = type === 'float' ? shortestFloat(value) : String(value)
  const text = /[.e]/.test(shortest) ? shortest : `${shortest}.0`
  return type === 'float' ? `${text}f` : text
}

const wideSuffix = (type: string) => (type.startsWith('u') || type === 'size_t' ? 'ULL' : 'LL')

/** The fewest digits that are this float again. */
function shortestFloat(value: number): string {
  for (let digits = 1; digits < 9; digits += 1) {
    const text = String(Number(value.toPrecision(digits)))
    if (Math.fround(Number(text)) === value) return text
  }
  return value.toPrecision(9)
}
