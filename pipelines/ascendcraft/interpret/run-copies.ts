import type {KernelStatement} from '../language/ast.ts'
import {blockBytes, elementBytes, roundUp} from '../language/dtypes.ts'
import type {KernelNames} from './kernel-scope.ts'
import {type Core, spend} from './kernel-state.ts'
import {
  checkGlobalAdd,
  checkGlobalRead,
  checkGlobalWrite,
  checkInside,
  checkRead,
  checkStart,
  type Global,
  type View,
} from './core-memory.ts'
import {roundings} from './rounding.ts'
import {Trouble} from './trouble.ts'

type Operation = Extract<KernelStatement, {kind: 'operation'}>

/** Rows between GM and UB, as a copy's arguments say. All in elements. */
interface Rows {
  global: Global
  first: number
  view: View
  count: number
  rows: number
  stride: number
  pitch: number
}

function rowsOf(one: Operation, names: KernelNames): (core: Core) => Rows {
  const {global, offset} = names.pointer(one.arguments[0]!)
  const view = names.view(one.arguments[1]!)
  const number = (name: string) => {
    const given = one.named[name]
    return given && names.scalar(given)
  }
  const [count, rows, stride, pitch] = ['count', 'rows', 'stride', 'pitch'].map(number)
  return (core) => {
    spend(core, one)
    const counted = count!.of(core)
    const local = view(core)
    const inBlock = blockBytes / elementBytes[local.local.type]
    const found = {
      global: core.globals[global]!,
      first: offset.of(core),
      view: local,
      count: counted,
      rows: rows?.of(core) ?? 1,
      stride: stride?.of(core) ?? counted,
      pitch: pitch?.of(core) ?? roundUp(counted, inBlock),
    }
    check(found, inBlock, one)
    return found
  }
}

function check({view, count, rows, pitch}: Rows, inBlock: number, one: Operation): void {
  const what = `tl.${one.primitive}`
  if (count < 1 || rows < 1)
    throw new Trouble(
      one,
      'count',
      `${what} moves ${rows} rows of ${count} elements.`,
      'Move at least 1 row of 1 element.',
    )
  if (pitch % inBlock !== 0)
    throw new Trouble(one, 'ub-alignment', `${what} has a pitch of ${pitch} elements.`, `Use a multiple of ${inBlock}.`)
  if (pitch < count && rows > 1)
    throw new Trouble(
      one,
      'pitch',
      `${what} has a pitch of ${pitch} elements for rows of ${count}.`,
      'Rows in UB may not overlap.',
    )
  checkStart(view, one, what)
  checkInside(view, (rows - 1) * pitch + count, one, what)
}

export function copyIn(one: Operation, names: KernelNames): (core: Core) => void {
  const rows = rowsOf(one, names)
  const pad = one.named['pad'] && names.scalar(one.named['pad'])
  return (core) => {
    const moved = rows(core)
    const {global, first, view, count, stride, pitch} = moved
    const {local} = view
    const inBlock = blockBytes / elementBytes[local.type]
    const filler = pad && roundings[local.type](pad.of(core))
    for (let row = 0; row < moved.rows; row += 1) {
      const [from, to] = [first + row * stride, view.start + row * pitch]
      checkGlobalRead(global, {start: from, count}, core, one)
      local.values.set(global.values.subarray(from, from + count), to)
      local.written.fill(1, to, to + count)
      const end = Math.min(to + roundUp(count, inBlock), local.values.length)
      if (filler !== undefined) local.values.fill(filler, to + count, end)
      // Without a value the rest of the last block is whatever the copy leaves there.
      local.written.fill(filler === undefined ? 0 : 1, to + count, end)
    }
    core.meters.loadedBytes += moved.rows * count * elementBytes[local.type]
  }
}

export function copyOut(one: Operation, names: KernelNames): (core: Core) => void {
  const rows = rowsOf(one, names)
  const adds = one.named['atomic']?.kind === 'text'
  return (core) => {
    const moved = rows(core)
    const {global, first, view, count, stride, pitch} = moved
    const round = roundings[global.type]
    for (let row = 0; row < moved.rows; row += 1) {
      const [from, to] = [view.start + row * pitch, first + row * stride]
      checkRead({local: view.local, start: from}, count, one, 'tl.store')
      const values = view.local.values.subarray(from, from + count)
      if (adds) {
        checkGlobalAdd(global, {start: to, count}, core, one)
        for (let i = 0; i < count; i += 1) global.values[to + i] = round((global.values[to + i] as number) + values[i]!)
      } else {
        checkGlobalWrite(global, {start: to, count}, core, one)
        global.values.set(values, to)
      }
    }
    core.meters.storedBytes += moved.rows * count * elementBytes[view.local.type]
  }
}
