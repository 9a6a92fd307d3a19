import {z} from 'zod'
import {type Explanations, explanations} from '../engine/explanations.ts'

const Rule = z.strictObject({means: z.string(), cause: z.string()})

/** Every rule that a verdict can name, by topic and by name: what it means, and what typically breaks it. */
export const judgeRules: Explanations<z.infer<typeof Rule>> = explanations(new URL('rules.yaml', import.meta.url), Rule)
