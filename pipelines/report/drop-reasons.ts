import {readFileSync} from 'node:fs'
import {parse} from 'yaml'
import {z} from 'zod'

const Explained = z.strictObject({means: z.string(), do: z.string()})
type Explained = z.infer<typeof Explained>

let read: Record<string, Record<string, Explained>> | undefined

/** Every drop reason of the stages, by topic and by name: what it means, and what a user can do about it. */
export function dropReasons(): Record<string, Record<string, Explained>> {
  const text = () => readFileSync(new URL('drop-reasons.yaml', import.meta.url), 'utf8')
  return (read ??= z.record(z.string(), z.record(z.string(), Explained)).parse(parse(text())))
}

/** What a drop reason means; undefined for one of a user's own stage. */
export function explained(reason: string): Explained | undefined {
  return Object.values(dropReasons()).find((topic) => reason in topic)?.[reason]
}
