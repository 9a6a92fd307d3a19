import {wordsOf} from './skeleton.ts'

const shingleWords = 5

/** Which share of a text's runs of five words another text has too; code blocks and marks do not count. */
export function shareRepeated(text: string, other: string): number {
  const wanted = shingles(withoutCode(text), shingleWords)
  const present = new Set(shingles(other, shingleWords))
  return wanted.length === 0 ? 0 : wanted.filter((one) => present.has(one)).length / wanted.length
}

/** The most words in a row, each Chinese character one, that a text has of a reference; code blocks do not count. */
export function longestQuotation(text: string, reference: string): number {
  const words = spoken(withoutCode(text))
  const present = new Set(shingles(reference, shingleWords))
  let longest = 0
  let run = 0
  for (let at = 0; at + shingleWords <= words.length; at += 1) {
    run = present.has(words.slice(at, at + shingleWords).join(' ')) ? run + 1 : 0
    if (run > 0) longest = Math.max(longest, run + shingleWords - 1)
  }
  return longest
}

/** Only prose: the text between the listings. */
export function withoutCode(text: string): string {
  return text.replace(/^\s*```[\w+-]*\n[^]*?^\s*```/gm, '\n')
}

function spoken(text: string): string[] {
  return wordsOf(text).filter((word) => /[\w\p{Script=Han}]/u.test(word))
}

function shingles(text: string, length: number): string[] {
  const words = spoken(text)
  return words.slice(length - 1).map((_, index) => words.slice(index, index + length).join(' '))
}
