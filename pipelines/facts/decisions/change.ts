import type {Edit} from '../../../cpp/edit.ts'
import type {Range, SourceView} from '../../../cpp/source-view.ts'
import type {DecisionTopic} from '../../../datasets/schema/decision.ts'

/** One decision of a file made otherwise. */
export interface Change {
  /** The name or the code that was decided on. */
  subject: string
  /** The place of the decision first. */
  edits: readonly Edit[]
  /** Numbers of what was changed, by name. */
  values?: Readonly<Record<string, number>>
}

/** A way to decide otherwise. Whether it matters, and how, an executor observes. */
export interface ChangeKind {
  /** Kebab-case. */
  name: string
  topic: DecisionTopic
  /** Every place of a file where it was decided so. */
  find(source: SourceView): Change[]
}

/** All places of one decision change at once, if there are any. */
export function together(subject: string, edits: readonly Edit[], values?: Change['values']): Change[] {
  return edits.length === 0 ? [] : [{subject, edits, ...(values && {values})}]
}

export const edit = ({start, end}: Range, text: string): Edit => ({start, end, text})

/** Code on one line, short enough to be quoted. */
export function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= 90 ? line : `${line.slice(0, 88)} …`
}
