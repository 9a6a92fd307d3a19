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
  /** The type that its values went through before they were cast to that of the output. */
  via?: Dtype
}

export interface Formula {
  /** Leading inputs of the definition that it takes; calls with others are not covered. */
  inputs: number
  /** Attributes that it heeds or that change no value; a definition that has others is not understood. */
  attributes?: readonly string[]
  /** Another form that the operator's page also gives: outputs may match either. */
  or?: Formula
  /** The first output, or each in the definition's order, of a list all its tensors; undefined: it says nothing. */
  of(call: FormulaCall): Result | Outputs
}

type Outputs = readonly (Result | readonly Result[] | undefined)[]

export const formula = (inputs: number, attributes: readonly string[], of: Formula['of']): Formula => ({
  inputs,
  attributes,
  of,
})

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

  /** Of several names of an attribute the one that the definition has. */
  named(...names: [string, ...string[]]): string {
    return names.find((one) => this.#attributes.has(one)) ?? names[0]
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

  /** The inputs in front. */
  first(count: number): Operand[] {
    return Array.from({length: count}, (_, at) => this.x(at))
  }

  list(at = 0): readonly Operand[] {
    return this.inputs[at] ?? []
  }

  /** A single number that a tensor holds. */
  scalar(at: number): number {
    const {data} = this.x(at)
    understood(data.length === 1)
    return data[0] as number
  }

  /** All numbers that a tensor holds. */
  values(at: number): number[] {
    return [...this.x(at).data]
  }

  output(at = 0): Omit<Operand, 'data'> {
    return known(this.outputs[at]?.[0])
  }

  /** `fallback` is used if the definition has no such attribute. */
  value(name: string, fallback?: Attribute): Attribute {
    return known(this.#attributes.has(name) ? this.#attributes.get(name) : fallback)
  }

  number(name: string, fallback?: number): number {
    const value = this.value(name, fallback)
    understood(typeof value === 'number')
    return value
  }

  flag(name: string, fallback?: boolean): boolean {
    const value = this.value(name, fallback)
    understood(typeof value === 'boolean')
    return value
  }

  word(name: string, fallback?: string): string {
    const value = this.value(name, fallback)
    understood(typeof value === 'string')
    return value
  }

  numbers(name: string, fallback?: readonly number[]): readonly number[] {
    const value = this.value(name, fallback)
    if (typeof value === 'number') return [value]
    understood(Array.isArray(value))
    return value as readonly number[]
  }
}

const truths: Readonly<Record<string, boolean>> = {true: true, '1': true, false: false, '0': false}

/** The default as a definition writes it; undefined for a name, or if there is none. */
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
export function resultsOf(one: Formula, call: FormulaCall): Outputs | undefined {
  try {
    const given = one.of(call)
    return 'data' in given ? [given] : given
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined
    throw error
  }
}
