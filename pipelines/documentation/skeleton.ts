/**
 * What is left of a text when all that its reference gives is taken out: names, numbers, quoted words, and runs of four
 * characters or three words that the reference has too become `…`. Texts with one skeleton were written by one pattern.
 */
export function skeletonOf(text: string, reference: string): string {
  const words = wordsOf(text)
  const isTaken = taken(words, known(reference))
  const kept = words.map((word, index) => (isTaken[index] || isName(word) ? '…' : word))
  return kept
    .join(' ')
    .replace(/[“"「][^”"」]*[”"」]/g, '…')
    .replace(/…(?:[\s、，,/]*…)*/g, '…')
    .replace(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, '')
}

const runs = {han: 4, words: 3}

/** Chinese characters one by one, everything else by words. */
export function wordsOf(text: string): string[] {
  return text.match(/\p{Script=Han}|[A-Za-z_][\w:]*|\d+(?:\.\d+)?|[^\s\w]/gu) ?? []
}

function isName(word: string): boolean {
  return /\d|_|::|[a-z][A-Z]|^[A-Z][A-Z]/.test(word)
}

function lengthOf(word: string): number {
  return /\p{Script=Han}/u.test(word) ? runs.han : runs.words
}

function known(reference: string): Set<string> {
  const words = wordsOf(reference)
  return new Set(words.map((word, index) => words.slice(index, index + lengthOf(word)).join(' ')))
}

function taken(words: readonly string[], inReference: ReadonlySet<string>): boolean[] {
  const isTaken = words.map(() => false)
  words.forEach((word, index) => {
    const run = words.slice(index, index + lengthOf(word))
    if (run.length === lengthOf(word) && inReference.has(run.join(' '))) isTaken.fill(true, index, index + run.length)
  })
  return isTaken
}
