import type {CraftDesign, Expression, Layout} from '../../../datasets/schema/crafted-operator.ts'
import type {Dtype} from '../../../datasets/schema/tensor.ts'
import {elementBytes, isFloat, roundUp, ubBytes, ubReserved, type ElementType} from '../language/dtypes.ts'
import {primitives} from '../language/primitives.ts'
import {namesIn} from './math-expression.ts'
import {scratchName, VectorCode, type Place, type Scratch} from './vector-code.ts'

type Input = CraftDesign['inputs'][number]
type Output = CraftDesign['outputs'][number]

/** Elements that tiles are counted in: 256 bytes of the narrowest type, which comparisons work on at once. */
export const tileUnit = 128
/** Bytes that functions of the library get to work in: pieces of 1,024 floats. */
const libraryBytes = 4096
/** Elements of a buffer for one result: a block of 32 bytes. */
export const fewElements = 8

/** A buffer of a kernel. `elements` is undefined for one as long as a tile. */
export interface Buffer {
  name: string
  type: ElementType
  elements?: number
  role: 'in' | 'out' | 'scratch'
  depth: number
  /** Of masks: elements for each byte. */
  share?: number
}

/** Bytes of a tile's buffers, and how long the tile can be. */
export interface UbPlan {
  /** Of one more element in all buffers of the tile. */
  perElement: number
  /** Of buffers of a fixed size. */
  fixed: number
  /** What there is for tiles and fixed buffers together. */
  room: number
  tile: number
  /** How long one could be, were it not bounded. */
  longest: number
  /** What all buffers take. */
  taken: number
}

/** A kernel under construction: its buffers, and the compute stages with what they need of scratch. */
export class Frame {
  readonly design: CraftDesign
  readonly buffers: Buffer[] = []
  private readonly scratch: Scratch = {vectors: 0, masks: 0, bytes: false, selects: false}

  constructor(design: CraftDesign) {
    this.design = design
  }

  get compute(): ElementType {
    return this.design.compute
  }

  /** Adds a buffer once. */
  buffer(one: Buffer): string {
    if (!this.buffers.some(({name}) => name === one.name)) this.buffers.push(one)
    return one.name
  }

  few(name: string, type: ElementType = this.compute, more: Partial<Buffer> = {}): string {
    const elements = type === 'float32' || type === 'int32' ? fewElements : 2 * fewElements
    return this.buffer({name, type, elements, role: 'scratch', depth: 1, ...more})
  }

  long(name: string, more: Partial<Buffer> = {}): string {
    return this.buffer({name, type: this.compute, role: 'scratch', depth: 1, ...more})
  }

  /** The lines that load inputs; `inLoop` as often as the design says. */
  loads(inputs: readonly Input[], from: (input: Input) => string, count: string, inLoop = true): string[] {
    return inputs.map((input) => {
      const depth = inLoop ? this.design.depth : 1
      const name = this.long(`${input.name}_ub`, {type: element(input.type), role: 'in', depth})
      return `tl.load(${input.name}_ptr + ${from(input)}, ${name}, count=${count})`
    })
  }

  /** Loads of single elements, and the scalars that they become in a compute stage. */
  singles(inputs: readonly Input[], at: string): {loads: string[]; scalars: string[]} {
    const name = (input: Input) =>
      this.few(`${input.name}_ub`, element(input.type), {role: 'in', depth: this.design.depth})
    return {
      loads: inputs.map((input) => `tl.load(${input.name}_ptr + ${at}, ${name(input)}, count=1)`),
      scalars: inputs.map((input) => `${input.name} = tl.extract(${name(input)}, 0)`),
    }
  }

  /** Where an input, an attribute or a further name is found. */
  place(own: Readonly<Record<string, Place>> = {}): (name: string) => Place {
    return (name) => {
      const given = own[name]
      if (given) return given
      const input = this.design.inputs.find((one) => one.name === name)
      if (!input || input.layout === 'rows') return {kind: 'scalar', text: name}
      const cast = input.type === this.compute ? undefined : 'none'
      return {kind: 'buffer', name: `${name}_ub`, ...(cast !== undefined && {cast})}
    }
  }

