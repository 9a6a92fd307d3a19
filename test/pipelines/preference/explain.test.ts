import {expect, test} from 'vitest'
import type {LabelledCandidate} from '../../../datasets/schema/candidate.ts'
import {operatorFacts} from '../../../pipelines/facts/candidate-facts.ts'
import {factReader} from '../../../pipelines/facts/fact-reader.ts'
import explain from '../../../pipelines/preference/explain.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {fixtureTask, labelled} from './records.ts'

const reason = ({files}: {files: {text: string}[]}) => {
  const [, name] = /^\/\/ (\w+)/.exec(files[0]?.text ?? '') ?? []
  return name === 'untold' ? undefined : `The plan of ${name}.`
}
const {name: operator, origin, answer} = await fixtureTask()
const facts = await operatorFacts({operator, origin, files: answer}, factReader())
if (!facts) throw new Error('the fixture task has no host or no kernel')
const described = (...candidates: LabelledCandidate[]) => candidates.map((candidate) => ({candidate, facts}))

test('each candidate gets the reasoning of its own code, and none where nothing is told', async () => {
  const candidates = described(
    labelled('green', 'answer', {kind: 'answer'}),
    labelled('orange', 'mutant'),
    labelled('purple', 'untold'),
  )
  const {outputs, dropped} = await runStage(explain({reason}), candidates)
  expect(outputs.map(({reasoning}) => reasoning)).toEqual(['The plan of answer.', 'The plan of mutant.', ''])
  expect(dropped).toEqual([])
})

test('without facts it keeps its own words, or none', async () => {
  const own = [labelled('green', 'a', undefined, {reasoning: 'hm'}), labelled('orange', 'b')]
  const bare = own.map((candidate) => ({candidate}))
  expect((await runStage(explain({reason}), bare)).outputs).toEqual(own)
})

test('every attempt argues for a line: a wrong one where its fault is, a right one where a fault could be', async () => {
  const places: unknown[] = []
  const watching = ({place}: {place?: unknown}) => {
    places.push(place)
    return 'x'
  }
  const files = answer.map((file) => ({...file}))
  const at = {path: 'op_kernel/scale_shift.cpp', line: 12}
  const fault = {kind: 'mutation' as const, mutation: 'a', detail: 'b', place: at}
  const right = {...labelled('green', 'a', {kind: 'answer'}), files}
  await runStage(explain({reason: watching}), described(labelled('orange', 'b', fault), right, right))
  const [wrong, one, same] = places
  expect(wrong).toEqual(at)
  expect(files.map(({path}) => path)).toContain((one as {path: string}).path)
  expect(same).toEqual(one)
})

test('the writer learns neither label nor author, and its choices follow from the code', async () => {
  const seen: string[][] = []
  const watching: typeof reason = (attempt) => {
    seen.push(Object.keys(attempt).sort())
    return 'x'
  }
  const drawing = (_: object, random: {unit(): number}) => String(random.unit())
  await runStage(explain({reason: watching}), described(labelled('orange', 'a')))
  expect(seen).toEqual([['facts', 'files', 'place', 'task']])
  const candidates = described(
    labelled('green', 'a', {kind: 'answer'}),
    labelled('orange', 'a'),
    labelled('orange', 'b'),
  )
  const {outputs} = await runStage(explain({reason: drawing}), candidates)
  const [one, same, other] = outputs.map(({reasoning}) => reasoning)
  expect(same).toBe(one)
  expect(other).not.toBe(one)
})
