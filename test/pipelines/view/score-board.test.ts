import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {attemptDetail, scoreBoard} from '../../../pipelines/view/score-board.ts'
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

test('a file that is no score is refused', async () => {
  await expect(scored({}).then(scoreBoard)).rejects.toThrow('no table of attempts')
})
