import type {Plant} from './typescript-places.ts'

const neighbours: Readonly<Record<string, [text: string, kind: string]>> = {
  ' < ': [' <= ', 'off by one'],
  ' <= ': [' < ', 'off by one'],
  ' > ': [' >= ', 'off by one'],
  ' >= ': [' > ', 'off by one'],
  ' == ': [' != ', 'inverted condition'],
  ' != ': [' == ', 'inverted condition'],
  ' && ': [' || ', 'inverted condition'],
  ' || ': [' && ', 'inverted condition'],
  ' + ': [' - ', 'wrong operator'],
  ' - ': [' + ', 'wrong operator'],
  ' * ': [' / ', 'wrong unit'],
  ' / ': [' * ', 'wrong unit'],
  ' % ': [' / ', 'wrong unit'],
}

/** What is no code: comments, texts, characters, lines of the preprocessor, and the arguments of templates. */
const notCode = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])'|^[ \t]*#[^\n]*|\btemplate <[^>]*>/gm

/**
 * Places of a C++ file of the twin where a single fault can be planted. Operators have blanks around them in
 * the house's
 * layout, which tells them from pointers, references and templates without a parser.
 */
export function cppPlants(file: string, text: string): Plant[] {
  const code = text.replaceAll(notCode, (part) => part.replaceAll(/[^\n]/g, '~'))
  const found: Plant[] = []
  for (const match of code.matchAll(/ (?:[<>=!]=|&&|\|\||[<>+\-*/%]) /g)) {
    const neighbour = neighbours[match[0]]
    if (neighbour) found.push(plant(file, match, ...neighbour))
  }
  for (const match of code.matchAll(/(?<![\w.[])\d+(?![\w.\]x])/g)) {
    found.push(plant(file, match, String(Number(match[0]) + 1), 'off by one'))
  }
  for (const match of code.matchAll(/(?<=\bif \([^;{}\n]*\) )(?:continue|return);/g)) {
    found.push(plant(file, match, ';', 'dropped check'))
  }
  return found
}

function plant(file: string, match: RegExpExecArray, text: string, kind: string): Plant {
  return {file, start: match.index, end: match.index + match[0].length, text, kind}
}