  code(count: string, own: Readonly<Record<string, Place>> = {}): VectorCode {
    return new VectorCode(this.place(own), isFloat(this.compute), count)
  }

  /** The outputs of a stage, in buffers of their own types. */
  results(code: VectorCode, outputs: readonly Output[], inLoop = true, isFew = false): void {
    for (const {name, type, value} of outputs) {
      const depth = inLoop ? this.design.depth : 1
      const more = {type: element(type), role: 'out' as const, depth}
      const buffer = isFew ? this.few(`${name}_ub`, element(type), more) : this.long(`${name}_ub`, more)
      if (type === this.compute) code.vector(value, buffer)
      else code.cast(value, buffer, 'rint')
    }
  }

  /** A finished compute stage. */
  lines(code: VectorCode): string[] {
    const {lines, scratch} = code.lines()
    this.scratch.vectors = Math.max(this.scratch.vectors, scratch.vectors)
    this.scratch.masks = Math.max(this.scratch.masks, scratch.masks)
    this.scratch.bytes ||= scratch.bytes
    this.scratch.selects ||= scratch.selects
    return lines
  }

  /** All buffers, scratch included. */
  allBuffers(): Buffer[] {
    const {vectors, masks, bytes} = this.scratch
    return [
      ...this.buffers,
      ...Array.from({length: vectors}, (_, at): Buffer => {
        return {name: scratchName('vector', at), type: this.compute, role: 'scratch', depth: 1}
      }),
      ...Array.from({length: masks}, (_, at): Buffer => {
        return {name: scratchName('mask', at), type: 'uint8', role: 'scratch', depth: 1, share: 8}
      }),
      ...(bytes
        ? [{name: 'bytes_ub', type: 'uint8', elements: libraryBytes, role: 'scratch', depth: 1} as Buffer]
        : []),
    ]
  }

  plan(): UbPlan {
    const room = ubBytes - ubReserved - (this.scratch.selects ? (primitives.select.ubTaken ?? 0) : 0)
    return planOf(this.allBuffers(), room, this.design.bounds?.tile)
  }
}

/** How long a tile may be, at most `most` elements, so that its buffers fit into this many bytes. */
export function planOf(all: readonly Buffer[], room: number, most = Infinity): UbPlan {
  const bytesOf = ({type, depth, share = 1}: Buffer) => (elementBytes[type] * depth) / share
  const perElement = all.reduce((sum, one) => sum + (one.elements === undefined ? bytesOf(one) : 0), 0)
  const takenBy = (tile: number) => all.reduce((sum, one) => sum + wholeBytes(one, tile), 0)
  let longest = Math.floor((room - takenBy(0)) / perElement / tileUnit) * tileUnit
  // A mask of an eighth of a byte for each element need not end with a block.
  while (longest > 0 && takenBy(longest) > room) longest -= tileUnit
  const tile = Math.min(longest, most)
  const fixed = takenBy(0)
  return {perElement, fixed, room, tile, longest, taken: fixed + perElement * tile}
}

/** What a buffer takes for a tile: whole blocks of 32 bytes for each of its copies. */
const wholeBytes = ({type, depth, elements, share = 1}: Buffer, tile: number) =>
  roundUp(((elements ?? tile) * elementBytes[type]) / (elements === undefined ? share : 1), 32) * depth

const element = (type: Dtype) => type as ElementType

/** Inputs of a layout that an expression reads. */
export function readBy(design: CraftDesign, expressions: readonly Expression[], layouts: readonly Layout[]): Input[] {
  const names = new Set(expressions.flatMap((one) => [...namesIn(one)]))
  return design.inputs.filter(({name, layout}) => names.has(name) && layouts.includes(layout))
}

export const indented = (lines: readonly string[], by = 1) => lines.map((line) => `${'    '.repeat(by)}${line}`)

/** A stage with its lines; nothing where it has none. */
export function stage(kind: 'copyin' | 'compute' | 'copyout', lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`with tl.${kind}():`, ...indented(lines)]
}

export function loop(head: string, ...bodies: readonly (readonly string[])[]): string[] {
  return [`for ${head}:`, ...indented(bodies.flat())]
}
