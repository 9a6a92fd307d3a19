import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {walk} from '../../../engine/files.ts'
import {readCommandLine} from '../../../pipelines/command-line/read-command-line.ts'

const folders = ['engine', 'cpp', 'datasets', 'sources', 'eval', 'trainers', 'pipelines']

/** Commands that messages name: `ascend-cot …` between backticks, escaped or not. */
const named = /\\?`ascend-cot ((?:\$\{[^`]*?\}|[^`\n\\])+)\\?`/g

const comment = /^ *(?:\/\/|\/\*\*|\*).*$/gm
const bare = new Set(['resume', 'report', 'doctor', 'failed', 'status', 'verify'])

/** What stands for a name in a message is some word. */
function words(text: string): string[] {
  let plain = text
  for (let before = ''; before !== plain; ) [before, plain] = [plain, plain.replace(/\$?\{[^{}]*\}/g, 'x')]
  return plain
    .replace(/<[^>]*>/g, 'x')
    .split(/\s+/)
    .map((word) => word.replaceAll('…', 'x'))
    .filter((word) => word !== '')
}

async function commands(): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const folder of folders)
    for await (const path of walk(folder)) {
      if (!/\.(ts|mjs)$/.test(path)) continue
      const text = readFileSync(join(folder, path), 'utf8').replace(comment, '')
      // A lone word is the name of a command that is spoken of.
      for (const [, command = ''] of text.matchAll(named))
        if (/\s/.test(command) || bare.has(command)) found.set(command, `${folder}/${path}`)
    }
  return found
}

test('every command that a message names is one, with flags that it has', async () => {
  const all = await commands()
  expect(all.size).toBeGreaterThan(15)
  const unknown: string[] = []
  for (const [command, place] of all) {
    const said: string[] = []
    let performed = false
    const say = (text: string) => void said.push(text)
    const perform = async () => {
      performed = true
      return 0
    }
    const code = await readCommandLine(words(command), perform, {print: say, say})
    if (!performed || code !== 0) unknown.push(`${place}: ${command}: ${said.join(' ')}`)
  }
  expect(unknown).toEqual([])
})
