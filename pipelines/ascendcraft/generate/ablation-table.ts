import type {Crafted} from '../../../datasets/schema/crafted.ts'

/** What one setting reached, over all tasks that were put to it. */
interface AblationRow {
  arm: string
  model: string
  tasks: number
  compiled: number
  correct: number
  /** Replies, over all steps. */
  replies: number
  promptTokens: number
  completionTokens: number
}

/** A row for each setting and model, in the order in which they first come. All tasks are in the denominators. */
export function ablationRows(crafted: readonly Crafted[]): AblationRow[] {
  const rows = new Map<string, AblationRow>()
  for (const {setting, model, state, rounds} of crafted) {
    const {lowering, without} = setting
    const arm = [`${lowering} lowers`, ...(without.length > 0 ? [`without ${without.join(', ')}`] : [])].join(', ')
    const key = `${arm} ${model}`
    const none = {arm, model, tasks: 0, compiled: 0, correct: 0, replies: 0, promptTokens: 0, completionTokens: 0}
    const row = rows.get(key) ?? none
    rows.set(key, row)
    row.tasks += 1
    row.compiled += state === 'not-compiled' ? 0 : 1
    row.correct += state === 'correct' ? 1 : 0
    row.replies += rounds.length
    for (const round of rounds) {
      row.promptTokens += round.promptTokens
      row.completionTokens += round.completionTokens
    }
  }
  return [...rows.values()]
}

/** The rows as a table in Markdown. `note` says above it what the figures are. */
export function ablationTable(rows: readonly AblationRow[], note: string): string {
  const head = '| setting | model | tasks | compiled | correct | replies | prompt tokens | reply tokens |'
  const lines = rows.map(
    ({arm, model, tasks, compiled, correct, replies, promptTokens, completionTokens}) =>
      `| ${arm} | ${model} | ${tasks} | ${share(compiled, tasks)} | ${share(correct, tasks)} | ${replies} ` +
      `| ${promptTokens} | ${completionTokens} |`,
  )
  return [note, '', head, '|--|--|--|--|--|--|--|--|', ...lines, ''].join('\n')
}

function share(part: number, whole: number): string {
  return `${part} (${((100 * part) / whole).toFixed(1)} %)`
}
