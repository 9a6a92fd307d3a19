import type {CheckedJob} from './checked-job.ts'
import type {JobSpec} from '../spec.ts'
import {percent, type Finding} from './finding.ts'
import {Tally, type RowCheck} from './row-view.ts'

const tags = /<\/?think>/g

type Shape = 'none' | 'empty' | 'block' | 'malformed'

/** As Qwen3's template writes it: at the start, one opening tag, one closing tag. */
function shapeOf(text: string): Shape {
  const found = text.match(tags) ?? []
  if (found.length === 0) return 'none'
  const isBlock = found.length === 2 && found[0] === '<think>' && found[1] === '</think>' && /^\s*<think>/.test(text)
  if (!isBlock) return 'malformed'
  return /^\s*<think>\s*<\/think>/.test(text) ? 'empty' : 'block'
}

/** Think blocks against what templates do with them, and with rows that have none. */
export function thinkBlocks({plan: {spec}}: CheckedJob): RowCheck {
  const thinking = spec.model.thinking.value
  const outText = spec.data.view ? '' : '; `--set data.view=no-think` takes them out'
  const [malformed, missing, text, oneSided, history] = [
    new Tally(),
    new Tally(),
    new Tally(),
    new Tally(),
    new Tally(),
  ]
  let rows = 0
  return {
    look(row) {
      rows += 1
      const shapes = row.replies.map((reply) => shapeOf(reply.text))
      if (shapes.includes('malformed')) malformed.add(row)
      if (thinking && shapes.some((shape) => shape === 'none' || shape === 'empty')) missing.add(row)
      if (!thinking && shapes.some((shape) => shape !== 'none')) text.add(row)
      if (shapes.length > 1 && new Set(shapes.map((shape) => shape === 'block')).size > 1) oneSided.add(row)
      if (row.prompt?.some(({role, content}) => role === 'assistant' && content.includes('</think>'))) history.add(row)
    },
    findings: () => [
      ...malformed.found(malformedFinding),
      ...missing.found((which) => missingFinding(which, missing.count / rows, spec)),
      ...text.found((which) => ({
        code: 'think-as-text',
        severity: 'warning',
        message:
          `${which} have think tags, which ${spec.model.name.value} knows as plain text (\`model.thinking\` is ` +
          'false).',
        fix: `Decide whether it is to learn them as text${outText}.`,
      })),
      ...oneSided.found((which) => ({
        code: 'think-one-sided',
        severity: 'error',
        message: `${which} have reasoning on one side only: its mere presence tells the better side.`,
        fix: 'Give both sides their reasoning, or neither.',
      })),
      ...history.found((which) => ({
        code: 'think-in-history',
        severity: 'warning',
        message: `${which} have think blocks in earlier turns, which Qwen3's template takes out again.`,
        fix: 'Put the conversation into one turn of the user.',
      })),
    ],
  }
}

function malformedFinding(rows: string): Finding {
  return {
    code: 'think-malformed',
    severity: 'error',
    message:
      `${rows} have think tags that are not one block at the start: templates cut at the first and the last tag, and ` +
      'what stands between is lost.',
    fix: 'Expected is <think>…</think> once, before the answer; write the tags otherwise where a text speaks of them.',
  }
}

/** An empty block is put in front of a reply that has none, and its tokens are learnt. */
function missingFinding(rows: string, share: number, {method, data}: JobSpec): Finding {
  // On both sides of a pair it cancels out.
  const learnt = method === 'sft'
  const mended = data.view
    ? '`--set data.view=null` leaves them their reasoning'
    : 'Leave these rows out, or give them reasoning'
  return {
    code: 'think-missing',
    severity: learnt ? 'error' : 'note',
    message:
      `${rows}, ${percent(share)} of all, have no reasoning: the template of a thinking model puts an empty think ` +
      `block in front of ${learnt ? 'each, and it is learnt: do not think' : 'both sides'}.`,
    fix: learnt ? `${mended}; where it is meant, \`allow: [think-missing]\`.` : '',
  }
}
