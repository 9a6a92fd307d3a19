import type {Expression, KernelStatement} from '../language/ast.ts'
import type {CheckedModule} from '../language/checked.ts'
import {type OperandKind, primitives} from '../language/primitives.ts'
import {copyIn, copyOut} from './run-copies.ts'
import {bufferName, type KernelNames} from './kernel-scope.ts'
import {type Core, type OperationCounts, type Runnable, spend} from './kernel-state.ts'
import {forget, type View} from './core-memory.ts'
import {checkOperands, markWritten} from './run-operands.ts'
import {operations} from './run-operations.ts'
import {roundings} from './rounding.ts'
import {Trouble} from './trouble.ts'

interface Compiling {
  names: KernelNames
  checked: CheckedModule
  counts: OperationCounts
}

/** The body of a kernel as something that a core can run. */
export function compileKernel(checked: CheckedModule, names: KernelNames, counts: OperationCounts): Runnable {
  return body(checked.module.kernel.body, {names, checked, counts})
}

/** Statements in order. What they load is gone when they end. */
function body(statements: readonly KernelStatement[], compiling: Compiling): Runnable {
  const parts = statements.flatMap((one) => (one.kind === 'alloc' ? [] : [statement(one, compiling)]))
  const loaded = statements.flatMap((one) => (one.kind === 'stage' ? movedBy(one.body, 'load', compiling.names) : []))
  const end = (core: Core) => {
    for (const index of loaded) forget(core.locals[index]!)
  }
  const run = (core: Core) => {
    for (const part of parts) part.run(core)
    end(core)
  }
  if (!parts.some(({steps}) => steps)) return {run}
  return {
    run,
    *steps(core) {
      for (const part of parts) {
        if (part.steps) yield* part.steps(core)
        else part.run(core)
      }
      end(core)
    },
  }
}

/** Buffers that loads or stores of these statements move. */
function movedBy(statements: readonly KernelStatement[], primitive: 'load' | 'store', names: KernelNames): number[] {
  const found = statements.flatMap((one): number[] => {
    if (one.kind === 'for') return movedBy(one.body, primitive, names)
    if (one.kind === 'if') return one.branches.flatMap((branch) => movedBy(branch.body, primitive, names))
    if (one.kind !== 'operation' || one.primitive !== primitive) return []
    return [names.buffer(bufferName(one.arguments[1] as Expression))]
  })
  return [...new Set(found)]
}

function statement(one: KernelStatement, compiling: Compiling): Runnable {
  const {names} = compiling
  switch (one.kind) {
    case 'assign': {
      const [slot, value] = [names.slot(one.name), names.scalar(one.value)]
      return {
        run(core) {
          spend(core, one)
          core.scalars[slot] = value.of(core)
          core.defined[slot] = 1
        },
      }
    }
    case 'for':
      return loop(one, compiling)
    case 'if':
      return choice(one, compiling)
    case 'stage':
      return stage(one, compiling)
    case 'sync_all':
      return {
        run() {
          throw new TypeError('a meeting is a step')
        },
        *steps(core) {
          spend(core, one)
          yield one
        },
      }
    case 'operation':
      if (one.primitive === 'load') return {run: copyIn(one, names)}
      if (one.primitive === 'store') return {run: copyOut(one, names)}
      return operation(one, compiling)
    default:
      throw new TypeError(`${one.kind} stands in a body`)
  }
}

function loop(one: Extract<KernelStatement, {kind: 'for'}>, compiling: Compiling): Runnable {
  const {names} = compiling
  const [start, stop, step] = [one.start, one.stop, one.step].map((bound) => names.scalar(bound))
  const [slot, inner] = [names.slot(one.variable), body(one.body, compiling)]
  const begin = (core: Core) => {
    const by = step!.of(core)
    if (by > 0) return {from: start!.of(core), to: stop!.of(core), by}
    throw new Trouble(one, 'loop-step', `The loop's step is ${by}.`, 'Steps are at least 1; assert it in the host.')
  }
  const enter = (core: Core, value: number) => {
    spend(core, one)
    core.scalars[slot] = value
    core.defined[slot] = 1
  }
  const run = (core: Core) => {
    const {from, to, by} = begin(core)
    for (let value = from; value < to; value += by) {
      enter(core, value)
      inner.run(core)
    }
  }
  const {steps} = inner
  if (!steps) return {run}
  return {
    run,
    *steps(core) {
      const {from, to, by} = begin(core)
      for (let value = from; value < to; value += by) {
        enter(core, value)
        yield* steps(core)
      }
    },
  }
}

