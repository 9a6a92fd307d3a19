import {expect, test} from 'vitest'
import type {Failure} from '../../../datasets/schema/correction.ts'
import {editsBetween} from '../../../pipelines/facts/edits.ts'
import type {FailureFacts} from '../../../pipelines/correction/failure-facts.ts'
import {explain, type Fault} from '../../../pipelines/correction/offline/explanation.ts'
import {readingOf} from '../../../pipelines/correction/offline/observation-text.ts'
import {tellAll} from '../../../pipelines/telling/tell-message.ts'
import {nthWording} from '../../helpers/nth-wording.ts'
import {apis, file, missing, told} from './told-reasons.ts'

test.each<[string, string, string, {errors?: string[]}?]>([
  ['a constant of its own', 'int a = 1;', 'int a = 2;'],
  ['another tensor', 'Adds(y, x, 1, count);', 'Adds(x, x, 1, count);'],
  ['a flag that has its partner', 'SetFlag<E>(0); WaitFlag<E>(0);', 'SetFlag<E>(0);'],
  [
    'a name that the compiler does not miss',
    'auto z = inQueue_.DeQue<uint8_t>();',
    'auto z = inQueue_.DeQue<T>();',
    missing('other'),
  ],
  [
    'a copy of what no queue hands on',
    'DataCopy(xGm_[start], y, 8); DataCopy(xGm_[0], x, 8);',
    'DataCopy(xGm_[start], y, 8);',
  ],
  ['a choice that is none of the last piece', 'n_ = wide;', 'n_ = isHalf_ ? half : wide;'],
  ['one atomic mode of several', 'SetAtomicAdd<T>(); SetAtomicMax<T>();', 'SetAtomicMax<T>();'],
  ['a stride of whole blocks', 'DataCopyParams p{1, 8, 0, 1};', 'DataCopyParams p{1, 8, 0, 0};'],
  [
    'a documented function that is not there',
    'DataCopyPad(y, x, 1, count);',
    'Adds(y, x, 1, count);',
    missing('DataCopyPad'),
  ],
  [
    'the type of a tensor that is cast',
    'auto z = buf_.Get<half>(); Cast(y, z, m, count);',
    'auto z = buf_.Get<float>(); Cast(y, z, m, count);',
  ],
  [
    'a tensor taken out once',
    'auto z = inQueue_.AllocTensor<T>(); z = inQueue_.DeQue<T>();',
    'auto z = inQueue_.DeQue<T>();',
  ],
])('nothing is made up for %s', (_, failed, right, given) => {
  expect(told(failed, right, given)).toContain('nothing')
})

test.each([
  [true, true],
  [false, false],
])('a plain run that passes is told, and that more than sizes and values differs: %s', (passesItsOwn, isTold) => {
  const failing = [{case: '0', reason: 'y, uniform inputs: element 0 is -16843010, expected 0'}]
  const text = tellAll(readingOf({kind: 'numbers', failing, cases: 1, passesItsOwn}), nthWording('en'))
  expect(text.includes('own run passes')).toBe(isTold)
  expect(text.includes('the outputs with arbitrary bytes')).toBe(isTold)
})

test.each([
  ['SetFlag<HardEvent::V_MTE3>(1);', 'end of kernel', 'unpaired-flag', {from: 'PIPE_V', to: 'PIPE_MTE3', event: 1}],
  ['TPipe other;', 'TPipe', 'second-tpipe', {}],
])('of two faults that which the run names stands first: %s', (line, api, situation, values) => {
  const files = file(`DataCopyPad(xGm_[0], y, p);\n${line}`)
  const right = file('DataCopyPad(xGm_[start], y, p);')
  const failed = {files, reference: {files: right}, verdict: {outcome: 'violated'}, task: {cases: []}}
  const failure = failed as unknown as Failure
  const observed = {kind: 'rule', case: '0', block: 0, api, tensor: '', seen: {situation, values}} as const
  const facts = {edits: editsBetween(files, right), error: undefined, observed} as unknown as FailureFacts
  const faults = explain(failure, facts, apis)
  expect(faults).toHaveLength(2)
  expect(JSON.stringify((faults as readonly Fault[])[0]?.edit)).toContain(line)
})

test('of two faults each has its reason, and an argument too many is no mask', () => {
  const both = told(
    'Adds(y, x, 1, count, false); DataCopyPad(xGm_[start + 1], y, p);',
    'Adds(y, x, 1, count); DataCopyPad(xGm_[start], y, p);',
  )
  expect(both).toHaveLength(2)
  expect(both[0]).toContain('too many: `false`')
  expect(both[0]).not.toContain('mask')
  expect(both[1]).toContain('off by')
})

test('speaks Chinese as well', () => {
  const [text] = told('Adds(y, x, count);', 'Adds(y, x, 1, count);', {language: 'zh'})
  expect(text).toContain('少了第3个实参（`scalarValue`）`1`')
  expect(text).not.toMatch(/without|takes/)
})
