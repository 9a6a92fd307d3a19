import {decodeEntities} from '../../datasets/entities.ts'
import {closesThought, partReasoning, thoughtTags} from '../../engine/llm/think.ts'

type Pair = readonly [open: string, close: string]

/** Tags of data sets around reasoning, in addition to models' own, and around the answer. */
const otherTags: readonly {thought: Pair; answer?: Pair}[] = [
  {
    thought: ['<|begin_of_thought|>', '<|end_of_thought|>'],
    answer: ['<|begin_of_solution|>', '<|end_of_solution|>'],
  },
  {thought: ['<reasoning>', '</reasoning>'], answer: ['<answer>', '</answer>']},
  {thought: ['<thoughts>', '</thoughts>']},
  {thought: ['## Thinking\n', '\n## Final Response\n']},
]

/** Fences on lines of their own, and code within a line. */
const code = /^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1[`~]*[ \t]*$|`[^`\n]+`/gm
/** A private character that no text has: within a tag it keeps it from being one. */
const mask = '\uE0F0'

/**
 * Separates reasoning from answer. Tags inside code are text: a program may print them. If no answer remains, a fence
 * was left open across the border, and all tags count.
 */
export function partThought(text: string, apart: string): {reasoning: string; answer: string} {
  const usual = withThinkTags(text)
  const isFree = !usual.includes(mask)
  const hidden = (span: string) => span.replace(thoughtTags, (tag) => `${tag[0]}${mask}${tag.slice(1)}`)
  const masked = isFree ? usual.replace(code, hidden) : usual
  const first = partReasoning(masked, apart)
  const whole = first.text === '' ? partReasoning(usual, apart) : first
  const shown = (one: string) => (isFree ? one.replaceAll(mask, '') : one)
  return {reasoning: shown(whole.reasoning), answer: withoutTags(shown(whole.text))}
}

/** Whether a text has reasoning between tags. */
export function holdsThought(text: string): boolean {
  const usual = spelled(text)
  return closesThought(usual) || otherTags.some(({thought: [, close]}) => usual.includes(close))
}

function withThinkTags(text: string): string {
  const usual = spelled(text)
  const start = usual.trimStart()
  for (const {
    thought: [open, close],
  } of otherTags) {
    const end = start.indexOf(close)
    if (!start.startsWith(open) || end === -1) continue
    return `<think>${start.slice(open.length, end)}</think>${start.slice(end + close.length)}`
  }
  return usual
}

/** A tag in capitals, with blanks inside, or both. */
const oddTag = /<\s*(\/?)\s*(thinking|thoughts?|think|reasoning|answer)\s*>/gi
const anyTag = new RegExp(oddTag.source, 'i')
const escapedTags = /&lt;\s*(\/?)\s*(think(?:ing)?)\s*&gt;/gi

/**
 * A text with normalised tags of reasoning and answer, outside of code. One that begins with an escaped tag was escaped
 * for a page: as a whole, where it has no bracket of its own.
 */
function spelled(text: string): string {
  const plain = /^\s*&lt;/.test(text) ? unescaped(text) : text
  if (!anyTag.test(plain)) return plain
  const usual = (part: string) =>
    part.replace(oddTag, (_, slash: string, name: string) => `<${slash}${name.toLowerCase()}>`)
  let result = ''
  let end = 0
  for (const found of plain.matchAll(code)) {
    result += usual(plain.slice(end, found.index)) + found[0]
    end = found.index + found[0].length
  }
  return result + usual(plain.slice(end))
}

function unescaped(text: string): string {
  if (text.search(escapedTags) === -1) return text
  return text.includes('<') ? text.replace(escapedTags, '<$1$2>') : decodeEntities(text)
}

function withoutTags(answer: string): string {
  for (const {answer: tags} of otherTags) {
    if (tags && answer.startsWith(tags[0]) && answer.endsWith(tags[1]))
      return answer.slice(tags[0].length, -tags[1].length).trim()
  }
  return answer
}
