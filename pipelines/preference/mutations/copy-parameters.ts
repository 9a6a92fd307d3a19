import {copies, global} from './data-copies.ts'
import {declarationsOf, objectsOf, partOf, statementCalls} from '../../../cpp/declarations.ts'
import {itemsBetween} from '../../../cpp/brackets.ts'
import {inFile, inserted, replaced, siteMutation, type Mutation, type Site} from './mutation.ts'
import {spanOf, tokenAt, type Range, type SourceView} from '../../../cpp/source-view.ts'

// Copies that move too much, too little, from or to another place.

const copyCalls = (source: SourceView) =>
  statementCalls(source).filter(({name, args}) => copies.test(name) && args.length >= 2)

/** Sides of copies that are parts of a global tensor: `xGm_[start]`. */
function globalParts(source: SourceView): {range: Range; tensor: string; index: string}[] {
  return copyCalls(source).flatMap(({args}) =>
    args.slice(0, 2).flatMap((argument) => {
      const part = partOf(argument.text)
      return part && global.test(part.tensor) ? [{range: argument, ...part}] : []
    }),
  )
}

const offByOne = siteMutation('copy-offset-off-by-one', 'op_kernel', (source) =>
  globalParts(source).flatMap(({range, tensor, index}) =>
    ['+ 1', '+ 32', '- 1'].map((by) =>
      replaced(range, `${tensor}[${index} ${by}]`, `the copy starts at ${index} ${by} of ${tensor}`),
    ),
  ),
)

const bytesForElements = siteMutation('copy-offset-in-bytes', 'op_kernel', (source) =>
  globalParts(source).flatMap(({range, tensor, index}) =>
    ['sizeof(float)', '2'].map((by) =>
      replaced(range, `${tensor}[(${index}) * ${by}]`, `the place in ${tensor} is counted in bytes`),
    ),
  ),
)

/** Another global tensor of the kernel. */
const otherGlobal = siteMutation('wrong-global-tensor', 'op_kernel', (source) => {
  const types = new Map(objectsOf(source, 'GlobalTensor').map(({name, type}) => [name, type]))
  const globals = [...types.keys()]
  return copyCalls(source).flatMap(({args}) =>
    args.slice(0, 2).flatMap((argument) => {
      const name = globals.find((one) => source.tokens[tokenAt(source.tokens, argument.start)]?.text === one)
      if (name === undefined) return []
      return globals
        .filter((other) => other !== name && types.get(other) === types.get(name))
        .map((other) =>
          replaced({start: argument.start, end: argument.start + name.length}, other, `${other} for ${name}`),
        )
    }),
  )
})

/** Fields of the parameters of DataCopyPad, by their places. */
const fields = ['blockCount', 'blockLen', 'srcStride', 'dstStride']

const parameters = (source: SourceView) =>
  declarationsOf(source).filter(({type, value}) => ['DataCopyParams', 'DataCopyExtParams'].includes(type) && value)

function eachField(
  name: string,
  field: number,
  wrongs: (text: string, parts: readonly string[]) => readonly string[],
): Mutation {
  return siteMutation(name, 'op_kernel', (source) =>
    parameters(source).flatMap(({value}): Site[] => {
      const list = value && listOf(source, value)
      if (!list) return []
      const parts = partsOf(source, list)
      const part = parts[field]
      // Between blocks there is a stride only if there is more than one.
      if (!part || (field > 1 && parts[0]?.text === '1')) return []
      return wrongs(
        part.text,
        parts.map(({text}) => text),
      ).map((wrong) => replaced(part, wrong, `${fields[field]} is ${wrong}`))
    }),
  )
}

type Value = Range & {text: string}

/** `p = {1, 2}` and `p{1, 2}` give the same list; `p = q` gives none. */
function listOf({tokens}: SourceView, value: Value): Value | undefined {
  if (tokens[tokenAt(tokens, value.start) - 1]?.text === '{') return value
  if (!value.text.startsWith('{') || !value.text.endsWith('}')) return undefined
  return {start: value.start + 1, end: value.end - 1, text: value.text.slice(1, -1)}
}

