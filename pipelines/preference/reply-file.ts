import {createHash} from 'node:crypto'
import {closeSync, openSync, readSync} from 'node:fs'
import {open, type FileHandle} from 'node:fs/promises'
import {basename} from 'node:path'
import {z} from 'zod'
import {PipelineError} from '../core/errors.ts'

/** One line of a reply file: what a model answered to one task. Other keys are left alone. */
export const ReplyRow = z.object({
  /** Name or path of the task. */
  task: z.string().min(1),
  /** Of a static shape, the `case_id` that was shown; the first when absent. */
  case: z.union([z.string(), z.int()]).transform(String).optional(),
  /** 0 … n−1; in the file's order when absent. */
  sample: z.int().nonnegative().optional(),
  reply: z.string(),
  reasoning: z.string().default(''),
  model: z.string().min(1).optional(),
  prompt: z.string().min(1).optional(),
})
export type ReplyRow = z.infer<typeof ReplyRow>

interface Span {
  offset: number
  length: number
}

export interface ReplyFile {
  /** Changes with the content. */
  readonly id: string
  readonly name: string
  /** What the rows name as their tasks. */
  readonly tasks: ReadonlySet<string>
  rowsOf(names: readonly string[]): Promise<ReplyRow[]>
}

/**
 * Looks through a file of replies once and remembers where the rows of each task stand, so that only those in use are in memory.
 * @throws PipelineError `input-missing` without the file, `record-invalid` with the line that is no reply
 */
export function openReplies(path: string): ReplyFile {
  const places = new Map<string, Span[]>()
  const hash = createHash('sha256')
  for (const {bytes, offset, line} of linesOf(path)) {
    hash.update(bytes)
    const text = bytes.toString('utf8')
    if (text.trim() === '') continue
    const {task} = parsed(text, path, line)
    places.set(task, [...places.get(task) ?? [], {offset, length: bytes.length}])
  }
  return {
    id: hash.digest('hex'), name: basename(path), tasks: new Set(places.keys()),
    async rowsOf(names) {
      const spans = names.flatMap((name) => places.get(name) ?? []).sort((a, b) => a.offset - b.offset)
      if (spans.length === 0) return []
      const file = await open(path, 'r')
      try {
        const rows: ReplyRow[] = []
        for (const span of spans) rows.push(ReplyRow.parse(JSON.parse(await readSpan(file, span))))
        return rows
      } finally {
        await file.close()
      }
    },
  }
}

async function readSpan(file: FileHandle, {offset, length}: Span): Promise<string> {
  const {buffer} = await file.read(Buffer.alloc(length), 0, length, offset)
  return buffer.toString('utf8')
}

function parsed(text: string, path: string, line: number): ReplyRow {
  try {
    return ReplyRow.parse(JSON.parse(text))
  } catch (error) {
    const problem = error instanceof z.ZodError ? error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ') : String(error)
    throw new PipelineError('record-invalid', `${path} line ${line} is not a reply: ${problem}`, {
      fix: 'Each line is a JSON object with task and reply, and may have sample, case, reasoning, model, prompt.', scope: 'run', cause: error, evidence: {path, line, problem},
    })
  }
}

const chunkBytes = 2 ** 20

function* linesOf(path: string): Generator<{bytes: Buffer; offset: number; line: number}> {
  const file = openForReading(path)
  try {
    let rest = Buffer.alloc(0)
    let offset = 0
    let line = 0
    for (;;) {
      const chunk = Buffer.alloc(chunkBytes)
      const count = readSync(file, chunk, 0, chunkBytes, null)
      if (count === 0) break
      rest = Buffer.concat([rest, chunk.subarray(0, count)])
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        yield {bytes: rest.subarray(0, end), offset, line: line += 1}
        offset += end + 1
        rest = rest.subarray(end + 1)
      }
    }
    if (rest.length > 0) yield {bytes: rest, offset, line: line + 1}
  } finally {
    closeSync(file)
  }
}

function openForReading(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (error) {
    throw new PipelineError('input-missing', `The replies in ${path} cannot be read.`, {fix: 'Give --candidates answers, model, the name of a teacher profile, or the path of a file of replies.', scope: 'run', cause: error, evidence: {path}})
  }
}
