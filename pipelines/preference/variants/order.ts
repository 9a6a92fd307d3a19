import type {Random} from '../../../engine/random.ts'
import type {Edit} from '../../../cpp/edit.ts'
import type {SourceView} from '../mutations/source.ts'
import {classesOf, fieldsOf, methodsOf} from './definitions.ts'
import {fileRewrite, wordPattern, type Rewrite} from './rewrite.ts'

interface Piece {
  start: number
  end: number
}

/** Pieces in a random order, what stands between them left in place. */
function shuffled<T extends Piece>(text: string, pieces: readonly T[], random: Random): Edit[] {
  const order = random.shuffle(pieces)
  return pieces.map((piece, index) => {
    const other = order[index] ?? piece
    return {start: piece.start, end: piece.end, text: text.slice(other.start, other.end)}
  })
}

/** Pieces of which nothing but what `between` takes stands between one and the next. */
function neighbours<T extends Piece>(text: string, pieces: readonly T[], between: RegExp): T[][] {
  const runs: T[][] = []
  for (const piece of pieces) {
    const last = runs.at(-1)?.at(-1)
    if (last && between.test(text.slice(last.end, piece.start))) runs.at(-1)?.push(piece)
    else runs.push([piece])
  }
  return runs.filter(({length}) => length > 1)
}

/** Inside a class, a function may use one that stands further down. */
const reorderMethods = fileRewrite('reorder-methods', ['op_kernel'], (source, random) =>
  classesOf(source).flatMap((body) => {
    const methods = methodsOf(source, body).filter(({head, name}) => !/\bauto\b/.test(head) && name !== body.name)
    return neighbours(source.text, methods, /^\s*$/).flatMap((run) => shuffled(source.text, run, random))
  }),
)

const reorderMembers = fileRewrite('reorder-members', ['op_kernel'], (source, random) =>
  classesOf(source).flatMap((body) => {
    // What has data alone is laid out, as the tiling that the host writes, or given its values in order.
    if (methodsOf(source, body).length === 0) return []
    const fields = fieldsOf(source, body)
    return neighbours(source.text, fields, /^\s*$/).flatMap((run) => {
      const isTied = run.some((one) => run.some(({name}) => wordPattern(name).test(one.initialiser)))
      return isTied ? [] : shuffled(source.text, run, random)
    })
  }),
)

const reorderTilingFields = fileRewrite('reorder-tiling-fields', ['op_host'], (source, random) => {
  const fields = [...source.code.matchAll(/^[ \t]*TILING_DATA_FIELD_DEF\w*\([^()\n]*\);?[ \t]*$/gm)].map(pieceOf)
  return neighbours(source.text, fields, /^\s*$/).flatMap((run) => shuffled(source.text, run, random))
})

function pieceOf(match: RegExpMatchArray): Piece {
  const start = match.index ?? 0
  return {start, end: start + match[0].length}
}

/** Calls that do not depend on each other when they are of different queues, tensors or fields. */
const callForms: readonly RegExp[] = [
  /^[ \t]*\w+(?:\.|->)InitBuffer\((\w+),[^;\n]*\);[ \t]*$/gm,
  /^[ \t]*(\w+)\.SetGlobalBuffer\([^;\n]*\);[ \t]*$/gm,
  /^[ \t]*(\w+)\.EnQue\(\w+\);[ \t]*$/gm,
  /^[ \t]*(\w+)\.FreeTensor\(\w+\);[ \t]*$/gm,
  /^[ \t]*\w+\.set_(\w+)\([^;\n]*\);[ \t]*$/gm,
  /^[ \t]*(?:auto|LocalTensor<\w+>) \w+ = (\w+)\.(?:template )?(?:AllocTensor|DeQue|Get)<\w+>\(\);[ \t]*$/gm,
  /^[ \t]*(\w+_) = [\w.]+;[ \t]*$/gm,
]

const reorderStatements = fileRewrite('reorder-statements', ['op_host', 'op_kernel'], (source, random) =>
  callForms.flatMap((form) => {
    const lines = [...source.code.matchAll(form)].map((match) => ({
      ...pieceOf(match),
      of: match[1] ?? '',
      text: match[0],
    }))
    return neighbours(source.text, lines, /^\s*$/).flatMap((run) => {
      const isTied = new Set(run.map(({of}) => of)).size < run.length || readsOther(run)
      return isTied ? [] : shuffled(source.text, run, random)
    })
  }),
)

/** Whether a line of plain assignments reads what another one sets. */
function readsOther(run: readonly {of: string; text: string}[]): boolean {
  const assigned = run.filter(({text, of}) => text.trim().startsWith(`${of} =`))
  return assigned.some((one) => assigned.some(({of, text}) => of !== one.of && wordPattern(one.of).test(text)))
}

/** `if (TILING_KEY_IS(1)) {…} else if (TILING_KEY_IS(0)) {…}`: exactly one of them holds. */
const reorderKeys = fileRewrite('reorder-tiling-keys', ['op_kernel'], (source) =>
  keyChains(source).map(([first, second]) => {
    const [one, other] = [first, second].map(({start, end}) => source.text.slice(start, end))
    return {start: first.start, end: second.end, text: `${other} else ${one}`}
  }),
)

function keyChains({code}: SourceView): [Piece, Piece][] {
  const arm = String.raw`if \(TILING_KEY_IS\(\w+\)\) \{[^{}]*\}`
  return [...code.matchAll(new RegExp(`(${arm}) else (${arm})(?! else)`, 'g'))].map((match) => {
    const [whole, first = '', second = ''] = match
    const [start, end] = [match.index, match.index + whole.length]
    return [
      {start, end: start + first.length},
      {start: end - second.length, end},
    ]
  })
}

export const orderRewrites: readonly Rewrite[] = [
  reorderMethods,
  reorderMembers,
  reorderTilingFields,
  reorderStatements,
  reorderKeys,
]
