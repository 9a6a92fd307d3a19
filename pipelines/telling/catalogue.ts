import {createHash} from 'node:crypto'
import {readdirSync, readFileSync} from 'node:fs'
import {parse} from 'yaml'
import {z} from 'zod'
import {ArithmeticRole} from '../../datasets/schema/decision.ts'
import type {Language} from '../../datasets/voice.ts'

const Wordings = z.array(z.string()).min(1)

const Topic = z.strictObject({
  /** By situation. */
  situations: z.record(z.string(), Wordings),
  /** By change, then by what came of it. */
  changes: z.record(z.string(), z.record(z.string(), Wordings)).default({}),
})

/** ICU messages of one language. */
const Catalogue = z.strictObject({
  /** What is requested: one case of an operator. */
  task: Wordings,
  /** Where a host starts more cores than there is work for. */
  launch: Wordings,
  /** A count with its unit. */
  unit: z.string(),
  /** Between instructions that follow each other. */
  chain: z.string(),
  arithmetic: z.strictObject({
    opening: Wordings,
    step: z.string(),
    /** A step on the way to a value, of which no name is known. */
    nameless: z.string(),
    /** Such a step of which it is known what it is. */
    roles: z.record(ArithmeticRole, z.string()),
    asked: z.string(),
    /** What the caller gave. */
    attribute: z.string(),
    /** The branches around a step. */
    where: z.string(),
    fails: z.string(),
    between: z.string(),
    end: z.string(),
  }),
  topics: z.record(z.string(), Topic),
})
export type Catalogue = z.infer<typeof Catalogue>

/** Files of a language, one a family of rows; in this order. */
const textsOf = (language: Language): string[] => {
  const folder = new URL(`${language}/`, import.meta.url)
  return readdirSync(folder)
    .sort()
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))
}

const read = new Map<Language, Catalogue>()

export function catalogue(language: Language): Catalogue {
  const known = read.get(language)
  if (known) return known
  const topics: Record<string, Partial<z.infer<typeof Topic>>> = {}
  let words = {}
  for (const text of textsOf(language)) {
    const {task, launch, unit, chain, arithmetic, ...own} = parse(text) as Record<string, never>
    if (task) words = {task, launch, unit, chain, arithmetic}
    for (const [topic, {situations, changes}] of Object.entries<z.infer<typeof Topic>>(own)) {
      const before = topics[topic]
      topics[topic] = {
        situations: {...before?.situations, ...situations},
        changes: {...before?.changes, ...changes},
      }
    }
  }
  const made = Catalogue.parse({...words, topics})
  read.set(language, made)
  return made
}

/** What changes with every word of the catalogues: a part of the key of whatever tells by them. */
export function catalogueDigest(): string {
  const hash = createHash('sha256')
  for (const language of ['en', 'zh'] as const) for (const text of textsOf(language)) hash.update(text)
  return hash.digest('hex').slice(0, 16)
}
