import type {Expression, Place} from '../language/ast.ts'
import type {CheckedModule} from '../language/checked.ts'
import {isFloat} from '../language/dtypes.ts'
import {gmAddressOf} from '../language/gm-address.ts'
import type {Core} from './kernel-state.ts'
import {checkRead, type View} from './core-memory.ts'
import {compileScalar, type Scalar, type Scope} from './scalars.ts'
import {Trouble} from './trouble.ts'

/** Names of a kernel, each with its place in a core. */
export interface KernelNames extends Scope<Core> {
  slot(name: string): number
  buffer(name: string): number
  global(name: string): number | undefined
  scalar(expression: Expression): Scalar<Core>
  /** A buffer, from an element on. */
  view(expression: Expression): (core: Core) => View
  /** A pointer into GM: the tensor and the element it points to. */
  pointer(expression: Expression): {global: number; offset: Scalar<Core>}
}

export function kernelNames({scalars, buffers, parameters}: CheckedModule): KernelNames {
  const slots = new Map(Object.keys(scalars).map((name, index) => [name, index]))
  const locals = new Map(buffers.map(({name}, index) => [name, index]))
  const globals = new Map(parameters.filter(({kind}) => kind === 'gm').map(({name}, index) => [name, index] as const))
  const names: KernelNames = {
    round: Math.fround,
    slot: (name) => slots.get(name) as number,
    buffer: (name) => locals.get(name) as number,
    global: (name) => globals.get(name),
    scalar: (expression) => compileScalar(expression, names),
    name(name, at) {
      const [slot, type] = [slots.get(name), scalars[name]]
      if (slot === undefined || type === undefined) throw new TypeError(`${name} at line ${at.line} is no scalar`)
      return {type, of: (core) => definedScalar(core, slot, name, at)}
    },
    other: (expression) => (expression.kind === 'call' ? ownCall(expression, names, buffers) : undefined),
    view(expression) {
      if (expression.kind === 'name') {
        const local = names.buffer(expression.name)
        return (core) => ({local: core.locals[local]!, start: 0})
      }
      if (expression.kind !== 'slice') throw new TypeError(`${expression.kind} is no buffer`)
      const [local, offset] = [names.buffer(expression.buffer), names.scalar(expression.offset)]
      return (core) => ({local: core.locals[local]!, start: offset.of(core)})
    },
    pointer: (expression) => pointerOf(expression, names),
  }
  return names
}

/** A scalar that no branch has given a value yet is not a number. */
function definedScalar(core: Core, slot: number, name: string, at: Place): number {
  const value = core.scalars[slot] as number
  if (!Number.isNaN(value) || core.defined[slot] === 1) return value
  throw new Trouble(at, 'unset-scalar', `${name} has no value here.`, 'Assign it before the branch or loop.')
}

const zero: Scalar<Core> = {type: 'int', of: () => 0}

function pointerOf(expression: Expression, names: KernelNames): {global: number; offset: Scalar<Core>} {
  const address = gmAddressOf(expression)
  if (!address) throw new TypeError(`${expression.kind} is no pointer`)
  const {pointer, offset} = address
  return {global: names.global(pointer) as number, offset: offset ? names.scalar(offset) : zero}
}

function ownCall(
  call: Extract<Expression, {kind: 'call'}>,
  names: KernelNames,
  buffers: CheckedModule['buffers'],
): Scalar<Core> | undefined {
  if (call.callee === 'program_id') return {type: 'int', of: ({core}) => core}
  if (call.callee === 'num_programs') return {type: 'int', of: ({cores}) => cores}
  if (call.callee !== 'extract') return undefined
  const [buffer, index] = call.arguments as [Expression, Expression]
  const [view, place] = [names.view(buffer), names.scalar(index)]
  const name = bufferName(buffer)
  const type = buffers[names.buffer(name)]!.type
  return {
    type: isFloat(type) ? 'float' : 'int',
    of(core) {
      const {local, start} = view(core)
      const from = {local, start: start + place.of(core)}
      checkRead(from, 1, call, 'tl.extract')
      return local.values[from.start] as number
    },
  }
}

/** Of a buffer, or of a slice of one. */
export function bufferName(expression: Expression): string {
  if (expression.kind === 'slice') return expression.buffer
  if (expression.kind === 'name') return expression.name
  throw new TypeError(`${expression.kind} is no buffer`)
}
