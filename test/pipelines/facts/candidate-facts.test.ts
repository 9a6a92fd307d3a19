import {expect, test} from 'vitest'
import {DescribedCandidate} from '../../../datasets/schema/code-facts.ts'
import candidateFacts from '../../../pipelines/facts/candidate-facts.ts'
import {factReader} from '../../../pipelines/facts/fact-reader.ts'
import {sideOfOperator} from '../../../pipelines/facts/operator-source.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {fixtureTask, labelled} from '../preference/records.ts'

const {answer, name: operator, origin} = await fixtureTask()
const model = {kind: 'model', model: 'm', sample: 0} as const
const written = labelled('green', 'a', {kind: 'answer'}, {files: answer})

test('a candidate gets the facts of its host and its kernel, and stays as it is', async () => {
  const {outputs} = await runStage(candidateFacts(), [written])
  const [one] = outputs.map((each) => DescribedCandidate.parse(JSON.parse(JSON.stringify(each))))
  expect(one?.candidate).toEqual(written)
  expect(one?.facts?.kernel.entries).toEqual([expect.objectContaining({name: 'scale_shift'})])
  expect(one?.facts?.host.launch.cores).toHaveLength(1)
})

test('what a model wrote, what has reasoning and what lacks a side come without', async () => {
  const deep = `__global__ void f() { return ${'('.repeat(20_000)}1${')'.repeat(20_000)}; }`
  const bare = [
    labelled('green', 'a', model, {files: answer}),
    {...written, reasoning: 'hm'},
    {...written, files: answer.filter(({path}) => path.startsWith('op_host/'))},
    {...written, files: answer.map((file) => (/__global__/.test(file.text) ? {...file, text: deep} : file))},
  ]
  const {outputs} = await runStage(candidateFacts(), bare)
  expect(outputs).toEqual(bare.map((candidate) => ({candidate})))
})

test('a side is read once as long as nothing of it is another', async () => {
  const read = factReader()
  const kernel = sideOfOperator({operator, origin, files: answer}, 'kernel')!
  const first = await read.kernel(kernel)
  expect(await read.kernel(structuredClone(kernel))).toBe(first)
  expect(await read.kernel({...kernel, dtypes: {x: 'float32'}})).not.toBe(first)
  const text = kernel.target.text.replaceAll('CopyIn', 'Fetch')
  const renamed = await read.kernel({...kernel, target: {...kernel.target, text}})
  expect(renamed.methods.map(({syntax}) => syntax.name)).toContain('Fetch')
})
