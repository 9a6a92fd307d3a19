import {readFileSync} from 'node:fs'
import {parse} from 'yaml'
import {z} from 'zod'

const Rule = z.strictObject({means: z.string(), cause: z.string()})
type Rule = z.infer<typeof Rule>

let read: Record<string, Record<string, Rule>> | undefined

/** Every rule that a verdict can name, by topic and by name: what it means, and what typically breaks it. */
export function judgeRules(): Record<string, Record<string, Rule>> {
  const text = () => readFileSync(new URL('rules.yaml', import.meta.url), 'utf8')
  return (read ??= z.record(z.string(), z.record(z.string(), Rule)).parse(parse(text())))
}

/** One rule; undefined for a name that no rule has. */
export function judgeRule(name: string): Rule | undefined {
  return Object.values(judgeRules()).find((topic) => name in topic)?.[name]
}
