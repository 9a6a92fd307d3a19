import {createHash, type Hash} from 'node:crypto'
import {existsSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {z} from 'zod'
import {readLines} from '../lines.ts'
import type {AnyStage} from '../pipeline.ts'
import {textId} from '../ids.ts'
import {receivedResult, type Result} from './hands.ts'

/**
 * The folder that a run and its tasks share:
 *
 *     order.json          what the tasks need to make the stage again
 *     in/00000.jsonl      the records of share 0, as canonical JSON
 *     wave.json           written last: how many shares there are; then the array may start
 *     done/00000.jsonl    the results of share 0: header, results, end
 *     refused/            results and tasks that were refused, with the reason in their header
 *     state/00000.json    what the task of share 0 does, renewed while it works
 *     log/                what the tasks printed
 */
export function shareFolder(root: string) {
  const numbered = (folder: string, ending: string) => (share: number) => join(root, folder, nameOf(share) + ending)
  return {
    root,
    order: join(root, 'order.json'),
    wave: join(root, 'wave.json'),
    in: numbered('in', '.jsonl'),
    done: numbered('done', '.jsonl'),
    state: numbered('state', '.json'),
    log: join(root, 'log'),
    refused: join(root, 'refused'),
    /** Refusals of a share, oldest first. */
    refusals: (share: number) =>
      existsSync(join(root, 'refused'))
        ? readdirSync(join(root, 'refused'))
            .filter((name) => name.startsWith(`${nameOf(share)}-`))
            .sort()
        : [],
  }
}
export type ShareFolder = ReturnType<typeof shareFolder>

/** `00007`. */
export const nameOf = (share: number) => String(share).padStart(5, '0')

/** Who worked on a share. */
const Author = z.strictObject({host: z.string(), process: z.int(), user: z.string()})
export type Author = z.infer<typeof Author>

export const Wave = z.strictObject({
  shares: z.int().nonnegative(),
  records: z.int().nonnegative(),
  /** The id of the fingerprint that every result carries. */
  fingerprint: z.string(),
  /** What the scheduler called the arrays, oldest first. */
  arrays: z.array(z.string()),
})
export type Wave = z.infer<typeof Wave>

/** The first line of results. */
const Header = z.strictObject({fingerprint: z.string(), share: z.int(), by: Author})
/** The last line: a file that a full disk or a lost server cut does not have it. */
const End = z.strictObject({results: z.int(), sha256: z.string()})

export const Refusal = z.strictObject({by: Author, why: z.string(), fix: z.string()})

export const named = ({host, process, user}: Author) => `${user}@${host}, process ${process}`

/** What a task writes while it works. */
export const TaskState = z.strictObject({
  by: Author,
  /** Which executor it has, and how many records it works on at once. */
  capability: z.string(),
  share: z.int(),
  records: z.int(),
  done: z.int(),
  /** Milliseconds since the epoch, by the clock of the task's machine. */
  startedAt: z.number(),
  seenAt: z.number(),
})
export type TaskState = z.infer<typeof TaskState>

export function endOfResults(results: number, hash: Hash): string {
  const end: z.infer<typeof End> = {results, sha256: hash.digest('hex')}
  return JSON.stringify(end)
}

/** Ids of the records of a share, with their texts. */
export async function recordsOf(file: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for await (const json of readLines(file)) if (json !== '') found.set(textId(json), json)
  return found
}

interface Read {
  by: Author
  results: Result[]
}

/**
 * The results of a share, checked as a whole before any is used.
 * @throws Error that says what is wrong with the file
 */
export async function readResults(
  file: string,
  share: {number: number; fingerprint: string; stage: AnyStage; records: ReadonlyMap<string, string>},
): Promise<Read> {
  const lines: string[] = []
  for await (const line of readLines(file)) if (line !== '') lines.push(line)
  const [first, last] = [lines.shift(), lines.pop()]
  if (first === undefined || last === undefined) throw new Error('it is cut off')
  const {by, fingerprint, share: number} = Header.parse(JSON.parse(first))
  if (fingerprint !== share.fingerprint) throw new Error(`its fingerprint is ${fingerprint}, not ${share.fingerprint}`)
  if (number !== share.number) throw new Error(`it is of share ${number}`)
  const hash = createHash('sha256')
  for (const line of lines) hash.update(`${line}\n`)
  if (last !== endOfResults(lines.length, hash)) throw new Error('it is cut off, or its bytes were changed')
  const expected = new Set(share.records.keys())
  const results = lines.map((line) => {
    const result = receivedResult(line, share.stage, expected)
    expected.delete(result.input.id)
    return result
  })
  if (expected.size > 0) throw new Error(`${expected.size} of its records have no result`)
  return {by, results}
}
