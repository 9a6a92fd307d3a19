import {open} from 'node:fs/promises'
import {extname, join} from 'node:path'
import {walk} from '../../engine/files.ts'
import {describeCheckout} from '../../sources/checkout.ts'
import {sourceKinds} from '../../sources/kinds.ts'
import type {Config} from './config.ts'
import {localFolders} from './source-folders.ts'

/** Files that may begin with comments. */
const extensions: ReadonlySet<string> = new Set('.asc .c .cc .cpp .h .hpp .py .md'.split(' '))
/** A notice is at the head of its file. */
const headBytes = 2048

/**
 * The copyright notices in the heads of all sources' files, by repository: licences require them to be kept with
 * copies, and the code of a row is often only a part of its file, without the head.
 */
export async function copyrightNotices(config: Config): Promise<Record<string, string[]>> {
  const found = new Map<string, Set<string>>()
  const ofKinds = await Promise.all(sourceKinds.map(({name}) => localFolders(config, name)))
  for (const folder of [...ofKinds, config.sources.tasks].flatMap((folders) => folders ?? [])) {
    const {root, repository = (await describeCheckout(root)).repository} = folder
    const own = found.get(repository) ?? new Set()
    found.set(repository, own)
    for await (const path of walk(root))
      if (extensions.has(extname(path))) for (const notice of noticesIn(await headOf(join(root, path)))) own.add(notice)
  }
  return Object.fromEntries([...found].flatMap(([name, own]) => (own.size > 0 ? [[name, [...own].sort()]] : [])))
}

async function headOf(path: string): Promise<string> {
  const file = await open(path)
  try {
    const {bytesRead, buffer} = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Lines that claim a copyright: they name a year, or contain the sign ©. */
function noticesIn(head: string): string[] {
  return (head.match(/\bcopyright\b[^\n]*/gi) ?? [])
    .map((line) =>
      line
        .replace(/\s*\*+\/?\s*$/, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((line) => /\(c\)|©|\b(?:19|20)\d\d\b/i.test(line) && line.length < 200)
}
