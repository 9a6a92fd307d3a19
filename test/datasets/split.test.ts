import {expect, test} from 'vitest'
import type {CotSample} from '../../datasets/schema/sample.ts'
import {groupOf, sideOf} from '../../datasets/split.ts'
import {kernelSample, pair, sample} from './rows.ts'

const at = (path: string) => kernelSample({origin: {repository: 'r', revision: '1', path, licence: 'Apache-2.0'}})

test('a kernel, its host files and the pairs of its task are one group, whatever the spelling', () => {
  const group = groupOf(pair({task: 'LeakyRelu'}))
  for (const path of [
    'operators/leaky_relu/op_kernel/leaky_relu.cpp',
    'leaky_relu/op_host',
    'a/LeakyReluCustom/op_kernel/arch/x.h',
  ])
    expect(groupOf(at(path))).toBe(group)
  expect(groupOf(at('operators/relu/op_kernel/relu.cpp'))).not.toBe(group)
})

test('outside of a project the entry names the operator, or the file', () => {
  const tiling = {
    ...at('samples/Add_tile/leaky_relu_custom_tiling.h'),
    files: [{path: 'a.h', text: 'struct TilingData {};'}],
  }
  expect(groupOf(tiling)).toBe(groupOf(pair({task: 'LeakyRelu'})))
  expect(groupOf(at('samples/main.cpp'))).toBe(groupOf(pair({task: 'Scale'})))
})

test('a page is a group of its own, also when it is called like an operator', () => {
  const page = sample({origin: {repository: 'r', revision: '1', path: 'docs/leaky_relu.html', licence: 'Apache-2.0'}})
  expect(groupOf(page)).not.toBe(groupOf(pair({task: 'LeakyRelu'})))
  expect(groupOf(page)).toBe(groupOf({...page, prompt: 'another question'}))
})

test('about the wanted share of the groups goes to test', () => {
  const sides = Array.from({length: 2000}, (_, index) => sideOf(`operator\n${index}`, 0.1))
  expect(sides.filter((side) => side === 'test').length).toBeGreaterThan(140)
  expect(sides.filter((side) => side === 'test').length).toBeLessThan(260)
})

test('whatever is about an operator stands on the side of its kernel', () => {
  const group = groupOf(pair({task: 'RowMax'}))
  const about = (kind: CotSample['kind'], path: string) => groupOf({...at(path), kind, files: []})
  expect(about('project', 'sources/starter/operators/row_max')).toBe(group)
  expect(about('evaluated', 'sources/starter/operators/row_max')).toBe(group)
  expect(about('api-correction', 'level2/Reduce/RowMax')).toBe(group)
  expect(about('kernel-correction', 'level2/Reduce/RowMax')).toBe(group)
  expect(about('kernel', 'sources/starter/operators/row_max/op_host/row_max.cpp')).toBe(group)
})

test('a question from elsewhere decides the side of all its answers', () => {
  const general = (prompt: string, line: number) =>
    groupOf({
      ...sample({prompt, origin: {...sample().origin, path: 'train.parquet', lines: [line, line]}}),
      kind: 'general' as CotSample['kind'],
    })
  expect(general('What is 2 + 2?', 1)).toBe(general('What  is 2 + 2?', 7))
  expect(general('What is 2 + 2?', 1)).not.toBe(general('What is 3 + 3?', 1))
})
