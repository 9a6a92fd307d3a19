import {evaluate} from '../../../cpp/expressions.ts'
import {typeBytes} from '../../../cpp/types.ts'
import {hardware, libraryWorkspace} from '../call-answers.ts'
import {roundingsAsSigns, withoutCasts, withoutObjects} from '../host-expression.ts'

/** An expression with numbers in place of its names; undefined if it involves something that is not a number. */
export function workedOut(expression: string, values: ReadonlyMap<string, number>): string | undefined {
  const known = expression.replace(libraryWorkspace, String(hardware.libraryBytes))
  if (values.size === 0 || /\bDT_|Get\w+[(<]/.test(known)) return undefined
  const text = withoutObjects(withoutCasts(known))
    .replace(/\bsizeof\((\w+)\)/g, (text, type: string) => String(typeBytes[type] ?? text))
    .replace(/\b[A-Za-z_]\w*\b/g, (name) => String(values.get(name) ?? name))
    .replace(/(?<![A-Za-z])\((\d+(?:\.\d+)?)\)/g, '$1')
    .replace(/ \* /g, ' × ')
  return roundingsAsSigns(/\b(?:float|double)\b/.test(expression) ? text : cutQuotients(text))
}

/** Integer division is shown explicitly: `⌊16362 / 128⌋ × 128`, `⌊(196352 - 8192) / 11⌋`. */
function cutQuotients(text: string): string {
  const quotients = /(?<![×/%.\w] ?)(\b\d+|(?<![A-Za-z])\([^()]*\)) \/ (\d+)\b(?!\.)/g
  return text.replace(quotients, (quotient, one: string, other: string) => {
    const value = evaluate(one.replaceAll('×', '*'), {constants: new Map(), types: new Map()})
    return value === undefined || value % Number(other) === 0 ? quotient : `⌊${quotient}⌋`
  })
}
