import type {Random} from '../../../engine/random.ts'
import type {Edit} from '../../../cpp/edit.ts'
import {madeOf, pattern} from '../../../cpp/pattern.ts'
import {hasWord} from '../../../cpp/declarations.ts'
import {foundIn, type Found, type Range, type SourceView} from '../../../cpp/source-view.ts'
import {classesOf, fieldsOf, methodsOf} from './definitions.ts'
import {fileRewrite, isBlank, runsOf, runsOfLines, wordsIn, type Rewrite} from './rewrite.ts'

/** Pieces in a random order, with the text between them left in place. */
function shuffled(text: string, pieces: readonly Range[], random: Random): Edit[] {
  const order = random.shuffle(pieces)
  return pieces.map((piece, index) => {
    const other = order[index] ?? piece
    return {start: piece.start, end: piece.end, text: text.slice(other.start, other.end)}
  })
}

const neighbours = <T extends Range>(text: string, pieces: readonly T[]) =>
  runsOf(pieces, ({end}, {start}) => isBlank(text.slice(end, start)))

/** Inside a class, a function may use one that is further down. */
const reorderMethods = fileRewrite('reorder-methods', ['op_kernel'], (source, random) =>
  classesOf(source).flatMap((body) => {
    const methods = methodsOf(source, body).filter(
      ({head, name}) => !wordsIn(head).includes('auto') && name !== body.name,
    )
    return neighbours(source.text, methods).flatMap((run) => shuffled(source.text, run, random))
  }),
)

const reorderMembers = fileRewrite('reorder-members', ['op_kernel'], (source, random) =>
  classesOf(source).flatMap((body) => {
    // What has data alone is laid out, as the tiling that the host writes, or given its values in order.
    if (methodsOf(source, body).length === 0) return []
    const fields = fieldsOf(source, body)
    return neighbours(source.text, fields).flatMap((run) => {
      const isTied = run.some((one) => run.some(({name}) => wordsIn(one.initialiser).includes(name)))
      return isTied ? [] : shuffled(source.text, run, random)
    })
  }),
)

const reorderTilingFields = fileRewrite('reorder-tiling-fields', ['op_host'], (source, random) => {
  const fields = foundIn(source, ...fieldForms)
  return runsOfLines(source, fields, isBlank).flatMap((run) => shuffled(source.text, run.map(lineOf), random))
})

const fieldForms = ['$macro($$_);', '$macro($$_)'].map((form) =>
  pattern(form, {macro: (name) => name.startsWith('TILING_DATA_FIELD_DEF')}),
)

/** Calls that do not depend on each other when they are of different queues, tensors or fields. */
const callForms = [
  ['$_.InitBuffer($of, $$_);', '$_->InitBuffer($of, $$_);'],
  ['$of.SetGlobalBuffer($$_);'],
  ['$of.EnQue($_);'],
  ['$of.FreeTensor($_);'],
  ['$_.$setter($$_);'],
  ['auto $_', 'LocalTensor<$_> $_'].flatMap((tensor) => [
    `${tensor} = $of.$get<$_>();`,
    `${tensor} = $of.template $get<$_>();`,
  ]),
  ['$field = $$value;'],
].map((forms) =>
  forms.map((form) =>
    pattern(form, {
      setter: (name) => name.startsWith('set_'),
      get: new Set(['AllocTensor', 'DeQue', 'Get']),
      field: (name) => name.endsWith('_'),
      value: madeOf('.'),
    }),
  ),
)

const reorderStatements = fileRewrite('reorder-statements', ['op_host', 'op_kernel'], (source, random) =>
  callForms.flatMap((forms) =>
    runsOfLines(source, foundIn(source, ...forms), isBlank).flatMap((run) => {
      const names = new Set(run.map(({hole}) => hole('of') || hole('setter') || hole('field')))
      return names.size < run.length || readsOther(source, run) ? [] : shuffled(source.text, run.map(lineOf), random)
    }),
  ),
)

/** Whether a line of plain assignments reads what another one sets. */
function readsOther(source: SourceView, run: readonly Found[]): boolean {
  return run.some(({hole}) => hole('field') && run.some((one) => hasWord(source, hole('field'), one.at('value'))))
}

const lineOf = ({line}: {line: Range}) => line

const keyArm = pattern('if (TILING_KEY_IS($_)) { $$$_ }')

/** `if (TILING_KEY_IS(1)) {…} else if (TILING_KEY_IS(0)) {…}`: exactly one of them holds. */
const reorderKeys = fileRewrite('reorder-tiling-keys', ['op_kernel'], (source) => {
  const arms = foundIn(source, keyArm)
  return arms.flatMap((first, at): Edit[] => {
    const second = arms[at + 1]
    const isElse = (at: number) => source.tokens[at]?.text === 'else'
    if (second?.from !== first.to + 1 || !isElse(first.to) || isElse(second.to)) return []
    const between = source.text.slice(first.end, second.start)
    return [{start: first.start, end: second.end, text: second.text + between + first.text}]
  })
})

export const orderRewrites: readonly Rewrite[] = [
  reorderMethods,
  reorderMembers,
  reorderTilingFields,
  reorderStatements,
  reorderKeys,
]
