import {replaceBetween, replaceLinks} from '../linear-text.ts'
import {splitListings} from '../listings.ts'
import type {Language} from '../voice.ts'

/** Names and paths of the machine that judged a row's code, unknown elsewhere. */
const ownNames = /\btwin(?:_host|_detail)?(?:\/\w|::)|\bTWIN_[A-Z]|\blibtwin\b|\bgch\/\w|(?<![\w.])\/[\w./-]+:\d+:\d+/

/** This many consecutive English words are a sentence, or most of one. */
const english = /(?:[A-Za-z][a-z'-]*[,;:]? ){7}[a-z]+/

/**
 * Why a text is not allowed in a row: it points to something that readers cannot open, or its prose mixes two
 * languages. Undefined if it is allowed.
 */
export function proseFault(text: string, language: Language): {reason: string; detail: string} | undefined {
  const [own] = ownNames.exec(text) ?? []
  if (own !== undefined) return {reason: 'own-name', detail: own}
  const words = proseOf(text)
  const dead = deadLink(words)
  if (dead !== undefined) return {reason: 'dead-link', detail: dead}
  const [foreign] = (language === 'en' ? /[\u4e00-\u9fff]+/ : english).exec(words) ?? []
  return foreign === undefined ? undefined : {reason: 'two-languages', detail: foreign}
}

/** Without blocks and names of code, formulas, and public URLs. */
export function proseOf(text: string): string {
  const {prose} = splitListings(text)
  const bare = replaceBetween(prose, /\$\$/g, /\$\$/g, () => ' ')
  return bare.replace(/`[^`\n]*`|\$[^$\n]*\$/g, '…').replace(/https?:\/\/[^\s)）]*/g, '…')
}

/** `[DataCopy](../api/DataCopy.md)`, `![](figures/a.png)`, `<a name="b">`. */
function deadLink(words: string): string | undefined {
  const found: string[] = []
  replaceLinks(words, ({whole, target}) => {
    if (/^(?:\.{0,2}\/|#)|\.(?:md|html?|png|jpe?g|svg|gif|cpp|h|py)(?:[#?)]|$)/i.test(target.trim())) found.push(whole)
    return ''
  })
  return found[0] ?? /<(?:a|img)\s[^<>\n]*>/i.exec(words)?.[0]
}
