import type {SourceFile} from '../../datasets/schema/operator.ts'
import type {Random} from '../../engine/random.ts'
import {codeDistance, tokenLines, type TokenLines} from './pairing/code-distance.ts'
import {formRewrites} from './variants/forms.ts'
import {methodRewrites} from './variants/methods.ts'
import {nameRewrites} from './variants/names.ts'
import {orderRewrites} from './variants/order.ts'
import {type Rewrite, fileRewrite} from './variants/rewrite.ts'
import {replacePieces} from '../../cpp/code-pieces.ts'

interface Variant {
  files: SourceFile[]
  /** Names of what was rewritten, in order. */
  rewrites: string[]
}

/** Tries for one variant whose code is unlike that of the others, names and layout aside. */
const tries = 4

/**
 * Up to `count` different ways to write an operator that are meant to do the same; fewer where it offers too few
 * places. The same files and the same random stream give the same variants.
 */
export function variantsOf(files: readonly SourceFile[], count: number, random: Random): Variant[] {
  const variants: Variant[] = []
  const seen = [linesOf(files)]
  for (let left = count * tries; left > 0 && variants.length < count; left -= 1) {
    const variant = composed(files, random)
    const lines = linesOf(variant.files)
    if (seen.some((one) => codeDistance(one, lines) === undefined)) continue
    seen.push(lines)
    variants.push(variant)
  }
  return variants
}

function composed(files: readonly SourceFile[], random: Random): Variant {
  const variant: Variant = {files: [...files], rewrites: []}
  for (const {rewrites, least, most} of mixture) {
    let wanted = random.integer(least, most)
    for (const rewrite of random.shuffle(rewrites)) {
      if (wanted === 0) break
      const written = rewrite.apply(variant.files, random)
      if (!written) continue
      variant.files = written
      variant.rewrites.push(rewrite.name)
      wanted -= 1
    }
  }
  return variant
}

function linesOf(files: readonly SourceFile[]): TokenLines {
  return tokenLines(files.map(({text}) => text).join('\n'))
}

const both = ['op_host', 'op_kernel'] as const

const whole = (text: string, put: string) => [{start: 0, end: text.length, text: put}]

/** All but the licence at the top. */
const withoutRemarks = fileRewrite('without-comments', both, ({text}) => {
  let isFirst = true
  const marked = replacePieces(text, (piece, kind) => {
    const stays = kind !== 'comment' || (isFirst && /SPDX|Copyright/.test(piece)) || /namespace|_H\b/.test(piece)
    isFirst = false
    return stays ? piece : '\0'
  })
  return whole(text, marked.replace(/^[ \t]*\0[ \t]*\n/gm, '').replace(/[ \t]*\0/g, ''))
})

const braceOnSameLine = fileRewrite('brace-on-same-line', both, ({text}) =>
  whole(text, text.replace(/\)( const)?\n[ \t]*\{\n/g, ')$1 {\n')),
)

const twoSpaces = fileRewrite('two-spaces', both, ({text}) =>
  whole(
    text,
    text.replace(/^( {2,})(?=\S)/gm, (spaces: string) =>
      ' '.repeat(spaces.length % 4 === 0 ? spaces.length / 2 : spaces.length),
    ),
  ),
)

const pointerStyle = fileRewrite('pointer-style', both, ({text}) =>
  whole(text, text.replace(/\b(\w+)([&*]) (?=\w+\s*[,)=;])/g, '$1 $2')),
)

const blankLines = fileRewrite('fewer-blank-lines', both, ({text}) =>
  whole(text, text.replace(/(;|\})\n\n(?=[ \t]+\S)/g, '$1\n')),
)

export const layoutRewrites: readonly Rewrite[] = [withoutRemarks, braceOnSameLine, twoSpaces, pointerStyle, blankLines]

/** How many rewrites of a kind make up a variant; their order is that in which they are made. */
const mixture: readonly {rewrites: readonly Rewrite[]; least: number; most: number}[] = [
  {rewrites: formRewrites, least: 5, most: 9},
  {rewrites: methodRewrites, least: 0, most: 2},
  {rewrites: orderRewrites, least: 2, most: 4},
  {rewrites: nameRewrites, least: 2, most: 5},
  {rewrites: layoutRewrites, least: 0, most: 3},
]

export const allRewrites: readonly Rewrite[] = mixture.flatMap(({rewrites}) => rewrites)
