import {mkdir, writeFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {PipelineError} from '../../../engine/errors.ts'
import {isOwnFault, ownFault} from '../../../engine/own-module.ts'
import {blamed, loadRecipes, tellMistyped} from '../../../pipelines/commands/recipe-file.ts'
import type {Workspace} from '../../../pipelines/workspace/workspace.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const good = "export default () => ({name: 'other', origins: [1], stages: [{name: 'a', run() {}}]})\n"

async function file(name: string, text = good, folder?: string): Promise<string> {
  const path = join(folder ?? (await temporaryFolder()), name)
  await mkdir(dirname(path), {recursive: true})
  await writeFile(path, text)
  return path
}

const load = async (paths: readonly string[], out?: string) => loadRecipes(paths, out ?? (await temporaryFolder()))
const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    ({code, message, fix}: PipelineError) => ({code, message, fix}),
  )

describe('a recipe', () => {
  test('of this package goes by its name, and lies in no file of a user', async () => {
    const [one] = await load(['kernels'])
    expect([one?.name, one?.file]).toEqual(['kernels', undefined])
  })

  test.each([
    ['MyRecipe.mjs', 'my-recipe'],
    ['a_b.c.mjs', 'a-b-c'],
    ['HTTPServer2Go.mjs', 'httpserver2-go'],
    ['--x--.mjs', 'x'],
    ['核函数.mjs', '核函数'],
    ['Evaluation.mjs', 'evaluation'],
  ])('of a user in %s goes by %s', async (name, expected) => {
    const path = await file(name)
    const [one] = await load([path])
    expect([one?.name, one?.file]).toEqual([expected, path])
  })

  test('that is not there is told, with the nearest one', async () => {
    const told = await failure(load(['kernel']))
    expect(told).toMatchObject({code: 'recipe-missing', message: 'There is no recipe kernel.'})
    expect(told?.fix).toMatch(
      /^Did you mean kernels\? Use one of .*\bkernels\b.*, or give the path of your own recipe\.$/,
    )
    expect((await failure(load(['/nowhere/at-all.mjs'])))?.fix).toMatch(/^Check the path of your recipe/)
  })

  test.each<[string, string]>([
    ['export const x = 1\n', 'does not default-export a recipe (a function that returns a Pipeline).'],
    ['export default 3\n', 'does not default-export a recipe (a function that returns a Pipeline).'],
  ])('of %j is none', async (text, words) => {
    const path = await file('mine.mjs', text)
    expect(await failure(load([path]))).toMatchObject({code: 'input-invalid', message: `${path} ${words}`})
  })

  test.each<[string, string]>([
    ['undefined', 'nothing'],
    ['null', 'null'],
    ['[]', 'a list'],
    ['3', 'a value of type number'],
    ['({stages: [{run() {}}]})', 'a value of type object'],
    ['({origins: []})', 'a value of type object'],
    ['({origins: 1, stages: [{run() {}}]})', 'a value of type object'],
    ['({origins: [], stages: []})', 'a value of type object'],
    ['({origins: [], stages: [{}]})', 'a value of type object'],
    ['({origins: [], stages: [{run() {}}, undefined]})', 'a value of type object'],
  ])('that returns %s returns no pipeline', async (value, kind) => {
    const path = await file('mine.mjs', `export default () => ${value}\n`)
    const [one] = await load([path])
    expect(await failure(one?.make({} as Workspace) as Promise<unknown>)).toMatchObject({
      code: 'input-invalid',
      message: `The recipe ${path} returned ${kind} instead of a Pipeline.`,
    })
  })

  test('that is a stage is told what to do with a stage', async () => {
    const path = await file('mine.mjs', 'export default () => ({name: 1, input: 1, output: 1, run() {}})\n')
    const [one] = await load([path])
    expect(await failure(one?.make({} as Workspace) as Promise<unknown>)).toEqual({
      code: 'config-invalid',
      message: `${path} is a stage, and \`run\` takes recipes.`,
      fix:
        `Try it alone with \`ascend-cot try ${path} --in <records>\`. ` +
        'To run it, call it in a recipe: see docs/guides/own-stages.md.',
    })
  })

  test('that reads names almost like those of recipes is warned of', async () => {
    const out = await temporaryFolder()
    await mkdir(join(out, 'kernel'))
    const reads = ['kernels', 'worked', 'wroked', 'kernel', 'mine-of-old', 'pair']
    const path = await file(
      'mine.mjs',
      `${good.replace('export default ', 'const made = ')}
export default Object.assign(made, {reads: ${JSON.stringify(reads)}})\n`,
    )
    const said: string[] = []
    const terminal = {
      display: undefined,
      width: undefined,
      print: () => {},
      say: (text: string) => void said.push(text),
    }
    for (const one of await load([path, 'card'], out)) await tellMistyped(one, out, terminal)
    const warning = (name: string, meant: string) =>
      `warning: ${path} reads ${name}, which is no recipe and has no run; did you mean ${meant}?`
    expect(said).toEqual([warning('wroked', 'worked'), warning('pair', 'pairs')])
  })

  test('goes by the name of its file, whatever its pipeline calls itself', async () => {
    const [one] = await load([await file('mine.mjs')])
    expect(await one?.make({} as Workspace)).toMatchObject({name: 'mine', origins: [1], stages: [{name: 'a'}]})
  })

  test('whose code throws is at fault itself', async () => {
    const path = await file('mine.mjs', "export default () => {\n  throw new RangeError('too much')\n}\n")
    const [one] = await load([path])
    const told = await failure(one?.make({} as Workspace) as Promise<unknown>)
    expect(told?.code).toBe('input-invalid')
    expect(told?.message).toContain('threw: RangeError: too much')
  })
})

