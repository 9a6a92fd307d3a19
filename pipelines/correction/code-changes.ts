import {diffLines} from 'diff'
import type {SourceFile} from '../../datasets/schema/operator.ts'

/** Lines that differ in one place of a file. */
interface Change {
  path: string
  /** 1-based line of the failed file where the change begins. */
  line: number
  removed: string[]
  added: string[]
}

/** What has to change in the first files so that they become the second; files of the second alone are all added. */
export function changesBetween(failed: readonly SourceFile[], right: readonly SourceFile[]): Change[] {
  const texts = new Map(failed.map(({path, text}) => [path, text]))
  return right.flatMap(({path, text}) => changesIn(path, texts.get(path) ?? '', text))
}

function changesIn(path: string, before: string, after: string): Change[] {
  const changes: Change[] = []
  let line = 1
  let open: Change | undefined
  for (const {value, added, removed} of diffLines(before, after)) {
    const lines = value.replace(/\n$/, '').split('\n')
    if (!added && !removed) open = undefined
    else if (!open) changes.push((open = {path, line, removed: [], added: []}))
    if (open) (added ? open.added : open.removed).push(...lines)
    if (!added) line += lines.length
  }
  return changes
}

/** Lines that are taken out or put in. */
export function changedLines(changes: readonly Change[]): number {
  return changes.reduce((sum, {removed, added}) => sum + Math.max(removed.length, added.length), 0)
}
