import {readdir, readFile, writeFile} from 'node:fs/promises'
import {basename, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect, test} from 'vitest'
import {balanced} from '../../cpp/tokenized.ts'
import {runCommand} from '../../engine/subprocess.ts'
import {chooseCompiler} from '../../eval/executors/toolchain.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

const twin = fileURLToPath(new URL('../../eval/twin/', import.meta.url))
const sides = [
  {title: 'Device', umbrella: 'kernel_operator.h', folders: ['twin']},
  {
    title: 'C API',
    umbrella: 'c_api/asc_simd.h',
    folders: ['atomic', 'misc', 'sync', 'sys_var', 'vector_compute', 'vector_datamove'].map((name) => `c_api/${name}`),
  },
  {title: 'Host', umbrella: 'twin_host/host.h', folders: ['twin_host', 'exe_graph/runtime', 'tiling', 'platform']},
] as const
type Folders = readonly string[]

/** Each header's own text after the preprocessor, which writes what macros declare. By path below `include/`. */
async function preprocessed(umbrella: string, folders: Folders): Promise<Map<string, string>> {
  const headers = (await Promise.all(folders.map(headersIn))).flat()
  const folder = await temporaryFolder()
  const [main, output] = [join(folder, 'all.cpp'), join(folder, 'all.ii')]
  await writeFile(main, [umbrella, ...headers].map((path) => `#include "${path}"\n`).join(''))
  const {command} = await chooseCompiler(process.env['ASCEND_COT_TEST_COMPILER'])
  const args = ['-std=c++17', '-E', '-I', join(twin, 'include'), main, '-o', output]
  const {code, stderr} = await runCommand(command, args, {timeoutSeconds: 60})
  expect(code, stderr).toBe(0)
  const texts = new Map(headers.map((path) => [path, '']))
  let current = ''
  for (const line of (await readFile(output, 'utf8')).split('\n')) {
    const marker = /^# \d+ "(.*?)"/.exec(line)?.[1]
    if (marker !== undefined) current = marker.split('/include/').at(-1) ?? ''
    else if (texts.has(current)) texts.set(current, `${texts.get(current)}${line}\n`)
  }
  return texts
}

async function headersIn(folder: string): Promise<string[]> {
  const names = (await readdir(join(twin, 'include', folder))).filter((name) => name.endsWith('.h')).sort()
  return names.map((name) => `${folder}/${name}`)
}

/** Names of the vendor's namespaces that a text declares: functions and classes, each once. */
function offeredNames(text: string): string[] {
  const spaces = [...text.matchAll(/\bnamespace\s+(AscendC|optiling|gert|platform_ascendc|ge)[\w:]*\s*\{/g)]
  const bodies = spaces.map((match) => balanced(text, match.index + match[0].length - 1) ?? '')
  const plain = [...text.matchAll(/\binline \w+ (asc_\w+)\s*\(/g)].map(([, name]) => name as string)
  if (plain.length > 0) return [...new Set(plain)].sort()
  const names = bodies.flatMap((body) => [...top(body).matchAll(/\b(\w+)\s*\(|\b(?:class|struct)\s+(\w+)\s*[{:;]/g)])
  const words = names.map(([, call, type]) => (call ?? type) as string)
  return [...new Set(words)].filter((word) => /^[A-Z]/.test(word) && !/^[A-Z_\d]+$/.test(word)).sort()
}

/** A body without what stands in braces below it: members and statements. */
function top(body: string): string {
  let depth = 0
  const kept: string[] = []
  for (const character of body) {
    if (character === '}') depth -= 1
    if (depth === 0) kept.push(character)
    if (character === '{') depth += 1
  }
  return kept.join('')
}

async function rowsOf([path, text]: [string, string]): Promise<string[]> {
  const names = offeredNames(text)
  if (names.length === 0) return []
  const source = await readFile(join(twin, 'include', path), 'utf8')
  const about = /^\/\/ (.*?[.:])(?: |$)/m.exec(source)?.[1]?.replace(/[.:]$/, '') ?? basename(path)
  return [`| ${about} (\`${basename(path)}\`) | ${names.map((name) => `\`${name}\``).join(' ')} |`]
}

test('COVERED.md lists what the headers declare; `npx vitest run test/twin/covered.test.ts -u` writes it', async () => {
  const lines = [
    '# What the twin offers',
    '',
    'Functions and classes by header, read off the headers. A name stands here when some form of it is offered;',
    'compile errors say which types and forms the device lacks, and README.md what the twin lacks.',
  ]
  for (const {title, umbrella, folders} of sides) {
    lines.push('', `## ${title}`, '', '| Family | Names |', '|---|---|')
    for (const entry of await preprocessed(umbrella, folders)) lines.push(...(await rowsOf(entry)))
  }
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(join(twin, 'COVERED.md'))
})
