import hljs from 'highlight.js/lib/core'
import cpp from 'highlight.js/lib/languages/cpp'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'

hljs.registerLanguage('cpp', cpp)
hljs.registerLanguage('json', json)
hljs.registerLanguage('python', python)

/** A part of a line with the class of its colour; '' without one. */
export interface Piece {
  text: string
  kind: string
}

/** More than this is shown without colours. */
const mostColoured = 200_000

const names: Readonly<Record<string, string>> = {'c++': 'cpp', cc: 'cpp', c: 'cpp', asc: 'cpp', py: 'python'}

/** Lines of code in colours. The highlighter's markup is taken apart here, so that no text ever becomes an element. */
export function codeLines(code: string, language: string): Piece[][] {
  const known = names[language] ?? language
  if (code.length > mostColoured || !hljs.getLanguage(known)) return plainLines(code)
  return takenApart(hljs.highlight(code, {language: known, ignoreIllegals: true}).value)
}

const plainLines = (code: string): Piece[][] => code.split('\n').map((text) => [{text, kind: ''}])

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
}

function takenApart(markup: string): Piece[][] {
  const lines: Piece[][] = [[]]
  const open: string[] = []
  for (const [part, kind] of markup.matchAll(/<span class="([^"]*)">|<\/span>|\n|[^<\n]+/g)) {
    if (kind !== undefined) open.push(kind)
    else if (part === '</span>') open.pop()
    else if (part === '\n') lines.push([])
    else {
      const text = part.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? entity)
      lines.at(-1)?.push({text, kind: open.join(' ')})
    }
  }
  return lines
}

/**
 * Text with what cannot be seen, or turns what is seen about, shown as a mark: control characters, and those of
 * direction, with which code reads otherwise than it runs.
 */
export function visible(text: string): string {
  return text.replace(hidden, (char) => {
    const code = char.codePointAt(0) ?? 0
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
  })
}

const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
