import {readExpression, valueOf, type Value} from '../../cpp/evaluator.ts'
import {dtypeOfConstant, elementTypes, typeBytes} from '../../cpp/types.ts'

/** An expression in integers; undefined when it has a name or function that is not known. */
export function integerValue(expression: string, values: ReadonlyMap<string, Value>): Value | undefined {
  return valueOf(readExpression(expression), {
    name(path) {
      const name = withoutSpaces(withoutObjects(path))
      return values.get(name) ?? literals.get(name) ?? (/^DT_\w+$/.test(name) ? name : undefined)
    },
    call(path, [type = ''], args) {
      const name = withoutSpaces(path)
      const [a, b] = args
      if (name === 'sizeof') return typeBytes[type]
      if (name === 'GetSizeByDataType' && args.length === 1) return bytesOfType(a)
      return typeof a === 'number' && typeof b === 'number' && args.length === 2 ? applied(name, a, b) : undefined
    },
  })
}

const literals = new Map([
  ['true', 1],
  ['false', 0],
])

function withoutSpaces(path: string): string {
  return path.replace(/\b(?:std|ge|Ops::Base|optiling)::/g, '')
}

/** Casts between integers and suffixes of numbers do not change a value. */
export function withoutCasts(expression: string): string {
  return withoutSpaces(
    expression
      .replace(/\bstatic_cast\s*<[^<>]*>\s*(?=\()/g, '')
      .replace(/(?<!\bsizeof\s*)\(\s*(?:u?int(?:8|16|32|64)_t|int|size_t)\s*\)\s*/g, '')
      .replace(/\b(\d+)(?:[uU]?[lL]{0,2}|[lL]{1,2}[uU]?)\b/g, '$1')
      .replace(/\btrue\b/g, '1')
      .replace(/\bfalse\b/g, '0')
      .replace(/\b(min|max|CeilDiv\w*|CeilAlign|RoundUp|AlignUp)\s*<[\w:\s]*>\s*\(/g, '$1('),
  ).trim()
}

/** Members are known by their own names: `info.rows` and `this->rows` are `rows`. */
export function withoutObjects(expression: string): string {
  return expression.replace(/\b[A-Za-z_]\w*(?:\[\w+\])?\s*(?:\.|->)\s*(?=[A-Za-z_]\w*\b(?!\s*[(<]))/g, '')
}

function bytesOfType(type: Value | undefined): number | undefined {
  const dtype = dtypeOfConstant(String(type))
  return dtype === undefined ? undefined : elementTypes[dtype].bytes
}

/** Functions that round, by names that they have everywhere. What they give is compared with what the run showed. */
const roundings = [
  {name: /^(?:CeilDiv\w*|Ceil|DivCeil|CeilDivision)$/i, round: Math.ceil, signs: '⌈⌉', isMultiple: false},
  {name: /^(?:CeilAlign|RoundUp|AlignUp|Align)$/i, round: Math.ceil, signs: '⌈⌉', isMultiple: true},
  {name: /^FloorDiv$/i, round: Math.floor, signs: '⌊⌋', isMultiple: false},
  {name: /^(?:FloorAlign|RoundDown|AlignDown)$/i, round: Math.floor, signs: '⌊⌋', isMultiple: true},
]
const roundingOf = (name: string) => roundings.find((one) => one.name.test(name))

function applied(name: string, a: number, b: number): number | undefined {
  if (name === 'min') return Math.min(a, b)
  if (name === 'max') return Math.max(a, b)
  const rounding = roundingOf(name)
  if (b <= 0 || !rounding) return undefined
  const quotient = rounding.round(a / b)
  return rounding.isMultiple ? quotient * b : quotient
}

/** `RoundUp(CeilDiv(3072, 48), 8)` as `⌈⌈3072 / 48⌉ / 8⌉ × 8`: not every reader sees these functions. */
export function roundingsAsSigns(text: string): string {
  const argument = String.raw`\s*((?:[^(),]|\([^(),]*\))+?)\s*`
  const calls = new RegExp(String.raw`([/%] )?\b([A-Za-z]\w*)\(${argument},${argument}\)`, 'g')
  const next = text.replace(calls, (call, before: string | undefined, name: string, one: string, other: string) => {
    const rounding = roundingOf(name)
    if (!rounding) return call
    const [open, close] = rounding.signs
    const grouped = (part: string) => (/^[^()]* [-+×*/%] /.test(part) ? `(${part})` : part)
    const quotient = `${open}${/ [-+] /.test(one) ? grouped(one) : one} / ${grouped(other)}${close}`
    const result = rounding.isMultiple ? `${quotient} × ${grouped(other)}` : quotient
    return `${before ?? ''}${before && rounding.isMultiple ? `(${result})` : result}`
  })
  return next === text ? text : roundingsAsSigns(next)
}
