import type {Contract, ContractParameter, Dimension} from '../../../datasets/schema/contract.ts'
import type {Shape} from './roles.ts'

/** Definition, page and interface write one name in different ways: `x_grad`, `xGrad`, `xGradOptional`. */
export function plainName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll('_', '')
    .replace(/optional$/, '')
}

/** What pages say of a parameter. */
export function parameterOf(contract: Contract, name: string): ContractParameter | undefined {
  return contract.parameters.find((one) => plainName(one.name) === plainName(name))
}

export type Sizes = ReadonlyMap<string, number>

/** The size that a dimension has; undefined where a symbol has none yet. */
export function sizeOf(dimension: Dimension, sizes: Sizes): number | undefined {
  if (typeof dimension === 'number') return dimension
  const [, left = '', sign, right = ''] = /^(\w+)(?:([*/])(\w+))?$/.exec(dimension) ?? []
  const [a, b] = [left, right].map((one) => (/^\d+$/.test(one) ? Number(one) : sizes.get(one)))
  if (sign === undefined || a === undefined) return a
  if (b === undefined) return undefined
  return sign === '*' ? a * b : Math.floor(a / b)
}

/** The symbols of a dimension. */
export function symbolsIn(dimension: Dimension): string[] {
  return typeof dimension === 'number' ? [] : (dimension.match(/[A-Za-z_]\w*/g) ?? [])
}

/** The sizes that a shape gives to the symbols of a page; undefined if it does not fit that page. */
export function fitted(dimensions: readonly Dimension[], shape: Shape, sizes: Sizes): Sizes | undefined {
  if (dimensions.length !== shape.length) return undefined
  const known = new Map(sizes)
  for (const [at, dimension] of dimensions.entries()) {
    const size = shape[at] as number
    const expected = sizeOf(dimension, known)
    if (expected !== undefined && expected !== size) return undefined
    if (expected === undefined && /^[A-Za-z_]\w*$/.test(String(dimension))) known.set(String(dimension), size)
  }
  return known
}
