import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect, test} from 'vitest'
import {walk} from '../../../engine/files.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Lines in the files of a folder. */
async function places(folder: string, files: RegExp, holds: (line: string) => boolean): Promise<string[]> {
  const found: string[] = []
  for await (const path of walk(join(root, folder))) {
    if (!files.test(path)) continue
    const text = await readFile(join(root, folder, path), 'utf8')
    for (const line of text.split('\n')) if (holds(line)) found.push(`${folder}/${path}: ${line.slice(0, 200)}`)
  }
  return found
}

test('no text that the twin says to candidates names the twin', async () => {
  const literals = (line: string) =>
    /^\s*#\s*(?:include|pragma)/.test(line) ? [] : (line.match(/"(?:\\.|[^"\\])*"/g) ?? [])
  const said = (line: string) => literals(line).some((literal) => /\btwin\b/i.test(literal))
  expect(await places('eval/twin', /\.(?:h|cpp)$/, said)).toEqual([])
})

test('no record of the fixtures names the twin’s types and headers', async () => {
  // What an attempt writes is a candidate's.
  expect(
    await places('test/fixtures', /^(?!attempts\/).*\.jsonl?$/, (line) => /\btwin(?:_host)?(?:::|\/\w+\.h)/.test(line)),
  ).toEqual([])
})
