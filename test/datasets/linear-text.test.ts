import {describe, expect, test} from 'vitest'
import {codePieces} from '../../cpp/code-pieces.ts'
import {
  replaceBetween,
  replaceLinks,
  withoutImages,
  withoutTags,
  withoutTrailingBlanks,
} from '../../datasets/linear-text.ts'
import {randomFrom} from '../../engine/random.ts'

// Each function stands for a pattern that says the same and takes the square of the length. On short texts they must
// agree.
const links = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(((?:[^()\n]|\([^()\n]*\))*)\)/g
const code = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\/[^\n]*|\/\*[\s\S]*?\*\//g

const marks = ['[', ']', '](', '(', ')', '!', '![', '<', '>', '<!--', '-->', ' ', '  ', '\t', '\n', 'a', '\\\\', '\\*']
const codeMarks = ['"', "'", '\\', '//', '/*', '*/', '/', '*', '\n', 'a', ' ', '\\"']

function texts(parts: readonly string[], seed: string): string[] {
  const random = randomFrom(seed)
  const one = () =>
    Array.from({length: 1 + random.integer(0, 15)}, () => parts[random.integer(0, parts.length - 1)]).join('')
  return Array.from({length: 3000}, one)
}

describe('on random texts', () => {
  test.each<[string, (text: string) => string, (text: string) => string]>([
    [
      'links',
      (text) => replaceLinks(text, ({image, label}) => `${image}{${label}}`),
      (text) => text.replace(links, (_, image: string, label: string) => `${image === '!'}{${label}}`),
    ],
    ['images', withoutImages, (text) => text.replace(/!\[(?:\\.|[^\]\\])*\]\([^)]*\)/g, '')],
    ['tags', withoutTags, (text) => text.replace(/<[^>]*>/g, '')],
    [
      'comments',
      (text) => replaceBetween(text, /<!--/g, /-->/g, () => '#'),
      (text) => text.replace(/<!--[^]*?-->/g, '#'),
    ],
    ['trailing blanks', withoutTrailingBlanks, (text) => text.replace(/[ \t]+$/gm, '')],
  ])('%s are found as the pattern finds them', (name, linear, pattern) => {
    for (const text of texts(marks, name)) expect(linear(text), JSON.stringify(text)).toBe(pattern(text))
  })

  test('comments and literals of C++ are found as the pattern finds them', () => {
    for (const text of texts(codeMarks, 'code')) {
      const expected = [...text.matchAll(code)].map((match) => [match.index, match.index + match[0].length])
      expect(
        [...codePieces(text)].map(({start, end}) => [start, end]),
        JSON.stringify(text),
      ).toEqual(expected)
    }
  })
})
