import {z} from 'zod'
import {Origin} from './origin.ts'
import {StageVersions} from './sample.ts'

const Parameter = z.strictObject({
  /** '' if the declaration only gives a type. */
  name: z.string(),
  type: z.string(),
  defaultValue: z.string().optional(),
})

/** One documented interface: what its page says, arranged by users' questions. */
export const ApiEntry = z.strictObject({
  /** Its name in code: `DataCopyPad`, `TPipe::InitBuffer`. */
  name: z.string().min(1),
  /** By its part of the documentation. */
  kind: z.enum(['basic', 'high-level', 'c', 'simt', 'utils', 'ai-cpu', 'other']),
  /** Title of its page; several pages may document the same name. */
  page: z.string().min(1),
  language: z.enum(['zh', 'en']),
  /** The product line that the page was read for, by the vendor's marker: `910b` is Atlas A2. */
  product: z.string().min(1),
  /** What it does, from the page's first sentence about it; '' if there is none. */
  purpose: z.string(),
  /** Empty for a name that is only mentioned as an old one. */
  prototypes: z.array(
    z.strictObject({
      /** As written on the page. */
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
  /** Rules that require alignment to, or a multiple of, a number of bytes. */
  alignment: z.array(
    z.strictObject({
      bytes: z.int().positive(),
      /** Parameters that the rule is about; empty if it is about all. */
      of: z.array(z.string()),
      text: z.string(),
    }),
  ),
  /** Such as `PIPE_V`; '' if the page names none. */
  pipe: z.string(),
  examples: z.array(
    z.strictObject({
      /** The page's text before the code. */
      lead: z.string(),
      code: z.string(),
      /** The result that the page states. */
      result: z.string().optional(),
    }),
  ),
  /** What the page says if it is deprecated, and the recommended replacement. */
  deprecated: z.strictObject({text: z.string(), instead: z.array(z.string())}).optional(),
  origin: Origin,
  stages: StageVersions,
})
export type ApiEntry = z.infer<typeof ApiEntry>
