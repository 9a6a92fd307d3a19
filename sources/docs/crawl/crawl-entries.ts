import {z} from 'zod'

// The journal of a crawl, `crawl.jsonl`: what was asked and what came, one line each.

const answered = {at: z.string(), url: z.string()}

/** What is first seen here: it is asked for later, in this order, or left alone. */
const seen = {
  pages: z.array(z.string()).default([]),
  images: z.array(z.string()).default([]),
  /** Links that lead out of what is crawled. */
  left: z.array(z.string()).default([]),
}

/** What the server said about a version of a page, to ask for it on condition. */
const version = {etag: z.string().optional(), lastModified: z.string().optional()}

export const CrawlEntry = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('begin'),
    at: z.string(),
    start: z.string(),
    below: z.string(),
    toc: z.string().optional(),
    images: z.boolean(),
  }),
  /** `text` is '' where the site has none. */
  z.strictObject({kind: z.literal('robots'), at: z.string(), status: z.int(), text: z.string()}),
  z.strictObject({kind: z.literal('toc'), ...answered, pages: z.array(z.string())}),
  z.strictObject({
    kind: z.literal('kept'),
    ...answered,
    ...seen,
    ...version,
    file: z.string(),
    sha256: z.string(),
    bytes: z.int(),
    image: z.boolean(),
    charset: z.string().optional(),
    canonical: z.string().optional(),
  }),
  /** `bytes`: 0 when the server said that nothing had changed, else those that came and were the same. */
  z.strictObject({kind: z.literal('unchanged'), ...answered, ...seen, ...version, bytes: z.int()}),
  /** Stored under another address: because of its bytes, or because it says so itself. */
  z.strictObject({
    kind: z.literal('duplicate'),
    ...answered,
    ...seen,
    ...version,
    of: z.string(),
    by: z.enum(['bytes', 'canonical']),
    sha256: z.string(),
    bytes: z.int(),
  }),
  z.strictObject({kind: z.literal('redirected'), ...answered, ...seen, status: z.int(), to: z.string()}),
  z.strictObject({kind: z.literal('missing'), ...answered, status: z.int()}),
  /** It is there, but not to be had or not what is looked for. */
  z.strictObject({kind: z.literal('refused'), ...answered, why: z.string()}),
  /** The next crawl tries it again. */
  z.strictObject({kind: z.literal('failed'), ...answered, why: z.string()}),
  z.strictObject({kind: z.literal('end'), at: z.string()}),
])
export type CrawlEntry = z.infer<typeof CrawlEntry>

export type EntryOf<Kind extends CrawlEntry['kind']> = Extract<CrawlEntry, {kind: Kind}>

/** What became of one address. */
export type AnswerEntry = Exclude<CrawlEntry, {kind: 'begin' | 'robots' | 'toc' | 'end'}>

export const journalName = 'crawl.jsonl'
