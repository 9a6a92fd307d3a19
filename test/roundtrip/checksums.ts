import {createHash} from 'node:crypto'
import {readdir} from 'node:fs/promises'
import {join} from 'node:path'
import {asyncBufferFromFile, parquetReadObjects} from 'hyparquet'
import {compressors} from 'hyparquet-compressors'

// `npx tsx test/roundtrip/checksums.ts <data set folder>`: what load.py compares values with, as JSON by configuration
// and split.
const folder = process.argv[2] ?? ''
const sums: Record<string, string> = {}
for (const config of (await readdir(join(folder, 'data'))).sort()) {
  const names = (await readdir(join(folder, 'data', config))).filter((name) => name.endsWith('.parquet')).sort()
  for (const split of [...new Set(names.map((name) => name.replace(/-.*$/, '')))]) {
    const digest = createHash('sha256')
    for (const name of names.filter((one) => one.startsWith(`${split}-`))) {
      const file = await asyncBufferFromFile(join(folder, 'data', config, name))
      for (const row of await parquetReadObjects({file, compressors})) {
        const turns = ['prompt', 'completion', 'chosen', 'rejected'].flatMap(
          (column) => (row[column] ?? []) as {content: string}[],
        )
        for (const text of [row['id'] as string, ...turns.map(({content}) => content)]) digest.update(`${text}\0`)
      }
    }
    sums[`${config}/${split}`] = digest.digest('hex')
  }
}
console.log(JSON.stringify(sums, null, 2))
