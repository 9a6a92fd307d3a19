import {expect, test} from 'vitest'
import type {CraftSetting} from '../../../../datasets/schema/crafted.ts'
import craft from '../../../../pipelines/ascendcraft/generate/craft.ts'
import {runStage} from '../../../helpers/run-stage.ts'

const nobody = () => Promise.reject(new TypeError('nobody is asked'))
const proof = {identity: 'p', interpret: nobody, compile: nobody, judge: nobody}
const whole: CraftSetting = {rounds: 3, lowering: 'compiler', without: []}
const options = {setting: whole, examples: [], proof}

test('without a model it stops, and says what to configure', async () => {
  const task = {name: 'relu', operator: 'ReluCustom', category: 'activation', reference: 'r', shapes: 's'}
  await expect(runStage(craft(options), [task])).rejects.toMatchObject({
    code: 'config-invalid',
    scope: 'run',
    fix: expect.stringContaining('teachers.craft') as string,
  })
})

test('setting, proof and examples are part of the key', () => {
  const example = {name: 'a', category: 'c', shapes: 's', text: 't'}
  const keys = [
    craft(options),
    craft({...options, setting: {...whole, rounds: 2}}),
    craft({...options, setting: {...whole, lowering: 'model'}}),
    craft({...options, setting: {...whole, without: ['feedback']}}),
    craft({...options, proof: {...proof, identity: 'q'}}),
    craft({...options, examples: [example]}),
    craft({...options, examples: [{...example, text: 'other'}]}),
  ].map((stage) => JSON.stringify(stage.options))
  expect(new Set(keys).size).toBe(keys.length)
})

test.each<[Partial<CraftSetting>, number]>([
  [{}, 3],
  [{without: ['feedback']}, 1],
  [{without: ['dsl'], lowering: 'model'}, 3],
  [{lowering: 'model'}, 15],
  [{lowering: 'model', without: ['alignment']}, 12],
  [{lowering: 'model', without: ['passes']}, 6],
])('with %j a task costs at most %i requests', (setting, most) => {
  expect(craft({...options, setting: {...whole, ...setting}}).requestsPerRecord).toBe(most)
})
