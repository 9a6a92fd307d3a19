/** Code and formulas have no language. */
const unspoken =
  /^(`{3,})[^\n]*\n[\s\S]*?^\1[ \t]*$|`[^`\n]+`|\$\$[\s\S]*?\$\$|\$[^$\n]+\$|\\\[[\s\S]*?\\\]|\\\(.*?\\\)|https?:\S+/gm

/** Longer texts are judged by their beginning and their end. */
const mostCharacters = 20_000

/** Share of Han characters among letters from which a text is Chinese: terms and names in it are Latin. */
const chinese = 0.2
/** Share of letters in scripts of neither Chinese nor English, from which it is neither. */
const foreign = 0.1

/**
 * The language of a text: `zh`, `en`, or the script that it is written in. A word of Latin letters counts as one, as a
 * Han character does; traditional and simplified characters are both Chinese.
 */
export function languageOf(text: string): 'zh' | 'en' | string {
  const half = mostCharacters / 2
  const part = text.length > mostCharacters ? text.slice(0, half) + text.slice(-half) : text
  const prose = part.replace(unspoken, ' ')
  const counted = (pattern: RegExp) => prose.match(pattern)?.length ?? 0
  const han = counted(/\p{Script=Han}/gu)
  const latin = counted(/\p{Script=Latin}+/gu)
  const others = Object.entries(scripts).map(([name, pattern]) => [name, counted(pattern)] as const)
  const strange = others.reduce((sum, [, count]) => sum + count, 0)
  const all = han + latin + strange
  if (all === 0) return 'none'
  const [most = 'other'] = [...others].sort(([, a], [, b]) => b - a)[0] ?? []
  if (strange / all > foreign) return most
  if (han / all >= chinese) return 'zh'
  return isEnglish(prose, latin) ? 'en' : 'Latin'
}

const scripts: Readonly<Record<string, RegExp>> = {
  Kana: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  Hangul: /\p{Script=Hangul}/gu,
  Cyrillic: /\p{Script=Cyrillic}+/gu,
  Arabic: /\p{Script=Arabic}+/gu,
  Devanagari: /\p{Script=Devanagari}+/gu,
  Thai: /\p{Script=Thai}/gu,
  Hebrew: /\p{Script=Hebrew}+/gu,
}

/** Function words of English; symbols and names alone are not enough to recognise it. */
const frequent = /\b(?:the|of|and|to|is|in|a|that|we|so|for|it|be|are|this|with|as|if|on|can|not|by|or|let|i)\b/gi

function isEnglish(prose: string, words: number): boolean {
  return words < 20 || (prose.match(frequent)?.length ?? 0) / words >= 0.1
}
