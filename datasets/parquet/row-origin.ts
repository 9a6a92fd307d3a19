import {filesIn, type LocatedFile} from './reply-parts.ts'
import type {Config, RecordOf} from '../schema/export.ts'
import {groupOf} from '../split.ts'

/** Columns of a release that identify a row's origin. */
export const originColumnNames = ['kind', 'task', 'prompt', 'completion', 'files', 'repository', 'path'] as const

interface Turn {
  content: string
}

/** The origin of a row of a published file, the same as that of its record. */
export function originOfRow(row: Readonly<Record<string, unknown>>): string {
  const {kind, task, repository, path, files} = row
  const prompt = contentOf(row['prompt'])
  // For rows without an origin, each question is an origin.
  const isOurs = typeof repository === 'string' && typeof path === 'string'
  const record = {
    ...(typeof task === 'string' ? {task} : {}),
    kind: isOurs ? kind : 'general',
    prompt,
    reasoning: '',
    origin: {repository, path},
    files: filesIn(contentOf(row['completion']), (files ?? []) as LocatedFile[]),
  }
  return groupOf(record as unknown as RecordOf[Config])
}

const contentOf = (cell: unknown) => ((cell as Turn[] | null | undefined) ?? []).map(({content}) => content).join('\n')
