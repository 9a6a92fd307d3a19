import type {CheckedJob} from './checked-job.ts'
import {percent} from './finding.ts'
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

/** Checks think blocks against what templates do with them, and with rows without one. */
export function thinkBlocks({plan: {spec}}: CheckedJob): RowCheck {
  const thinking = spec.model.thinking.value
  const outText = spec.data.view ? '' : '; `--set data.view=no-think` removes them'
  const [malformed, missing, text, oneSided, history] = [
    new Tally(),
    new Tally(),
    new Tally(),
    new Tally(),
    new Tally(),
  ]
  // On both sides of a pair it cancels out.
  const learnt = spec.method === 'sft'
  const remedy = spec.data.view
    ? '`--set data.view=null` keeps their reasoning'
    : 'Remove these rows, or give them reasoning'
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
      ...malformed.found(
        'think-malformed',
        (which) =>
          `${which} have think tags that are not one block at the start: templates cut at the first and the last ` +
          'tag, and what is between them is lost.',
        'Put <think>…</think> once, before the answer; spell the tags differently in text about them.',
      ),
      // An empty block is inserted before a reply without one, and its tokens are learnt.
      ...missing.found(
        'think-missing',
        (which) =>
          `${which}, ${percent(missing.count / rows)} of all, have no reasoning: the template of a thinking model ` +
          `puts an empty think block in front of ${learnt ? 'each, and the model learns not to think' : 'both sides'}.`,
        learnt ? `${remedy}; if it is intended, set \`allow: [think-missing]\`.` : '',
        learnt ? 'error' : 'note',
      ),
      ...text.found(
        'think-as-text',
        (which) =>
          `${which} have think tags, which ${spec.model.name.value} treats as plain text (\`model.thinking\` is ` +
          'false).',
        `Decide whether the model should learn them as text${outText}.`,
      ),
      ...oneSided.found(
        'think-one-sided',
        (which) => `${which} have reasoning on one side only: its presence alone identifies the better side.`,
        'Give both sides their reasoning, or neither.',
      ),
      ...history.found(
        'think-in-history',
        (which) => `${which} have think blocks in earlier turns, which Qwen3's template removes.`,
        'Put the conversation into one user turn.',
      ),
    ],
  }
}
