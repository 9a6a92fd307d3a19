import {writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import benchmark from '../../../eval/bench/npukernelbench/benchmark.ts'
import {
  type EvalRequest,
  labelOf,
  samplingOf,
  savedRequest,
  saveRequest,
} from '../../../pipelines/commands/evaluation/request.ts'
import {readConfig} from '../../../pipelines/workspace/config.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const request: EvalRequest = {
  benchmark: 'npukernelbench',
  root: '/checkout',
  candidates: 'model',
  tasks: '**',
  allCases: false,
  maxInputMib: 16,
  samples: 3,
  shape: 'static',
  python: 'python3',
  json: false,
  startAnyway: false,
}
const teachers = {
  'teachers.candidates.model': 'm',
  'teachers.candidates.baseUrl': 'http://127.0.0.1:1/v1',
  'teachers.mine.model': 'm',
  'teachers.mine.baseUrl': 'http://127.0.0.1:1/v1',
}
const configured = await readConfig({env: {}, flags: teachers})
const plain = await readConfig({env: {}})
const [mode] = Object.keys(benchmark.modes)

describe('who writes the candidates', () => {
  test('the answers themselves, a profile, or a file', async () => {
    const file = join(await temporaryFolder(), 'replies of me.jsonl')
    writeFileSync(file, '')
    const of = (candidates: string) => samplingOf({...request, candidates}, benchmark, configured)
    const evaluation = {mode, shape: 'static'}
    expect(of('answers')).toEqual({kind: 'answers'})
    expect(of('model')).toEqual({kind: 'model', profile: 'candidates', samples: 3, evaluation})
    expect(of('mine')).toEqual({kind: 'model', profile: 'mine', samples: 3, evaluation})
    expect(of(file)).toEqual({kind: 'file', path: file, evaluation})
    expect(labelOf(of('answers'))).toBe('')
    expect(labelOf(of('mine'))).toBe(`-mine-${mode}-static`)
    expect(labelOf(of(file))).toBe(`-replies-of-me-${mode}-static`)
  })

  test('nobody, and what could be asked instead', () => {
    const of =
      (candidates: string, config = plain) =>
      () =>
        samplingOf({...request, candidates}, benchmark, config)
    expect(of('model')).toThrow('No model is configured: there is no teacher profile "candidates".')
    expect(of('/nowhere')).toThrow('Candidates /nowhere are neither a teacher profile nor a file.')
    expect(of('/nowhere', configured)).toThrow(
      expect.objectContaining({fix: expect.stringContaining('candidates, mine')}),
    )
    expect(of('/nowhere')).toThrow(expect.objectContaining({fix: expect.stringContaining('none yet')}))
  })

  test.each(['static', 'dynamic'])('the shape %s is known', (shape) => {
    expect(samplingOf({...request, shape}, benchmark, configured)).toMatchObject({evaluation: {shape}})
  })

  test('another shape and another mode are refused', () => {
    expect(() => samplingOf({...request, shape: 'odd'}, benchmark, configured)).toThrow('Unknown shape: --shape odd.')
    expect(() => samplingOf({...request, mode: 'odd'}, benchmark, configured)).toThrow(/odd/)
  })

  test('cases are limited only where that was asked for', () => {
    expect(samplingOf({...request, cases: 2}, benchmark, configured)).toMatchObject({evaluation: {cases: 2}})
    expect(samplingOf(request, benchmark, configured)).not.toHaveProperty('evaluation.cases')
  })
})

test('a request is kept with its run, and a folder without one is no evaluation', async () => {
  const folder = await temporaryFolder()
  expect(await savedRequest(folder)).toBeUndefined()
  await saveRequest(folder, {...request, root: '.'})
  expect(await savedRequest(folder)).toEqual({...request, root: process.cwd()})
})
