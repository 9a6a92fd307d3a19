import {readExpression, type Expression} from '../../cpp/evaluator.ts'

const number = String.raw`\d[\d,]*(?:\.\d+)?`
const operand = String.raw`\(?\s*${number}\s*\)?`
const sum = String.raw`${operand}(?:(?:\s*[+*/×÷−]\s*|\s-\s)${operand})+`
const sums = [
  new RegExp(
    String.raw`(?<![\w.)\]%]|[-+*/×÷−]\s?)(?<sum>${sum})\s*=\s*(?<value>${number})(?!\w|\s*%|\.\d|\s*[-+*/×÷−])`,
    'g',
  ),
  new RegExp(
    String.raw`(?<![\w.)\]%]|[-+*/×÷−=]\s?)(?<value>${number})\s*=\s*(?<sum>${sum})(?!\w|\s*%|\.\d|\s*[-+*/×÷−=])`,
    'g',
  ),
]

/**
 * Sums of numbers that a text gets wrong, each with what it comes to. A quotient may be cut, rounded up or rounded to
 * the digits that are shown.
 */
export function wrongSums(text: string): string[] {
  return statedSums(text).flatMap(({whole, told, value, cut}) => {
    if (value === undefined || isSo(Number(told), value, cut, told)) return []
    return [`${whole.trim()}: it is ${Number(value.toPrecision(9))}`]
  })
}

/** What sums of numbers in a text are claimed to equal. */
export const toldSums = (text: string): number[] => statedSums(text).map(({told}) => Number(told))

function statedSums(text: string) {
  return sums.flatMap((form) =>
    [...text.matchAll(form)].map(({0: whole, groups: {sum: given = '', value: told = ''} = {}}) => {
      const plain = given.replace(/,/g, '').replace(/×/g, '*').replace(/÷/g, '/').replace(/−/g, '-')
      const read = readExpression(plain)
      return {whole, told: told.replace(/,/g, ''), value: resultOf(read, false), cut: resultOf(read, true)}
    }),
  )
}

/** @param isWhole whether quotients are cut, as those of integers are */
function resultOf({kind, text, parts}: Expression, isWhole: boolean): number | undefined {
  if (kind === 'number') return Number(text)
  const [left, right] = parts.map((one) => resultOf(one, isWhole))
  if (left === undefined || right === undefined || parts.length !== 2) return undefined
  const quotient = left / right
  const results: Readonly<Record<string, number>> = {
    '+': left + right,
    '-': left - right,
    '*': left * right,
    '/': isWhole ? Math.trunc(quotient) : quotient,
  }
  return results[text]
}

function isSo(told: number, value: number, cut: number | undefined, text: string): boolean {
  const digits = text.split('.')[1]?.length ?? 0
  return [value, Math.floor(value), Math.ceil(value), cut ?? value].some(
    (one) => Math.abs(one - told) <= 0.5 * 10 ** -digits + 1e-9,
  )
}
