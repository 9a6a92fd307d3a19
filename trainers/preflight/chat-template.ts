import {lostIn} from '../../datasets/tokens/chat-format.ts'
import {dividedReply} from '../../datasets/parquet/reply-parts.ts'
import type {CheckedJob} from './checked-job.ts'
import type {Finding} from './finding.ts'
import {Tally, type RowCheck} from './row-view.ts'

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
        tally.found((rows) => ({
          code: 'template-drops-text',
          severity: 'error',
          message: `The chat template of the model changes or drops the ${part} of ${rows}.`,
          fix:
            part === 'reasoning' && chat.format.dropsReasoning === true
              ? 'The template drops the reasoning of every turn; put one that keeps it next to the tokenizer.json.'
              : 'Correct or remove these rows: the model would be trained on different text.',
        })),
      ),
    ],
  }
}

function templateFindings(template: string | null | undefined, thinking: boolean, name: string): Finding[] {
  if (template === null) return []
  if (template === undefined) {
    return [
      {
        code: 'template-missing',
        severity: 'error',
        message: `${name} has a tokenizer but no chat template: trainers stop, or join turns in their own way.`,
        fix: 'Use the instruction-tuned model, or put its chat_template.jinja next to the tokenizer.json.',
      },
    ]
  }
  if (template.includes('<think>') === thinking) return []
  return [
    {
      code: 'thinking-differs',
      severity: 'warning',
      message:
        `\`model.thinking\` is ${thinking}, and the chat template of ${name} ${thinking ? 'has no' : 'has'} ` +
        'think blocks.',
      fix: `Use --set model.thinking=${!thinking}, or the intended model.`,
    },
  ]
}
