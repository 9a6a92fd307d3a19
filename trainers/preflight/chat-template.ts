import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {dividedReply} from '../../datasets/parquet/reply-parts.ts'
import {lostIn, qwen3} from '../../datasets/tokens/chat-format.ts'
import {readChatFormat, readChatTemplate} from '../../datasets/tokens/read-chat-format.ts'
import type {CheckedChat, CheckedJob} from './checked-job.ts'
import {found, type Finding} from './finding.ts'
import {Tally, type RowCheck} from './row-view.ts'

/**
 * A model's chat format, from its files.
 * @throws PipelineError `config-invalid` for files that cannot be used
 */
export async function checkedChat(files: string | null): Promise<CheckedChat> {
  if (files === null || !existsSync(join(files, 'tokenizer.json'))) return {format: qwen3, exact: false, template: null}
  return {format: await readChatFormat(files, 'model.name'), exact: true, template: await readChatTemplate(files)}
}

/**
 * Checks the model's chat template: it exists, its think blocks match the specification, and it preserves every text.
 */
export function chatTemplate({chat, plan: {spec}}: CheckedJob): RowCheck {
  const lost = new Map<string, Tally>()
  return {
    look(row) {
      if (typeof chat.template !== 'string') return
      for (const {text} of row.replies) {
        const part = lostIn(chat.format, row.question, text, dividedReply(text))
        if (part === undefined) continue
        const tally = lost.get(part) ?? new Tally()
        lost.set(part, tally)
        tally.add(row)
      }
    },
    findings: () => [
      ...templateFindings(chat.template, spec.model.thinking.value, spec.model.name.value),
      ...[...lost].flatMap(([part, tally]) =>
        tally.found(
          'template-drops-text',
          (rows) => `The chat template of the model changes or drops the ${part} of ${rows}.`,
          part === 'reasoning' && chat.format.dropsReasoning === true
            ? 'The template drops the reasoning of every turn; put one that keeps it next to the tokenizer.json.'
            : 'Correct or remove these rows: the model would be trained on different text.',
        ),
      ),
    ],
  }
}

function templateFindings(template: string | null | undefined, thinking: boolean, name: string): Finding[] {
  if (template === null) return []
  if (template === undefined) {
    return found(
      'template-missing',
      `${name} has a tokenizer but no chat template: trainers stop, or join turns in their own way.`,
      'Use the instruction-tuned model, or put its chat_template.jinja next to the tokenizer.json.',
    )
  }
  if (template.includes('<think>') === thinking) return []
  return found(
    'thinking-differs',
    `\`model.thinking\` is ${thinking}, and the chat template of ${name} ${thinking ? 'has no' : 'has'} ` +
      'think blocks.',
    `Use --set model.thinking=${!thinking}, or the intended model.`,
  )
}

/** Those of Qwen3, used when the model's own are not available. */
const ofQwen3 = [
  ...['<|endoftext|>', '<|im_start|>', '<|im_end|>', '<|object_ref_start|>', '<|object_ref_end|>', '<|box_start|>'],
  ...['<|box_end|>', '<|quad_start|>', '<|quad_end|>', '<|vision_start|>', '<|vision_end|>', '<|vision_pad|>'],
  ...['<|image_pad|>', '<|video_pad|>'],
]

/** Spellings of control tokens inside texts: a tokenizer reads them as control tokens, and a turn ends too early. */
export function controlTokens({chat: {format}}: CheckedJob): RowCheck {
  const reserved = format.reserved.length > 0 ? format.reserved : ofQwen3
  const rows = new Tally()
  const seen = new Set<string>()
  return {
    look(row) {
      const texts = [row.question, ...row.replies.map(({text}) => text)]
      const found = reserved.filter((token) => texts.some((text) => text.includes(token)))
      if (found.length === 0) return
      rows.add(row)
      for (const token of found) seen.add(token)
    },
    findings: () =>
      rows.found(
        'control-token',
        (which) => `${which} have ${[...seen].join(', ')} in their text, which the tokenizer reads as control tokens.`,
        'Remove these rows, or spell the tokens differently.',
      ),
  }
}
