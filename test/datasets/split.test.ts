import {expect, test} from 'vitest'
import type {CotSample} from '../../datasets/schema/sample.ts'
import split, {groupOf, sideOf} from '../../datasets/split.ts'
import {collect, kernelSample, pair, recordingContext, sample, stream} from './rows.ts'

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

test.each([
  ['leaky_relu_tiling.h', 'LeakyRelu'],
  ['leaky_relu_def.cpp', 'LeakyRelu'],
  ['leaky_relu_proto.h', 'LeakyRelu'],
  ['leaky_relu_infershape.cpp', 'LeakyRelu'],
  ['leaky_relu_custom.cpp', 'LeakyRelu'],
  ['leaky_relu_grad.cpp', 'LeakyReluGrad'],
])('a file %s without an entry is about %s', (path, task) => {
  expect(groupOf({...at(`samples/${path}`), files: [{path, text: 'int a;'}]})).toBe(groupOf(pair({task})))
})

test.each([
  ['op_kernel', 'op_host', true],
  ['op_kernel/arch35/a.html', 'op_host/b.html', true],
  ['op_kernel', 'docs', false],
])('pages below %s and %s of a project are one group: %s', (first, second, areOne) => {
  const [one, two] = [first, second].map((path) =>
    groupOf(sample({origin: {...sample().origin, path: `math/relu/${path}`}})),
  )
  expect(one === two).toBe(areOne)
})

test('one origin in twenty goes to test by default', async () => {
  const pages = Array.from({length: 400}, (_, n) => sample({origin: {...sample().origin, path: `docs/${n}.html`}}))
  const rows = await collect(split({config: 'sft'}).run(stream(pages), recordingContext()))
  expect(rows.map((row) => row.split)).toEqual(pages.map((page) => sideOf(groupOf(page), 0.05)))
})
