import {execFileSync} from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import {dirname, join, resolve} from 'node:path'
import {expect, test} from 'vitest'
import {temporaryFolder} from './helpers/temporary.ts'

// The build of a small house: one file in each of the places that it knows by name, and some to be copied.

const rooms: Record<string, string> = {
  'pipelines/ascend-cot.ts':
    "#!/usr/bin/env node\nimport {tokens} from '../engine/o200k.ts'\nconsole.log(tokens, 'tokens')\n",
  'engine/o200k.ts':
    "import {countTokens} from 'gpt-tokenizer/encoding/o200k_base'\nimport {text} from './text.ts'\n" +
    'export const tokens: number = countTokens(text)\n',
  'engine/text.ts': "export const text = 'one two three'\n",
  'sources/docs/ocr/read-image.ts': "import {OEM} from 'tesseract.js'\nexport default OEM.LSTM_ONLY\n",
  'sources/starter/tasks/reference.ts': 'export default (x: number) => x\n',
  'cpp/types.ts': 'export const half = 2\n',
  'datasets/card/card.md': '# Card\n',
  'trainers/specs/a.yaml': 'a: 1\n',
  'eval/bridge/bridge.py': 'pass\n',
  'eval/bridge/__pycache__/bridge.pyc': '',
}

async function house(): Promise<(name: string) => string> {
  const root = await temporaryFolder()
  const at = (name: string) => join(root, name)
  for (const [name, text] of Object.entries(rooms)) {
    mkdirSync(dirname(at(name)), {recursive: true})
    writeFileSync(at(name), text)
  }
  for (const name of [
    'build.mjs',
    'build-libraries.mjs',
    'tsconfig.json',
    'tsconfig.build.json',
    'package.json',
    'LICENSE',
  ])
    copyFileSync(name, at(name))
  symlinkSync(resolve('node_modules'), at('node_modules'))
  return at
}

test('what is compiled, copied and bundled follows the sources, and nothing is done where nothing changed', async () => {
  const at = await house()
  const build = () => execFileSync(process.execPath, [at('build.mjs')], {cwd: '/', stdio: 'pipe'})
  const start = () => execFileSync(at('dist/pipelines/ascend-cot.js'), {encoding: 'utf8'})
  const built = () =>
    readdirSync(at('dist'), {recursive: true, encoding: 'utf8'})
      .filter((name) => /\.\w+$/.test(name) && !/^(vendor\/|\.)/.test(name))
      .sort()
  build()
  expect(start()).toBe('3 tokens\n')
  expect(built()).toEqual([
    'cpp/types.d.ts',
    'cpp/types.js',
    'datasets/card/card.md',
    'engine/o200k.d.ts',
    'engine/o200k.js',
    'engine/text.d.ts',
    'engine/text.js',
    'eval/bridge/bridge.py',
    'pipelines/ascend-cot.d.ts',
    'pipelines/ascend-cot.js',
    'sources/docs/ocr/read-image.d.ts',
    'sources/docs/ocr/read-image.js',
    'sources/starter/tasks/reference.js',
    'sources/starter/tasks/reference.ts',
    'trainers/specs/a.yaml',
  ])
  for (const name of ['tree-sitter-cpp/tree-sitter-cpp.wasm', 'tree-sitter-cpp/LICENSE', 'tesseract.js/worker.cjs'])
    expect(existsSync(at(`dist/vendor/${name}`))).toBe(true)
  // The rest of what a module imports stays outside of it.
  expect(readFileSync(at('dist/engine/o200k.js'), 'utf8')).toMatch(/from "\.\/text\.js"/)

  rmSync(at('dist/engine/text.js'))
  build()
  expect(existsSync(at('dist/engine/text.js'))).toBe(false)

  writeFileSync(at('engine/text.ts'), "export const text = 'one two three four'\n")
  writeFileSync(at('datasets/card/card.md'), '# Another card\n')
  rmSync(at('trainers/specs/a.yaml'))
  build()
  expect(start()).toBe('4 tokens\n')
  expect(readFileSync(at('dist/datasets/card/card.md'), 'utf8')).toBe('# Another card\n')
  expect(built()).not.toContain('trainers/specs/a.yaml')
})
