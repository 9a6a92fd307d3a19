import {readFileSync} from 'node:fs'
import {parse} from 'yaml'
import {z} from 'zod'

export interface Explanations<Entry> {
  /** By topic, then by name. */
  byTopic(): Record<string, Record<string, Entry>>
  /** One of them; undefined for a name that the file does not have. */
  named(name: string): Entry | undefined
}

/** A YAML file of what names mean, by topic; read on first use. Names are those of one topic only. */
export function explanations<Entry>(file: URL, entry: z.ZodType<Entry>): Explanations<Entry> {
  const Topics = z.record(z.string(), z.record(z.string(), entry))
  let read: z.infer<typeof Topics> | undefined
  const byTopic = () => (read ??= Topics.parse(parse(readFileSync(file, 'utf8'))))
  return {byTopic, named: (name) => Object.values(byTopic()).find((topic) => Object.hasOwn(topic, name))?.[name]}
}
