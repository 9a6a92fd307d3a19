import {describe, expect, test} from 'vitest'
import {commands} from '../../pipelines/command-line/commands.ts'
import {readCommandLine} from '../../pipelines/command-line/read-command-line.ts'
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
  'a key for one command. A value may be written plainly, or as `{value, source, note}`, where `source` is `paper`,',
  '`inferred` or `ours`.',
].join('\n')

describe('the reference is what the program says of itself', () => {
  test.each([
    ['commands', commandsPage],
    ['configuration', () => configurationPage(introduction)],
    ['training-specification', () => specificationPage(ofSpecifications)],
    ['columns', columnsPage],
    ['errors', errorsPage],
    ['stages', stagesPage],
  ])('%s', async (name, made) => {
    await expect(made()).toMatchFileSnapshot(`../../docs/reference/${name}.md`)
  })

  test.each([configurationKeys, specificationKeys])('every key has a meaning: %o', (made) => {
    const keys = made()
    expect(keys.length).toBeGreaterThan(60)
    expect(keys.filter(({meaning}) => meaning === '').map(({path}) => path)).toEqual([])
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
