import {existsSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {z} from 'zod'
import type {Origin} from '../../../datasets/schema/origin.ts'
import {PipelineError} from '../../../engine/errors.ts'
import {readJournal} from '../../../engine/journal.ts'
import {CrawlEntry, journalName} from './crawl-entries.ts'
import {stateOf, type Kept} from './crawl-state.ts'
import {sitePath} from './site.ts'

/** `crawl.json`: where the pages of a folder come from, and under which terms. */
const CrawlIdentity = z.strictObject({
  /** `https://host/docs/`. */
  site: z.string().min(1),
  /** SPDX identifier, `LicenseRef-…` or `NOASSERTION`: as stated by the user. */
  licence: z.string().min(1),
})
type CrawlIdentity = z.infer<typeof CrawlIdentity>

export const identityName = 'crawl.json'

/** Undefined for a folder that was not crawled. */
export function readIdentity(folder: string): CrawlIdentity | undefined {
  const file = join(folder, identityName)
  if (!existsSync(file)) return undefined
  try {
    return CrawlIdentity.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw new PipelineError('record-invalid', `${file} does not state where the pages come from.`, {
      fix: 'Crawl into an empty folder, or delete the file if the pages were not crawled.',
      cause: error,
      evidence: {file},
    })
  }
}

/** What a crawl recorded about a file. */
export interface CrawledPage {
  origin: Origin
  /** As the server named it. */
  charset: string | undefined
}

/** Describes the files of a folder that was crawled; undefined for any other folder. */
export function readCrawl(folder: string): ((file: string) => CrawledPage | undefined) | undefined {
  const identity = readIdentity(folder)
  if (!identity) return undefined
  const {kept, owners} = stateOf(readJournal(join(folder, journalName), CrawlEntry).entries)
  return (file) => {
    const page = kept.get(owners.get(file) ?? '')
    if (!page) return undefined
    const {site: repository, licence} = identity
    return {
      origin: {repository, revision: dayOf(page), path: sitePath(page.url), licence},
      charset: page.charset,
    }
  }
}

/** The date of the page as stated by the server, otherwise the download date. */
function dayOf({lastModified, at}: Kept): string {
  const said = Date.parse(lastModified ?? '')
  return Number.isNaN(said) ? at.slice(0, 10) : new Date(said).toISOString().slice(0, 10)
}
