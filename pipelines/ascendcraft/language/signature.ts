import {type PrimitiveName, primitives} from './primitives.ts'

/** How an operation is written, e.g. `tl.add(dst, a, b, count=...)`; optional parts have a question mark. */
export function signatureOf(primitive: PrimitiveName): string {
  const {operands, named} = primitives[primitive]
  const words = named.map((name) => (name.endsWith('?') ? `${name.slice(0, -1)}=?` : `${name}=`))
  return `tl.${primitive}(${[...operands.map((one) => one.name), ...words].join(', ')})`
}
