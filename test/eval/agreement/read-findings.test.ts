import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {readFindings} from '../../../eval/agreement/read-findings.ts'
import {sourcesId} from '../../../datasets/schema/public-verdict.ts'
import {sampleRun} from '../../helpers/sample-run.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {sample} from '../../datasets/rows.ts'
import {candidate, judgedRun, verdict} from './judged-run.ts'

const executor = {name: 'cann-compile'}
const sources = (at: number) => sourcesId([{path: 'op_kernel/a.cpp', text: String(at)}])
const line = (at: number, over: object = {}) => ({
  task: 'ScaleShift',
  sources: sources(at),
  verdict: {outcome: 'compiled', executor},
  ...over,
})
const failing = (outcome: string, more: object = {}) => ({verdict: {outcome, executor, ...more}})

/** What stands in a line, from 0, instead of a verdict; and what is said of it. */
const planted: Record<number, [text: string, reason: RegExp]> = {
  0: ['', /^$/],
  3: ['{"task": "ScaleShift", "sour', /^not JSON/],
  17: [JSON.stringify({...line(17), task: undefined}), /^task: /],
  50: [JSON.stringify(line(50, {sources: 'abc'})), /^sources: expected 32 hexadecimal digits/],
  77: [JSON.stringify(line(77, {sources: []})), /^sources: /],
  120: [JSON.stringify(line(120, failing('exploded'))), /^verdict\.outcome: /],
  121: [JSON.stringify(line(121, {verdict: {outcome: 'compiled'}})), /^verdict\.executor: /],
  300: [JSON.stringify(line(300, failing('violated'))), /^verdict\.violation: /],
  301: [JSON.stringify(line(301, failing('cheated'))), /^verdict\.rule: /],
  400: [JSON.stringify(line(400, {speed: 2})), /^line: .*speed/],
  500: [
    JSON.stringify(line(20, failing('compile-failed'))),
    /says compile-failed of the sources of which line 21 says/,
  ],
  600: ['[]', /^line: /],
  999: ['{"task": "Sca', /^not JSON/],
}

async function verdictFile(): Promise<string> {
  const path = join(await temporaryFolder(), 'verdicts.jsonl')
  const lines = Array.from({length: 1000}, (_, at) => planted[at]?.[0] ?? JSON.stringify(line(at)))
  writeFileSync(path, lines.join('\n'))
  return path
}

test('of a file of 1,000 lines every broken one is named by its number, with why, and the others are read', async () => {
  const {findings, broken, executors, name} = await readFindings(await verdictFile(), 'runs')
  const wrong = Object.entries(planted).filter(([, [text]]) => text !== '')
  // Of two that contradict each other neither counts.
  const contradicted = {line: 21, reason: 'is contradicted by a later line'}
  expect(broken.map(({line: number}) => number)).toEqual(
    [...wrong.map(([at]) => Number(at) + 1), 21].sort((a, b) => a - b),
  )
  expect(broken).toContainEqual(contradicted)
  for (const [at, [, reason]] of wrong)
    expect(broken.find(({line: number}) => number === Number(at) + 1)?.reason).toMatch(reason)
  expect(findings.length).toBe(1000 - Object.keys(planted).length - 1)
  expect(findings.some(({sources: one}) => one === sources(20))).toBe(false)
  expect({name, executors}).toMatchObject({name: 'verdicts.jsonl', executors: [executor]})
})

test('every outcome may come without evidence, but for the name of a rule', async () => {
  const path = join(await temporaryFolder(), 'v.jsonl')
  const outcomes = 'not-covered compile-failed link-failed launch-failed crashed timed-out mismatched correct'.split(
    ' ',
  )
  writeFileSync(path, outcomes.map((outcome, at) => `${JSON.stringify(line(at, failing(outcome)))}\n`).join(''))
  const {findings, broken} = await readFindings(path, 'runs')
  expect(broken).toEqual([])
  expect(findings.map(({outcome}) => outcome)).toEqual(outcomes)
})

test('what is said twice, and alike, counts once', async () => {
  const path = join(await temporaryFolder(), 'v.jsonl')
  writeFileSync(path, `${JSON.stringify(line(1))}\n${JSON.stringify(line(1))}\n`)
  expect(await readFindings(path, 'runs')).toMatchObject({repeated: 1, broken: [], findings: [{outcome: 'compiled'}]})
})

test('a run is found by its name and by its directory; what judged nothing is refused with what to do', async () => {
  const out = await temporaryFolder()
  await judgedRun(out, 'candidates', [candidate('x', verdict('correct')), candidate('y', verdict('crashed'))])
  await sampleRun(out, 'documentation', [sample()])
  writeFileSync(join(out, 'empty.jsonl'), '\n')
  const byName = await readFindings('candidates', out)
  expect(byName.findings.map(({outcome}) => outcome)).toEqual(['correct', 'crashed'])
  expect(await readFindings(join(out, 'candidates'), 'elsewhere')).toEqual(byName)
  await expect(readFindings('documentation', out)).rejects.toThrow(/holds no verdict: line 1: no judged candidate/)
  await expect(readFindings(join(out, 'empty.jsonl'), out)).rejects.toThrow('holds no verdict.')
  await expect(readFindings(out, out)).rejects.toThrow('holds no run')
  await expect(readFindings('gone', out)).rejects.toMatchObject({code: 'input-missing'})
})
