import {execFile} from 'node:child_process'
import {chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {readCommandLine, type Asked} from '../pipelines/command-line/read-command-line.ts'
import {loadRecipes} from '../pipelines/commands/recipe-file.ts'
import {startChatServer, type ChatBody, type ChatServer} from './helpers/chat-server.ts'
import {files} from './helpers/house.ts'
import {startHub, type HubServer} from './helpers/hub-server.ts'
import {twinCache} from './helpers/test-cache.ts'

// Listings of the documentation, as they are printed. TypeScript of the guides is that of `own-files.test.ts`.

const pages = files.filter((file) => /^(?:[A-Z]+|docs\/.*|eval\/.*README)\.md$/.test(file) && file !== 'CHANGELOG.md')

/** Lines of a page's blocks without a language, comments left out; a line that ends in `\\` goes on in the next. */
function linesOf(page: string): string[] {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)]
  const texts = blocks.flatMap(([, kind, text = '']) => (kind === '' ? text.replaceAll(/\\\n\s*/g, '') : []))
  return texts.flatMap((text) => text.split('\n')).map((line) => line.replace(/\s+#.*$/, '').trim())
}

/** Commands of ours in a line, as a shell would divide them; the listings quote nothing that holds a space. */
const commandsIn = (line: string) =>
  line
    .split(/\s*(?:&&|;|\|)\s*|\s>\s/)
    .flatMap((part) => /^(?:npx )?ascend-cot (.*)$/.exec(part)?.[1] ?? [])
    .map((text) => text.split(/\s+/).map((word) => word.replaceAll(/^['"]|['"]$/g, '')))

/** A name in brackets stands for one of the reader's. */
const isWhole = (args: readonly string[]) => !args.some((word) => /^<\w+>$/.test(word))

const listed = pages.flatMap((page) =>
  linesOf(page).flatMap((line) =>
    commandsIn(line)
      .filter(isWhole)
      .map((args): [string, string[]] => [`${page}: ${args.join(' ')}`, args]),
  ),
)

describe('every command of the documentation', () => {
  test('is found', () => {
    expect(listed.length).toBeGreaterThan(100)
  })

  test.each(listed)('%s', async (_, args) => {
    const said: string[] = []
    const performed: string[][] = []
    const perform = async ({command, operands}: Asked) => {
      performed.push([command, ...operands])
      // Recipes of a reader are run by `own-files.test.ts`.
      if (command === 'run') {
        const built = operands.filter((name) => !name.startsWith('./'))
        await loadRecipes(built, '/nonexistent')
      }
      return 0
    }
    const code = await readCommandLine(args, perform, {print: () => undefined, say: (text) => void said.push(text)})
    expect(said).toEqual([])
    expect([code, performed.length]).toEqual([0, 1])
  })

  test('of npm is a script of this package', () => {
    const {scripts} = JSON.parse(readFileSync('package.json', 'utf8')) as {scripts: Record<string, string>}
    const names = pages.flatMap((page) =>
      [...readFileSync(page, 'utf8').matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name),
    )
    expect(names.filter((name) => scripts[name as string] === undefined)).toEqual([])
  })
})

describe('listings run as printed', () => {
  let home: string
  let hub: HubServer
  let teacher: ChatServer

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'ascend-cot-listings-'))
    hub = await startHub({token: 'hf_listed'})
    teacher = await startChatServer({reply: answer})
    const npx = `#!/bin/sh\nshift\nexec '${process.execPath}' '${resolve('dist/pipelines/ascend-cot.js')}' "$@"\n`
    mkdirSync(join(home, 'bin'))
    writeFileSync(join(home, 'bin/npx'), npx)
    chmodSync(join(home, 'bin/npx'), 0o755)
    mkdirSync(join(home, 'cache'))
    mkdirSync(twinCache, {recursive: true})
    symlinkSync(twinCache, join(home, 'cache/twin'))
    for (const [place, from] of [
      ['asc-devkit/docs/zh', 'docs'],
      ['ops-math/math', 'operators'],
      ['samples', 'operators'],
      ['NPUKernelBench', 'heldout'],
    ] as const) {
      cpSync(join('sources/starter', from), join(home, place), {recursive: true})
      cpSync('LICENSE', join(home, place, 'LICENSE'))
    }
  })
  afterAll(async () => {
    await Promise.all([hub.close(), teacher.close()])
    rmSync(home, {recursive: true, force: true})
  })

  /** In a shell, at a home with stand-ins for checkouts, and with a limit that keeps the runs short. */
  function run(line: string, more: Readonly<Record<string, string>> = {}): Promise<{code: number; said: string}> {
    const env = {
      ...process.env,
      HOME: home,
      PATH: `${join(home, 'bin')}:${process.env['PATH']}`,
      HF_ENDPOINT: hub.url,
      HF_TOKEN: 'hf_listed',
      ASCEND_COT_CACHE: join(home, 'cache'),
      ASCEND_COT_LIMIT: '2',
      ASCEND_COT_SAMPLES__CANDIDATES_PER_TASK: '4',
      ...more,
    }
    return new Promise((done) => {
      execFile('sh', ['-c', line], {cwd: home, env}, (error, stdout, stderr) =>
        done({code: typeof error?.code === 'number' ? error.code : 0, said: `${stdout}\n${stderr}`}),
      )
    })
  }

  const printed = [...new Set(pages.flatMap(linesOf))]
  test.each([
    /^npx ascend-cot run api-index worked --docs ~\/asc-devkit/,
    /^npx ascend-cot run kernels --kernels ~\/ops-math\/math --kernels ~\/samples/,
    /^npx ascend-cot run candidates preference$/,
    /^npx ascend-cot run release-sft release-dpo card --benchmark/,
    /^npx ascend-cot verify && npx ascend-cot publish/,
    /^npx ascend-cot report$/,
  ])('%s', async (begin) => {
    const lines = printed.filter((line) => begin.test(line))
    expect(lines).toHaveLength(1)
    const {code, said} = await run(lines[0] as string)
    expect(code, said).toBe(0)
  })

  test('the teachers, whose budget is one of money', async () => {
    const [, yaml = ''] =
      /```yaml\n(# ascend-cot\.yaml\n[\s\S]*?)```/.exec(readFileSync('docs/guides/teachers.md', 'utf8')) ?? []
    writeFileSync(join(home, 'ascend-cot.yaml'), yaml)
    const names = ['DOCUMENTATION', 'KERNEL', 'CORRECTION', 'VISION', 'CANDIDATES']
    const urls = Object.fromEntries(names.map((name) => [`ASCEND_COT_TEACHERS__${name}__BASE_URL`, teacher.url]))
    const {code, said} = await run('npx ascend-cot run documentation', {
      ...urls,
      DEEPSEEK_API_KEY: 'listed',
      ASCEND_COT_OUT: 'taught',
    })
    expect(code, said).toBe(0)
    expect(said).toMatch(/\d+ requests, .* tokens, \d+\.\d+ USD/)
    expect(new Set(teacher.served.map(({body}) => body.model))).toContain('deepseek-reasoner')
  })
})

/** In the form that the prompts of the documentation stage ask for. */
function answer({messages}: ChatBody): {content: string; reasoning: string} {
  const isAnswer = /^Question: /m.test(messages.at(-1)?.content ?? '')
  const text = 'It works on each LocalTensor in the unified buffer once its elements have been copied there.'
  return isAnswer
    ? {
        content: `<answer>${text}</answer>`,
        reasoning: 'Where do operands live? In a LocalTensor. When are they ready? Once a TQue has handed them over.',
      }
    : {content: '<question>How is it used, and what must hold when it is?</question>', reasoning: ''}
}
