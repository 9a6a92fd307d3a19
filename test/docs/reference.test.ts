import ts from 'typescript'
import {describe, expect, test} from 'vitest'
import {commands} from '../../pipelines/command-line/commands.ts'
import {readCommandLine} from '../../pipelines/command-line/read-command-line.ts'
import {dropReasons} from '../../pipelines/report/drop-reasons.ts'
import {judgeRules} from '../../eval/rules.ts'
import {sourceRules} from '../../eval/source-rules.ts'
import {code, files, stageFiles, textOf, treeOf} from '../helpers/house.ts'
import {apiPage, exportsOf, shownInFull, unsaid} from './api-page.ts'
import {bodies, httpPage, refusals} from './http-page.ts'
import {dropReasonsPage, judgeRulesPage} from './rule-pages.ts'
import {
  columnsPage,
  commandsPage,
  configurationKeys,
  configurationPage,
  errorsPage,
  specificationKeys,
  specificationPage,
  stagesPage,
} from './reference-pages.ts'

// The reference is written by `npm run docs:reference`, which is this test with --update; here it is compared.

const introduction = [
  'Values come from a YAML file, then from environment variables, then from flags; the later wins.',
  '',
  '| way | example |',
  '| --- | --- |',
  '| file: `ascend-cot.yaml` in the working folder, or `--config <file>` | `budget: {cost: 20}` |',
  '| variable: `ASCEND_COT_` and the path, `__` between sections, `_` between words | `ASCEND_COT_BUDGET__COST=20` |',
  '| flag | `--set budget.cost=20` |',
  '',
  'An unknown key is an error that names the nearest known one. `[]` stands for each element of a list, `<name>` for a',
  'name of yours.',
].join('\n')

const ofSpecifications = [
  'A job is a YAML file: one of `trainers/specs`, or one of yours that `extends` one of them. `--set <key>=<value>` changes',
  'a key for one command. Write a value plainly, or as `{value, source, note}`, where `source` is `paper`, `inferred` or',
  '`ours`.',
].join('\n')

const manifest = JSON.parse(textOf('package.json')) as {exports: Record<string, unknown>}
const messages = JSON.parse(textOf('test/fixtures/rule-messages.json')) as Record<string, string>

const ofThePackage = [
  'Stages and recipes of your own import these modules; [the guide](../guides/own-stages.md) shows how. Types are for',
  '`nodenext` and `bundler`. You may rely on the modules below, up to the records: the changelog lists their changes.',
].join('\n')

const ofTheService = [
  '`ascend-cot serve-judge` serves this API at `http://127.0.0.1:8077`; [the guide](../guides/judge-service-and-rl.md)',
  'says how to use it. It is the only HTTP server of the package: `ascend-cot serve` starts a model server (vLLM or',
  'transformers) with its own API. `GET /openapi.json` gives the same description as OpenAPI 3.1. A test sends the',
  'requests below and receives these replies.',
  '',
  '| limit | value |',
  '| --- | --- |',
  '| address | loopback; any other address requires a token |',
  '| token | `Authorization: Bearer <token>`, from the variable that `judge.tokenVariable` names (`JUDGE_TOKEN`) |',
  '| body of a request | `judge.mostMib`, 32 MiB by default; the head 16 kB |',
  '| time for a request to arrive whole | 60 s |',
  '| candidates that wait | `judge.queue`, 4096 by default; beyond it 429 with `Retry-After` |',
  '| candidates judged at once | `executor.concurrency` |',
  '| time to finish after SIGTERM | 20 s; named requests continue at the next start |',
].join('\n')

describe('the reference is what the program says of itself', () => {
  test.each([
    ['commands', commandsPage],
    ['configuration', () => configurationPage(introduction)],
    ['training-specification', () => specificationPage(ofSpecifications)],
    ['columns', columnsPage],
    ['errors', errorsPage],
    ['stages', stagesPage],
    ['api', () => apiPage(ofThePackage)],
    ['http-api', () => httpPage(ofTheService)],
    ['drop-reasons', dropReasonsPage],
    ['judge-rules', () => judgeRulesPage(messages)],
  ])('%s', async (name, made) => {
    await expect(await made()).toMatchFileSnapshot(`../../docs/reference/${name}.md`)
  })

  test.each([configurationKeys, specificationKeys])('every key has a meaning: %o', (made) => {
    const keys = made()
    expect(keys.length).toBeGreaterThan(60)
    expect(keys.filter(({meaning}) => meaning === '').map(({path}) => path)).toEqual([])
  })
})

