import {createHash} from 'node:crypto'
import {readFileSync} from 'node:fs'
import {parse} from 'yaml'
import {z} from 'zod'
import {decisionTopics} from '../../datasets/schema/decision.ts'
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
  /** What is asked for: one case of an operator. */
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
    asked: z.string(),
    /** What the caller gave. */
    attribute: z.string(),
    /** The branches that a step stands in. */
    where: z.string(),
    fails: z.string(),
    between: z.string(),
    end: z.string(),
  }),
  topics: z.record(z.enum(decisionTopics), Topic),
})
export type Catalogue = z.infer<typeof Catalogue>

const textOf = (language: Language) => readFileSync(new URL(`${language}.yaml`, import.meta.url), 'utf8')

const read = new Map<Language, Catalogue>()

export function catalogue(language: Language): Catalogue {
  const known = read.get(language)
  if (known) return known
  const {task, launch, unit, chain, arithmetic, ...topics} = parse(textOf(language)) as Record<string, unknown>
  const made = Catalogue.parse({task, launch, unit, chain, arithmetic, topics})
  read.set(language, made)
  return made
}

/** What changes with every word of the catalogues: a part of the key of whatever tells by them. */
export function catalogueDigest(): string {
  const hash = createHash('sha256')
  for (const language of ['en', 'zh'] as const) hash.update(textOf(language))
  return hash.digest('hex').slice(0, 16)
}
