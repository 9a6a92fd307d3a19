import {siteMutation, without, type Mutation} from './mutation.ts'
import type {SourceView} from './source.ts'

/**
 * `DataCopy`, `DataCopyPad` and wrappers of them, such as a project's own `DataCopyCustom`; not the structures of their
 * parameters.
 */
export const copies = /^DataCopy(?!\w*Params)\w*$/

/** How global tensors are named: `xGm`, `inTensorsGM`, `out_global_`. */
export const global = /G[mM]|[gG]lobal|_gm\b/

/**
 * The number of elements that a `DataCopyExtParams` with one block moves, by the parameter's name: what is declared
 * nearest above `before`.
 */
function elementsOf(source: SourceView, params: string, before: number): string | undefined {
  const declaration = new RegExp(`DataCopyExtParams\\s+${params}\\b([^;]*);`, 'g')
  const [, initial = ''] = [...source.code.slice(0, before).matchAll(declaration)].at(-1) ?? []
  return /^\s*\{\s*1\s*,\s*static_cast<uint32_t>\(\s*([\w.]+)\s*\*\s*sizeof/.exec(initial)?.[1]
}

/** DataCopy moves whole blocks of 32 bytes: the remainder is not copied. */
const unalignedCopy = siteMutation('unaligned-data-copy', 'op_kernel', (source) =>
  source.calls
    .filter(({name, statement, args}) => name === 'DataCopyPad' && statement && args.length >= 3)
    .flatMap(({start, end, args}) => {
      const [to, from, params] = args
      const count = params && elementsOf(source, params.text, start)
      if (!to || !from || count === undefined) return []
      return [
        {
          start,
          end,
          replacement: `DataCopy(${to.text}, ${from.text}, ${count})`,
          says: 'DataCopy for a length that need not be a multiple of 32 bytes',
        },
      ]
    }),
)

/** `xGm[start]` without the index: every tile moves the first one. */
const tileOffset = siteMutation('tile-offset-missing', 'op_kernel', (source) =>
  source.calls
    .filter(({name}) => copies.test(name))
    .flatMap(({args}) =>
      args.slice(0, 2).flatMap((arg) => {
        const index = /^((?:\w+(?:->|\.|::))*\w+)\[(?!0\])[\s\S]*\]$/.exec(arg.text)
        return index && global.test(index[1] ?? '')
          ? [
              {
                start: arg.start,
                end: arg.end,
                replacement: `${index[1]}[0]`,
                says: `every tile uses the start of ${index[1]}`,
              },
            ]
          : []
      }),
    ),
)

/** `DataCopyExtParams p{1, static_cast<uint32_t>(n * sizeof(T)`; where a type takes one byte, elements are bytes. */
const bytesOfBlock = new RegExp(
  [
    String.raw`(DataCopyExtParams\s+\w+\s*\{[^;]*?static_cast<uint32_t>\(\s*[\w.]+)`,
    String.raw`\s*\*\s*sizeof\s*\(\s*(?!u?int8_t|bool)\w+\s*\)`,
  ].join(''),
  'g',
)

/** Elements for bytes: `blockLen` of DataCopyExtParams counts bytes. */
const elementsForBytes = siteMutation('elements-for-bytes', 'op_kernel', (source) =>
  [...source.code.matchAll(bytesOfBlock)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    replacement: match[1] ?? '',
    says: 'blockLen in elements where bytes are meant',
  })),
)

const swappedSides = (source: SourceView, callee: (name: string) => boolean) =>
  source.calls
    .filter(({name, statement, args}) => callee(name) && statement && args.length >= 3)
    .flatMap(({args}) => {
      const [to, from] = args
      return to && from
        ? [
            {
              start: to.start,
              end: from.end,
              replacement: `${from.text}, ${to.text}`,
              says: `source ${from.text} and destination ${to.text} change places`,
            },
          ]
        : []
    })

/** What pads goes by the kinds of its two sides; other copies take their sides in any order. */
const isPadding = (name: string) => name.startsWith('DataCopyPad')

const swappedDirection = siteMutation('swapped-copy-direction', 'op_kernel', (source) =>
  swappedSides(source, (name) => copies.test(name) && !isPadding(name)),
)

export const swappedPadding = siteMutation('swapped-padding-direction', 'op_kernel', (source) =>
  swappedSides(source, isPadding),
)

/** The input never arrives: the computation uses what the buffer held before. */
const missingCopyIn = siteMutation('missing-copy-in', 'op_kernel', (source) =>
  source.calls.flatMap(({name, statement, args}) =>
    copies.test(name) && statement && !global.test(args[0]?.text ?? '') && global.test(args[1]?.text ?? '')
      ? [without(source, statement, `the copy from ${args[1]?.text} is left out`)]
      : [],
  ),
)

export const movementMutations: readonly Mutation[] = [
  unalignedCopy,
  tileOffset,
  elementsForBytes,
  swappedDirection,
  missingCopyIn,
]
