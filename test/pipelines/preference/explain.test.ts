import {expect, test} from 'vitest'
import explain from '../../../pipelines/preference/explain.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {labelled} from './records.ts'

const reason = async ({files}: {files: {text: string}[]}) => {
  const [, name] = /^\/\/ (\w+)/.exec(files[0]?.text ?? '') ?? []
  return name === 'untold' ? undefined : `The plan of ${name}.`
}
const model = {kind: 'model', model: 'm', sample: 0} as const

test('each candidate gets the reasoning of its own code, and none where nothing is told', async () => {
  const {outputs, dropped} = await runStage(explain({reason}), [
    labelled('green', 'answer', {kind: 'answer'}),
    labelled('orange', 'mutant'),
    labelled('purple', 'untold'),
  ])
  expect(outputs.map(({reasoning}) => reasoning)).toEqual(['The plan of answer.', 'The plan of mutant.', ''])
  expect(dropped).toEqual([])
})

test('what a model wrote keeps its own words, or none', async () => {
  const own = [labelled('green', 'a', model, {reasoning: 'hm'}), labelled('orange', 'b', model)]
  expect((await runStage(explain({reason}), own)).outputs).toEqual(own)
})

test('the writer learns neither label nor author, and its choices follow from the code', async () => {
  const seen: {keys: string[]; drawn: number}[] = []
  const watching: typeof reason = async (attempt) => {
    seen.push({keys: Object.keys(attempt).sort(), drawn: 0})
    return 'x'
  }
  const drawing = async (_: object, random: {unit(): number}) => String(random.unit())
  await runStage(explain({reason: watching}), [labelled('orange', 'a')])
  expect(seen[0]?.keys).toEqual(['files', 'task'])
  const {outputs} = await runStage(explain({reason: drawing}), [
    labelled('green', 'a', {kind: 'answer'}),
    labelled('orange', 'a'),
    labelled('orange', 'b'),
  ])
  const [one, same, other] = outputs.map(({reasoning}) => reasoning)
  expect(same).toBe(one)
  expect(other).not.toBe(one)
})
