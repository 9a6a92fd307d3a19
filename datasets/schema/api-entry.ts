import {z} from 'zod'
import {Origin} from './origin.ts'
import {StageVersions} from './sample.ts'

const Parameter = z.strictObject({
  /** '' where the declaration gives a type only. */
  name: z.string(),
  type: z.string(),
  defaultValue: z.string().optional(),
})

/** One documented interface: what its page says of it, sorted by what a user of it asks. */
export const ApiEntry = z.strictObject({
  /** As code names it: `DataCopyPad`, `TPipe::InitBuffer`. */
  name: z.string().min(1),
  /** By the part of the documentation that it stands in. */
  kind: z.enum(['basic', 'high-level', 'c', 'simt', 'utils', 'ai-cpu', 'other']),
  /** Title of its page; several pages may document one name. */
  page: z.string().min(1),
  language: z.enum(['zh', 'en']),
  /** The product line that the page was read for, by the vendor's marker: `910b` is Atlas A2. */
  product: z.string().min(1),
  /** What it does, in the page's first sentence of it; '' where the page gives none. */
  purpose: z.string(),
  /** None for a name that is only said to be an old one. */
  prototypes: z.array(
    z.strictObject({
      /** As the page writes it. */
      text: z.string().min(1),
      returns: z.string(),
      templates: z.array(Parameter),
      parameters: z.array(Parameter),
    }),
  ),
  parameters: z.array(
    z.strictObject({
      /** Names that share the row of the page's table. */
      names: z.array(z.string()).min(1),
      direction: z.enum(['input', 'output', 'both', '']),
      meaning: z.array(z.string()),
      choices: z.array(z.strictObject({name: z.string(), text: z.string()})),
      /** The structure whose member it is; '' for a parameter of the interface. */
      structure: z.string(),
    }),
  ),
  /** Element types that its tensors may have, on `product`. */
  dtypes: z.array(z.string()),
  constraints: z.array(z.string()),
  /** Rules that something is aligned to, or a multiple of, some bytes. */
  alignment: z.array(
    z.strictObject({
      bytes: z.int().positive(),
      /** Parameters that the rule speaks of; none where it speaks of all. */
      of: z.array(z.string()),
      text: z.string(),
    }),
  ),
  /** `PIPE_V` and its like; '' where the page names none. */
  pipe: z.string(),
  examples: z.array(
    z.strictObject({
      /** What the page says before the code. */
      lead: z.string(),
      code: z.string(),
      /** What the page gives as its result. */
      result: z.string().optional(),
    }),
  ),
  /** What the page says where it should not be used any more, and what it names instead. */
  deprecated: z.strictObject({text: z.string(), instead: z.array(z.string())}).optional(),
  origin: Origin,
  stages: StageVersions,
})
export type ApiEntry = z.infer<typeof ApiEntry>
