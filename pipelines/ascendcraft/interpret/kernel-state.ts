import type {Place} from '../language/ast.ts'
import type {Global, Local, Visitor} from './core-memory.ts'
import {Trouble} from './trouble.ts'

/** What one core has while it runs. */
export interface Core extends Visitor {
  cores: number
  /** Scalars by their slots. */
  scalars: Float64Array
  /** 1 for each slot that was given a value. */
  defined: Uint8Array
  locals: readonly Local[]
  globals: readonly Global[]
  meters: CoreMeters
  /** Statements that all cores may still run. */
  budget: {left: number}
}

/** What a core did. */
export interface CoreMeters {
  loadedBytes: number
  storedBytes: number
}

/** Calls and elements of each operation, over all cores. */
export type OperationCounts = Record<string, {calls: number; elements: number}>

/** A statement of the kernel: run at once, or in steps that end where all cores meet. */
export interface Runnable {
  run(core: Core): void
  /** Only of statements that hold a `tl.sync_all()`; each step ends at one and tells its place. */
  steps?(core: Core): Generator<Place, void>
}

export function spend(core: Core, at: Place): void {
  core.budget.left -= 1
  if (core.budget.left > 0) return
  throw new Trouble(
    at,
    'too-many-steps',
    'The kernel runs more statements than it may.',
    'Make tiles larger, or the shapes smaller.',
  )
}
