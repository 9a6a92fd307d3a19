import {PipelineError} from '../../../engine/errors.ts'
import type {Module, TypeName, TypeParameter} from './ast.ts'
import type {ElementType} from './dtypes.ts'

/** A program for named element types. */
export interface BoundModule {
  /** All of its types are named. */
  module: Module
  types: Readonly<Record<string, ElementType>>
}

/**
 * Replaces type parameters by element types: those in `types`, otherwise the first choice of each. Fails with
 * `input-invalid` if a type is not one of the choices, or the parameter does not exist.
 */
export function bindTypes(module: Module, types: Readonly<Record<string, ElementType>> = {}): BoundModule {
  const unknown = Object.keys(types).find((name) => !module.typeParameters.some((one) => one.name === name))
  if (unknown !== undefined) {
    const names = module.typeParameters.map((one) => one.name).join(', ') || 'none'
    throw new PipelineError('input-invalid', `The program has no type parameter ${unknown}; it has ${names}.`, {
      fix: 'Name a type parameter of the program, or none.',
      scope: 'record',
    })
  }
  const bound = Object.fromEntries(module.typeParameters.map((one) => [one.name, choiceOf(one, types[one.name])]))
  return {module: replaced(module, bound) as Module, types: bound}
}

function choiceOf({name, choices}: TypeParameter, asked: ElementType | undefined): ElementType {
  if (asked === undefined || choices.includes(asked)) return asked ?? choices[0]!
  throw new PipelineError('input-invalid', `${name} is one of ${choices.join(', ')}, not ${asked}.`, {
    fix: `Choose one of ${choices.join(', ')} for ${name}.`,
    scope: 'record',
  })
}

function replaced(value: unknown, types: Record<string, ElementType>): unknown {
  if (Array.isArray(value)) return value.map((one) => replaced(one, types))
  if (typeof value !== 'object' || value === null) return value
  if (isTypeName(value) && value.kind === 'parameter') return {kind: 'type', type: types[value.name]}
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, replaced(one, types)]))
}

/** Names of scalars have the kind `name`, so that nothing but a type has the kind `parameter`. */
function isTypeName(value: object): value is TypeName {
  return 'kind' in value && value.kind === 'parameter'
}
