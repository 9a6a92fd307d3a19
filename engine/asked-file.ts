import {closeSync, existsSync, openSync, writeSync} from 'node:fs'
import {z} from 'zod'
import {asOutputError} from './files.ts'
import {readLines} from './lines.ts'
import type {ChatMessage, ChatReply} from './llm/model.ts'

/** The file in a run directory. */
export const askedName = 'asked.jsonl'

/** One request of a stage about a record: what was asked, and what came of it. */
export const AskedEntry = z.object({
  stage: z.string(),
  /** Id of the record that the stage was given. */
  input: z.string(),
  /** The teacher's profile, and its model. */
  teacher: z.string(),
  model: z.string(),
  messages: z.array(z.object({role: z.enum(['system', 'user', 'assistant']), content: z.string()})),
  reply: z
    .object({
      text: z.string(),
      reasoning: z.string(),
      finishReason: z.string(),
      usage: z.object({promptTokens: z.number(), completionTokens: z.number()}),
    })
    .optional(),
  failure: z.string().optional(),
})
export type AskedEntry = z.infer<typeof AskedEntry>

export interface AskedFile {
  /** @throws PipelineError `disk-full` or `output-unwritable` */
  note(entry: AskedEntry): void
  close(): void
}

/** What a run's teachers were asked, in the order of the answers; absent when no request was made. */
export function openAskedFile(path: string): AskedFile {
  let descriptor: number | undefined
  return {
    note(entry) {
      try {
        // A killed process may have left half a line.
        const begin = descriptor === undefined && existsSync(path) ? '\n' : ''
        descriptor ??= openSync(path, 'a')
        writeSync(descriptor, `${begin}${JSON.stringify(entry)}\n`)
      } catch (error) {
        throw asOutputError(error, path)
      }
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor)
    },
  }
}

/** Pictures are omitted: they belong to the record. */
export const withoutPictures = (messages: readonly ChatMessage[]): AskedEntry['messages'] =>
  messages.map(({role, content}) => ({role, content}))

export function replyNoted({text, reasoning, finishReason, usage}: ChatReply): NonNullable<AskedEntry['reply']> {
  return {text, reasoning, finishReason, usage}
}

export async function* readAsked(path: string): AsyncIterable<AskedEntry> {
  if (!existsSync(path)) return
  for await (const line of readLines(path)) {
    const entry = entryOf(line)
    if (entry) yield entry
  }
}

function entryOf(line: string): AskedEntry | undefined {
  try {
    return AskedEntry.parse(JSON.parse(line))
  } catch {
    return undefined // An empty line, or half a line of a killed process.
  }
}
