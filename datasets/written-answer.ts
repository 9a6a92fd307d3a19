import {byCodeUnit} from '../engine/code-unit-order.ts'
import {formatFiles} from './operator-reply.ts'
import type {Candidate} from './schema/candidate.ts'

/** The files that a candidate wrote, in the order in which the prompt asks for them: tiling data, host, kernel. */
export function writtenFiles({files, written}: Pick<Candidate, 'files' | 'written'>): Candidate['files'] {
  return files
    .filter(({path}) => written.includes(path))
    .sort((a, b) => askedAs(a.path) - askedAs(b.path) || byCodeUnit(a.path, b.path))
}

/** In the prompt's order: tiling data, host, kernel. */
export function askedAs(path: string): number {
  if (!path.startsWith('op_host/')) return 2
  return path.endsWith('_tiling.h') ? 0 : 1
}

/** A candidate's files in the form of a reply. */
export function writtenAnswer(candidate: Pick<Candidate, 'files' | 'written'>): string {
  return formatFiles(writtenFiles(candidate))
}
