// Names of the Itanium C++ ABI, as far as a message needs them: scopes and the function, without types.

const special: Readonly<Record<string, string>> = {
  _Znwm: 'operator new(unsigned long)',
  _Znam: 'operator new[](unsigned long)',
  _ZdlPv: 'operator delete(void*)',
  _ZdlPvm: 'operator delete(void*, unsigned long)',
  _ZdaPv: 'operator delete[](void*)',
  _ZdaPvm: 'operator delete[](void*, unsigned long)',
}

/** `a::b::c` of a symbol; the symbol itself when it is not a C++ name. */
export function readableName(symbol: string): string {
  const known = special[symbol]
  if (known !== undefined) return known
  const scopes = nameScopes(symbol)
  return scopes.length > 0 ? scopes.join('::') : symbol
}

/** The identifiers of a symbol's name from the outermost scope in; of a local variable, its function's come first. */
export function nameScopes(symbol: string): string[] {
  if (!symbol.startsWith('_Z')) return [symbol]
  const scopes: string[] = []
  const ofFunction = /^_Z(?:GV)?Z/.test(symbol)
  let rest = symbol.slice(2).replace(/^(?:T[VIST]|GV|GR)/, '')
  while (rest !== '') {
    const identifier = takeIdentifier(rest)
    if (identifier) {
      if (!identifier.name.startsWith('_GLOBAL__N')) scopes.push(identifier.name)
      rest = identifier.rest
      // A name that is in no scope ends with its identifier; what follows are types.
      if (!/^_Z(?:T[VIST]|GV)?[NZ]/.test(symbol) && !rest.startsWith('L')) break
    } else if (rest.startsWith('I')) rest = afterArguments(rest)
    else if (rest.startsWith('St')) {
      scopes.push('std')
      rest = rest.slice(2)
    } else if (/^[CD][0-5]/.test(rest)) {
      // A constructor or destructor has the name of its class.
      const own = scopes.at(-1)
      if (own !== undefined) scopes.push(rest.startsWith('C') ? own : `~${own}`)
      rest = rest.slice(2)
    } else if (rest.startsWith('E') && !ofFunction) break
    else rest = rest.slice(1)
  }
  return scopes
}

function takeIdentifier(text: string): {name: string; rest: string} | undefined {
  const digits = /^\d+/.exec(text)?.[0]
  if (digits === undefined) return undefined
  const end = digits.length + Number(digits)
  return {name: text.slice(digits.length, end), rest: text.slice(end)}
}

/** The text after a list of template arguments. */
function afterArguments(text: string): string {
  let depth = 0
  let rest = text
  while (rest !== '') {
    const literal = /^L[a-z]n?\d+E/.exec(rest)?.[0]
    const identifier = takeIdentifier(rest)
    const substitution = /^[ST][0-9A-Z]*_/.exec(rest)?.[0]
    if (literal !== undefined || substitution !== undefined) {
      rest = rest.slice((literal ?? substitution ?? '').length)
      continue
    }
    if (identifier) {
      rest = identifier.rest
      continue
    }
    if (/^[IJNXLFZ]/.test(rest)) depth += 1
    // The name of a function or variable.
    if (rest.startsWith('L_Z')) rest = rest.slice(2)
    if (rest.startsWith('E')) depth -= 1
    rest = rest.slice(1)
    if (depth === 0) return rest
  }
  return rest
}
