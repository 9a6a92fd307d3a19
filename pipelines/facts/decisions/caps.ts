import {evaluate} from '../../../cpp/expressions.ts'
import {readExpression, type Expression} from '../../../cpp/evaluator.ts'
import type {HostFacts} from '../../../datasets/schema/code-facts.ts'
import type {Arithmetic, Decision} from '../../../datasets/schema/decision.ts'
import {reportedUbBytes} from '../memory-plan.ts'
import {namesInside, wordsOf} from './host-view.ts'
import {formNames, formOf, written} from './size-forms.ts'
import {tileBytes, type TileLength} from './tile-length.ts'

/** A constant that a tile never passes: why it is what it is, where memory shows it, or that the host does not say. */
export function capDecision(
  one: Arithmetic,
  {constants, flows}: Pick<HostFacts, 'constants' | 'flows'>,
  tile: TileLength | undefined,
): Omit<Decision, 'because'> | undefined {
  const own = tile?.field === one.name ? tile : undefined
  if (!own && !wordsOf(one.name).includes('tile')) return undefined
  const expression = readExpression(one.expression)
  const [quotient, divisor] = expression.text === '/' ? expression.parts : [expression]
  const form = quotient && formOf(quotient, formNames(flows))
  if (form?.kind !== 'min') return undefined
  const known = new Map([...constants, ...one.values])
  const number = (text: string) => evaluate(text, {constants: known, types: new Map()})
  const isConstant = (side: Expression) =>
    namesInside(side).every((name) => constants.some(([given]) => given === name))
  const cap = [form.by, form.of].find(isConstant)
  const limit = cap && number(written(cap))
  const by = divisor ? number(written(divisor)) : 1
  const isOfBytes =
    divisor === undefined || wordsOf(written(divisor)).some((word) => /^(?:bytes|sizeof|size)$/.test(word))
  if (limit === undefined || by === undefined || !isOfBytes) return undefined
  const most = Math.floor(limit / by)
  const bytes = (units: number) => (own ? own.kept + tileBytes(own, units) : 0)
  const isRows = own?.isRows ?? /rows/i.test(one.name)
  const isTwiceTooMuch = bytes(2 * most) > reportedUbBytes
  const isLast = Number.isInteger(Math.log2(limit)) && bytes(most) <= reportedUbBytes && isTwiceTooMuch
  // What a row takes differs from call to call, so no constant follows from it.
  const situation = own && !isRows && isLast ? 'cap-power' : 'cap-unsaid'
  const values = {
    ...{
      field: one.name,
      limit,
      most,
      asked: one.result,
      needed: situation === 'cap-unsaid' && isTwiceTooMuch ? 0 : bytes(most),
      doubled: bytes(2 * most),
      capacity: reportedUbBytes,
    },
    ...{
      unit: isRows ? 'rows' : 'elements',
      of: divisor ? 'bytes' : 'units',
      least: one.result === most ? 'limit' : 'asked',
    },
  }
  return {topic: 'tile', situation, subject: one.name, values}
}
