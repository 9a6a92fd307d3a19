import {z} from 'zod'
import {configs} from './export.ts'

/** What a reader says of a row: it holds; it states something untrue; its words suggest it; it says nothing. */
export const readings = ['sound', 'false', 'misleading', 'hollow'] as const
export const Reading = z.enum(readings)
export type Reading = z.infer<typeof Reading>

/** A reading of one row: a line of `marks.jsonl` in a data set. A reader's last line about a row counts. */
export const Mark = z.strictObject({
  /** Content id of the row. */
  id: z.string().min(1),
  config: z.enum(configs),
  /** Path of its file in the data set, and its number in it, from 0. */
  path: z.string(),
  row: z.int().nonnegative(),
  mark: Reading,
  note: z.string().max(10_000),
  reader: z.string().min(1).max(200),
  /** When it was marked. */
  at: z.iso.datetime(),
})
export type Mark = z.infer<typeof Mark>

/** In the folder of a data set; neither published nor verified. */
export const marksFile = 'marks.jsonl'
