import type {CraftDesign, Reduction} from '../../../datasets/schema/crafted-operator.ts'
import type {Frame} from './frame.ts'
import type {Place} from './vector-code.ts'

/** The kernel's body below its allocations, and what the host has to work out for it. */
export interface Loops {
  /** Before the allocations. */
  opening: string[]
  body: string[]
  /** Scalars that are passed to the kernel beside the attributes, in order. */
  scalars: string[]
  /** The host's statements: before the cores, the cores, and after them. */
  sizes: string[]
  cores: {comment: string; lines: string[]}
  /** How long the buffers of a tile are. */
  length: string
  /** Statements after the tile is known. */
  afterTile: string[]
  /** Workspaces, with their elements. */
  workspaces: {name: string; size: string}[]
}

export type Stage = CraftDesign['stages'][number]

const starts: Record<Reduction, number> = {sum: 0, max: -3e38, min: 3e38}
export const joined: Record<Reduction, (a: string, b: string) => string> = {
  sum: (a, b) => `${a} + ${b}`,
  max: (a, b) => `max(${a}, ${b})`,
  min: (a, b) => `min(${a}, ${b})`,
}
export const startText = (frame: Frame, reduce: Reduction) => {
  if (frame.compute === 'int32') return String({sum: 0, max: -2_147_483_647, min: 2_147_483_647}[reduce])
  return {sum: '0.0', max: '-3.0e38', min: '3.0e38'}[reduce]
}
export const startOf = (reduce: Reduction) => starts[reduce]

export const equalRows = {
  comment: 'whole rows, equally many on each core.',
  lines: ['n_cores = max(1, min({cores}, rows))', 'rows_per_core = tl.cdiv(rows, n_cores)'],
}
export const ownRows = ['first = tl.program_id(0) * rows_per_core', 'last = min(first + rows_per_core, rows)']

export const stores = (frame: Frame, layouts: readonly string[], at: string, count: string) =>
  frame.design.outputs
    .filter(({layout}) => layouts.includes(layout))
    .map(({name}) => `tl.store(${name}_ptr${at === '' ? '' : ` + ${at}`}, ${name}_ub, count=${count})`)

export const outputsOf = ({design}: Frame, layouts: readonly string[]) =>
  design.outputs.filter(({layout}) => layouts.includes(layout))

export const rowSizes = ['rows = {anchor}.shape[0]', 'cols = {anchor}.shape[1]']

export const scalarPlace = (text: string): Place => ({kind: 'scalar', text})
