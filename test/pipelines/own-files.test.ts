import {cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {nodeStripsTypes} from '../../engine/own-package.ts'
import {ascendCot, commandAfterCommand, type Commands} from '../helpers/command.ts'
import {temporaryFolder} from '../helpers/temporary.ts'
import {testCache} from '../helpers/test-cache.ts'

// Files of a user lie in a folder that is in no package and has no node_modules: what resolves, resolves by our doing.

const blocks = [...readFileSync('docs/guides/own-stages.md', 'utf8').matchAll(/```ts\n\/\/ (\S+)\n([\s\S]*?)```/g)]
const examples = new Map(blocks.map(([, name = '', text = '']) => [name, text]))
const stageText = examples.get('my-stage.ts') ?? ''
const recipeText = examples.get('short-answers.ts') ?? ''
const withCache = ['--set', `cache=${testCache}`]

/** Finished runs on a few pages. */
const made = mkdtempSync(join(tmpdir(), 'ascend-cot-own-'))
let commands: Commands
beforeAll(async () => {
  commands = await commandAfterCommand()
  const run = ascendCot(made, ['run', 'api-index', 'worked', '--limit', '4', ...withCache])
  if (run.code !== 0) throw new Error(run.said)
})
afterAll(() => {
  commands.close()
  rmSync(made, {recursive: true, force: true})
})

const sample = {
  kind: 'documentation',
  prompt: 'What does Add do?',
  reasoning: 'It adds.',
  answer: 'x'.repeat(150),
  files: [],
  language: 'en',
  origin: {repository: 'r', revision: '1', path: 'p', licence: 'Apache-2.0'},
  teacher: {kind: 'offline'},
  stages: {},
}

const asWritten: Record<string, string> = {'my-stage.ts': stageText, 'short-answers.ts': recipeText}

/** A folder with these files in it, and the finished run. */
async function folderOf(files = asWritten): Promise<string> {
  const folder = await temporaryFolder()
  cpSync(join(made, 'runs'), join(folder, 'runs'), {recursive: true})
  writeFileSync(join(folder, 'one.jsonl'), `${JSON.stringify(sample)}\n`)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

describe('the example of the guide', () => {
  test('is tried as written from another folder, with its options, and kept as a fixture', async () => {
    const folder = await folderOf()
    const whole = ascendCot(folder, ['try', 'my-stage.ts', '--in', 'one.jsonl'])
    expect(whole).toMatchObject({code: 0, said: ''})
    expect(whole.printed).toContain('── out\n')
    const short = await commands.run(folder, [
      'try',
      'my-stage.ts',
      '--in',
      'one.jsonl',
      '--options',
      '{"maxCharacters": 100}',
      '--record',
      'case',
    ])
    expect(short.printed).toContain('── dropped: answer-too-long')
    expect(readdirSync(join(folder, 'case')).sort()).toEqual(['dropped.jsonl', 'in.jsonl', 'out.jsonl', 'stage.json'])
  })

  test('of a docstring counts words, and drops a blank line', async () => {
    const [, text = ''] =
      /```ts\n(\/\/ word-count\.ts\n[\s\S]*?)```/.exec(readFileSync('docs/reference/api.md', 'utf8')) ?? []
    const folder = await folderOf({'word-count.ts': text})
    writeFileSync(join(folder, 'lines.jsonl'), '{"text": "a b"}\n{"text": " "}\n')
    const {code, printed} = ascendCot(folder, ['try', 'word-count.ts', '--in', 'lines.jsonl'])
    expect(code, printed).toBe(0)
    expect(printed).toMatch(/"words": 2[\s\S]*── dropped: blank/)
  })

  test.each(['ts', 'mts'])('runs as a recipe in .%s under its own name, and resume finds it', async (extension) => {
    const recipe = recipeText.replace("'short-answers'", "'worked'")
    const folder = await folderOf({'my-stage.ts': stageText, [`myAnswers.${extension}`]: recipe})
    const before = readFileSync(join(folder, 'runs/worked/run.json'), 'utf8')
    const run = await commands.run(folder, ['run', `./myAnswers.${extension}`, '--limit', '2', ...withCache])
    expect(run.code).toBe(0)
    expect(run.said).toContain('my-answers reads worked (finished ')
    const ran = JSON.parse(readFileSync(join(folder, 'runs/my-answers/run.json'), 'utf8')) as unknown
    expect(ran).toMatchObject({recipe: 'my-answers', state: 'finished'})
    expect(readFileSync(join(folder, 'runs/worked/run.json'), 'utf8')).toBe(before)
    const again = ascendCot(folder, ['resume', '--json'])
    expect(again.code, again.said).toBe(0)
    interface Again {
      runs: {recipe: string; counts: {stage: string; reused: number; written: number}[]}[]
    }
    const {runs} = JSON.parse(again.printed) as Again
    const mine = runs.find(({recipe}) => recipe === 'my-answers')
    expect(mine?.counts.at(-1)).toMatchObject({stage: 'short-ones', reused: mine?.counts.at(-1)?.written})
  })

  test('leaves rows that a second recipe writes as Parquet, and a case that a later try repeats', async () => {
    const folder = await folderOf({...asWritten, 'short-set.ts': examples.get('short-set.ts') ?? ''})
    const run = await commands.run(folder, ['run', './short-answers.ts', './short-set.ts', ...withCache])
    expect(run.code, run.said).toBe(0)
    expect(readdirSync(join(folder, 'short-set/data/sft')).join()).toMatch(
      /^(?:test-.*,)?train-00000-of-00001\.parquet$/,
    )
    const options = ['--options', '{"maxCharacters": 200}']
    await commands.run(folder, ['try', 'my-stage.ts', '--in', 'one.jsonl', ...options, '--record', 'case'])
    const again = await commands.run(folder, ['try', 'my-stage.ts', '--in', 'case/in.jsonl', ...options, '--json'])
    expect(again.printed.trim()).toBe(readFileSync(join(folder, 'case/out.jsonl'), 'utf8').trim())
  })
})

describe('a task folder outside of the checkout', () => {
  const single = [...withCache, '--set', 'samples.candidatesPerTask=1']

  test('is judged, with references that import what the bundled ones import', async () => {
    const folder = await temporaryFolder()
    const task = 'level1/Math/MulFp16'
    cpSync(join('sources/starter/tasks', task), join(folder, 'tasks', task), {recursive: true})
    cpSync('sources/starter/operators/mul_fp16', join(folder, 'operators/mul_fp16'), {recursive: true})
    const sources = JSON.stringify([{root: 'tasks', operators: 'operators'}])
    const run = await commands.run(folder, [
      'run',
      'candidates',
      '--json',
      ...single,
      '--set',
      `sources.tasks=${sources}`,
    ])
    expect(run.code, run.said).toBe(0)
    const {labels} = JSON.parse(run.printed) as {labels: {label: string; count: number}[]}
    expect(labels.map(({label, count}) => [label, count])).toEqual([['green', 1]])
  })

  test('eval that judged none of its candidates says why and ends with 1', async () => {
    const folder = await temporaryFolder()
    const task = join(folder, 'bench/tasks/level1/Math/MulFp16')
    cpSync('sources/starter/tasks/level1/Math/MulFp16', task, {recursive: true})
    mkdirSync(join(task, 'answer'), {recursive: true})
    cpSync('sources/starter/operators/mul_fp16', join(task, 'answer/0'), {recursive: true})
    const evaluated = ['eval', 'npukernelbench', '--root', 'bench', ...withCache]
    const good = await commands.run(folder, evaluated)
    expect(good.code, good.said).toBe(0)
    const reference = join(task, 'validation/reference.ts')
    writeFileSync(reference, readFileSync(reference, 'utf8').replace('ascend-cot/reference', './cells.ts'))
    const {code, said} = ascendCot(folder, [...evaluated, '--out', 'other'])
    expect(code).toBe(1)
    expect(said).toContain('Of 1 candidate none was judged (judge-failed')
  })

  test('a reference that throws fails its candidates in its own words', async () => {
    const folder = await temporaryFolder()
    const task = 'tasks/level1/Math/MulFp16'
    cpSync('sources/starter/tasks/level1/Math/MulFp16', join(folder, task), {recursive: true})
    cpSync('sources/starter/operators/mul_fp16', join(folder, 'operators/mul_fp16'), {recursive: true})
    const reference = join(folder, task, 'validation/reference.ts')
    writeFileSync(reference, readFileSync(reference, 'utf8').replaceAll("'shape'", "'size'"))
    const sources = JSON.stringify([{root: 'tasks', operators: 'operators'}])
    const run = await commands.run(folder, ['run', 'candidates', ...single, '--set', `sources.tasks=${sources}`])
    expect(run.code).toBe(1)
    expect((await commands.run(folder, ['failed'])).printed).toMatch(/The reference throws case \S+: no column "size"/)
  })
})

describe('a recipe of a user may not write over another run', () => {
  test.each([
    ['documentation.mts', 'it belongs to the built-in recipe documentation'],
    ['Documentation.ts', 'it belongs to the built-in recipe documentation'],
    ['dataset.ts', 'ascend-cot itself writes there'],
    ['evaluate-npukernelbench.mts', 'ascend-cot itself writes there'],
  ])('%s is refused', async (name, why) => {
    const folder = await folderOf({'my-stage.ts': stageText, [name]: recipeText})
    const {code, said} = await commands.run(folder, ['run', `./${name}`, ...withCache])
    expect(code).toBe(1)
    expect(said).toContain(why)
    expect(said).toContain('Rename your recipe')
  })

  test('nor over that of another file of the same name', async () => {
    const folder = await folderOf()
    for (const part of ['a', 'b']) {
      mkdirSync(join(folder, part))
      cpSync(join(folder, 'my-stage.ts'), join(folder, part, 'my-stage.ts'))
      cpSync(join(folder, 'short-answers.ts'), join(folder, part, 'short-answers.ts'))
    }
    const both = await commands.run(folder, ['run', 'a/short-answers.ts', 'b/short-answers.ts', ...withCache])
    expect(both.code).toBe(1)
    expect(await commands.run(folder, ['run', 'a/short-answers.ts', ...withCache])).toMatchObject({code: 0})
    const {code, said} = await commands.run(folder, ['run', 'b/short-answers.ts', ...withCache])
    expect([code, said]).toEqual([1, expect.stringContaining('it is the run directory of')])
    // A file that was moved goes on with its run.
    renameSync(join(folder, 'a'), join(folder, 'c'))
    const moved = await commands.run(folder, ['run', 'c/short-answers.ts', ...withCache])
    expect(moved.code).toBe(0)
  })
})

const stageOf = (run: string) => `import {each} from 'ascend-cot/stage'
import {CotSample} from 'ascend-cot/schema/sample'
export default () => ({name: 'mine', version: 1, input: CotSample, output: CotSample, run: each(${run})})
`
const recipeWith = (stage: string) => recipeText.replace('./my-stage.ts', `./${stage}`)

describe("faults of a user's code are said as theirs", () => {
  type Case = [what: string, files: Record<string, string>, args: string[], words: RegExp, fix: string]
  const unstripped: Case = [
    'a recipe that Node cannot strip of its types',
    {'r.ts': '\nenum Kind {one}\nexport default Kind\n'},
    ['run', './r.ts'],
    /r\.ts cannot be loaded: .*enum.* \(\S+r\.ts line 2\)/,
    'write objects for enums',
  ]
  const cases: Case[] = [
    [
      'a recipe that does not parse',
      {'r.ts': 'export default async () =>\n  => 3\n'},
      ['run', './r.ts'],
      /r\.ts cannot be loaded: .*r\.ts(:2:2: ERROR: Unexpected "=>"| line 2\))/,
      'Fix ',
    ],
    ...(nodeStripsTypes ? [unstripped] : []),
    [
      'a recipe that throws as it loads',
      {'r.mts': 'const n = 1\nthrow new Error(`no ${n}`)\n'},
      ['run', './r.mts'],
      /r\.mts cannot be loaded: no 1 \(.*r\.mts line 2\)/,
      'Fix ',
    ],
    [
      'a recipe that throws',
      {'r.ts': 'export default () => {\n  throw new Error("no data today")\n}\n'},
      ['run', './r.ts'],
      /r\.ts line 2 threw: no data today/,
      'Fix ',
    ],
    [
      'a recipe that imports what is not there',
      {'r.ts': "import x from './nope.ts'\nexport default () => x\n"},
      ['run', './r.ts'],
      /cannot be loaded: Cannot find module .*nope\.ts/,
      'Fix the import',
    ],
    [
      'a recipe that imports a name of ours that there is not',
      {'r.ts': "import {x} from 'ascend-cot/stag'\nexport default () => x\n"},
      ['run', './r.ts'],
      /Package subpath '\.\/stag' is not defined/,
      '`ascend-cot/stage`',
    ],
    [
      'a recipe that returns nothing',
      {'r.ts': 'export default () => {}\n'},
      ['run', './r.ts'],
      /r\.ts returned nothing instead of a Pipeline/,
      'Pipeline.from',
    ],
    [
      'a recipe that returns no pipeline',
      {'r.ts': 'export default () => ({stages: []})\n'},
      ['run', './r.ts'],
      /returned a value of type object instead of a Pipeline/,
      'Pipeline.from',
    ],
    [
      'a file that exports no recipe',
      {'r.ts': 'export default 3\n'},
      ['run', './r.ts'],
      /does not default-export a recipe/,
      'docs/guides/own-stages.md',
    ],
    [
      'a stage that throws in a run',
      {'s.ts': stageOf('(one) => [one.nothing.there]'), 'r.ts': recipeWith('s.ts')},
      ['run', './r.ts'],
      /s\.ts line 3 threw: TypeError: Cannot read properties of undefined/,
      'Fix ',
    ],
    [
      'a stage without its imports',
      {'s.ts': stageText.replace(/^import .*\n/gm, '')},
      ['try', 's.ts', '--in', 'one.jsonl'],
      /s\.ts line \d+ threw: ReferenceError: CotSample is not defined/,
      'Import CotSample',
    ],
    [
      'a stage that throws when it is tried',
      {'s.ts': stageOf('() => { throw new Error("cannot") }')},
      ['try', 's.ts', '--in', 'one.jsonl'],
      /s\.ts line 3 threw: cannot/,
      'Fix ',
    ],
    [
      'a stage that yields what it does not declare',
      {'s.ts': stageOf('() => [{}]')},
      ['try', 's.ts', '--in', 'one.jsonl'],
      /The output of mine does not fit its output schema: kind: /,
      "Fix the stage's output, or its output schema.",
    ],
    [
      'a stage file that is not there',
      {},
      ['try', 'nope.ts', '--in', 'one.jsonl'],
      /There is no stage file nope\.ts/,
      'Give the path',
    ],
    [
      'a file of records that is not there',
      {'my-stage.ts': stageText},
      ['try', 'my-stage.ts', '--in', 'nope.jsonl'],
      /nope\.jsonl cannot be read/,
      '--in',
    ],
    [
      'a last line that is torn',
      {'my-stage.ts': stageText, 'two.jsonl': '{"kind":\n'},
      ['try', 'my-stage.ts', '--in', 'two.jsonl'],
      /two\.jsonl line 1 is not JSON/,
      'one JSON record on each line',
    ],
    [
      'a file without a record',
      {'my-stage.ts': stageText, 'none.jsonl': '\n'},
      ['try', 'my-stage.ts', '--in', 'none.jsonl'],
      /none\.jsonl contains no record/,
      'one JSON record on each line',
    ],
  ]
  test.each(cases)('%s', async (_, files, args, words, fix) => {
    const {code, said} = await commands.run(await folderOf(files), [...args, ...withCache])
    expect(said).toMatch(words)
    expect(said).toContain(fix)
    expect(said).not.toContain('bug in ascend-cot')
    expect(code).toBe(1)
  })
})

describe('--help', () => {
  test('starts no TypeScript compiler', async () => {
    const coverage = await temporaryFolder()
    const {code, printed} = ascendCot(coverage, ['--help'], {NODE_V8_COVERAGE: coverage})
    expect(code).toBe(0)
    expect(printed).toContain('Usage: ascend-cot')
    const [report = ''] = readdirSync(coverage)
    const {result} = JSON.parse(readFileSync(join(coverage, report), 'utf8')) as {result: {url: string}[]}
    const files = result
      .map(({url}) => url)
      .filter((url) => url.startsWith('file:'))
      .map((url) => fileURLToPath(url))
    expect(files.some((file) => file.includes('/commander/'))).toBe(true)
    expect(files.filter((file) => file.endsWith('.ts') || /\/(tsx|zod|yaml|esbuild)\//.test(file))).toEqual([])
  })
})
