import {expect, test} from 'vitest'
import type {CotSample} from '../../../datasets/schema/sample.ts'
import deviceShare from '../../../pipelines/code/device-share.ts'
import {runStage} from '../../helpers/run-stage.ts'

const any: CotSample = {
  kind: 'kernel',
  prompt: 'p',
  reasoning: 'r',
  answer: 'a',
  files: [],
  language: 'en',
  origin: {repository: 'r', revision: '1', path: 'a.cpp', licence: 'Apache-2.0'},
  teacher: {kind: 'offline'},
  stages: {},
}
type Kind = Pick<CotSample, 'side' | 'asks'>
const [device, host] = [
  {side: 'kernel', asks: 'file'},
  {side: 'host', asks: 'file'},
] as const
const change = {side: 'host', asks: 'change'} as const
const some = (count: number, kind: Kind, length = 10) =>
  Array.from({length: count}, (_, at): CotSample => ({...any, ...kind, prompt: `${at}`, answer: 'a'.repeat(length)}))

async function kept(samples: readonly CotSample[], options = {}) {
  const {outputs, dropped} = await runStage(deviceShare(options), samples)
  const count = ({side, asks}: Kind) => outputs.filter((one) => one.side === side && one.asks === asks).length
  return {device: count(device), host: count(host), change: count(change), reasons: dropped.map(({reason}) => reason)}
}

test.each<[what: string, samples: CotSample[], options: object, left: object]>([
  ['all where there is room', [...some(6, device), ...some(4, host)], {}, {device: 6, host: 4}],
  ['as many files of the host as the share leaves', [...some(6, device), ...some(9, host)], {}, {device: 6, host: 4}],
  ['by another share', [...some(6, device), ...some(9, host)], {least: 0.75}, {device: 6, host: 2}],
  ['as many where they are short', [...some(6, device), ...some(9, host, 1)], {}, {device: 6, host: 4}],
  ['by the length of answers too', [...some(6, device), ...some(4, host, 20)], {}, {device: 6, host: 2}],
  [
    'a shorter one where a long one has no room',
    [...some(6, device), ...some(1, host, 99), ...some(3, host)],
    {},
    {device: 6, host: 3},
  ],
  ['few changes', [...some(20, device), ...some(9, change)], {}, {device: 20, change: 2}],
  [
    'changes after files',
    [...some(30, device), ...some(9, change), ...some(20, host)],
    {},
    {device: 30, host: 20, change: 0},
  ],
  ['all without a share', [...some(1, device), ...some(9, host), ...some(9, change)], {least: 0}, {host: 9, change: 9}],
  ['all where none is of the device', [...some(9, host), ...some(9, change)], {}, {host: 9, change: 9}],
])('keeps %s', async (_, samples, options, left) => {
  const found = await kept(samples, options)
  expect(found).toMatchObject(left)
  expect(found.device + found.host + found.change + found.reasons.length).toBe(samples.length)
})

test('says why, and chooses by the seed', async () => {
  const samples = [...some(3, device), ...some(9, host), ...some(1, change)]
  expect(new Set((await kept(samples)).reasons)).toEqual(new Set(['device-share', 'change-share']))
  const hosts = async (seed: string) =>
    (await runStage(deviceShare(), samples, {seed})).outputs
      .filter(({side}) => side === 'host')
      .map(({prompt}) => prompt)
  expect(await hosts('a')).toEqual(await hosts('a'))
  const several = await Promise.all(['a', 'b', 'c', 'd'].map(hosts))
  expect(new Set(several.map(String)).size).toBeGreaterThan(1)
})
