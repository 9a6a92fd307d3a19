import {expect, test} from 'vitest'
import type {OperatorDefinition, OpParameter} from '../../../../cpp/op-def.ts'
import type {Dtype} from '../../../../datasets/schema/tensor.ts'
import {callOf, type Plan} from '../../../../pipelines/code/scenarios/drawn-call.ts'

const parameter = (name: string, kind: OpParameter['kind'] = 'required'): OpParameter => ({name, kind, dtypes: []})
const operator = (inputs: OpParameter[], outputs: OpParameter[]): OperatorDefinition => ({
  operator: 'Op',
  inputs,
  outputs,
  attributes: [],
  socs: [],
  shapeFromKernel: false,
})
const same = {shape: (base: readonly number[]) => base}

test.each<[Dtype, number[]]>([
  ['float32', [-4, 4]],
  ['bfloat16', [-4, 4]],
  ['int32', [-8, 8]],
  ['uint8', [0, 8]],
  ['bool', [-1, 1]],
])('values of %s are drawn in a range of their own', (dtype, range) => {
  const plan = {inputs: {x: same}, outputs: {}, attributes: {}}
  const {inputs} = callOf(operator([parameter('x')], []), {x: dtype}, plan, [2, 3])
  expect(inputs).toEqual([{name: 'x', dtype, shape: [2, 3], range}])
})

test('a call hands over what its plan gives a role, lists twice, and outputs with the shape of the call', () => {
  const definition = operator(
    [parameter('x'), parameter('k'), parameter('m'), parameter('z', 'dynamic'), parameter('u')],
    [parameter('y'), parameter('z', 'dynamic'), parameter('s'), parameter('d', 'dynamic')],
  )
  const plan: Plan = {
    inputs: {
      x: {...same, range: [1, 2]},
      k: {shape: () => [1], values: () => [7]},
      m: 'absent',
      z: {shape: () => [3]},
    },
    outputs: {s: {shape: () => [1]}},
    attributes: {axis: 1},
  }
  const z = {name: 'z', dtype: 'float16', shape: [3]}
  const d = {name: 'd', dtype: 'float32', shape: [4]}
  expect(callOf(definition, {k: 'int64', z: 'float16', s: 'bool'}, plan, [4])).toEqual({
    inputs: [
      {name: 'x', dtype: 'float32', shape: [4], range: [1, 2]},
      {name: 'k', dtype: 'int64', shape: [1], range: [-8, 8], values: [7]},
      {...z, range: [-4, 4]},
      {...z, range: [-4, 4]},
    ],
    attributes: {axis: 1},
    outputs: [
      {name: 'y', dtype: 'float32', shape: [4]},
      // What is written in place is told as it was handed over.
      z,
      z,
      {name: 's', dtype: 'bool', shape: [1]},
      d,
      d,
    ],
  })
})
