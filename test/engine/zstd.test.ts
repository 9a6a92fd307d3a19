import {readFile} from 'node:fs/promises'
import {compress} from '@bokuweb/zstd-wasm'
import {compressors} from 'hyparquet-compressors'
import {expect, test} from 'vitest'
import {walk} from '../../engine/files.ts'
import {zstdReady} from '../../engine/zstd.ts'

test('what is compressed after many waited for the library is zstd', async () => {
  const text = Buffer.from('text '.repeat(5000))
  for (let wait = 0; wait < 5; wait += 1) {
    await zstdReady()
    await new Promise((resolve) => setImmediate(resolve))
    const packed = compress(text, 3)
    expect(Buffer.from((await compressors.ZSTD?.(packed, text.length)) as Uint8Array).equals(text)).toBe(true)
  }
})

test('nobody else initialises it', async () => {
  const found: string[] = []
  for (const room of ['engine', 'cpp', 'datasets', 'sources', 'eval', 'pipelines']) {
    for await (const path of walk(room)) {
      if (!path.endsWith('.ts')) continue
      const text = await readFile(`${room}/${path}`, 'utf8')
      if (/\binit\b[^\n]*zstd-wasm/.test(text)) found.push(`${room}/${path}`)
    }
  }
  expect(found).toEqual(['engine/zstd.ts'])
})
