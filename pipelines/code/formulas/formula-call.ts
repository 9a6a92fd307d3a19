import type {OperatorDefinition} from '../../../cpp/op-def.ts'
import type {Dtype} from '../../../datasets/schema/tensor.ts'
import {known, NotUnderstood, understood, type Values} from './arrays.ts'

export interface Operand extends Values {
  dtype: Dtype
}

/** What an output holds by the formula. */
export interface Result extends Values {
  /**
   * The largest magnitude that was summed to a result, where that is more than the results' own: a kernel that works in
   * the output's type is off by a share of it.
   */
  scale?: number | undefined
}

export interface Formula {
  /** Leading inputs of the definition that it takes; a call that hands over others is not understood. */
  inputs: number
  /** Attributes that it heeds or that change no value; a definition that has others is not understood. */
  attributes?: readonly string[]
  /** By the order of the definition's outputs, of a list all its tensors; undefined for one that it says nothing of. */
  /** Another form that the operator's page gives beside it: outputs are right by either. */
  or?: Formula
  of(call: FormulaCall): readonly (Result | readonly Result[] | undefined)[]
}

export type Formulas = Readonly<Record<string, Formula>>

type Attribute = boolean | number | string | readonly number[]

/** A call as a formula reads it; whatever is not there is not understood. */
export class FormulaCall {
  /** Tensors of each input of the definition, in order. */
  readonly inputs: readonly (readonly Operand[])[]
  /** Of each output. */
  readonly outputs: readonly (readonly Omit<Operand, 'data'>[])[]
  readonly #attributes: ReadonlyMap<string, Attribute | undefined>

  constructor(
    {attributes}: Pick<OperatorDefinition, 'attributes'>,
    inputs: FormulaCall['inputs'],
    outputs: FormulaCall['outputs'],
    given: Readonly<Record<string, Attribute>>,
  ) {
    this.inputs = inputs
    this.outputs = outputs
    this.#attributes = new Map(attributes.map((one) => [one.name, given[one.name] ?? defaultOf(one)]))
  }

  /** Whether the definition has the attribute. */
  has(name: string): boolean {
    return this.#attributes.has(name)
  }

  x(at = 0): Operand {
    return known(this.optional(at))
  }

  optional(at: number): Operand | undefined {
    const all = this.inputs[at] ?? []
    understood(all.length <= 1)
    return all[0]
  }

  list(at = 0): readonly Operand[] {
    return this.inputs[at] ?? []
  }

  output(at = 0): Omit<Operand, 'data'> {
    return known(this.outputs[at]?.[0])
  }

  /** `fallback` stands where the definition has no such attribute. */
  number(name: string, fallback?: number): number {
    const value = this.#value(name, fallback)
    understood(typeof value === 'number')
    return value
  }

  flag(name: string, fallback?: boolean): boolean {
    const value = this.#value(name, fallback)
    understood(typeof value === 'boolean')
    return value
  }

  word(name: string, fallback?: string): string {
    const value = this.#value(name, fallback)
    understood(typeof value === 'string')
    return value
  }

  numbers(name: string, fallback?: readonly number[]): readonly number[] {
    const value = this.#value(name, fallback)
    if (typeof value === 'number') return [value]
    understood(Array.isArray(value))
    return value as readonly number[]
  }

  #value(name: string, fallback: Attribute | undefined): Attribute {
    if (!this.#attributes.has(name)) return known(fallback)
    return known(this.#attributes.get(name))
  }
}

const truths: Readonly<Record<string, boolean>> = {true: true, '1': true, false: false, '0': false}

/** The default as a definition writes it; undefined for a name, or where there is none. */
function defaultOf({type, default: written}: OperatorDefinition['attributes'][number]): Attribute | undefined {
  const text = written.trim()
  if (type === 'Bool') return truths[text]
  if (type === 'String') return /^"([^"]*)"$/.exec(text)?.[1]
  const numbers = (/\{(.*)\}/.exec(text)?.[1] ?? text).split(',')
  const values = numbers.filter((one) => one.trim() !== '').map((one) => Number(one.trim().replace(/[fFlLuU]+$/, '')))
  if (values.some(Number.isNaN)) return undefined
  return type.startsWith('List') ? values : values[0]
}

/** What a formula gives; undefined where it does not understand the call. */
export function resultsOf(formula: Formula, call: FormulaCall): ReturnType<Formula['of']> | undefined {
  try {
    return formula.of(call)
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined
    throw error
  }
}
