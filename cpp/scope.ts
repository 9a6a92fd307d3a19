import type {ClassSyntax, Declaration} from './syntax.ts'
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

/**
 * The dtype of a type parameter: that of the tensor in its name (`yType`, `T_Y`, `Y_TYPE`, `DTYPE_Y`), or the first if
 * it is the only one. Otherwise it is unknown, unless all tensors have the same type.
 */
export function dtypeOfParameter(
  parameter: string,
  isOnly: boolean,
  dtypes: Readonly<Record<string, string>>,
): string | undefined {
  const bare = parameter.replace(/^(?:DTYPE_|T_|TYPE_)|_?(?:d?type|t)$/gi, '').toLowerCase()
  const named = Object.entries(dtypes).find(([tensor]) => tensor.toLowerCase() === bare)?.[1]
  if (named !== undefined) return named
  const all = new Set(Object.values(dtypes))
  return isOnly || all.size === 1 ? [...all][0] : undefined
}

/** `DTYPE_X` has the bytes of the dtype of `x`; type parameters have those of their dtype. */
function typeBytes(classes: readonly ClassSyntax[], dtypes: Readonly<Record<string, string>>): Map<string, number> {
  const types = new Map<string, number>()
  for (const [name, dtype] of Object.entries(dtypes)) {
    const bytes = bytesOfDtype(dtype)
    if (bytes !== undefined) types.set(`DTYPE_${name.toUpperCase()}`, bytes)
  }
  for (const {templates} of classes) {
    const names = typeParameters(templates)
    for (const name of names) {
      const bytes = bytesOfDtype(dtypeOfParameter(name, names.length === 1, dtypes) ?? '')
      if (bytes !== undefined) types.set(name, bytes)
    }
  }
  return types
}

/** Names of the type parameters. */
export function typeParameters(templates: readonly string[]): string[] {
  return templates.flatMap((one) => /^(?:typename|class)\s+(\w+)/.exec(one)?.[1] ?? [])
}

const numberTypes = /^(?:macro|u?int(?:8|16|32|64)?(?:_t)?|size_t|auto|long|unsigned.*)$/

function isNumber({constant, value, type}: Declaration): boolean {
  return constant && value !== '' && numberTypes.test(type)
}
