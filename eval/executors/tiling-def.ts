import {withoutComments} from '../../cpp/code-pieces.ts'
import {readExpression, valueOf} from '../../cpp/evaluator.ts'
import {containedFirst, plainStructures, tilingBlocks, tilingRegistrations, type TilingField} from '../../cpp/tiling.ts'

/** One field of a tiling structure. `count` is undefined for a plain value; `type` may be another structure's name. */
interface CountedField extends Pick<TilingField, 'name' | 'type'> {
  count: number | undefined
}

interface TilingStructure {
  name: string
  fields: CountedField[]
}

/**
 * The `BEGIN … END` blocks and registrations of some sources, as text: everything that a kernel needs from its host
 * side.
 * @param kernel sources of the kernel, which may define a structure of the same name itself
 */
export function tilingText(sources: readonly string[], kernel: readonly string[] = []): string {
  const texts = sources.map(withoutComments)
  const all = texts.join('\n')
  const own = new Set(kernel.flatMap(definedClasses))
  const blocks = containedFirst(texts.flatMap(tilingBlocks)).filter((block) => {
    // The kernel also defines whatever contains its own structure.
    if (block.fields.some(({type}) => own.has(type))) own.add(block.name)
    return !own.has(block.name)
  })
  const pieces = [
    ...blocks.map((block) => `${sized(block.text, all)};`),
    ...texts.flatMap(tilingRegistrations).map(({text}) => `${text};`),
  ]
  return [...new Set(pieces)].join('\n')
}

function definedClasses(text: string): string[] {
  const head = String.raw`\b(?:struct|class)\s+(?:alignas\s*\([^()]*\)\s*)?(\w+)\s*(?:final\s*)?`
  const definition = new RegExp(String.raw`${head}(?::[^:;{}()][^;{}()]*)?\{`, 'g')
  return [...withoutComments(text).matchAll(definition)].map(([, name]) => name as string)
}

