import {z} from 'zod'

// The journal of a crawl, `crawl.jsonl`: requests and responses, one line each.

const answered = {at: z.string(), url: z.string()}

/** Addresses first seen here: fetched later, in this order, or skipped. */
const seen = {
  pages: z.array(z.string()).default([]),
  images: z.array(z.string()).default([]),
  /** Links outside the crawled area. */
  left: z.array(z.string()).default([]),
}

/** What the server said about a version of a page, for conditional requests. */
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
  /** `text` is '' if the site has none. */
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
  /** `bytes`: 0 when the server said that nothing had changed, otherwise those received, which were the same. */
  z.strictObject({kind: z.literal('unchanged'), ...answered, ...seen, ...version, bytes: z.int()}),
  /** Stored under another address: because of its bytes, or because it declares so itself. */
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
  /** It exists, but is not available or not wanted. */
  z.strictObject({kind: z.literal('refused'), ...answered, why: z.string()}),
  /** The next crawl retries it. */
  z.strictObject({kind: z.literal('failed'), ...answered, why: z.string()}),
  z.strictObject({kind: z.literal('end'), at: z.string()}),
])
export type CrawlEntry = z.infer<typeof CrawlEntry>

export type EntryOf<Kind extends CrawlEntry['kind']> = Extract<CrawlEntry, {kind: Kind}>

/** The outcome for one address. */
export type AnswerEntry = Exclude<CrawlEntry, {kind: 'begin' | 'robots' | 'toc' | 'end'}>

export const journalName = 'crawl.jsonl'