function choice(one: Extract<KernelStatement, {kind: 'if'}>, compiling: Compiling): Runnable {
  const branches = one.branches.map(({condition, body: inner}) => ({
    condition: condition && compiling.names.scalar(condition),
    inner: body(inner, compiling),
  }))
  const taken = (core: Core) => {
    spend(core, one)
    return branches.find(({condition}) => condition === undefined || condition.of(core) !== 0)?.inner
  }
  const run = (core: Core) => taken(core)?.run(core)
  if (!branches.some(({inner}) => inner.steps)) return {run}
  return {
    run,
    *steps(core) {
      const inner = taken(core)
      if (inner?.steps) yield* inner.steps(core)
      else inner?.run(core)
    },
  }
}

/** A copyin gets fresh memory for what it loads; after a copyout what it stored is gone. */
function stage(one: Extract<KernelStatement, {kind: 'stage'}>, compiling: Compiling): Runnable {
  const inner = body(one.body, compiling)
  const [loads, stores] = [movedBy(one.body, 'load', compiling.names), movedBy(one.body, 'store', compiling.names)]
  return {
    run(core) {
      for (const index of loads) forget(core.locals[index]!)
      inner.run(core)
      for (const index of stores) forget(core.locals[index]!)
    },
  }
}

function operation(one: Extract<KernelStatement, {kind: 'operation'}>, {names, counts}: Compiling): Runnable {
  const {primitive, named} = one
  if (primitive === 'load' || primitive === 'store') throw new TypeError('copies are no vector operations')
  const buffers = primitives[primitive].operands
    .map(({kind}, index): {kind: OperandKind; expression: Expression} => ({
      kind,
      expression: one.arguments[index] as Expression,
    }))
    .filter(({kind}) => kind !== 'scalar' && kind !== 'index')
  const [kinds, views] = [buffers.map(({kind}) => kind), buffers.map(({expression}) => names.view(expression))]
  const number = (kind: OperandKind) => {
    const index = primitives[primitive].operands.findIndex((operand) => operand.kind === kind)
    return index < 0 ? undefined : names.scalar(one.arguments[index] as Expression)
  }
  const [scalar, index] = [number('scalar'), number('index')]
  const counted = named['count'] && names.scalar(named['count'])
  const text = (name: string) => (named[name]?.kind === 'text' ? named[name].value : undefined)
  const [mode, round] = [text('mode'), text('round')]
  const tally = (counts[primitive] ??= {calls: 0, elements: 0})
  return {
    run(core) {
      spend(core, one)
      const count = counted ? counted.of(core) : 1
      if (count < 1) {
        const message = `tl.${primitive} has a count of ${count}.`
        throw new Trouble(one, 'count', message, 'Count at least 1 element.')
      }
      const call = {primitive, kinds, views: views.map((view) => view(core)), count, index: index?.of(core) ?? 0}
      checkOperands(call, one)
      const value = scalar ? scalarRounding(call.views)(scalar.of(core)) : 0
      operations[primitive]({views: call.views, scalar: value, index: call.index, count, mode, round})
      markWritten(call)
      tally.calls += 1
      tally.elements += count
    },
  }
}

/** A scalar operand has the type of the elements, which a mask's destination does not have. */
function scalarRounding([dst, src]: readonly View[]): (value: number) => number {
  const type = dst!.local.type
  return roundings[type === 'uint8' && src ? src.local.type : type]
}