function partsOf(source: SourceView, {start, end}: Range): Value[] {
  const {tokens, partners} = source
  const inside = {from: tokenAt(tokens, start), to: tokenAt(tokens, end)}
  return itemsBetween(tokens, partners, inside).flatMap((one) => (one.from < one.to ? [spanOf(source, one)] : []))
}

/** A block for each element instead of one for all, or one for all rows. */
const blockCount = eachField('wrong-block-count', 0, (text, [, length = '']) => {
  if (text !== '1') return ['1']
  const [, count] = /^(?:static_cast<uint32_t>\(|uint32_t\(|\(uint32_t\)\()([\s\S]*) \* sizeof\(/.exec(length) ?? []
  return count === undefined ? [] : [`static_cast<uint16_t>(${count})`]
})

const blockLength = eachField('wrong-block-length', 1, (text) => {
  const inner = /^static_cast<uint32_t>\(([\s\S]*)\)$/.exec(text)?.[1] ?? text
  return [`(${inner} + 31) / 32 * 32`, `(${inner}) / 2`, `(${inner}) * 2`, `(${inner}) / 32`].map(
    (bytes) => `static_cast<uint32_t>(${bytes})`,
  )
})

const sourceStride = eachField('wrong-source-stride', 2, () => ['1', '32'])
const targetStride = eachField('wrong-target-stride', 3, () => ['1', '32'])

const paddingParameters = siteMutation('wrong-padding', 'op_kernel', (source) =>
  declarationsOf(source).flatMap(({type, value}) => {
    const list = value && listOf(source, value)
    if (!type.startsWith('DataCopyPadExtParams') || !list) return []
    return ['true, 1, 0, 0', 'true, 0, 64, 0', 'true, 8, 8, 0'].map((wrong) =>
      replaced(list, wrong, `padding {${wrong}}`),
    )
  }),
)

const copiedTwice = siteMutation('copied-over-again', 'op_kernel', (source) =>
  copyCalls(source).flatMap(({statement, args}) => {
    const [to] = args
    const part = to && partOf(to.text)
    if (!to || !part) return []
    const again = source.text.slice(statement.start, statement.end).replace(to.text, `${part.tensor}[0]`)
    return [inserted(statement.end, ` ${again}`, `the result is written to the start of ${part.tensor} besides`)]
  }),
)

/** A plain DataCopy of a count, which moves whole blocks of 32 bytes. */
const plainCopy = siteMutation('plain-copy', 'op_kernel', (source) =>
  copyCalls(source)
    .filter(({name}) => name === 'DataCopyPad')
    .flatMap(({start, end, args}) => {
      const [to, from] = args
      if (!to || !from) return []
      return ['32', '1024'].map((count) =>
        replaced({start, end}, `DataCopy(${to.text}, ${from.text}, ${count})`, `DataCopy of ${count} elements, always`),
      )
    }),
)

/** In UB, where a tile begins at the start of its block, at the offset that it has in global memory. */
const shiftedLocal = siteMutation('copy-into-the-middle', 'op_kernel', (source) =>
  copyCalls(source).flatMap(({name, args}) => {
    const sides = args.slice(0, 2)
    const index = sides.flatMap(({text}) => partOf(text)?.index ?? [])[0]
    if (index === undefined || index === '0') return []
    return sides
      .filter(({text}) => /^[a-z]\w*$/.test(text) && !global.test(text))
      .map((argument) => inserted(argument.end, `[${index}]`, `${name} at ${argument.text}[${index}]`))
  }),
)

const wholeGlobal = siteMutation('global-buffer-misplaced', 'op_kernel', (source) =>
  source.calls.flatMap(({name, args}) => {
    const [address] = args
    if (name !== 'SetGlobalBuffer' || !address) return []
    return [
      inserted(address.end, ' + 1', `${address.text} + 1: the tensor starts behind its start`),
      inserted(address.end, inFile(source, ' + GetBlockIdx()'), `${address.text} moves on with the core once more`),
    ]
  }),
)

export const copyMutations: readonly Mutation[] = [
  offByOne,
  bytesForElements,
  otherGlobal,
  blockCount,
  blockLength,
  sourceStride,
  targetStride,
  paddingParameters,
  copiedTwice,
  plainCopy,
  shiftedLocal,
  wholeGlobal,
]
