import {existsSync} from 'node:fs'
import {appendFile} from 'node:fs/promises'
import {join} from 'node:path'
import type {Config} from '../../datasets/schema/export.ts'
import {Mark, marksFile, type Reading} from '../../datasets/schema/mark.ts'
import {asOutputError, readJsonLines} from '../../engine/files.ts'

/**
 * Every mark of a data set, in the order of marking; [] without any.
 * @throws PipelineError `record-invalid` when a line is not a mark
 */
export async function readMarks(dataset: string): Promise<Mark[]> {
  const path = join(dataset, marksFile)
  const marks: Mark[] = []
  if (existsSync(path)) for await (const mark of readJsonLines(path, Mark)) marks.push(mark)
  return marks
}

/** @throws PipelineError `disk-full` or `output-unwritable` */
export async function addMark(dataset: string, mark: Mark): Promise<void> {
  const path = join(dataset, marksFile)
  await appendFile(path, `${JSON.stringify(mark)}\n`).catch((error: unknown) => {
    throw asOutputError(error, path)
  })
}

/**
 * Rows of a configuration of which a reader's last word is one of these, by content id.
 * @throws PipelineError `record-invalid` when a line is not a mark
 */
export async function refusedByReaders(
  dataset: string,
  config: Config,
  refused: readonly Reading[],
): Promise<Record<string, Reading>> {
  const last = new Map((await readMarks(dataset)).map((mark) => [`${mark.reader} ${mark.id}`, mark]))
  const marks = [...last.values()].filter((one) => one.config === config && refused.includes(one.mark))
  return Object.fromEntries(marks.map(({id, mark}) => [id, mark]))
}
