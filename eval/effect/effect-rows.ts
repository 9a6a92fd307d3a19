import {z} from 'zod'
import {filesIn, dividedReply} from '../../datasets/parquet/reply-parts.ts'
import {parquetRows} from '../../datasets/parquet/parquet-rows.ts'
import {ChatMessages} from './effect-item.ts'

const Row = z.object({
  id: z.string(),
  kind: z.string(),
  side: z.enum(['kernel', 'host']).nullable(),
  asks: z.string().nullable(),
  repository: z.string(),
  path: z.string(),
  prompt: ChatMessages,
  completion: ChatMessages.min(1),
  files: z.array(
    z.object({path: z.string(), start: z.number().nullable(), end: z.number().nullable(), text: z.string().nullable()}),
  ),
})

/** A row of a data set, its turn divided. */
export interface EffectRow extends Pick<z.infer<typeof Row>, 'id' | 'kind' | 'side' | 'repository' | 'path'> {
  /** Whether its answer is a whole file. */
  isFile: boolean
  messages: ChatMessages
  reasoning: string
  answer: string
  /** Files or functions of the answer. */
  code: readonly {path: string; text: string}[]
}

/** Rows of the files of configuration `sft`. */
export async function effectRows(files: readonly string[]): Promise<EffectRow[]> {
  const rows: EffectRow[] = []
  for (const file of files)
    for await (const row of parquetRows(file, Object.keys(Row.shape))) rows.push(rowOf(Row.parse(row)))
  return rows
}

function rowOf({prompt, completion, asks, files, ...row}: z.infer<typeof Row>): EffectRow {
  const {content} = completion.at(-1) as {content: string}
  return {
    ...row,
    isFile: asks === 'file',
    messages: prompt,
    ...dividedReply(content),
    code: filesIn(content, files),
  }
}
