import type {Candidate} from './schema/candidate.ts'

/**
 * Candidates of one request after another. Candidates of a task must arrive together, as the stages before leave them.
 */
export async function* byRequest<T extends Pick<Candidate, 'prompt' | 'task'>>(
  items: AsyncIterable<T>,
): AsyncIterable<[T, ...T[]]> {
  let group: [T, ...T[]] | undefined
  for await (const item of items) {
    if (group && isSameRequest(group[0], item)) group.push(item)
    else {
      if (group) yield group
      group = [item]
    }
  }
  if (group) yield group
}

/** The prompt belongs to it: preferring or mending an answer makes sense only for the same question. */
function isSameRequest(a: Pick<Candidate, 'prompt' | 'task'>, b: Pick<Candidate, 'prompt' | 'task'>): boolean {
  return (
    a.prompt === b.prompt &&
    a.task.origin.repository === b.task.origin.repository &&
    a.task.origin.path === b.task.origin.path
  )
}
