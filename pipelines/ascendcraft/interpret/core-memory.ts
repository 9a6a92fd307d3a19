import type {Place} from '../language/ast.ts'
import type {KernelParameter} from '../language/checked.ts'
import {blockBytes, type ElementType, elementBytes} from '../language/dtypes.ts'
import {Trouble} from './trouble.ts'

/** A buffer of one core. Values are numbers that its type can hold. */
export interface Local {
  name: string
  type: ElementType
  values: Float64Array
  /** 1 for each element that was written since the buffer was last given out. */
  written: Uint8Array
}

/** A stretch of a buffer. */
export interface View {
  local: Local
  start: number
}

/** A tensor in GM with who wrote and read each element, and when: two cores meet only across a `tl.sync_all()`. */
export interface Global {
  name: string
  type: ElementType
  of: 'input' | 'output' | 'workspace'
  values: Float64Array
  written: Uint8Array
  /** Core + 1 that wrote an element last, and reader + 1; 0 means none, -1 an atomic store. None for inputs. */
  writers: Int16Array
  readers: Int16Array
  /** How many times the cores had met by then. */
  writtenAt: Int32Array
  readAt: Int32Array
}

export function globalOf(
  parameter: Extract<KernelParameter, {kind: 'gm'}>,
  size: number,
  values?: Float64Array,
): Global {
  const {argument, type, of} = parameter
  const tracked = of === 'input' ? 0 : size
  return {
    name: argument,
    type,
    of,
    values: values ?? new Float64Array(size),
    written: new Uint8Array(size).fill(of === 'input' ? 1 : 0),
    writers: new Int16Array(tracked),
    readers: new Int16Array(tracked),
    writtenAt: new Int32Array(tracked),
    readAt: new Int32Array(tracked),
  }
}

/** Fresh, unwritten memory. */
export function forget({written}: Local): void {
  written.fill(0)
}

/** @throws Trouble where a stretch of a buffer is read that was not written, or leaves the buffer */
export function checkRead({local, start}: View, count: number, at: Place, what: string): void {
  checkInside({local, start}, count, at, what)
  const hole = local.written.subarray(start, start + count).indexOf(0)
  if (hole < 0) return
  const element = `element ${start + hole} of ${local.name}`
  throw new Trouble(
    at,
    'unwritten-ub',
    `${what} reads ${element}, which nobody wrote.`,
    'Write it before, or count fewer elements.',
  )
}

export function checkInside({local, start}: View, count: number, at: Place, what: string): void {
  const {name, values} = local
  if (start >= 0 && start + count <= values.length) return
  const range = `elements ${start} to ${start + count - 1} of ${name}`
  throw new Trouble(
    at,
    'ub-bounds',
    `${what} touches ${range}, which has ${values.length}.`,
    'Count fewer elements, or make the buffer larger.',
  )
}

/** @throws Trouble where an operand does not start at a block */
export function checkStart({local, start}: View, at: Place, what: string): void {
  const bytes = start * elementBytes[local.type]
  if (bytes % blockBytes === 0) return
  const message = `${what} starts ${bytes} bytes behind the start of ${local.name}, not at a multiple of ${blockBytes}.`
  throw new Trouble(
    at,
    'ub-alignment',
    message,
    `Use an offset that is a multiple of ${blockBytes / elementBytes[local.type]}.`,
  )
}

/** The accessor of GM: a core, after a number of barriers. */
export interface Visitor {
  core: number
  meetings: number
}

interface Stretch {
  start: number
  count: number
}

/** @throws Trouble where elements do not exist, were never written, or are another core's since the last meeting */
export function checkGlobalRead(global: Global, {start, count}: Stretch, who: Visitor, at: Place): void {
  checkGlobalInside(global, start, count, at, 'load')
  if (global.of === 'input') return
  const {name, written, writers, writtenAt, readers, readAt} = global
  const me = who.core + 1
  for (let i = start; i < start + count; i += 1) {
    if (written[i] === 0)
      throw new Trouble(
        at,
        'unwritten-gm',
        `Core ${who.core} loads element ${i} of ${name}, which nobody wrote.`,
        'Store it before, by a core that all wait for with tl.sync_all().',
      )
    if (writers[i] !== me && writtenAt[i] === who.meetings)
      throw new Trouble(
        at,
        'gm-race',
        `Core ${who.core} loads element ${i} of ${name}, which another core stores without a tl.sync_all() between.`,
        'Put tl.sync_all() between the store and the load.',
      )
    readers[i] = readers[i] === 0 || readers[i] === me || readAt[i] !== who.meetings ? me : -1
    readAt[i] = who.meetings
  }
}

/** As `checkGlobalRead`, for a store; marks the elements. */
export function checkGlobalWrite(global: Global, {start, count}: Stretch, who: Visitor, at: Place): void {
  checkGlobalInside(global, start, count, at, 'store')
  const {name, written, writers, writtenAt, readers, readAt} = global
  const me = who.core + 1
  for (let i = start; i < start + count; i += 1) {
    if (writers[i] !== 0 && writers[i] !== me && writtenAt[i] === who.meetings)
      throw new Trouble(
        at,
        'gm-race',
        `Core ${who.core} stores element ${i} of ${name}, which another core stores too.`,
        'Give each core elements of its own, or store with atomic="add".',
      )
    if (readers[i] !== 0 && readers[i] !== me && readAt[i] === who.meetings)
      throw new Trouble(
        at,
        'gm-race',
        `Core ${who.core} stores element ${i} of ${name}, which another core loads without a tl.sync_all() between.`,
        'Put tl.sync_all() between the load and the store.',
      )
    written[i] = 1
    writers[i] = me
    writtenAt[i] = who.meetings
  }
}

/** An atomic store adds to what is there, so something has to be there, from before the last meeting. */
export function checkGlobalAdd(global: Global, {start, count}: Stretch, who: Visitor, at: Place): void {
  checkGlobalInside(global, start, count, at, 'store')
  const {name, written, writers, writtenAt} = global
  for (let i = start; i < start + count; i += 1) {
    if (written[i] === 0)
      throw new Trouble(
        at,
        'unwritten-gm',
        `Core ${who.core} adds to element ${i} of ${name}, which nobody wrote.`,
        'Store a first value, then tl.sync_all(), then add.',
      )
    if (writers[i] !== -1 && writers[i] !== who.core + 1 && writtenAt[i] === who.meetings)
      throw new Trouble(
        at,
        'gm-race',
        `Core ${who.core} adds to element ${i} of ${name}, which another core stores without a tl.sync_all() between.`,
        'Put tl.sync_all() between the first value and the additions.',
      )
    writers[i] = -1
    writtenAt[i] = who.meetings
  }
}

function checkGlobalInside(global: Global, start: number, count: number, at: Place, what: string): void {
  const {name, values} = global
  if (start >= 0 && start + count <= values.length) return
  const message = `A ${what} touches elements ${start} to ${start + count - 1} of ${name}, which has ${values.length}.`
  throw new Trouble(at, 'gm-bounds', message, 'Let the last tile count only what is left.')
}
