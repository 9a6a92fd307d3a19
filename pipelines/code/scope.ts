import type {ClassSyntax, Declaration} from './cpp-syntax.ts'
import {bytesOfDtype, evaluate, type Scope} from './expressions.ts'

/** Constants in the order of declaration, and the bytes of types that the dtypes decide. */
export function scopeOf(
  declarations: readonly Declaration[],
  classes: readonly ClassSyntax[],
  dtypes: Readonly<Record<string, string>>,
): Scope {
  const scope = {constants: new Map<string, number>(), types: typeBytes(classes, dtypes)}
  for (const declaration of declarations) {
    if (!isNumber(declaration) || scope.constants.has(declaration.name)) continue
    const known = evaluate(declaration.value.replace(/^\{(.*)\}$/, '$1'), scope)
    if (known !== undefined) scope.constants.set(declaration.name, known)
  }
  return scope
}

/** `DTYPE_X` has the bytes of the dtype of `x`; type parameters have those of the first dtype. */
function typeBytes(classes: readonly ClassSyntax[], dtypes: Readonly<Record<string, string>>): Map<string, number> {
  const types = new Map<string, number>()
  for (const [name, dtype] of Object.entries(dtypes)) {
    const bytes = bytesOfDtype(dtype)
    if (bytes !== undefined) types.set(`DTYPE_${name.toUpperCase()}`, bytes)
  }
  const [first] = types.values()
  if (first === undefined) return types
  for (const one of classes.flatMap(({templates}) => templates)) {
    const name = /^(?:typename|class)\s+(\w+)/.exec(one)?.[1]
    if (name !== undefined) types.set(name, first)
  }
  return types
}

const numberTypes = /^(?:macro|u?int(?:8|16|32|64)?(?:_t)?|size_t|auto|long|unsigned.*)$/

function isNumber({constant, value, type}: Declaration): boolean {
  return constant && value !== '' && numberTypes.test(type)
}
