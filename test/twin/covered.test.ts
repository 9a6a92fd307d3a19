import {readdir, readFile, writeFile} from 'node:fs/promises'
import {basename, join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {expect, test} from 'vitest'
import {familyOf, interfaces} from '../../cpp/interfaces.ts'
import {balanced} from '../../cpp/tokenized.ts'
import {runCommand} from '../../engine/subprocess.ts'
import {chooseCompiler} from '../../eval/executors/toolchain.ts'
import {code, generated, page, table} from '../docs/page-parts.ts'
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

async function rowOf([path, text]: [string, string]): Promise<string[]> {
  const names = offeredNames(text)
  const source = await readFile(join(twin, 'include', path), 'utf8')
  const about = /^\/\/ (.*?[.:])(?: |$)/m.exec(source)?.[1]?.replace(/[.:]$/, '') ?? basename(path)
  return [`${about} (${code(basename(path))})`, names.map(code).join(' ')]
}

/** Of the interfaces that the pipeline knows, members of classes apart, those that no header names. */
async function missingByFamily(): Promise<string[][]> {
  const include = join(twin, 'include')
  const headers = (await readdir(include, {recursive: true})).filter((name) => name.endsWith('.h'))
  const texts = await Promise.all(headers.map((name) => readFile(join(include, name), 'utf8')))
  const offered = new Set(texts.flatMap((text) => text.replaceAll(/\/\/.*/g, '').match(/\w+/g) ?? []))
  const families = [...new Set([...interfaces.values()].map(({family}) => family))].filter((one) => one !== 'member')
  return families.map((family) => {
    const names = [...interfaces.keys()].filter((name) => familyOf(name) === family)
    const missing = names.filter((name) => !offered.has(name))
    return [family, `${names.length - missing.length} of ${names.length}`, missing.map(code).join(' ')]
  })
}

const refused = JSON.parse(await readFile('test/fixtures/refused-interfaces.json', 'utf8')) as Record<string, string[]>

test('the page on coverage lists what the headers declare, and what the twin refused in its tests', async () => {
  const sections: string[] = []
  for (const {title, umbrella, folders} of sides) {
    const rows = (await Promise.all([...(await preprocessed(umbrella, folders))].map(rowOf))).filter((row) => row[1])
    sections.push(`## ${title}`, table(['family', 'names'], rows))
  }
  const lacks = Object.entries(refused).flatMap(([rule, messages]) => messages.map((message) => [code(rule), message]))
  const made = page([
    '# Coverage of the twin',
    generated('the headers of `eval/twin/include/`'),
    'The functions and classes of Ascend C that the twin offers to an operator for Atlas A2, by header. A name is ' +
      'listed if at least one form of it is offered; a compile error says which types and forms the device lacks. ' +
      'Known gaps are explained in [eval/twin/README.md](../../eval/twin/README.md#not-covered).',
    '## APIs that reasoning knows',
    'The pipeline knows the meaning of these APIs (`cpp/interfaces/`). By family, the twin covers:',
    table(['family', 'covered', 'not covered'], await missingByFamily()),
    '## Refused',
    'Calls in tests of the twin that it refuses. `not-covered`: the twin lacks it, so it gives no verdict. ' +
      '`unsupported-api`, `unsupported-type`: Atlas A2 lacks it. See [rules of the judge](judge-rules.md).',
    table(['rule', 'message'], lacks),
    ...sections,
  ])
  await expect(made).toMatchFileSnapshot('../../docs/reference/twin-coverage.md')
})
