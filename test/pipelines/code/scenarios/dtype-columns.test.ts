import {describe, expect, test} from 'vitest'
import type {OperatorDefinition, OpParameter} from '../../../../cpp/op-def.ts'
import type {Contract} from '../../../../datasets/schema/contract.ts'
import {dtypeColumns} from '../../../../pipelines/code/scenarios/dtype-columns.ts'

const parameter = (name: string, dtypes: OpParameter['dtypes'], kind: OpParameter['kind'] = 'required') => ({
  name,
  kind,
  dtypes,
})
const operator = (inputs: OpParameter[], outputs: OpParameter[]): OperatorDefinition => ({
  operator: 'Op',
  inputs,
  outputs,
  attributes: [],
  socs: [],
  shapeFromKernel: false,
})

describe('combinations of dtypes', () => {
  test('those with another first input come first, formats count once, complex numbers not at all', () => {
    const found = dtypeColumns(
      operator(
        [parameter('x', ['float16', 'float16', 'float16', 'float32', 'complex64'])],
        [parameter('y', ['float16', 'float16', 'int32', 'float32', 'complex64'])],
      ),
      4,
    )
    expect(found).toEqual([
      {x: 'float16', y: 'float16'},
      {x: 'float32', y: 'float32'},
      {x: 'float16', y: 'int32'},
    ])
  })

  test('a list that cannot be read has several guesses', () => {
    const found = dtypeColumns(operator([parameter('x', ['float16'])], [parameter('y', [])]), 1)
    expect(found.map(({y}) => y)).toEqual(['float16', 'bool', 'float32', 'uint8'])
  })

  test('a list that cannot be read holds what the page says, for the same kind of number', () => {
    const scalars = {name: 'scalars', dtypes: ['float32', 'int64'] as const}
    const contract = {examples: [], parameters: [{...scalars, ranks: [], shapes: []}]} as unknown as Contract
    const definition = operator([parameter('x', ['float16', 'int32']), parameter('scalars', [])], [])
    expect(dtypeColumns(definition, 4, contract)).toEqual([
      {x: 'float16', scalars: 'float32'},
      {x: 'int32', scalars: 'int64'},
    ])
  })
})
