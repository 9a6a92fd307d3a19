import {replacePieces} from '../../../cpp/code-pieces.ts'
import {fileRewrite, type Rewrite} from './rewrite.ts'

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
