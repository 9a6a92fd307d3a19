/** Bytes of C++ element types, for `sizeof`. */
const typeBytes: Readonly<Record<string, number>> = {
  half: 2,
  float16_t: 2,
  bfloat16_t: 2,
  float: 4,
  double: 8,
  int8_t: 1,
  uint8_t: 1,
  bool: 1,
  char: 1,
  int16_t: 2,
  uint16_t: 2,
  int32_t: 4,
  uint32_t: 4,
  int: 4,
  int64_t: 8,
  uint64_t: 8,
  DTYPE_HALF: 2,
}
const dtypeSizes: Readonly<Record<string, number>> = {
  float16: 2,
  bfloat16: 2,
  float32: 4,
  float64: 8,
  int8: 1,
  uint8: 1,
  bool: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  int64: 8,
  uint64: 8,
  complex64: 8,
}

/** What an expression may refer to: numeric constants by name, and bytes of types that depend on the dtype (`T`, `DTYPE_X`). */
export interface Scope {
  constants: ReadonlyMap<string, number>
  types: ReadonlyMap<string, number>
}

export function bytesOfType(type: string, scope: Pick<Scope, 'types'>): number | undefined {
  const plain = type.replace(/\b(?:const|AscendC::)\s*/g, '').trim()
  return typeBytes[plain] ?? scope.types.get(plain)
}

export function bytesOfDtype(dtype: string): number | undefined {
  return dtypeSizes[dtype]
}

/** Integer value of a constant expression (+ - * / % << >>, parentheses, sizeof, named constants), or undefined. */
export function evaluate(expression: string, scope: Scope): number | undefined {
  const tokens = tokenise(expression, scope)
  if (!tokens) return undefined
  let at = 0
  const value = sum()
  return at === tokens.length && value !== undefined && Number.isFinite(value) ? value : undefined

  function sum(): number | undefined {
    let left = shiftFree()
    while (
      left !== undefined &&
      (tokens?.[at] === '+' || tokens?.[at] === '-' || tokens?.[at] === '<<' || tokens?.[at] === '>>')
    ) {
      const operator = tokens[at++]
      const right = shiftFree()
      if (right === undefined) return undefined
      left =
        operator === '+'
          ? left + right
          : operator === '-'
            ? left - right
            : operator === '<<'
              ? left * 2 ** right
              : Math.floor(left / 2 ** right)
    }
    return left
  }
  function shiftFree(): number | undefined {
    let left = atom()
    while (left !== undefined && (tokens?.[at] === '*' || tokens?.[at] === '/' || tokens?.[at] === '%')) {
      const operator = tokens[at++]
      const right = atom()
      if (right === undefined || (operator !== '*' && right === 0)) return undefined
      left = operator === '*' ? left * right : operator === '/' ? Math.trunc(left / right) : left % right
    }
    return left
  }
  function atom(): number | undefined {
    const token = tokens?.[at++]
    if (token === '-') {
      const value = atom()
      return value === undefined ? undefined : -value
    }
    if (token === '(') {
      const value = sum()
      return tokens?.[at++] === ')' ? value : undefined
    }
    return typeof token === 'number' ? token : undefined
  }
}

type Token = number | string

function tokenise(expression: string, scope: Scope): Token[] | undefined {
  const text = plain(expression)
  const tokens: Token[] = []
  const next =
    /\s*(?:sizeof\s*\(\s*([\w:]+)\s*\)|(0[xX][\da-fA-F]+|\d+)(?:[uUlL]*)(?![\w.])|([A-Za-z_]\w*)|(<<|>>|[-+*/%()]))/y
  while (next.lastIndex < text.length) {
    const match = next.exec(text)
    if (!match) return undefined
    const [, type, number, name, operator] = match
    const value =
      type !== undefined
        ? bytesOfType(type, scope)
        : number !== undefined
          ? Number(number)
          : name !== undefined
            ? scope.constants.get(name)
            : operator
    if (value === undefined) return undefined
    tokens.push(value)
  }
  return tokens.length > 0 ? tokens : undefined
}

/** Without casts, which do not change the value of a size: `static_cast<uint32_t>(a * b)` → `(a * b)`. */
function plain(expression: string): string {
  return expression
    .replace(/\bthis->/g, '')
    .replace(/static_cast\s*<[^<>]*>\s*/g, '')
    .replace(/\(\s*(?:u?int\d+_t|size_t|int|unsigned)\s*\)\s*(?=[\w(])/g, '')
    .trim()
}

/** A size as a number times named lengths: `tileLength * sizeof(half)` is 2 × [tileLength]. */
export interface Product {
  factor: number
  /** Sorted; empty when the size is a plain number. */
  lengths: string[]
}

/** Reads a size as a product; undefined when it is a sum or a call of something that is not a constant. */
export function asProduct(expression: string, scope: Scope): Product | undefined {
  const whole = evaluate(expression, scope)
  if (whole !== undefined) return {factor: whole, lengths: []}
  const halved = /^(.+?)\s*\/\s*([\w]+)$/.exec(plain(expression))
  if (halved && !/[-+%/]/.test(halved[1] as string)) {
    const dividend = asProduct(halved[1] as string, scope)
    const divisor = evaluate(halved[2] as string, scope)
    return dividend && divisor ? {...dividend, factor: dividend.factor / divisor} : undefined
  }
  const parts = factors(plain(expression))
  let factor = 1
  const lengths: string[] = []
  for (const part of parts) {
    const value = evaluate(part, scope)
    if (value !== undefined) factor *= value
    else if (/^[A-Za-z_][\w.]*(?:->[\w.]+)*$/.test(part)) lengths.push(part)
    else if (/^\(.*\)$/.test(part) && parts.length > 1) {
      const inner = asProduct(part.slice(1, -1), scope)
      if (!inner) return undefined
      factor *= inner.factor
      lengths.push(...inner.lengths)
    } else return undefined
  }
  return {factor, lengths: lengths.sort()}
}

/** Splits at `*` outside of parentheses. */
function factors(text: string): string[] {
  const unwrapped = /^\(([^()]*)\)$/.exec(text)?.[1] ?? text
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let i = 0; i < unwrapped.length; i += 1) {
    if (unwrapped[i] === '(') depth += 1
    else if (unwrapped[i] === ')') depth -= 1
    else if (unwrapped[i] === '*' && depth === 0) {
      parts.push(unwrapped.slice(start, i).trim())
      start = i + 1
    }
  }
  parts.push(unwrapped.slice(start).trim())
  return parts
}