/** A block with the sizes of its arrays as numbers: their named constants remain in the host's sources. */
function sized(block: string, sources: string): string {
  return block.replace(
    /(\bTILING_DATA_FIELD_DEF_ARR\s*\([^,()]+,)([^,]+)(,)/g,
    (whole, before: string, size: string, comma: string) => {
      const count = constant(size.trim(), sources)
      return count > 0 ? `${before} ${count}${comma}` : whole
    },
  )
}

/** Macro-declared structures in order. Array sizes that are named constants are resolved in `sources`. */
export function parseTilingBlocks(text: string): TilingStructure[] {
  const source = withoutComments(text)
  return counted(tilingBlocks(source), source)
}

function counted(structures: ReturnType<typeof plainStructures>, source: string): TilingStructure[] {
  const count = ({size}: TilingField) => (size === undefined ? undefined : constant(size, source))
  return structures.map(({name, fields}) => ({
    name,
    fields: fields.map((field) => ({type: field.type, name: field.name, count: count(field)})),
  }))
}

/** An expression of integers and of constants that the source defines; 0 if unknown. */
function constant(expression: string, source: string): number {
  const named = (name: string) => {
    const found = new RegExp(`\\b${name}\\s*=\\s*([^;,}]+)|#define\\s+${name}\\s+([^\\n]+)`).exec(source)
    return found ? constant(found[1] ?? found[2] ?? '', source.replace(found[0], '')) || undefined : undefined
  }
  const value = valueOf(readExpression(expression), {name: named})
  return typeof value === 'number' ? value : 0
}

/** The structure that the kernel reads by default: the one registered for the operator, otherwise the last declared. */
export function defaultTiling(text: string, operator: string | undefined): string | undefined {
  const registrations = tilingRegistrations(withoutComments(text))
  const own =
    registrations.find((one) => one.operator === operator) ??
    registrations.find((one) => !/_\d+$/.test(one.operator) && !/Op$/.test(one.operator))
  return own?.structure ?? registrations[0]?.structure ?? parseTilingBlocks(text).at(-1)?.name
}

/**
 * Kernel-side C++ for macro-declared structures, with the layout that the host writes: nested structures at multiples
 * of 8, padded to 8.
 */
export function tilingStructs(text: string, operator?: string): string {
  const parsed = parseTilingBlocks(text)
  const structures = parsed.map(({name, fields}) =>
    [
      `struct alignas(8) ${name} {`,
      ...fields.map(
        (field) => `    ${field.type} ${field.name}${field.count === undefined ? '' : `[${field.count}]`};`,
      ),
      '};',
    ].join('\n'),
  )
  const chosen = defaultTiling(text, operator)
  // One that the kernel itself defines comes later, and is used by name.
  if (!parsed.some(({name}) => name === chosen)) return structures.join('\n')
  return [...structures, `using TwinDefaultTiling = ${chosen};`].join('\n')
}

/** Plain structures of a source: `struct X { uint32_t a; float b[4]; … };` with no methods that matter for layout. */
export function parsePlainStructures(text: string): TilingStructure[] {
  const source = withoutComments(text)
  return counted(plainStructures(source), source)
}

const scalars: Readonly<Record<string, {bytes: number; read(view: DataView, offset: number): number}>> = {
  int8_t: {bytes: 1, read: (view, at) => view.getInt8(at)},
  uint8_t: {bytes: 1, read: (view, at) => view.getUint8(at)},
  bool: {bytes: 1, read: (view, at) => view.getUint8(at)},
  int16_t: {bytes: 2, read: (view, at) => view.getInt16(at, true)},
  uint16_t: {bytes: 2, read: (view, at) => view.getUint16(at, true)},
  int32_t: {bytes: 4, read: (view, at) => view.getInt32(at, true)},
  int: {bytes: 4, read: (view, at) => view.getInt32(at, true)},
  uint32_t: {bytes: 4, read: (view, at) => view.getUint32(at, true)},
  int64_t: {bytes: 8, read: (view, at) => Number(view.getBigInt64(at, true))},
  uint64_t: {bytes: 8, read: (view, at) => Number(view.getBigUint64(at, true))},
  size_t: {bytes: 8, read: (view, at) => Number(view.getBigUint64(at, true))},
  float: {bytes: 4, read: (view, at) => view.getFloat32(at, true)},
  double: {bytes: 8, read: (view, at) => view.getFloat64(at, true)},
}

/**
 * Values by field name in declaration order; fields of nested structures as `outer.inner`. An unreadable structure
 * gives {}.
 */
export function decodeTiling(
  structures: readonly TilingStructure[],
  name: string,
  bytes: Uint8Array,
  {nestedAlignment}: {nestedAlignment?: number} = {},
): Record<string, number | number[]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const values: Record<string, number | number[]> = {}
  const structure = structures.find((one) => one.name === name)
  try {
    if (structure) place(structure, 0, '')
  } catch (error) {
    if (error instanceof RangeError) return {}
    throw error
  }
  return values

  function place({fields}: TilingStructure, start: number, prefix: string): {end: number; alignment: number} {
    let end = start
    let widest = nestedAlignment ?? 1
    for (const field of fields) {
      const scalar = scalars[field.type.replace(/^(std::|optiling::)/, '')]
      const nested = structures.find((one) => one.name === field.type.replace(/^optiling::/, ''))
      const label = `${prefix}${field.name}`
      if (scalar) {
        end = roundUp(end, scalar.bytes)
        const offsets = Array.from({length: field.count ?? 1}, (_, index) => end + index * scalar.bytes)
        const read = offsets.map((offset) => scalar.read(view, offset))
        values[label] = field.count === undefined ? (read[0] as number) : read
        end += scalar.bytes * offsets.length
        widest = Math.max(widest, scalar.bytes)
      } else if (nested) {
        const inner = alignmentOf(nested)
        end = place(nested, roundUp(end, inner), `${label}.`).end
        widest = Math.max(widest, inner)
      } else throw new RangeError(`unknown type ${field.type}`)
    }
    return {end: roundUp(end, widest), alignment: widest}
  }

  function alignmentOf({fields}: TilingStructure): number {
    return Math.max(
      nestedAlignment ?? 1,
      ...fields.map((field) => {
        const inner = structures.find((one) => one.name === field.type)
        return scalars[field.type]?.bytes ?? (inner ? alignmentOf(inner) : 1)
      }),
    )
  }
}

function roundUp(value: number, unit: number): number {
  return Math.ceil(value / unit) * unit
}
