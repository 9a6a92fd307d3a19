import type {Embedded} from '../protocol.ts'
import {numbered, type OpenFiles} from './rows-protocol.ts'

/** What a report holds in place of a server; undefined in the viewer. */
export const embedded = await read()

async function read(): Promise<Embedded | undefined> {
  const packed = document.getElementById('embedded')?.textContent
  if (!packed) return undefined
  const bytes = Uint8Array.from(atob(packed), (char) => char.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Response(stream).json()
}

/** Rows that are all there. */
export const openEmbedded: OpenFiles = async (files) =>
  numbered(
    files.map((file) => {
      const all = embedded?.rows[file.id] ?? []
      return {
        ...{file, rows: all.length, groups: [{start: 0, end: all.length}]},
        known: (wanted) => wanted.filter((name) => name in (all[0] ?? {})),
        rowsOf: async ({start, end, columns}) =>
          all
            .slice(start, end)
            .map((row) => (columns ? Object.fromEntries(columns.map((name) => [name, row[name]])) : row)),
        async eachColumn({start, end, columns}, take) {
          for (const name of columns) {
            const cells = all.slice(start, end).map((row) => row[name])
            take(name, start, cells)
          }
        },
      }
    }),
  )