describe('the directory of a run', () => {
  test.each([
    ['kernels.mjs', 'it belongs to the built-in recipe kernels'],
    ['dataset.mjs', 'ascend-cot itself writes there'],
    ['work.mjs', 'ascend-cot itself writes there'],
    ['evaluate-mine.mjs', 'ascend-cot itself writes there'],
    ['score-mine.mjs', 'ascend-cot itself writes there'],
  ])('is not taken by %s', async (name, why) => {
    const path = await file(name)
    expect(await failure(load([path]))).toMatchObject({
      code: 'input-invalid',
      message: `${path} would run in the directory ${name.slice(0, -4)}, but ${why}.`,
    })
  })

  test('is that of one recipe', async () => {
    const [one, other] = [await file('mine.mjs'), await file('Mine.mjs')]
    expect((await failure(load([one, other])))?.message).toBe(
      `${other} would run in the directory mine, but it is the run directory of ${one}.`,
    )
    expect(await load([one, one])).toHaveLength(2)
    expect(await load(['kernels', one])).toHaveLength(2)
  })

  test('has to have a name', async () => {
    const path = await file('--.mjs')
    expect((await failure(load([path])))?.message).toBe(`No run directory can be named after ${path}.`)
  })
})

describe('what a user’s code throws', () => {
  const thrown = (stack: string, error: Error = new RangeError('too much')) => Object.assign(error, {stack})
  const theirs = 'RangeError: too much\n    at f (file:///home/joe/mine.mjs:7:3)\n'

  test('is told with its place, where that is known', () => {
    expect(ownFault('/x.mjs', thrown(theirs))).toMatchObject({
      code: 'input-invalid',
      scope: 'run',
      message: '/home/joe/mine.mjs line 7 threw: RangeError: too much',
      fix: 'Fix /x.mjs.',
      evidence: {path: '/x.mjs'},
    })
    expect(ownFault(undefined, thrown(theirs)).fix).toBe('Fix /home/joe/mine.mjs.')
    expect(ownFault(undefined, 'text')).toMatchObject({
      message: 'one of your files threw: text',
      fix: 'Fix one of your files.',
    })
    expect(ownFault('/x.mjs', thrown('', new Error('plain'))).message).toBe('/x.mjs threw: plain')
    const ours = new PipelineError('disk-full', 'Full.', {fix: 'Free it.', scope: 'record'})
    expect(ownFault('/x.mjs', ours)).toBe(ours)
  })

  test('is theirs where its innermost frame is, libraries aside', () => {
    const library = '    at g (/home/joe/node_modules/lib/a.js:1:1)\n'
    const ours = `    at h (${join(import.meta.dirname, '../../../engine/run.ts')}:3:3)\n`
    expect(isOwnFault(thrown(theirs))).toBe(true)
    expect(isOwnFault(thrown(`RangeError: too much\n${library}${theirs.split('\n')[1]}\n`))).toBe(true)
    expect(isOwnFault(thrown(`RangeError: too much\n${ours}${theirs.split('\n')[1]}\n`))).toBe(false)
    expect(isOwnFault(thrown('RangeError: too much\n'))).toBe(false)
    expect(isOwnFault('text')).toBe(false)
    expect(isOwnFault(new PipelineError('disk-full', 'x', {fix: '', scope: 'record'}))).toBe(false)
  })

  test.each<[Error, string]>([
    [
      new ReferenceError('each is not defined'),
      'Import each, or define it. Your files can import `ascend-cot/stage`, `ascend-cot/pipeline`, ' +
        '`ascend-cot/recipe`, `ascend-cot/reference`, `ascend-cot/schema/…` from any folder.',
    ],
    [
      Object.assign(new Error('x'), {code: 'ERR_MODULE_NOT_FOUND', syscall: 'import'}),
      'Fix the import, or install the package next to the file. Your files can import `ascend-cot/stage`, ' +
        '`ascend-cot/pipeline`, `ascend-cot/recipe`, `ascend-cot/reference`, `ascend-cot/schema/…` from any folder.',
    ],
    [Object.assign(new Error('x'), {code: 'ERR_REQUIRE_CYCLE_MODULE'}), 'Make it an ES module: rename it to /x/y.mts.'],
    [new TypeError('x'), 'Fix /x/y.ts.'],
  ])('has advice: %s', (error, fix) => {
    expect(ownFault('/x/y.ts', error).fix).toBe(fix)
  })

  test('is blamed on the file of the recipe, and on no file of ours', async () => {
    const recipe = {name: 'mine', file: '/x.mjs', make: () => Promise.reject(new Error())}
    const work = () => Promise.reject(thrown(theirs))
    await expect(blamed(recipe, work)).rejects.toMatchObject({code: 'input-invalid'})
    const {file: _, ...builtIn} = recipe
    await expect(blamed(builtIn, work)).rejects.toBeInstanceOf(RangeError)
    await expect(blamed(recipe, () => Promise.reject(thrown('')))).rejects.toBeInstanceOf(RangeError)
    expect(await blamed(recipe, () => Promise.resolve(3))).toBe(3)
  })
})
