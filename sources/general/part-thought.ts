import {partReasoning} from '../../engine/llm/think.ts'

/** Tags that data sets put around what was thought and, some of them, around the answer. */
const otherTags: readonly {thought: readonly [string, string]; answer?: readonly [string, string]}[] = [
  {
    thought: ['<|begin_of_thought|>', '<|end_of_thought|>'],
    answer: ['<|begin_of_solution|>', '<|end_of_solution|>'],
  },
  {thought: ['<thinking>', '</thinking>'], answer: ['<answer>', '</answer>']},
  {thought: ['<reasoning>', '</reasoning>'], answer: ['<answer>', '</answer>']},
  {thought: ['<thought>', '</thought>'], answer: ['<answer>', '</answer>']},
  {thought: ['<think>', '</think>'], answer: ['<answer>', '</answer>']},
]

const thinkTag = /<(\/?think)>/g
/** Fences on lines of their own, and code within a line. */
const code = /^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1[`~]*[ \t]*$|`[^`\n]+`/gm
const [hiddenOpen, hiddenClose] = ['\uE0F0', '\uE0F1']
const hidden = new RegExp(`${hiddenOpen}(/?think)${hiddenClose}`, 'g')

/**
 * Separates thought from answer. Tags inside code are text: a program may print them. Where nothing is left on one side
 * that way, a fence was left open across the border, and all tags count.
 */
export function partThought(text: string, apart: string): {reasoning: string; answer: string} {
  const usual = withThinkTags(text)
  const masked = usual.includes(hiddenOpen)
    ? usual
    : usual.replace(code, (span) => span.replace(thinkTag, `${hiddenOpen}$1${hiddenClose}`))
  const first = partReasoning(masked, apart)
  const whole = first.reasoning === '' || first.text === '' ? partReasoning(usual, apart) : first
  const shown = (one: string) => (usual.includes(hiddenOpen) ? one : one.replace(hidden, '<$1>'))
  return {reasoning: shown(whole.reasoning), answer: withoutTags(shown(whole.text))}
}

/** Whether a tag stands in a text outside of code: what was thought and answered is then not what it seems. */
export function hasLooseTag(text: string): boolean {
  return /<\/?think>/.test(text.replace(code, ''))
}

/** Whether a text holds thought between tags. */
export function holdsThought(text: string): boolean {
  return otherTags.some(({thought: [, close]}) => text.includes(close))
}

function withThinkTags(text: string): string {
  const start = text.trimStart()
  for (const {
    thought: [open, close],
  } of otherTags) {
    const end = start.indexOf(close)
    if (open === '<think>' || !start.startsWith(open) || end === -1) continue
    return `<think>${start.slice(open.length, end)}</think>${start.slice(end + close.length)}`
  }
  return text
}

function withoutTags(answer: string): string {
  for (const {answer: tags} of otherTags) {
    if (tags && answer.startsWith(tags[0]) && answer.endsWith(tags[1]))
      return answer.slice(tags[0].length, -tags[1].length).trim()
  }
  return answer
}
