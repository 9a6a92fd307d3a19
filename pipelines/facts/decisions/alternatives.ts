import {applyEdits} from '../../../cpp/edit.ts'
import {lineAt, viewSource} from '../../../cpp/source-view.ts'
import type {DecisionTopic} from '../../../datasets/schema/decision.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {HostKernelPair} from '../../../datasets/schema/scenario.ts'
import type {Random} from '../../../engine/random.ts'
import {ubBytes} from '../memory-plan.ts'
import {quoted, type ChangeKind} from './change.ts'
import {allCores, hostChanges, largerTiles, smallerTiles} from './host-changes.ts'
import {kernelChanges} from './kernel-changes.ts'
import type {TileLength} from './tile-length.ts'

/** A pair's program with one decision made otherwise. */
export interface Alternative {
  topic: DecisionTopic
  change: string
  subject: string
  /** Where it was decided; more places may change with it. */
  path: string
  line: number
  before: string
  after: string
  values: Readonly<Record<string, number>>
  files: SourceFile[]
}

/** All that can be decided otherwise in a pair. @param tile what the length of a tile is, where that is known */
export function alternativesOf(
  {host, kernel, scenario, purpose}: HostKernelPair,
  tile: TileLength | undefined,
): Alternative[] {
  const files = [...host, {path: kernel.path, text: kernel.text}]
  const onHost = [...hostChanges, allCores(scenario.trace), ...(tile && !tile.isRow ? tileChanges(tile) : [])]
  const stated = statedIn(purpose)
  return files
    .flatMap((file) =>
      file.path === kernel.path ? changed(file, kernelChanges, files, kernel.idle) : changed(file, onHost, files),
    )
    .filter(({values: {bound}}) => bound === undefined || !stated.has(Math.abs(bound)))
}

/** Numbers of a documented formula: a bound at one of them is what is computed, no guard. */
function statedIn(purpose: HostKernelPair['purpose']): ReadonlySet<number> {
  const formulas = [...(purpose?.formulas ?? []), purpose?.text ?? ''].join(' ').replace(/_(?:\{[^}]*\}|\w)/g, ' ')
  return new Set(formulas.match(/(?<![\w.])\d+(?:\.\d+)?(?:e[+-]?\d+)?/g)?.map(Number))
}

/** One repeat of every type, or one row. */
const [fewest, oneRow] = [256, 1]

function tileChanges(tile: TileLength): ChangeKind[] {
  const {value, isRows, perUnit, fixed} = tile
  const beyond = Math.ceil((ubBytes - fixed) / (perUnit * value)) + 1
  const small = isRows ? oneRow : fewest
  return [largerTiles(tile, beyond), ...(value > small ? [smallerTiles(tile, small)] : [])]
}

/** @param idle lines that no core comes to: code there does not matter */
function changed(
  file: SourceFile,
  kinds: readonly ChangeKind[],
  files: readonly SourceFile[],
  idle: NonNullable<HostKernelPair['kernel']['idle']> = [],
): Alternative[] {
  const source = viewSource(file.path, file.text)
  return kinds.flatMap(({name, topic, find}) =>
    find(source).flatMap(({subject, edits, values = {}}): Alternative[] => {
      const [first] = edits
      const text = applyEdits(file.text, edits)
      if (!first || text === file.text) return []
      const place = {path: file.path, line: lineAt(file.text, first.start)}
      if (idle.some(([from, to]) => from <= place.line && place.line <= to)) return []
      const code = {before: quoted(file.text.slice(first.start, first.end)), after: quoted(first.text)}
      const others = files.map((one) => (one.path === file.path ? {...one, text} : one))
      return [{topic, change: name, subject, ...place, ...code, values, files: others}]
    }),
  )
}

/** At most this many, from as many topics as possible: one of each in turn. */
export function chosen(all: readonly Alternative[], most: number, random: Random): Alternative[] {
  const queues = new Map<string, Alternative[]>()
  for (const one of random.shuffle(all)) queues.set(one.topic, [...(queues.get(one.topic) ?? []), one])
  const turns = random.shuffle([...queues.values()])
  const taken: Alternative[] = []
  for (let round = 0; taken.length < most; round += 1) {
    const next = turns.flatMap((queue) => queue[round] ?? [])
    if (next.length === 0) return taken
    taken.push(...next.slice(0, most - taken.length))
  }
  return taken
}
