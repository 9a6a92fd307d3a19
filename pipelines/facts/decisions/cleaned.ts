import {balanced} from '../../../cpp/tokenized.ts'

const types = '(?:float|half|T|u?int(?:8|16|32|64)_t|bool)'
const casts = new RegExp(String.raw`\bstatic_cast<[^<>]*>\(|\b${types}\(`)

/** An expression of device code without conversions, brackets around the whole and suffixes of numbers. */
export function cleaned(expression: string): string {
  let text = expression.replace(new RegExp(String.raw`(?<!\w)\(${types}\)\s*`, 'g'), '')
  for (let cast = casts.exec(text); cast; cast = casts.exec(text)) {
    const inner = balanced(text, cast.index + cast[0].length - 1)
    if (inner === undefined) break
    const rest = text.slice(cast.index + cast[0].length + inner.length + 1)
    const isAlone = text.length === rest.length + cast[0].length + inner.length + 1 && rest === ''
    text = `${text.slice(0, cast.index)}${isAlone || /^[\w.[\]>-]+$/.test(inner) ? inner : `(${inner})`}${rest}`
  }
  return withoutBrackets(
    text
      .replace(/(?<![\w.])(\d+\.\d*)[fF]?\b/g, (_, number: string) => String(Number(number)))
      .replace(/(?<![\w.])(\d+)[uU][lL]{0,2}\b/g, '$1')
      .replace(/\bthis->/g, '')
      .trim(),
  ).replace(/^-1 \* (?=\w+$)/, '-')
}

/** Brackets around the whole. */
export function withoutBrackets(text: string): string {
  const inner = text.startsWith('(') ? balanced(text, 0) : undefined
  return inner !== undefined && text === `(${inner})` ? inner : text
}

/** The condition under which another does not hold. */
export function negated(condition: string): string {
  const inner = condition.startsWith('!(') ? balanced(condition, 1) : undefined
  return inner !== undefined && condition === `!(${inner})` ? inner : `!(${condition})`
}
