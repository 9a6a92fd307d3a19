import type {ApiEntry} from '../../datasets/schema/api-entry.ts'
import type {DocPage} from '../../datasets/schema/document.ts'
import {parseBlocks} from '../../datasets/blocks.ts'

type Deprecation = Pick<ApiEntry, 'deprecated'>

interface Warning {
  text: string
  /** Interfaces that it names; none where it speaks of the page's own. */
  of: readonly string[]
  instead: string[]
}

const discouraged = new RegExp(
  [
    '接口(?:后续|已|即将|待|会){0,3}废弃',
    '接口.{0,10}后续版本.{0,6}(?:移除|删除|废弃)',
    '不推荐使用(?:本|该)接口',
  ].join('|'),
)

/**
 * In English the interface itself must be the subject: pages say the same of parameters, modes and forms.
 * @param names of interfaces of the page
 */
function warnsInEnglish(sentence: string, names: readonly string[]): RegExpExecArray | null {
  const subject = ['[Ii]nterfaces?', 'APIs?', '[Ff]unctions?', ...names.filter((name) => /^\w+$/.test(name))].join('|')
  const found = new RegExp(`\\b(?:${subject})\\b${apposition}${isDeprecated}`).exec(sentence)
  return found && !ofAnother.test(sentence.slice(0, found.index)) ? found : null
}

/** The interface's name, in code or brackets. */
const apposition = String.raw`(?:\(\))?[\x60*]*(?:\s+\(?[\x60*]*\w*[A-Z_]\w*(?:\(\))?[\x60*]*\)?)?`
const isDeprecated = [
  String.raw`\s+(?:is|are|was|were|will be|(?:has|have) been)`,
  String.raw`\s+(?:(?:now|also|already|\w+ly)\s+)?deprecated\b`,
].join('')
/** A part of the interface, or a denial. */
const ofAnother = new RegExp(
  [
    String.raw`\b(?:parameter|argument|option|field|member|flag|mode|value|type|form|overload|version`,
    String.raw`|not|no|never|unless|if)s?\b[^,;]*$`,
  ].join(''),
  'i',
)

/**
 * What a page warns of, by the name of an interface that it declares. A warning that names interfaces is about those
 * alone: the page of `GetArangeMaxMinTmpSize` declares the older `GetArithProgressionMaxMinTmpSize` too.
 */
export function deprecations(page: DocPage, declared: readonly string[]): (name: string) => Deprecation {
  const warnings = warningsOf(page.markdown, declared)
  const isTitled = /废弃|deprecated/i.test(page.title)
  return (name) => {
    const own = name.split('::').at(-1)!
    const warning = warnings.find(({of}) => of.length === 0 || of.includes(own))
    if (!warning) return isTitled ? {deprecated: {text: page.title, instead: []}} : {}
    return {deprecated: {text: warning.text, instead: warning.instead.filter((other) => other !== own)}}
  }
}

function warningsOf(markdown: string, declared: readonly string[]): Warning[] {
  return parseBlocks(markdown).flatMap((block) => {
    if (block.kind !== 'paragraph' && block.kind !== 'quote' && block.kind !== 'list') return []
    const said = block.text.split(/(?<=。)|\n|(?<=\.)\s+/).map((one) => one.replace(/^[\s•·*-]+|\*\*/g, '').trim())
    return said.flatMap((sentence, at) => warningIn(sentence, said[at + 1] ?? '', declared))
  })
}

function warningIn(sentence: string, next: string, declared: readonly string[]): Warning[] {
  const own = declared.map((one) => one.split('::').at(-1)!)
  const found = discouraged.exec(sentence) ?? warnsInEnglish(sentence, own)
  if (!found) return []
  const named = namesIn(sentence.slice(0, found.index + found[0].length))
  const of = named.filter((name) => own.includes(name))
  if (of.length === 0 && named.some((name) => isOnlyCode.test(name))) return []
  const within = replacements(sentence)
  const instead = within.length > 0 ? within : replacements(next)
  const text =
    within.length === 0 && instead.length > 0 ? `${sentence}${/。$/.test(sentence) ? '' : ' '}${next}` : sentence
  return [{text, of, instead: instead.filter((name) => !of.includes(name))}]
}

/** The names after "use … instead"; the text after the word for interface is about them. */
function replacements(text: string): string[] {
  const wishes = text.matchAll(/(?:请|统一|建议)使用([^。；]*)|(?:改用|替换为)([^。；]*)|\buse\s+([^.;]*)/gi)
  return [...wishes].flatMap(([, ...parts]) =>
    namesIn((parts.find((part) => part !== undefined) ?? '').split('接口')[0]!),
  )
}

/** No word of a language: `CarryAll`, `do_move`, `Carry2`. */
const isOnlyCode = /[a-z][A-Z]|_|\d/

function namesIn(text: string): string[] {
  return [...new Set(text.match(/[A-Za-z_]\w{2,}/g) ?? [])].filter((word) => /[A-Z_\d]/.test(word))
}
