import {parseBlocks} from '../../datasets/blocks.ts'
import {purposeOf} from './offline/ask-base.ts'
import {roleOf} from './segment.ts'
import type {Facts} from './section-facts.ts'

/**
 * What an interface does, in a sentence: where no sentence stands alone, the first of the section without the words
 * that point to the formula or figure after it. A page on a type goes without the section and says it first.
 */
export function documentedPurpose(markdown: string, facts: Facts): string {
  const known = purposeOf(facts)
  if (known !== '') return known
  const isTypePage = !/^\s*#/.test(markdown)
  return sectionOpening(markdown) || (isTypePage ? (facts.said.other?.[0] ?? '') : '')
}

function sectionOpening(markdown: string): string {
  let isHere = false
  for (const block of parseBlocks(markdown)) {
    if (block.kind === 'heading') isHere = roleOf(block.text) === 'function'
    if (!isHere || (block.kind !== 'paragraph' && block.kind !== 'list')) continue
    const opening = block.text
      .split(/(?<=。)|\$\$/)
      .map(withoutPointer)
      .find((sentence) => sentence.length >= 4 && !isNoPurpose.test(sentence))
    if (opening !== undefined) return opening
  }
  return ''
}

const isNoPurpose =
  /头文件|本[节章]|^(?:[图表]\s*\d|!\[|其中|针对|若|注[：:意]|\$)|^[^\p{Script=Han}]*\s=\s|^.{0,12}[：:]$/u

const pointer =
  /[，,；;]?\s*(?:具体|其)?(?:(?:计算|数学|算法)(?:公式|过程)(?:为|如下).*|如下(?:图\s*\d*)?(?:所示)?)[。：:]?$/

/** `求和，计算过程如下。` says that it sums up. */
function withoutPointer(sentence: string): string {
  const plain = sentence.replace(/!\[[^\]]*\]\([^)]*\)/g, '').trim()
  return plain
    .replace(pointer, '。')
    .replace(/(?<=.{12})：$/, '。')
    .replace(/^如[上下]?[图表]\s*\d*所示[，,]\s*/, '')
}
