import {pattern} from '../../../cpp/pattern.ts'
import {foundIn, type SourceView} from '../../../cpp/source-view.ts'
import type {RunTrace} from '../../../datasets/schema/executor.ts'
import {hardware} from '../call-answers.ts'
import {edit, quoted, together, type Change, type ChangeKind} from './change.ts'
import {tileBytes, type TileLength} from './tile-length.ts'

/** The number of cores with its query; its subject is not kernel code. */
function oneCore(source: SourceView): Change[] {
  const asked = source.calls.filter(({name}) => name === 'GetCoreNumAiv' || name === 'GetCoreNum')
  return together(
    '',
    asked.map((call) => edit({start: call.start - call.receiver.length, end: call.end}, '1')),
  )
}

/** `set_x(value)` and `tiling->x = value;` of a field. */
function fieldValues(source: SourceView, isField: (name: string) => boolean) {
  const set = source.calls.flatMap(({name, args: [value]}) =>
    name.startsWith('set_') && value && isField(name.slice(4)) ? [{field: name.slice(4), value}] : [],
  )
  const assigned = foundIn(source, ...assignments).flatMap(({hole, at}) =>
    isField(hole('field')) ? [{field: hole('field'), value: at('value')}] : [],
  )
  return [...set, ...assigned]
}

const assignments = ['->', '.'].map((mark) =>
  pattern(`$tiling${mark}$field = $$value;`, {tiling: (name) => /tiling/i.test(name)}),
)

/** Tiles enlarged by a factor. */
export function largerTiles(tile: TileLength, times: number): ChangeKind {
  const larger = tile.value * times
  const values = {larger, needed: tileBytes(tile, larger)}
  return tileChange('larger-tiles', tile.field, values, (text) => `(${text}) * ${times}`)
}

/** Tiles limited to a number of elements or rows. */
export function smallerTiles({field}: TileLength, most: number): ChangeKind {
  return tileChange('smaller-tiles', field, {smaller: most}, (text) => `(${text}) < ${most} ? (${text}) : ${most}`)
}

function tileChange(name: string, field: string, values: Change['values'], to: (text: string) => string): ChangeKind {
  const find = (source: SourceView) => {
    const places = fieldValues(source, (one) => one === field)
    return together(
      field,
      places.map(({value}) => edit(value, to(value.text))),
      values,
    )
  }
  return {name, topic: 'tile', find}
}

const coreCount = pattern('$type $cores = $_.GetCoreNumAiv();')

/** Every core is started where some have no work. */
export function allCores({blockDim}: Pick<RunTrace, 'blockDim'>): ChangeKind {
  const find = (source: SourceView) => {
    const [cores] = foundIn(source, coreCount).map(({hole}) => hole('cores'))
    if (cores === undefined || blockDim >= hardware.vectorCores) return []
    return source.calls.flatMap(({name, args: [one]}): Change[] =>
      name === 'SetBlockDim' && one ? [{subject: quoted(`SetBlockDim(${one.text})`), edits: [edit(one, cores)]}] : [],
    )
  }
  return {name: 'all-cores', topic: 'cores', find}
}

const rounded = ['RoundUp', 'CeilAlign', 'AlignUp'].map((name) => pattern(`${name}($$value, $$unit)`))

/** A length that is not rounded up to whole blocks. */
function unrounded(source: SourceView): Change[] {
  return foundIn(source, ...rounded).flatMap((place): Change[] => {
    const target = /(\w+)\s*=\s*$/.exec(source.code.slice(0, place.start))?.[1]
    if (target === undefined || !/align/i.test(target)) return []
    return [{subject: quoted(`${target} = ${place.text}`), edits: [edit(place, place.hole('value'))]}]
  })
}

export const hostChanges: readonly ChangeKind[] = [
  {name: 'one-core', topic: 'cores', find: oneCore},
  {name: 'unaligned-rows', topic: 'rows', find: unrounded},
]
