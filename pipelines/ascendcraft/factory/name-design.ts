import type {CraftDesign} from '../../../datasets/schema/crafted-operator.ts'
import {isCall, partsOf} from './math-expression.ts'
import {functionOf} from './functions.ts'

const forms: Readonly<Record<CraftDesign['form'], string>> = {
  elements: '',
  rows: 'Rows',
  columns: 'Columns',
  all: 'All',
  scan: 'Scan',
  windows: 'Windows',
  lookup: 'Lookup',
}
const types: Readonly<Partial<Record<string, string>>> = {float16: 'Half', bfloat16: 'Brain', int32: 'Int'}
const reductions = {sum: 'Sum', max: 'Max', min: 'Min'}

/** Functions in a name. */
const mostWords = 5

/** What an operator is called by what it does: functions from the first to the last, its form, its narrowest type. */
export function nameOf({form, stages, scan, outputs, inputs}: Omit<CraftDesign, 'name'>): string {
  const wordsOf = (one: Parameters<typeof partsOf>[0]) =>
    partsOf(one).flatMap((part) => (isCall(part) ? [functionOf(part[0]).word] : []))
  const all = [
    ...stages.flatMap(({of, reduce}) => [...wordsOf(of), reductions[reduce]]),
    ...(scan ? wordsOf(scan.next) : []),
    ...outputs.slice(0, 1).flatMap(({value}) => wordsOf(value)),
  ]
  const words = all.length <= mostWords ? all : [...all.slice(0, 2), ...all.slice(2 - mostWords)]
  const tensors = [...inputs, ...outputs].filter(({name}) => name !== 'index')
  const type = tensors.map((one) => types[one.type]).find((one) => one !== undefined) ?? ''
  return `${words.join('')}${forms[form]}${type}`
}
