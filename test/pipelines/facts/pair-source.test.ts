import {describe, expect, test} from 'vitest'
import type {HostKernelPair} from '../../../datasets/schema/scenario.ts'
import {sideOfPair} from '../../../pipelines/facts/pair-source.ts'

const definition = {path: 'op_host/add_def.cpp', text: 'class Add : public OpDef {};\n'}
const tiling = {path: 'op_host/add_tiling.cpp', text: 'void F(gert::TilingContext* c) { c->SetBlockDim(8); }\n'}
const structure = {path: 'op_host/add_tiling.h', text: 'struct T { uint32_t n; };\n'}
const kernel = {path: 'op_kernel/add.cpp', text: '__global__ void add() {}\n'}
const origin = {repository: 'r', revision: '1', path: 'math/add', licence: 'Apache-2.0' as const}
const pair = {
  ...{origin, operator: 'Add', entry: 'add', kernel, kept: []},
  host: [definition, structure, tiling],
  scenario: {dtypes: {x: 'float16'}},
} as unknown as HostKernelPair

describe('a side of a pair', () => {
  test('is its kernel alone, in one file', () => {
    expect(sideOfPair(pair, 'kernel')).toEqual({
      ...{origin, operator: 'Add', side: 'kernel', role: 'kernel', target: kernel, dependencies: []},
      ...{externalIncludes: [], flattened: kernel.text, tiling: '', dtypes: {x: 'float16'}},
    })
  })

  test('is the file that tiles, with the others of the host before it', () => {
    expect(sideOfPair(pair, 'host')).toMatchObject({
      ...{side: 'host', role: 'tiling', target: tiling, dependencies: [definition, structure], flattened: tiling.text},
    })
  })

  test('is told with its purpose where one is known', () => {
    const purpose = {text: 'Adds.', formulas: []}
    expect(sideOfPair({...pair, purpose}, 'host').purpose).toEqual(purpose)
    expect(sideOfPair(pair, 'host')).not.toHaveProperty('purpose')
  })
})
