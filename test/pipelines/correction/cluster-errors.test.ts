import {describe, expect, test} from 'vitest'
import type {LabelledCandidate} from '../../../datasets/schema/candidate.ts'
import type {Failure} from '../../../datasets/schema/correction.ts'
import type {ClusteredError} from '../../../datasets/schema/error-cluster.ts'
import {randomFrom} from '../../../engine/random.ts'
import {classifyCandidate} from '../../../eval/taxonomy.ts'
import clusterErrors, {type ClusterErrorsOptions} from '../../../pipelines/correction/cluster-errors.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {executor, labelled} from '../preference/records.ts'

const path = 'op_kernel/scale_shift.cpp'
const base = labelled('purple', 'a')

interface Planted {
  message: string
  task?: string
  mutation?: string
  code?: string
}

const right = labelled('green', 'right', {kind: 'answer'})
const {task: _, prompt: __, ...reference} = right
const withReference = (candidate: LabelledCandidate): Failure => ({...candidate, reference})

function failed({message, task = 'ScaleShift', mutation = 'm', code = ''}: Planted): Failure {
  const diagnostics = [{severity: 'error' as const, file: path, line: 1, column: 1, message}]
  return {
    ...withReference(base),
    task: {...base.task, name: task, origin: {...base.task.origin, path: `tasks/${task}`}},
    sampler: {kind: 'mutation', mutation, detail: code},
    files: [{path, text: code}],
    verdict: {outcome: 'compile-failed', diagnostics, log: '', executor},
  }
}

const undeclared = (name: string) => `use of undeclared identifier '${name}'`

async function cluster(candidates: readonly Failure[], options: Partial<ClusterErrorsOptions> = {}) {
  const {outputs, dropped} = await runStage(clusterErrors({names: ['Add', 'Mul'], ...options}), candidates)
  expect(outputs.length + dropped.length).toBe(candidates.length)
  return {outputs, dropped}
}

const told = ({candidate: {task, sampler, files}}: ClusteredError) =>
  `${task.name} ${sampler.kind === 'mutation' ? sampler.mutation : ''} ${files[0]?.text}`

describe('clusterErrors', () => {
  test('keeps apart what is about another interface, of another class or another mismatch', async () => {
    const call = (name: string) => ({message: `no matching function for call to '${name}'`})
    const all = [call('Add'), call('Add'), call('Mul'), {message: undeclared('a')}, {message: undeclared('b')}]
    const {outputs} = await cluster(
      all.map((one, at) => failed({...one, code: String(at)})),
      {classify: classifyCandidate},
    )
    expect([...new Set(outputs.map(({cluster: {api, class: name, size}}) => `${size} ${name} ${api}`))]).toEqual([
      '2 api-signature-and-overload Add',
      '2 variable-scope-and-lifetime ',
      '1 api-signature-and-overload Mul',
    ])
  })

  test('one message is two clusters where it is of two classes', async () => {
    const classify = ({files}: Pick<LabelledCandidate, 'files'>) => ({
      class: files[0]?.text === 'macro' ? ('macro-and-preprocessing' as const) : ('syntax-and-structure' as const),
    })
    const message = "expected ';' after expression"
    const {outputs} = await cluster([failed({message, code: 'macro'}), failed({message, code: 'plain'})], {classify})
    expect(outputs.map(({cluster: {size}}) => size)).toEqual([1, 1])
  })

  test('keeps few of a cluster, over tasks and then over faults, and counts them all', async () => {
    const many = Array.from({length: 60}, (_, at) =>
      failed({
        message: undeclared(`name${at}`),
        task: at < 50 ? 'Common' : `Rare${at % 2}`,
        mutation: at % 5 === 0 ? 'second' : 'first',
        code: `code ${at}`,
      }),
    )
    const {outputs, dropped} = await cluster(many)
    expect(outputs.map(({cluster: {size}}) => size)).toEqual([60, 60, 60, 60])
    const tasks = outputs.map(({candidate}) => candidate.task.name)
    expect(new Set(tasks)).toEqual(new Set(['Common', 'Rare0', 'Rare1']))
    expect(new Set(outputs.map(told).map((text) => text.split(' ')[1]))).toEqual(new Set(['first', 'second']))
    expect(new Set(dropped.map(({reason}) => reason))).toEqual(new Set(['over-limit']))
    expect((await cluster(many, {most: 7})).outputs).toHaveLength(7)
  })

  test('of one task and fault, as many are kept, but equal code is kept once', async () => {
    const same = Array.from({length: 6}, () => failed({message: undeclared('a'), code: 'same'}))
    expect((await cluster(same)).outputs).toHaveLength(1)
    const different = Array.from({length: 6}, (_, at) => failed({message: undeclared('a'), code: `code ${at}`}))
    expect((await cluster(different)).outputs).toHaveLength(4)
  })

  test('keeps the same ones in whatever order they come', async () => {
    const random = randomFrom('cluster-errors')
    const all = Array.from({length: 200}, (_, at) =>
      failed({
        message: undeclared(`n${at}`),
        task: `Task${random.integer(0, 11)}`,
        mutation: `m${random.integer(0, 9)}`,
        code: `code ${at}`,
      }),
    )
    const first = (await cluster(all)).outputs.map(told)
    expect(first).toHaveLength(4)
    for (let turn = 0; turn < 5; turn += 1)
      expect((await cluster(random.shuffle(all))).outputs.map(told)).toEqual(first)
  })

  test('says where the error stands, and hands over the candidate whole', async () => {
    const candidate = failed({message: undeclared('a'), code: 'Add(a, b);'})
    const {outputs} = await cluster([candidate])
    expect(outputs).toEqual([
      {
        candidate,
        error: {message: undeclared('a'), file: path, line: 1, column: 1, code: 'Add(a, b);'},
        cluster: {signature: "use of undeclared identifier '…'", api: '', class: 'unclassified', size: 1},
      },
    ])
  })

  test('has a run by the rule that it broke and the call, or by the fault behind wrong numbers', async () => {
    const broken = (rule: string, api: string, code: string) => {
      const violation = {rule, api, block: 0, tensor: '', message: `message of ${code}`, fix: ''}
      const candidate = labelled('orange', code, {kind: 'mutation', mutation: 'm', detail: code})
      return withReference({...candidate, verdict: {outcome: 'violated', case: '0', violation, executor}})
    }
    const wrong = (mutation: string, code: string) =>
      withReference(labelled('orange', code, {kind: 'mutation', mutation, detail: code}))
    const all = [broken('leak', 'EnQue', '1'), broken('leak', 'EnQue', '2'), broken('leak', 'DeQue', '3')]
    const {outputs} = await cluster([...all, wrong('a', '4'), wrong('a', '5'), wrong('b', '6')])
    expect([...new Set(outputs.map(({cluster: {signature, api, size}}) => `${size} ${signature} ${api}`))]).toEqual([
      '2 mismatched, mutation a ',
      '2 rule leak EnQue',
      '1 mismatched, mutation b ',
      '1 rule leak DeQue',
    ])
  })

  test('takes no reply without code', async () => {
    const unreadable = {...failed({message: '"no readable answer"'}), unreadable: 'no banner'}
    const {outputs, dropped} = await cluster([unreadable])
    expect([outputs, dropped.map(({reason}) => reason)]).toEqual([[], ['no-code']])
  })
})
