import type {CraftDesign, Expression} from '../../../datasets/schema/crafted-operator.ts'
import {contentId} from '../../../engine/ids.ts'
import {functionOf, type Language} from './functions.ts'

export const isCall = (one: Expression): one is [name: string, ...Expression[]] => Array.isArray(one)

export const operandsOf = (one: Expression): Expression[] => (isCall(one) ? (one.slice(1) as Expression[]) : [])

/** The expression and all parts of it, operands first. */
export function partsOf(one: Expression): Expression[] {
  return [...operandsOf(one).flatMap(partsOf), one]
}

/** All expressions of a design, in the order in which they are computed. */
export function expressionsOf({stages, scan, outputs}: Pick<CraftDesign, 'stages' | 'outputs' | 'scan'>): Expression[] {
  const reduced = stages.flatMap(({of, made}) => [of, made])
  return [...reduced, ...(scan ? [scan.next] : []), ...outputs.map(({value}) => value)]
}

export function namesIn(one: Expression): Set<string> {
  return new Set(partsOf(one).filter((part): part is string => typeof part === 'string'))
}

/** Its value where every name has one. @param round after every function: to the precision of the device */
export function valueOf(
  one: Expression,
  values: (name: string) => number,
  round: (value: number) => number = (value) => value,
): number {
  if (typeof one === 'number') return round(one)
  if (typeof one === 'string') return values(one)
  const operands = operandsOf(one).map((part) => valueOf(part, values, round))
  return round(functionOf(one[0]).value(...operands))
}

/** The text of an expression. @param named how a name is written; default as it is */
export function written(
  one: Expression,
  language: Language,
  {named = (name: string) => name, isNumber = () => false}: WrittenNames = {},
): string {
  const write = (part: Expression, needed: number): string => {
    if (typeof part === 'string') return named(part)
    if (typeof part === 'number') return part < 0 && needed > 0 ? `(${numeral(part)})` : numeral(part)
    const {written: forms, torchWithNumber} = functionOf(part[0])
    const operands = operandsOf(part)
    const last = operands.at(-1)!
    const isWithNumber = typeof last === 'number' || (typeof last === 'string' && isNumber(last))
    const form = language === 'torch' && torchWithNumber && isWithNumber ? torchWithNumber : forms[language]
    const text = form.text.replace(/\$(\d)/g, (_, at: string) =>
      write(operands[Number(at) - 1]!, form.needs[Number(at) - 1]!),
    )
    return form.level < needed ? bracketed(text, language) : text
  }
  return write(one, 0)
}

interface WrittenNames {
  named?: (name: string) => string
  /** Whether a name is a number of the host's, not a tensor; default: none is. */
  isNumber?: (name: string) => boolean
}

const bracketed = (text: string, language: Language) => (language === 'latex' ? `\\left(${text}\\right)` : `(${text})`)

/** As Python and TypeScript read it: a float has a point or an exponent. */
function numeral(value: number): string {
  return Number.isInteger(value) ? value.toFixed(1) : String(value)
}

/** Equal for expressions that differ in names, in numbers, and in the order of operands that may be exchanged. */
export function structureOf(roots: readonly Expression[], kindOf: (name: string) => string): string {
  const shape = (one: Expression): string => {
    if (typeof one === 'number') return '#'
    if (typeof one === 'string') return kindOf(one)
    const parts = operandsOf(one).map(shape)
    const ordered = functionOf(one[0]).commutes ? [...parts].sort() : parts
    return `${one[0]}(${ordered.join()})`
  }
  // Names are numbered in the order of the form without names, so that exchanged operands number them alike.
  const order: string[] = []
  const number = (one: Expression): string => {
    if (typeof one === 'number') return '#'
    if (typeof one === 'string') {
      if (!order.includes(one)) order.push(one)
      return `${kindOf(one)}${order.indexOf(one)}`
    }
    const parts = operandsOf(one)
    const sorted = functionOf(one[0]).commutes ? [...parts].sort((a, b) => (shape(a) < shape(b) ? -1 : 1)) : parts
    return `${one[0]}(${sorted.map(number).join()})`
  }
  return contentId(roots.map(number))
}
