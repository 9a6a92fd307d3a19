import {everywhere, type Edit, type Step} from './step.ts'
import {tokenAt, type Range, type SourceView} from '../../../cpp/source-view.ts'

/** `platform.GetCoreNumAiv()` with everything before the call, and what an earlier step divides it by. */
function coreNumbers(source: SourceView): (Range & {divided: boolean})[] {
  return source.calls
    .filter(({name}) => name === 'GetCoreNumAiv' || name === 'GetCoreNum')
    .map(({start, end}) => {
      const divisor = /^\s*\/\s*\d+/.exec(source.code.slice(end))?.[0] ?? ''
      return {start: receiverStart(source, start), end: end + divisor.length, divided: divisor !== ''}
    })
}

const marks = new Set(['.', '->', '::', ')'])

/** Names, `.`, `->`, `::` and calls, backwards from a name. */
function receiverStart({tokens, partners}: SourceView, name: number): number {
  let at = tokenAt(tokens, name)
  for (;;) {
    const [before, here] = [tokens[at - 1], tokens[at]]
    const isPart = before && (before.kind === 'word' || marks.has(before.text)) && !here?.spaced && !here?.leads
    const from = before?.text === ')' ? (partners[at - 1] as number) : at - 1
    if (!isPart || from < 0) return here?.start ?? name
    at = from
  }
}

/** The host splits the work over as many cores as it takes to be there, so it comes out even. */
const fewerCores = everywhere('fewer-cores', 'op_host', (source) =>
  coreNumbers(source).flatMap(({end, divided}): Edit[] => (divided ? [] : [{start: end, end, replacement: ' / 4'}])),
)

const oneCore = everywhere('one-core', 'op_host', (source) =>
  coreNumbers(source).map(({start, end}) => ({start, end, replacement: '1'})),
)

/** How tiling data name the elements, and the rows, of a tile. */
const tileLength = /^tile_?(?:Len|Length|Size|DataNum|Elements)$/i
const tileRows = /^tile_?Rows$/i

/** A tile of 256 elements is whole repeats of every type. */
const smallerTiles = everywhere('smaller-tiles', 'op_host', (source, random) => {
  const [length, rows] = [random.pick([256, 512]), random.pick([1, 2])]
  return fieldsOf(source).flatMap(({name, value}): Edit[] => {
    const isRows = tileRows.test(name)
    if (!isRows && !tileLength.test(name)) return []
    const most = isRows ? rows : length
    const text = source.text.slice(value.start, value.end).trim()
    const known = /^\w+$/.test(text) ? text : `(${text})`
    return [{...value, replacement: `${known} < ${most} ? ${known} : ${most}`}]
  })
})

/** `tiling.set_tileLength(value)` and `tiling->tileLength = value;`. */
function fieldsOf({calls, code}: SourceView): {name: string; value: {start: number; end: number}}[] {
  const set = calls.flatMap(({name, args: [value]}) =>
    name.startsWith('set_') && value ? [{name: name.slice(4), value: {start: value.start, end: value.end}}] : [],
  )
  const assigned = [...code.matchAll(/(?:->|\.)\s*(\w+)\s*=(?!=)\s*([^;]+);/g)].map((match) => {
    const end = match.index + match[0].length - 1
    return {name: match[1] ?? '', value: {start: end - (match[2] ?? '').length, end}}
  })
  return [...set, ...assigned]
}

export const hostSteps: readonly Step[] = [smallerTiles, fewerCores, oneCore]
