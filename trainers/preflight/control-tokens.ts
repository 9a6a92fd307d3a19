import type {CheckedJob} from './checked-job.ts'
import {Tally, type RowCheck} from './row-view.ts'

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
      rows.found((which) => ({
        code: 'control-token',
        severity: 'error',
        message: `${which} have ${[...seen].join(', ')} in their text, which the tokenizer reads as control tokens.`,
        fix: 'Remove these rows, or spell the tokens differently.',
      })),
  }
}
