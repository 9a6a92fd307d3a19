import {elementsOf} from '../../../cpp/kernel-forms.ts'
import {madeOf, pattern} from '../../../cpp/pattern.ts'
import {partOf} from '../../../cpp/declarations.ts'
import {replaced, siteMutation, without, type Mutation} from './mutation.ts'
import {foundIn, type SourceView} from '../../../cpp/source-view.ts'

/**
 * `DataCopy`, `DataCopyPad` and wrappers of them, such as a project's own `DataCopyCustom`; not the structures of their
 * parameters.
 */
export const copies = /^DataCopy(?!\w*Params)\w*$/

/** How global tensors are named: `xGm`, `inTensorsGM`, `out_global_`. */
export const global = /G[mM]|[gG]lobal|_gm\b/

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
        const part = partOf(arg.text)
        if (!part || part.index === '0' || !global.test(part.tensor)) return []
        return [replaced(arg, `${part.tensor}[0]`, `every tile uses the start of ${part.tensor}`)]
      }),
    ),
)

/** `DataCopyExtParams p{1, static_cast<uint32_t>(n * sizeof(T)`; where a type takes one byte, elements are bytes. */
const bytesOfBlock = pattern('DataCopyExtParams $_{$$$_ static_cast<uint32_t>($$count * sizeof($type)', {
  count: madeOf('.'),
  type: (text) => !['int8_t', 'uint8_t', 'bool'].includes(text),
})

/** Elements for bytes: `blockLen` of DataCopyExtParams counts bytes. */
const elementsForBytes = siteMutation('elements-for-bytes', 'op_kernel', (source) =>
  foundIn(source, bytesOfBlock).map(({at, end}) =>
    replaced({start: at('count').end, end}, '', 'blockLen in elements where bytes are meant'),
  ),
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
