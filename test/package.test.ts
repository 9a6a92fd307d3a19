import {execFile, execFileSync, spawnSync} from 'node:child_process'
import {cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs'
import {mkdtemp, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {dirname, join, resolve} from 'node:path'
import {promisify} from 'node:util'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {startChatServer} from './helpers/chat-server.ts'
import {answer} from './helpers/documentation-teacher.ts'
import {temporaryFolder} from './helpers/temporary.ts'
import {testCache} from './helpers/test-cache.ts'

// The package as npm packs it, in a project of somebody else. Its dependencies are those of this checkout, as npm
// would have installed them: a test reaches no network.

const run = (folder: string, program: string, ...args: string[]) =>
  spawnSync(process.execPath, [program, ...args], {cwd: folder, encoding: 'utf8'})

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  devDependencies: Record<string, string>
  exports: Record<string, string | null | {types: string; default: string}>
}
/** Files of the guide, and examples in docstrings. */
const listings = ['guides/own-stages', 'reference/api'].flatMap((page) => [
  ...readFileSync(`docs/${page}.md`, 'utf8').matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```/g),
])
let project: string
let packed: string[]

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'ascend-cot-package-'))
  const said = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', project], {
    encoding: 'utf8',
  })
  const archive = readdirSync(project).find((name) => name.endsWith('.tgz')) ?? said
  const place = join(project, 'node_modules/ascend-cot')
  mkdirSync(place, {recursive: true})
  execFileSync('tar', ['xzf', join(project, archive), '-C', place, '--strip-components=1'])
  packed = readdirSync(place, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(place.length + 1))
  const theirs = readdirSync('node_modules').filter(
    (one) => !one.startsWith('.') && one !== 'tsx' && !(one in manifest.devDependencies),
  )
  for (const name of theirs) symlinkSync(resolve('node_modules', name), join(project, 'node_modules', name))
  writeFileSync(join(project, 'package.json'), '{"name": "theirs", "type": "module"}')
  for (const [, name = '', text = ''] of listings) writeFileSync(join(project, name), text)
  for (const name of readdirSync('examples')) cpSync(join('examples', name), join(project, name))
  writeFileSync(join(project, 'everything.ts'), everyEntry())
})

afterAll(() => rm(project, {recursive: true, force: true}))

/** A file that imports all that can be imported. */
function everyEntry(): string {
  const names = Object.entries(manifest.exports).flatMap(([entry, target]) => {
    if (typeof target !== 'object' || target === null) return []
    if (!entry.includes('*')) return [entry]
    const folder = dirname(target.types)
    const files = readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter((name) => name.endsWith('.d.ts'))
    const found = files.map((name) => entry.replace('*', name.replace(/\.d\.ts$/, '')))
    return found.filter((name) => manifest.exports[name] !== null)
  })
  const types =
    "import {tokenCount} from 'ascend-cot/datasets/tokens/token-count'\n// @ts-expect-error: types arrive\ntokenCount(1)\n"
  return (
    types + names.map((name, at) => `import * as _${at} from 'ascend-cot/${name.slice(2)}'\nvoid _${at}\n`).join('')
  )
}

describe('the package', () => {
  test('holds what was built, the licence and the documentation, and nothing else', () => {
    const tops = new Set(packed.map((path) => path.split('/')[0]))
    expect([...tops].sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'docs', 'package.json'])
    expect(packed.filter((path) => /\.ts$/.test(path) && !/\.d\.ts$|\/starter\//.test(path))).toEqual([])
    expect(packed.filter((path) => /\.test\.|__pycache__|tsbuildinfo|\.built$/.test(path))).toEqual([])
    expect(packed).toContain('dist/eval/twin/include/kernel_operator.h')
    expect(packed).toContain('dist/sources/starter/docs/add.html')
    expect(packed.filter((path) => path.startsWith('dist/pipelines/view/page/')).sort()).toEqual(
      ['index.html', 'page.css', 'page.js', 'rows-worker.js'].map((name) => `dist/pipelines/view/page/${name}`),
    )
  })

  test.each([
    ['nodenext', 'nodenext'],
    ['bundler', 'esnext'],
  ])("type-checks in another's project, libraries too: %s", (moduleResolution, module) => {
    const options = {moduleResolution, module, target: 'es2023', strict: true, skipLibCheck: false, noEmit: true}
    const compilerOptions = {...options, allowImportingTsExtensions: true, types: []}
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({compilerOptions, include: ['*.ts']}))
    const {status, stdout} = run(project, resolve('node_modules/typescript/bin/tsc'), '-p', '.')
    expect(stdout).toBe('')
    expect(status).toBe(0)
  })

  test('runs from another folder, without the libraries that it holds parts of', async () => {
    const folder = await temporaryFolder()
    const command = join(project, 'node_modules/ascend-cot/dist/pipelines/ascend-cot.js')
    const cached = ['--set', `cache=${testCache}`]
    // Grammar, vocabulary, character recognition: the pages have code and pictures.
    const server = await startChatServer({reply: answer})
    const teacher = `teachers.documentation=${JSON.stringify({model: 'mock', baseUrl: server.url})}`
    await promisify(execFile)(process.execPath, [command, 'run', 'documentation', ...cached, '--set', teacher], {
      cwd: folder,
    })
    await server.close()
    const repairs = readFileSync(join(folder, 'runs/documentation/05-documentation-tally-repairs/repairs.json'), 'utf8')
    expect(JSON.parse(repairs)).toMatchObject({pages: 16, unresolved: [{reason: 'reply-without-latex'}]})
    // References of the bundled tasks.
    const judged = run(
      folder,
      command,
      'run',
      'candidates',
      '--limit',
      '1',
      '--set',
      'samples.candidatesPerTask=1',
      ...cached,
    )
    expect(judged.status, judged.stderr).toBe(0)
    // A file of theirs is read by tsx where Node cannot; what throws below it in our code is ours, wherever that lies.
    symlinkSync(resolve('node_modules/tsx'), join(project, 'node_modules/tsx'))
    const theirs = (call: string) => `import {tokenCount} from 'ascend-cot/datasets/tokens/token-count'
import {CotSample} from 'ascend-cot/schema/sample'
const each = (one: unknown) => ${call}
export default () => ({name: 'mine', version: 1, input: CotSample, output: CotSample, async *run(all: AsyncIterable<unknown>) {
  for await (const one of all) yield each(one)
}})
`
    writeFileSync(join(folder, 'ours.ts'), theirs('tokenCount(5 as never)'))
    writeFileSync(join(folder, 'theirs.ts'), theirs('(one as {a: {b: 1}}).a.b'))
    writeFileSync(
      join(folder, 'in.jsonl'),
      readFileSync('test/fixtures/stages/family-cap/names-do-not-count/in.jsonl', 'utf8'),
    )
    const tried = (name: string) => run(folder, command, 'try', name, '--in', 'in.jsonl').stderr
    expect(tried('theirs.ts')).toMatch(/theirs\.ts line 3 threw/)
    expect(tried('ours.ts')).toContain('This is a bug in ascend-cot')
  })
})
