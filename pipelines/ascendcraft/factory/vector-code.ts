import type {Expression} from '../../../datasets/schema/crafted-operator.ts'
import {isCall, namesIn, operandsOf, partsOf, written} from './math-expression.ts'
import {functionOf} from './functions.ts'

/** Where a name of an expression is found in the kernel. */
export type Place =
  /** A buffer; `cast` if it has to be converted to the type that is computed in, and by which rounding. */
  | {kind: 'buffer'; name: string; cast?: string}
  /** A scalar of the kernel. */
  | {kind: 'scalar'; text: string}

/** A value in unified buffer: one instruction makes it, and it is never changed. */
interface Value {
  kind: 'vector' | 'mask'
  /** The buffer that it is in, where that is given; else scratch is found for it. */
  buffer?: string
}

interface Instruction {
  op: string
  to: Value
  /** Values and texts, as they are passed after the destination. */
  from: readonly (Value | string)[]
  mode?: string
  round?: string
  /** The destination may be none of the sources. */
  apart?: boolean
  /** Passes the buffer of bytes that library functions work in. */
  bytes?: boolean
  /** Also takes a vector that is free. */
  work?: boolean
}

/** A line between instructions. */
type Line = Instruction | {text: string}

/** Names of scratch buffers of a kernel: how many vectors and masks its largest stage needs at once. */
export interface Scratch {
  vectors: number
  masks: number
  /** Whether functions of the library work in `bytes_ub`. */
  bytes: boolean
  selects: boolean
}

export const scratchName = (kind: Value['kind'], at: number) => (kind === 'mask' ? `mask${at}_ub` : `work${at}_ub`)

/** Functions of the library, which work in bytes of their own, and do not write to their source. */
const inBytes: ReadonlySet<string> = new Set(['tanh', 'sigmoid'])
const instructionOf: Readonly<Record<string, string>> = {log: 'ln'}

/** The vector instructions of one compute stage: equal parts of expressions are computed once. */
export class VectorCode {
  private readonly known = new Map<string, Value>()
  private readonly instructions: Line[] = []
  private readonly place: (name: string) => Place
  private readonly isFloat: boolean
  private readonly count: string

  /** @param count elements of every operation, as text */
  constructor(place: (name: string) => Place, isFloat: boolean, count: string) {
    this.place = place
    this.isFloat = isFloat
    this.count = count
  }

  /** An expression's value as a vector. @param into the buffer that it has to be in; its type is the computed one */
  vector(one: Expression, into?: string): Value {
    const key = JSON.stringify(one)
    const known = this.known.get(key)
    if (known && into === undefined) return known
    const value = this.made(one, into)
    if (into !== undefined && value.buffer !== into) return this.emit('copy', [value], into)
    this.known.set(key, value)
    return value
  }

  private made(one: Expression, into?: string): Value {
    if (this.isScalar(one)) return this.emit('duplicate', [this.scalar(one)], into)
    return isCall(one) ? this.called(one, into) : this.loaded(one as string)
  }

  /** Into a buffer of another type. */
  cast(one: Expression, into: string, round: string): void {
    this.instructions.push({op: 'cast', to: {kind: 'vector', buffer: into}, from: [this.vector(one)], round})
  }

  /** Reduces an expression to the first element of a buffer. */
  reduce(op: 'sum' | 'max' | 'min', one: Expression, into: string): void {
    const source = this.vector(one)
    this.instructions.push({op: `reduce_${op}`, to: {kind: 'vector', buffer: into}, from: [source], work: true})
  }

  /** Joins an expression to what a buffer holds. */
  gather(op: 'sum' | 'max' | 'min', one: Expression, into: string): void {
    const held: Value = {kind: 'vector', buffer: into}
    this.instructions.push({op: op === 'sum' ? 'add' : op, to: held, from: [held, this.vector(one)]})
  }

  /** A statement of the scalar unit, such as an assignment. */
  say(text: string): void {
    this.instructions.push({text})
  }

  /** An expression of scalars as the kernel writes it. */
  scalarText(one: Expression): string {
    return this.scalar(one)
  }

  private isScalar(one: Expression): boolean {
    return (
      [...namesIn(one)].every((name) => this.place(name).kind === 'scalar') &&
      partsOf(one).every((part) => !isCall(part) || functionOf(part[0]).scalar === true)
    )
  }

