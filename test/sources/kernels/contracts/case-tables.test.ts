import {expect, test} from 'vitest'
import {listedCases, tableCases} from '../../../../sources/kernels/contracts/case-tables.ts'

const header = 'testcase_name,input_shapes,input_dtypes,output_shapes,output_dtypes,attributes,input_data_ranges\n'
const row = (cells: readonly string[]) => `${cells.map((cell) => `"${cell}"`).join(',')}\n`
const case1 = [
  'a',
  '((4, 8), None, (8,),)',
  "('float16', None, 'fp32')",
  '((4, 8),)',
  "('bfloat16',)",
  "{'axis': -1, 'keep': True, 'mode': 'add'}",
  '((-2, 3),)',
]

test('a table gives the calls of its rows, in the order of the definition', () => {
  expect(tableCases(header + row(case1), 'tests/a.csv')).toEqual([
    {
      inputs: [
        {name: '', dtype: 'float16', shape: [4, 8], range: [-2, 3]},
        null,
        {name: '', dtype: 'float32', shape: [8], range: [-2, 3]},
      ],
      outputs: [{name: '', dtype: 'bfloat16', shape: [4, 8]}],
      attributes: [
        {name: 'axis', value: -1},
        {name: 'keep', value: true},
        {name: 'mode', value: 'add'},
      ],
      place: {path: 'tests/a.csv', line: 2},
    },
  ])
})

test('one type is that of all', () => {
  const [call] = tableCases(header + row([...case1.slice(0, 2), "('int8',)", ...case1.slice(3)]), 'a.csv')
  expect(call?.inputs.map((one) => one?.dtype)).toEqual(['int8', undefined, 'int8'])
})

test.each([
  ['a type of another device', 2, "('float8_e5m2', None, 'float32')"],
  ['fewer types than shapes', 2, "('float16', 'float16')"],
  ['a size that is not known', 1, '((4, -1), None, (8,))'],
  ['no literal', 1, 'as usual'],
])('a row with %s is none, and the next one is', (_, at, cell) => {
  const other = case1.map((one, index) => (index === at ? cell : one))
  expect(tableCases(header + row(other) + row(case1), 'a.csv').map(({place}) => place.line)).toEqual([3])
})

test('a range of extremes, and one without an end, are left to us', () => {
  const ranged = (range: string) => {
    const [call] = tableCases(header + row([...case1.slice(0, 6), range]), 'a.csv')
    return call?.inputs.map((one) => one?.range)
  }
  expect(ranged('((-3.4e38, 3.4e38), None, (0, 1))')).toEqual([undefined, undefined, [0, 1]])
  expect(ranged('((-inf, 1), None, (1, 0))')).toEqual([undefined, undefined, undefined])
})

test.each(['', 'name,value\n1,2\n', `${header}"an open quote`, '[]', '{"a": 1}'])('no cases: %j', (text) => {
  expect([...tableCases(text, 'a.csv'), ...listedCases(text, 'a.json')]).toEqual([])
})

test('a list gives the calls of an interface, by the names of its parameters', () => {
  const tensor = (name: string, more: object = {}) => {
    return {name, type: 'tensor', dtype: 'fp16', shape: [2, 3], range_values: [-1, 1], ...more}
  }
  const attribute = (name: string, dtype: string, value: unknown) => {
    return {name, type: 'attr', dtype, shape: null, range_values: value}
  }
  const inputs = [
    tensor('self'),
    [tensor('list', {type: 'tensors'}), tensor('list', {type: 'tensors', range_values: 4})],
    tensor('weightOptional', {shape: null}),
    attribute('dim', 'int', 1),
    attribute('alpha', 'float', [-2, 2]),
    attribute('format', 'non_param', 'ND'),
    [attribute('size', 'int', 3), attribute('size', 'int', 4)],
  ]
  const text = JSON.stringify([{id: 0, inputs}, {id: 1}, {inputs: [attribute('dim', 'int', 1)]}], null, 1)
  const two = `[{"inputs": [${JSON.stringify(tensor('x'))}]},\n {"inputs": [${JSON.stringify(tensor('y'))}]}]`
  expect(listedCases(two, 'a.json').map(({place}) => place.line)).toEqual([1, 2])
  expect(listedCases(text, 'tests/a.json')).toEqual([
    {
      inputs: [
        {name: 'self', dtype: 'float16', shape: [2, 3], range: [-1, 1]},
        {name: 'list', dtype: 'float16', shape: [2, 3], range: [-1, 1]},
        {name: 'list', dtype: 'float16', shape: [2, 3], range: [4, 4]},
        null,
      ],
      outputs: [],
      attributes: [
        {name: 'dim', value: 1},
        {name: 'size', value: [3, 4]},
      ],
      place: {path: 'tests/a.json', line: 4},
    },
  ])
})