describe('the API of the package', () => {
  const files = Object.keys(shownInFull).map((entry) => (manifest.exports[entry] as {types: string}).types)

  test('every entry of the package is told of', () => {
    expect(unsaid()).toEqual([])
  })

  test('everything that is exported has a docstring, and every member of a type', () => {
    const all = files.flatMap((file) => exportsOf(file).map((one) => ({file, ...one})))
    expect(all.length).toBeGreaterThan(30)
    expect(
      all.filter(({doc, isExported}) => isExported && doc === '').map(({file, name}) => `${file} ${name}`),
    ).toEqual([])
    // A line that begins a member, with none of a comment above it.
    const bare = all.flatMap(({name, text}) =>
      [...text.matchAll(/(?<!\*\/)\n {2}(?!\s|\/|private)(\w[\w ]*)[?(<:]/g)].map(([, member]) => `${name}.${member}`),
    )
    expect(bare).toEqual([])
  })
})

test('every field of a body has a meaning, and every refusal a message', () => {
  const all = bodies()
  expect(all.length).toBeGreaterThan(8)
  expect(
    all
      .flatMap(({name, keys}) => keys.map((key) => [name, key.path, key.meaning].join(' | ')))
      .filter((one) => one.endsWith('| ')),
  ).toEqual([])
  expect(refusals().length).toBeGreaterThan(20)
})

const names = (topics: Record<string, Record<string, unknown>>) => Object.values(topics).flatMap(Object.keys)

describe('drop reasons', () => {
  const known = names(dropReasons.byTopic())

  test('each stands once, and somewhere in the code', () => {
    expect(new Set(known).size).toBe(known.length)
    const all = code.map(textOf).join('\n')
    // An outcome of an image is made of its parts.
    expect(known.filter((reason) => !all.includes(`'${reason}'`))).toEqual([])
  })

  test('each that a stage, a fixture or a refusal names is explained', () => {
    const found = [...stageFiles.flatMap(toldReasons), ...code.flatMap(droppedReasons), ...fixtureReasons()]
    expect(found.length).toBeGreaterThan(250)
    expect([...new Set(found)].filter((reason) => !known.includes(reason))).toEqual([])
  })

  test('their advice names keys of the configuration that there are', () => {
    const keys = new Set(configurationKeys().map(({path}) => path))
    const advised = Object.values(dropReasons.byTopic())
      .flatMap(Object.values<{do: string}>)
      .flatMap((one) =>
        [...one.do.matchAll(/`((?:export|samples|executor|judge|general)\.\w+)/g)].map(([, key]) => key!),
      )
    expect(advised.length).toBeGreaterThan(8)
    expect(advised.filter((key) => !keys.has(key))).toEqual([])
  })
})

const word = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/

/** In a stage's docstring, behind "Drops". */
function toldReasons(file: string): string[] {
  const [drops = ''] = /\b[Dd]rops?\b(?:[^*]|\*(?!\/))*\*\/\nexport default/.exec(textOf(file)) ?? []
  return [...drops.matchAll(/`([a-z-]+)`/g)].flatMap(([, name = '']) =>
    name.includes('-') && !isError(name) ? name : [],
  )
}

/** A docstring also names errors, behind `@throws`. */
const isError = (name: string) => textOf('engine/errors.ts').includes(`'${name}'`)

/** Literals that a file hands to `drop`, and those with which it makes an answer or a file unfit. */
function droppedReasons(file: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node) && /(?:^|\.)drop$/.test(node.expression.getText())) {
      const [, reason] = node.arguments
      if (reason) found.push(...literals(reason))
    }
    if (ts.isNewExpression(node) && /^(?:UnfitAnswer|FileFault)$/.test(node.expression.getText()))
      found.push(...(node.arguments ?? []).slice(0, 1).flatMap(literals))
    ts.forEachChild(node, visit)
  }
  visit(treeOf(file))
  return found
}

function literals(node: ts.Expression): string[] {
  if (ts.isStringLiteral(node)) return word.test(node.text) ? [node.text] : []
  return ts.isConditionalExpression(node) ? [...literals(node.whenTrue), ...literals(node.whenFalse)] : []
}

const fixtureReasons = () =>
  files
    .filter((file) => /^test\/fixtures\/stages\/.*\/dropped\.jsonl$/.test(file))
    .flatMap((file) => textOf(file).trimEnd().split('\n'))
    .flatMap((line) => (line === '' ? [] : (JSON.parse(line) as {reason: string}).reason))

describe('rules of the judge', () => {
  const known = names(judgeRules.byTopic())

  test('each that the twin reports in its tests, or that sources are searched for, is explained, once', () => {
    expect(new Set(known).size).toBe(known.length)
    const seen = [...Object.keys(messages), ...sourceRules.map(({rule}) => rule)]
    expect(seen.length).toBeGreaterThan(80)
    expect(seen.filter((rule) => !known.includes(rule))).toEqual([])
  })

  test('each stands in the twin or in the judge', () => {
    const texts = files.filter((file) => /^eval\/.*\.(?:ts|cpp|h)$/.test(file)).map(textOf)
    const all = texts.join('\n')
    expect(known.filter((rule) => !new RegExp(`['"]${rule}['"]`).test(all))).toEqual([])
  })
})

test('every stage of the reference has a name, and says what it does', () => {
  const rows = stagesPage().match(/^\| \[.*$/gm) ?? []
  expect(rows.length).toBeGreaterThan(60)
  expect(rows.filter((row) => !/^\| \[`[a-z].*`\]\(\S+\) \| \S.* \|$/.test(row))).toEqual([])
})

describe('help', () => {
  const helpOf = async (args: readonly string[]) => {
    const printed: string[] = []
    const output = {print: (text: string) => void printed.push(text), say: () => undefined}
    expect(await readCommandLine([...args, '--help'], async () => 1, output)).toBe(0)
    return printed.join('\n')
  }

  test.each(commands.map(({name, examples}) => [name, examples] as const))(
    '%s ends in two examples, which can be read',
    async (name, examples) => {
      expect((await helpOf(name.split(' '))).split('\n').slice(-3)).toEqual([
        'Examples:',
        ...examples.map((one) => `  ascend-cot ${one}`),
      ])
      expect(new Set(examples).size).toBe(2)
      for (const one of examples) {
        const asked: string[] = []
        const perform = async ({command}: {command: string}) => {
          asked.push(command)
          return 0
        }
        const code = await readCommandLine(one.split(' '), perform, {print: () => undefined, say: expect.unreachable})
        expect([code, asked]).toEqual([0, [name]])
      }
    },
  )

  test('of all commands ends in the exit codes', async () => {
    expect(await helpOf([])).toMatch(/Exit codes:\n {2}0 [\s\S]* {2}143 .*$/)
  })
})
