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

/** By the names that such functions have everywhere; what they give is compared with what the run showed. */
function applied(name: string, a: number, b: number): number | undefined {
  if (name === 'min') return Math.min(a, b)
  if (name === 'max') return Math.max(a, b)
  if (b <= 0) return undefined
  if (/^(?:CeilDiv\w*|Ceil|DivCeil|CeilDivision)$/i.test(name)) return Math.ceil(a / b)
  if (/^(?:CeilAlign|RoundUp|AlignUp|Align)$/i.test(name)) return Math.ceil(a / b) * b
  if (/^(?:FloorDiv)$/i.test(name)) return Math.floor(a / b)
  if (/^(?:FloorAlign|RoundDown|AlignDown)$/i.test(name)) return Math.floor(a / b) * b
  return undefined
}
