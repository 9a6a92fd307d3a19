/** Tags that models put around their reasoning before the answer: opening and closing. */
const forms = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<seed:think>', '</seed:think>'],
  ['\\[THINK\\]', '\\[/THINK\\]'],
  ['◁think▷', '◁/think▷'],
  ['<\\|START_THINKING\\|>', '<\\|END_THINKING\\|>(?:\\s*<\\|START_RESPONSE\\|>)?'],
  [
    '(?:<\\|start\\|>assistant)?<\\|channel\\|>analysis<\\|message\\|>',
    '(?:<\\|end\\|>)?(?:<\\|start\\|>assistant)?<\\|channel\\|>final<\\|message\\|>',
  ],
].map(([open, close]) => ({
  opens: new RegExp(`^${open}`),
  open: new RegExp(`${open}`),
  close: new RegExp(`${close}`),
  tags: new RegExp(`(?<open>${open})|${close}`, 'g'),
}))
type Form = (typeof forms)[number]

/** Every tag of these forms. */
export const thoughtTags = new RegExp(forms.flatMap(({open, close}) => [open.source, close.source]).join('|'), 'g')

/** Whether a text contains a closing tag of reasoning. */
export const closesThought = (text: string) => forms.some(({close}) => close.test(text))

/** Tokens that end a turn; servers whose stop list is incomplete leave them in the text. */
const controlTokens = [
  '<\\|(?:im_end|endoftext|end_of_text|eot_id|eom_id|end|return|user|observation|END_RESPONSE|END_OF_TURN_TOKEN)\\|>',
  '<｜end▁of▁sentence｜>',
  '<end_of_turn>',
  '<eos>',
  '</s>',
  '\\[e~\\[',
]
const controlsAtEnd = new RegExp(`(?:\\s*(?:${controlTokens.join('|')}))+\\s*$`)

interface Parted {
  text: string
  reasoning: string
  /** The control tokens that were cut off the end of the text; '' when there were none. */
  cutOff: string
}

/**
 * Separates a model's reasoning from its answer. Sources: a separate reasoning field; a leading block; a lone closing
 * tag, which is what remains when the chat template itself opened the block. A block that never closes was cut off:
 * then all of it is reasoning and the text is ''.
 */
export function partReasoning(content: string, reasoningField: string): Parted {
  const cutOff = controlsAtEnd.exec(content)?.[0] ?? ''
  const said = split(content.slice(0, content.length - cutOff.length))
  if (reasoningField.trim() === '') return {...said, cutOff: cutOff.trim()}
  const told = split(reasoningField.replace(controlsAtEnd, ''))
  const [thought, rest] = told.reasoning === '' ? [told.text, ''] : [told.reasoning, told.text]
  // Where the content is empty, the server has put the whole reply into the field.
  const misplaced = said.text === '' && said.reasoning === ''
  const more = [misplaced ? '' : rest, said.reasoning].filter((part) => part !== '' && !thought.includes(part))
  return {text: misplaced ? rest : said.text, reasoning: [thought, ...more].join('\n\n'), cutOff: cutOff.trim()}
}

function split(content: string): {text: string; reasoning: string} {
  const trimmed = content.trim()
  const leading = forms.find(({opens}) => opens.test(trimmed))
  if (leading) return splitBlock(trimmed, leading)
  for (const {open, close} of forms) {
    const end = close.exec(trimmed)
    const opened = open.exec(trimmed)
    if (!end || (opened && opened.index < end.index)) continue
    return {text: trimmed.slice(end.index + end[0].length).trim(), reasoning: trimmed.slice(0, end.index).trim()}
  }
  return {text: trimmed, reasoning: ''}
}

function splitBlock(text: string, form: Form): {text: string; reasoning: string} {
  const begin = form.opens.exec(text)?.[0].length ?? 0
  const end = closingTag(text, form)
  if (end === undefined) return {text: '', reasoning: text.slice(begin).trim()}
  return {text: text.slice(end.to).trim(), reasoning: text.slice(begin, end.from).trim()}
}

/** The tag that closes the first block; blocks may nest. Where they do not balance, the last closing tag counts. */
function closingTag(text: string, {tags}: Form): {from: number; to: number} | undefined {
  let depth = 0
  let last: {from: number; to: number} | undefined
  for (const {0: tag, index, groups} of text.matchAll(tags)) {
    const opens = groups?.['open'] !== undefined
    depth += opens ? 1 : -1
    if (!opens) last = {from: index, to: index + tag.length}
    if (depth === 0) return last
  }
  return last
}
