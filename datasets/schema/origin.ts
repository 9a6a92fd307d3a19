import {z} from 'zod'

/** Removes credentials from `https://user:token@host/…`, because records are published. */
function withoutCredentials(address: string): string {
  return address.replace(/^([a-z][\w+.-]*:\/\/)[^/]*@/i, '$1')
}

/** Where a record comes from: enough to find the bytes again and to know the permitted uses. */
export const Origin = z.strictObject({
  /** A repository or site: `https://github.com/Ascend/samples`, or `ascend-cot/starter` for the bundled corpus. */
  repository: z.string().min(1).overwrite(withoutCredentials),
  /** Commit, release or crawl date; `unversioned` for a folder outside version control. */
  revision: z.string().min(1),
  /** Path inside the repository, `/`-separated; for a page, its path on the site. */
  path: z.string().min(1),
  /** First and last line, 1-based, when the record is a part of the file; for a table, its row twice. */
  lines: z.tuple([z.int().positive(), z.int().positive()]).optional(),
  /** SPDX identifier, `LicenseRef-CANN-OSL-2.0`, `LicenseRef-CANN-OSL-1.0`, or `NOASSERTION`. */
  licence: z.string().min(1),
})
export type Origin = z.infer<typeof Origin>
