import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {z} from 'zod'
import {Pipeline} from '../../../engine/pipeline.ts'
import {runPipeline} from '../../../engine/runner.ts'
import {each, type Stage} from '../../../engine/stage.ts'
import {attemptDetail, scoreBoard} from '../../../pipelines/view/score-board.ts'
import {requestOf} from '../../helpers/sample-run.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

async function scored(content: object): Promise<string> {
  const folder = join(await temporaryFolder(), 'score-bench')
  mkdirSync(folder)
  writeFileSync(join(folder, 'score.json'), JSON.stringify(content))
  return folder
}

test('scores of whole models are shown by what their tiers did', async () => {
  const task = {name: 'relu', category: 'activation', path: 'reference/activation/relu.py', root: '/b', module: 'm'}
  const tier = {tier: 'head', sizes: ['[8]'], calls: 2, literal: true, leftOut: []}
  const fault = {tier: 'head', sizes: '[8]', family: 'own', hardened: 'y[3] is 0, expected 1'}
  const judged = [
    {opened: false, kind: 'compile-failed', why: 'line 3'},
    {opened: true, tiers: [{...tier, hardened: false}], faults: [fault], mutants: []},
    {opened: true, tiers: [{...tier, hardened: true}], faults: [], mutants: []},
  ].map((verdict, sample) => ({task, sampler: {model: 'm', sample}, reply: 'r', verdict}))
  const folder = await scored({title: 'Models: m', judged})
  const {title, attempts} = await scoreBoard(folder)
  expect(title).toBe('Models: m')
  expect(attempts.map(({outcome, why}) => [outcome, why])).toEqual([
    ['compile-failed', 'line 3'],
    ['mismatched', 'head, [8], own: y[3] is 0, expected 1'],
    ['correct', ''],
  ])
  expect(await attemptDetail(folder, 1)).toMatchObject({task: 'relu', attempt: 'sample 1', files: [], verdict: null})
  await expect(attemptDetail(folder, 3)).rejects.toThrow('no attempt 3')
})

const Given = z.looseObject({reply: z.string(), sampler: z.looseObject({sample: z.int()})})
const task = {name: 'relu', category: 'activation', path: 'reference/activation/relu.py', root: '/b', module: 'm'}

/** A run that judged replies to one task, with its score in its own folder, as models and packages have it. */
async function judgedRun(replies: readonly string[]): Promise<string> {
  const out = await temporaryFolder()
  const stage = (name: string, change: (one: z.infer<typeof Given>) => object): Stage<unknown, unknown> => ({
    ...{name, version: 1, input: Given, output: Given},
    run: each((one) => [change(one as z.infer<typeof Given>)]),
  })
  const given = replies.map((reply, sample) => ({task, sampler: {model: 'm', sample}, reply}))
  const verdict = {opened: false, kind: 'compile-failed', why: 'line 3'}
  const stages = [
    stage('candidates', (one) => ({...one})),
    stage('judge', ({reply, ...one}) => ({...one, reply: `id of ${reply.length}`, verdict})),
  ]
  await runPipeline(requestOf(Pipeline.of('evaluate-models', given, stages), out))
  const judged = given.map(({reply, ...one}) => ({...one, reply: `id of ${reply.length}`, verdict}))
  writeFileSync(join(out, 'evaluate-models', 'score.json'), JSON.stringify({title: 'Models: m', judged}))
  return join(out, 'evaluate-models')
}

test('replies of models and packages are shown with their code', async () => {
  const sources = {
    entry: {model: 'model.py::ModelNew'},
    build: {kernel_sources: ['csrc/k.asc'], binding_sources: ['csrc/bind.cpp']},
    sources: [
      {path: 'csrc/k.asc', content: 'kernel'},
      {path: 'csrc/bind.cpp', content: 'PYBIND11_MODULE(ops, m) {}'},
      {path: 'model.py', content: 'class ModelNew: pass'},
    ],
  }
  const strings = "kernel_src = 'code'"
  const folder = await judgedRun([JSON.stringify(sources), strings, 'See:\n```python\nx = 1\n```'])
  const shown = await Promise.all([0, 1, 2].map((number) => attemptDetail(folder, number)))
  expect(shown[0]?.files).toEqual(
    expect.arrayContaining([
      {path: 'csrc/k.asc', text: 'kernel'},
      {path: 'model.py', text: 'class ModelNew: pass'},
    ]),
  )
  expect(shown[0]?.reasoning).toBe('')
  expect(shown[1]).toMatchObject({files: [], reasoning: `\`\`\`python\n${strings}\n\`\`\``, why: 'line 3'})
  expect(shown[2]).toMatchObject({attempt: 'sample 2', reasoning: 'See:\n```python\nx = 1\n```'})
})

test('a file that is no score is refused', async () => {
  await expect(scored({}).then(scoreBoard)).rejects.toThrow('no table of attempts')
})
