import {spawnSync} from 'node:child_process'
import {cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {testCache} from '../../helpers/test-cache.ts'

// A benchmark is its folder: the package as it is built, with two more folders in it, knows two more benchmarks.

let home: string

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'new-benchmark-'))
  cpSync('dist', join(home, 'dist'), {recursive: true, filter: (path) => path !== 'dist/vendor'})
  for (const shared of ['node_modules', 'dist/vendor']) symlinkSync(resolve(shared), join(home, shared))
  cpSync('package.json', join(home, 'package.json'))
  cpSync('test/fixtures/benchmarks', join(home, 'dist/eval/bench'), {recursive: true})
  cpSync('test/fixtures/tasks', join(home, 'checkout/puzzles'), {recursive: true})
  mkdirSync(join(home, 'checkout/valley'))
})
afterAll(() => rmSync(home, {recursive: true, force: true}))

function node(...args: string[]) {
  const {status, stdout, stderr} = spawnSync(process.execPath, args, {cwd: home, encoding: 'utf8'})
  return {code: status, printed: stdout, said: stderr}
}

function ascendCot(...args: string[]) {
  const ran = node('dist/pipelines/ascend-cot.js', ...args, '--root', 'checkout', '--set', `cache=${testCache}`)
  return {...ran, all: `${ran.printed}\n${ran.said}`}
}

test('is known by the name of its folder', () => {
  expect(ascendCot('eval', 'large').said).toMatch(/no benchmark large; use (?:[\w-]+ or )*echoes or .* or small$/m)
})

test('of operators is judged and scored', () => {
  const {code, printed, all} = ascendCot('eval', 'small')
  expect(code, all).toBe(0)
  for (const words of [
    'Small Bench at a folder without version control, 1 task.',
    'Answers: 1; judged 1, correct 1 (1 by the literal rule)',
  ])
    expect(printed).toContain(words)
  const json = ascendCot('eval', 'small', '--json')
  expect(JSON.parse(json.printed)).toMatchObject({benchmark: 'small', request: {maxInputMib: 3}})
  expect(ascendCot('eval', 'small', '--candidates', 'model').said).toContain('No model is configured')
})

test('of models judges them itself, and its tables are shown', () => {
  const lines = ['near far', 'near'].map((reply) => JSON.stringify({task: 'hello', reply}))
  writeFileSync(join(home, 'replies.jsonl'), lines.join('\n'))
  const echoes = (...more: string[]) => ascendCot('eval', 'echoes', '--candidates', 'replies.jsonl', ...more)
  const {code, printed, all} = echoes()
  expect(code, all).toBe(0)
  for (const words of [
    'Echoes heard\nTasks  Right\n1      1\nOf all.',
    'Echoes at a folder without version control; tasks: 1, replies judged: 2.',
    'Sizes: near, far; calls per size, each with its own inputs: 4; at most 7 MiB of input a call.',
  ])
    expect(printed).toContain(words)
  expect(echoes('--tiers', 'near').printed).toContain('Sizes: near; calls')
  expect(echoes('--tiers', 'high').said).toContain('--tiers high: high is not known.')
  expect(echoes('--tasks', 'none').said).toContain('No task of the valley below checkout matches none.')
})

test('is kept out of training data, each of a checkout in its own words', () => {
  const names = (folder: string) => {
    const [config, held] = ['config', 'held-out'].map((one) => join(home, `dist/pipelines/workspace/${one}.js`))
    const benchmarks = JSON.stringify([folder])
    const code = `import {Config} from '${config}'; import {heldOutTexts} from '${held}'
      const texts = await heldOutTexts(Config.parse({sources: {heldOut: [], benchmarks: ${benchmarks}}}))
      console.log(texts.map(({name}) => name).join())`
    const {printed, said} = node('--input-type=module', '--eval', code)
    return printed.trim() || said
  }
  mkdirSync(join(home, 'alone/valley'), {recursive: true})
  expect(names('alone')).toBe('valley/hello')
  cpSync(join(home, 'checkout/puzzles'), join(home, 'only/puzzles'), {recursive: true})
  expect(names('only')).toBe('level1/Math/ScaleShift')
})
