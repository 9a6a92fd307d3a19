import {pattern} from '../../../cpp/pattern.ts'
import {placesOf, replaced, siteMutation, sitesOf, without, type Mutation} from './mutation.ts'
import {foundIn, type SourceView} from './source.ts'

const lengthByCase = new RegExp(
  [
    String.raw`(\b(?:u?int32_t|u?int64_t|auto)\s+\w*(?:count|Count|tail|Tail|rest|len|Len)\w*\s*=\s*)`,
    String.raw`([^;?]+?)\?\s*([^;:?]+?)\s*:\s*([^;:?]+?)\s*;`,
  ].join(''),
  'g',
)

/** `count = rest < tile ? rest : tile`: the last tile is now as long as all others. */
const wholeLastTile = siteMutation('wrong-tail-length', 'op_kernel', (source) =>
  sitesOf(source, lengthByCase, (match) => ({
    replacement: `${match[1]}${match[4]};`,
    says: `the last tile is ${match[4]} long, like all others`,
  })),
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

const forLoop = new RegExp(
  [
    String.raw`\bfor\s*\(\s*(?:const\s+)?(?:auto|u?int(?:32|64)_t)\s+(\w+)\s*=\s*0\s*;`,
    String.raw`\s*\1\s*<\s*([\w.]+)\s*;`,
    String.raw`\s*(?:\+\+\1|\1\+\+|\1\s*\+=\s*([\w.]+))\s*\)`,
  ].join(''),
  'g',
)

/** Only loops that count: one that steps by the tile's length would meet a tile of length 0, which does nothing. */
const tileOffByOne = siteMutation('tile-off-by-one', 'op_kernel', (source) =>
  sitesOf(source, forLoop, ([whole, index = '', bound = '', step]) =>
    step
      ? undefined
      : {replacement: whole.replace(/<(?=[^<]*;)/, '<='), says: `the loop over ${index} runs to ${bound} inclusive`},
  ),
)

/** Only loops with a body that runs. */
const shortLoop = siteMutation('last-tile-skipped', 'op_kernel', (source) =>
  sitesOf(source, forLoop, (match) => {
    const [whole, index = '', bound = '', step = '1'] = match
    const end = match.index + whole.length
    const brace = /^\s*\{/.exec(source.code.slice(end))?.[0].length ?? 0
    return {
      replacement: whole.replace(/;\s*(\w+)\s*</, `; $1 + ${step} <`),
      says: `the loop over ${index} stops one step before ${bound}`,
      runs: end + brace,
    }
  }),
)

const blockIndexIgnored = siteMutation('block-index-ignored', 'op_kernel', (source) =>
  sitesOf(source, /\bGetBlockIdx\s*\(\s*\)(?:\s*\*\s*[\w.]+)?/g, () => ({
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
