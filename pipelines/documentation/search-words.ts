import {chineseWords} from '../../datasets/contamination/han-words.ts'

/** Cuts text into the words by which it is found: Chinese words, and every name of code as one lower-case word. */
export function wordCutter(): (text: string) => string[] {
  const words = chineseWords()
  return (text) => [
    ...namesIn(text).map((name) => name.toLowerCase()),
    ...words.cutForSearch((text.match(/\p{Script=Han}+/gu) ?? []).join(' ')).filter((word) => word.length > 1),
  ]
}

/** Names of code, as written: `AscendC::DataCopyPad` gives two. */
export function namesIn(text: string): string[] {
  return text.match(/[A-Za-z_]\w+/g) ?? []
}

/** The words that a name is made of: `SoftmaxFlashV2` gives softmax, flash, v2; none for a name of one word. */
export function partsOf(name: string): string[] {
  const parts = name.match(/[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+/g) ?? []
  return parts.length > 1 ? parts.filter((part) => part.length > 1).map((part) => part.toLowerCase()) : []
}
