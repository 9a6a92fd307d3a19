import type {Expression, KernelStatement} from '../language/ast.ts'
import type {CheckedModule} from '../language/checked.ts'
import {elementBytes, roundUp} from '../language/dtypes.ts'
import {primitives} from '../language/primitives.ts'
import {copyIn, copyOut} from './copies.ts'
import {bufferName, type KernelNames} from './kernel-scope.ts'
import {type Core, type OperationCounts, type Runnable, spend} from './kernel-state.ts'
import {checkInside, checkRead, checkStart, forget, type View} from './memory.ts'
import {maskUnit, operations, type Work} from './operations.ts'
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
          yield
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

/** How many elements of each operand an operation touches. */
function extentOf(kind: string, name: string, count: number): number {
  if (kind.startsWith('mask')) return roundUp(count, maskUnit) / 8
  return name.startsWith('compare') || name.startsWith('select') ? roundUp(count, maskUnit) : count
}

function operation(one: Extract<KernelStatement, {kind: 'operation'}>, {names, counts}: Compiling): Runnable {
  const {primitive, named} = one
  if (primitive === 'load' || primitive === 'store') throw new TypeError('copies are no vector operations')
  const what = `tl.${primitive}`
  const operands = primitives[primitive].operands.map((operand, index) => {
    const expression = one.arguments[index] as Expression
    const isNumber = operand.kind === 'scalar' || operand.kind === 'index'
    return isNumber
      ? {kind: operand.kind, scalar: names.scalar(expression)}
      : {kind: operand.kind, view: names.view(expression)}
  })
  const counted = named['count'] && names.scalar(named['count'])
  const text = (name: string) => (named[name]?.kind === 'text' ? named[name].value : undefined)
  const [mode, round] = [text('mode'), text('round')]
  const tally = (counts[primitive] ??= {calls: 0, elements: 0})
  const isReduction = primitive.startsWith('reduce')
  return {
    run(core) {
      spend(core, one)
      const count = counted ? counted.of(core) : 1
      if (count < 1) throw new Trouble(one, 'count', `${what} has a count of ${count}.`, 'Count at least 1 element.')
      const work: Work = {views: [], scalar: 0, index: 0, count, mode, round}
      const views: View[] = []
      for (const operand of operands) {
        if (operand.view) views.push(operand.view(core))
        else if (operand.kind === 'index') work.index = operand.scalar!.of(core)
        else work.scalar = operand.scalar!.of(core)
      }
      work.views = views
      work.scalar = roundings[views[0]!.local.type === 'uint8' ? views[1]!.local.type : views[0]!.local.type](
        work.scalar,
      )
      let at = 0
      for (const {kind, view} of operands) {
        if (!view) continue
        checkOperand({view: views[at]!, kind, primitive, count, index: work.index, isReduction}, one, what)
        at += 1
      }
      if (primitive === 'gather') checkOffsets(views, count, one)
      operations[primitive](work)
      at = 0
      for (const {kind, view} of operands) {
        if (!view) continue
        mark({view: views[at]!, kind, primitive, count, index: work.index, isReduction})
        at += 1
      }
      tally.calls += 1
      tally.elements += count
    },
  }
}

interface Touched {
  view: View
  kind: string
  primitive: string
  count: number
  index: number
  isReduction: boolean
}

function checkOperand(touched: Touched, at: KernelStatement, what: string): void {
  const {view, kind, primitive, count, index, isReduction} = touched
  if (primitive === 'set') {
    checkInside({local: view.local, start: view.start + index}, 1, at, what)
    return
  }
  checkStart(view, at, what)
  const extent = extentOf(kind, primitive, count)
  if (primitive === 'gather' && view.local.type !== 'int32' && kind === 'in') return
  if (kind === 'in') {
    checkInside(view, extent, at, what)
    checkRead(view, count, at, what)
  } else if (kind === 'mask-in' || kind === 'inout') checkRead(view, kind === 'inout' ? count : extent, at, what)
  else if (kind === 'tmp') checkInside(view, isReduction ? count : 1, at, what)
  else checkInside(view, isReduction ? 1 : extent, at, what)
}

function mark({view, kind, primitive, count, index, isReduction}: Touched): void {
  const {local, start} = view
  if (kind === 'tmp') local.written.fill(0)
  else if (primitive === 'set') local.written[start + index] = 1
  else if (kind === 'out') local.written.fill(1, start, start + (isReduction ? 1 : count))
  else if (kind === 'mask-out') local.written.fill(1, start, start + extentOf(kind, primitive, count))
}

function checkOffsets(views: readonly View[], count: number, at: KernelStatement): void {
  const [, src, offsets] = views as [View, View, View]
  const bytes = elementBytes[src.local.type]
  for (let i = 0; i < count; i += 1) {
    const offset = offsets.local.values[offsets.start + i] as number
    if (offset % bytes !== 0 || offset < 0)
      throw new Trouble(
        at,
        'gather-offset',
        `Offset ${i} is ${offset} bytes, no element of ${src.local.name}.`,
        `Offsets are multiples of ${bytes}, in bytes.`,
      )
    checkRead({local: src.local, start: src.start + offset / bytes}, 1, at, 'tl.gather')
  }
}
