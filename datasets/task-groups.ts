import type {Candidate} from './schema/candidate.ts'

/** Candidates grouped by request. Candidates of a task must arrive together, as earlier stages emit them. */
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

/** The prompt belongs to it: preferring or correcting an answer only makes sense for the same question. */
function isSameRequest(a: Pick<Candidate, 'prompt' | 'task'>, b: Pick<Candidate, 'prompt' | 'task'>): boolean {
  return (
    a.prompt === b.prompt &&
    a.task.origin.repository === b.task.origin.repository &&
    a.task.origin.path === b.task.origin.path
  )
}
