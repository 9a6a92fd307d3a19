import {createHash} from 'node:crypto'
import {closeSync, fstatSync, openSync, readSync} from 'node:fs'
import {open, type FileHandle} from 'node:fs/promises'
import {basename} from 'node:path'
import {z} from 'zod'
import {PipelineError} from '../../engine/errors.ts'

/** One line of a reply file: what a model answered to one task. Other keys are ignored. */
export const ReplyRow = z.object({
  /** Name or path of the task. */
  task: z.string().min(1),
  /** For a static shape, the `case_id` of the prompt; the first when absent. */
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
  /** The task names in the rows. */
  readonly tasks: ReadonlySet<string>
  rowsOf(names: readonly string[]): Promise<ReplyRow[]>
  /** Lines that are not a reply, in order. */
  readonly bad: readonly BadLine[]
}

interface BadLine {
  line: number
  problem: string
  /** The preceding task, or the first one: files are ordered by task, so the reply is missed there. */
  task: string
}

/**
 * Indexes a file of replies in one pass, so that only rows in use are in memory. Lines that are not a reply are set
 * aside. @throws PipelineError `input-missing` without the file, `record-invalid` when no line is a reply
 */
export function openReplies(path: string): ReplyFile {
  const places = new Map<string, Span[]>()
  const hash = createHash('sha256')
  const bad: (Omit<BadLine, 'task'> & {task: string | undefined})[] = []
  let before: string | undefined
  for (const {bytes, offset, line} of linesOf(path)) {
    hash.update(bytes)
    if (bytes.every((byte) => byte <= blank)) continue
    const row = parsed(bytes)
    if (!row.ok) {
      bad.push({line, problem: row.problem, task: before})
      continue
    }
    before = row.task
    const spans = places.get(row.task)
    if (spans) spans.push({offset, length: bytes.length})
    else places.set(row.task, [{offset, length: bytes.length}])
  }
  const [first] = places.keys()
  if (first === undefined && bad[0]) throw noReply(path, bad[0])
  return {
    id: hash.digest('hex'),
    name: basename(path),
    tasks: new Set(places.keys()),
    bad: bad.map((one) => ({...one, task: one.task ?? first ?? ''})),
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

/** Space, and the controls below it. */
const blank = 0x20

function parsed(bytes: Buffer): {ok: true; task: string} | {ok: false; problem: string} {
  if (bytes.length > longestLine) return {ok: false, problem: `longer than ${longestLine} bytes`}
  try {
    const text = new TextDecoder('utf-8', {fatal: true}).decode(bytes)
    return {ok: true, task: ReplyRow.parse(JSON.parse(text)).task}
  } catch (error) {
    if (!(error instanceof z.ZodError)) return {ok: false, problem: (error as Error).message}
    return {ok: false, problem: error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')}
  }
}

function noReply(path: string, {line, problem}: Omit<BadLine, 'task'>): PipelineError {
  return new PipelineError('record-invalid', `${path} holds no reply; line ${line}: ${problem}`, {
    fix: 'Write one JSON object per line with task and reply, and optionally sample, case, reasoning, model, prompt.',
    evidence: {path, line, problem},
  })
}

/** Limit for a reply with its reasoning; models write a hundredth of it. */
const longestLine = 1 << 26

const chunkBytes = 2 ** 20

function* linesOf(path: string): Generator<{bytes: Buffer; offset: number; line: number}> {
  const file = openForReading(path)
  try {
    let rest = Buffer.alloc(0)
    let offset = 0
    // Discarded bytes of an endless line.
    let lost = 0
    let line = 0
    for (;;) {
      const chunk = Buffer.alloc(chunkBytes)
      const count = readSync(file, chunk, 0, chunkBytes, null)
      if (count === 0) break
      rest = Buffer.concat([rest, chunk.subarray(0, count)])
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
        yield {bytes: rest.subarray(0, end), offset, line: (line += 1)}
        offset += lost + end + 1
        lost = 0
        rest = rest.subarray(end + 1)
      }
      if (rest.length > 2 * longestLine) {
        lost += rest.length - longestLine - 1
        rest = Buffer.from(rest.subarray(0, longestLine + 1))
      }
    }
    if (rest.length > 0) yield {bytes: rest, offset, line: line + 1}
  } finally {
    closeSync(file)
  }
}

function openForReading(path: string): number {
  try {
    const file = openSync(path, 'r')
    if (fstatSync(file).isDirectory()) throw new TypeError('a folder')
    return file
  } catch (error) {
    throw new PipelineError('input-missing', `The replies in ${path} cannot be read.`, {
      fix: 'Give --candidates answers, model, the name of a teacher profile, or the path of a file of replies.',
      cause: error,
      evidence: {path},
    })
  }
}
