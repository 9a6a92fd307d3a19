import {lengthByCase} from '../../../cpp/kernel-forms.ts'
import {madeOf, pattern} from '../../../cpp/pattern.ts'
import {inserted, placesOf, replaced, siteMutation, without, type Mutation} from './mutation.ts'
import {foundIn, type SourceView} from '../../../cpp/source-view.ts'

/** `count = rest < tile ? rest : tile`: the last tile is now as long as all others. */
const wholeLastTile = siteMutation('wrong-tail-length', 'op_kernel', (source) =>
  foundIn(source, lengthByCase).map(({start, end, at, hole}) =>
    replaced(
      {start, end},
      `${source.text.slice(start, at('is').start)}${hole('other')};`,
      `the last tile is ${hole('other')} long, like all others`,
    ),
  ),
)

/** `(length + tile - 1) / tile` rounded down. */
const droppedTail = siteMutation('missing-tail', 'op_kernel', (source) => [
  ...placesOf(source, '($value + $unit - 1) / $unit', ({hole}) => ({
    replacement: `${hole('value')} / ${hole('unit')}`,
    says: 'the number of tiles is rounded down, so the tail is never touched',
  })),
  ...tailBranches(source),
])

/** `if (tail > 0) { … }` after the loop over whole tiles. */
function tailBranches(source: SourceView) {
  const forms = ['if ($rest > 0) { $$$body }', 'if ($rest != 0) { $$$body }']
  const isTail = (text: string) => text.toLowerCase().includes('tail')
  return foundIn(source, ...forms.map((form) => pattern(form, {rest: isTail}))).map((found) =>
    without(source, found, 'the branch for the tail is missing'),
  )
}

const forLoops = ['', 'const '].flatMap((head) =>
  ['++$i', '$i++', '$i += $$step'].map((step) =>
    pattern(`for (${head}$type $i = 0; $i < $$bound; ${step})`, {
      type: new Set(['auto', 'int32_t', 'uint32_t', 'int64_t', 'uint64_t']),
      bound: madeOf('.'),
      step: madeOf('.'),
    }),
  ),
)

/** Only loops that count: one that steps by the tile's length would meet a tile of length 0, which does nothing. */
const tileOffByOne = siteMutation('tile-off-by-one', 'op_kernel', (source) =>
  foundIn(source, ...forLoops).flatMap(({holes, hole}) => {
    const mark = source.tokens[(holes['bound']?.from ?? 0) - 1]
    if (!mark || hole('step') !== '') return []
    return [replaced(mark, '<=', `the loop over ${hole('i')} runs to ${hole('bound')} inclusive`)]
  }),
)

/** Only loops with a body that runs. */
const shortLoop = siteMutation('last-tile-skipped', 'op_kernel', (source) =>
  foundIn(source, ...forLoops).flatMap(({holes, hole, to, end}) => {
    const index = source.tokens[(holes['bound']?.from ?? 0) - 2]
    const open = source.tokens[to]
    if (!index) return []
    const says = `the loop over ${index.text} stops one step before ${hole('bound')}`
    return [{...inserted(index.end, ` + ${hole('step') || '1'}`, says), runs: open?.text === '{' ? open.end : end}]
  }),
)

const blockIndexIgnored = siteMutation('block-index-ignored', 'op_kernel', (source) =>
  placesOf(source, ['GetBlockIdx() * $a.$b', 'GetBlockIdx() * $a', 'GetBlockIdx()'], () => ({
    replacement: '0',
    says: 'every core works on the first block',
  })),
)

const blockOffsetMissing = siteMutation('block-offset-missing', 'op_kernel', (source) =>
  source.calls
    .filter(({name}) => name === 'SetGlobalBuffer')
    .flatMap(({args}) => {
      const [pointer] = args
      const plus = pointer?.text.search(/\s\+\s/) ?? -1
      if (!pointer || plus < 0) return []
      return [
        {
          start: pointer.start + plus,
          end: pointer.end,
          replacement: '',
          says: `${pointer.text.slice(0, plus)} starts at the first element in every core`,
        },
      ]
    }),
)

const bufferTooSmall = siteMutation('buffer-too-small', 'op_kernel', (source) =>
  source.calls
    .filter(({name, args}) => name === 'InitBuffer' && args.length >= 2)
    .flatMap(({args}) => {
      const size = args.at(-1)
      return size
        ? [
            {
              start: size.start,
              end: size.end,
              replacement: `(${size.text}) / 2`,
              says: `${args[0]?.text} gets half of the bytes that are used`,
            },
          ]
        : []
    }),
)

const overCapacity = siteMutation('ub-over-capacity', 'op_kernel', (source) =>
  source.calls
    .filter(({name, args}) => name === 'InitBuffer' && args.length === 3)
    .flatMap(({args}) => {
      const [queue, , size] = args
      return queue && size
        ? [
            {
              start: size.start,
              end: size.end,
              replacement: '192 * 1024',
              says: `each buffer of ${queue.text} asks for all of UB`,
            },
          ]
        : []
    }),
)

const tilingNotRead = siteMutation('tiling-data-not-read', 'op_kernel', (source) =>
  source.calls.flatMap(({name, statement, args}) => {
    if (!name.startsWith('GET_TILING_DATA') || !statement) return []
    const [type, data] = args
    // The macro declares the structure as well.
    return name === 'GET_TILING_DATA_WITH_STRUCT' && type && data
      ? [replaced(statement, `${type.text} ${data.text}{};`, `${name} left out`)]
      : [without(source, statement, `${name} left out`)]
  }),
)

export const tilingMutations: readonly Mutation[] = [
  wholeLastTile,
  droppedTail,
  tileOffByOne,
  shortLoop,
  blockIndexIgnored,
  blockOffsetMissing,
  bufferTooSmall,
  overCapacity,
  tilingNotRead,
]
