import type {Random} from '../engine/random.ts'

export type Language = 'zh' | 'en'

/** Text with Chinese characters is Chinese: English has none. */
export function languageOf(text: string): Language {
  return /[\u4e00-\u9fff]/.test(text) ? 'zh' : 'en'
}

/**
 * Writes in one language; alternatives are chosen by the record's own seed, so that kernels with equal facts still read
 * differently.
 */
export interface Voice {
  language: Language
  /** For choosing what to say at all. */
  random: Random
  /** One of the wordings; the Chinese ones must mean the same as the English ones. */
  say(en: string | readonly string[], zh: string | readonly string[]): string
  /** `a, b and c`. */
  list(items: readonly string[]): string
}

export function voice(language: Language, random: Random): Voice {
  return {
    language,
    random,
    say(en, zh) {
      const wordings = language === 'en' ? en : zh
      return typeof wordings === 'string' ? wordings : random.pick(wordings)
    },
    list(items) {
      if (language === 'zh') return items.join('、')
      return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
    },
  }
}

export function code(text: string): string {
  return `\`${text}\``
}

/** `a`, `b` and `c` in code ticks. */
export function codeList(texts: readonly string[], {list}: Voice): string {
  return list(texts.map(code))
}

/** Sentences of one paragraph; empty ones are dropped. Chinese has no space between sentences. */
export function paragraph({language}: Voice, sentences: readonly string[]): string {
  return sentences.filter((sentence) => sentence !== '').join(language === 'zh' ? '' : ' ')
}

export function paragraphs(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n')
}

/** At most this many items, and the number of those omitted. */
export function some<T>(items: readonly T[], most: number): {shown: readonly T[]; more: number} {
  return {shown: items.slice(0, most), more: Math.max(0, items.length - most)}
}

/** `AddLayerNorm` → `add layer norm`. */
export function words(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
}
