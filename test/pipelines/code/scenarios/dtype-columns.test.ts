import {describe, expect, test} from 'vitest'
import type {OperatorDefinition, OpParameter} from '../../../../cpp/op-def.ts'
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
})