  private scalar(one: Expression): string {
    const named = (name: string) => {
      const place = this.place(name)
      return place.kind === 'scalar' ? place.text : name
    }
    const text = written(one, 'tile', {named}).replace(/\bsqrt\(/g, 'tl.sqrt(')
    return this.isFloat ? text : text.replace(/(\d)\.0\b/g, '$1')
  }

  private loaded(name: string): Value {
    const place = this.place(name)
    if (place.kind === 'scalar') return this.emit('duplicate', [place.text])
    const held: Value = {kind: 'vector', buffer: place.name}
    return place.cast === undefined ? held : this.emit('cast', [held], undefined, {round: place.cast})
  }

  private emit(
    op: string,
    from: Instruction['from'],
    into?: string,
    more: Partial<Omit<Instruction, 'op' | 'to' | 'from'>> & {kind?: Value['kind']} = {},
  ): Value {
    const {kind = 'vector', ...rest} = more
    const to: Value = {kind, ...(into !== undefined && {buffer: into})}
    this.instructions.push({op, to, from, ...rest})
    return to
  }

  private called(one: Expression & [string, ...Expression[]], into?: string): Value {
    const [name] = one
    const [a, b, c, d] = operandsOf(one) as [Expression, Expression, Expression, Expression]
    switch (name) {
      case 'add':
      case 'mul':
      case 'max':
      case 'min':
        if (this.isScalar(b)) return this.emit(`${name}s`, [this.vector(a), this.scalar(b)], into)
        if (this.isScalar(a)) return this.emit(`${name}s`, [this.vector(b), this.scalar(a)], into)
        return this.emit(name, [this.vector(a), this.vector(b)], into)
      case 'sub':
        if (this.isScalar(b)) return this.emit('subs', [this.vector(a), this.scalar(b)], into)
        if (this.isScalar(a)) {
          const negative = this.emit('muls', [this.vector(b), this.isFloat ? '-1.0' : '-1'])
          return this.emit('adds', [negative, this.scalar(a)], into)
        }
        return this.emit('sub', [this.vector(a), this.vector(b)], into)
      case 'div':
        return this.isScalar(b)
          ? this.emit('divs', [this.vector(a), this.scalar(b)], into)
          : this.emit('div', [this.vector(a), this.vector(b)], into)
      case 'reciprocal':
        return this.emit('div', [this.vector(1), this.vector(a)], into)
      case 'square': {
        const source = this.vector(a)
        return this.emit('mul', [source, source], into)
      }
      case 'floor':
      case 'ceil':
        return this.emit('cast', [this.vector(a)], into, {round: name})
      case 'where': {
        const mask = this.isScalar(b)
          ? this.emit('compares', [this.vector(a), this.scalar(b)], undefined, {kind: 'mask', mode: 'gt'})
          : this.emit('compare', [this.vector(a), this.vector(b)], undefined, {kind: 'mask', mode: 'gt'})
        return this.isScalar(d)
          ? this.emit('selects', [mask, this.vector(c), this.scalar(d)], into)
          : this.emit('select', [mask, this.vector(c), this.vector(d)], into)
      }
      default: {
        const library = inBytes.has(name)
        return this.emit(instructionOf[name] ?? name, [this.vector(a)], into, {bytes: library, apart: library})
      }
    }
  }

  /** The lines of the stage, and the scratch that they use: a vector is free again after its last use. */
  lines(): {lines: string[]; scratch: Scratch} {
    const lastUse = new Map<Value, number>()
    this.instructions.forEach((line, at) => {
      if ('text' in line) return
      for (const one of [...line.from, line.to]) if (typeof one !== 'string') lastUse.set(one, at)
    })
    const free = {vector: [] as number[], mask: [] as number[]}
    const used = {vector: 0, mask: 0}
    const taken = new Map<Value, number>()
    const take = (kind: Value['kind']) => free[kind].sort((a, b) => a - b).shift() ?? (used[kind] += 1) - 1
    const nameOf = (one: Value) => one.buffer ?? scratchName(one.kind, taken.get(one)!)
    const lines = this.instructions.map((instruction, at) => {
      if ('text' in instruction) return instruction.text
      const {op, to, from, mode, round, apart, bytes, work} = instruction
      const sources = from.map((one) => (typeof one === 'string' ? one : nameOf(one)))
      const ending = from.filter((one): one is Value => typeof one !== 'string' && lastUse.get(one) === at)
      const release = () => {
        for (const one of new Set(ending)) if (taken.has(one)) free[one.kind].push(taken.get(one)!)
      }
      const spare = work ? take('vector') : undefined
      if (!apart) release()
      if (to.buffer === undefined && !taken.has(to)) taken.set(to, take(to.kind))
      if (apart) release()
      if (spare !== undefined) free.vector.push(spare)
      const operands = [
        nameOf(to),
        ...sources,
        ...(bytes ? ['bytes_ub'] : []),
        ...(spare === undefined ? [] : [scratchName('vector', spare)]),
        ...(mode === undefined ? [] : [`mode="${mode}"`]),
        `count=${this.count}`,
        ...(round === undefined ? [] : [`round="${round}"`]),
      ]
      return `tl.${op}(${operands.join(', ')})`
    })
    const has = (test: (one: Instruction) => boolean) => this.instructions.some((one) => 'op' in one && test(one))
    return {
      lines,
      scratch: {
        vectors: used.vector,
        masks: used.mask,
        bytes: has(({bytes}) => bytes === true),
        selects: has(({op}) => op.startsWith('select')),
      },
    }
  }
}
