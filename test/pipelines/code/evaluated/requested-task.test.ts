import {expect, test} from 'vitest'
import type {HostKernelPair, Scenario} from '../../../../datasets/schema/scenario.ts'
import {voice} from '../../../../datasets/voice.ts'
import {randomFrom} from '../../../../engine/random.ts'
import {requestedTask} from '../../../../pipelines/code/evaluated/requested-task.ts'
import {ran, scriptedIdentity} from '../../../helpers/scripted-executor.ts'

const scenario = (shape: number[], axis: number[], attributes: Scenario['attributes'] = {}): Scenario => ({
  dtypes: {x: 'float32', axis: 'int32', y: 'float32'},
  inputs: [
    {name: 'x', dtype: 'float32', shape, range: [-4, 4]},
    {name: 'axis', dtype: 'int32', shape: [axis.length], range: [0, 1], values: axis},
  ],
  attributes,
  outputs: [{name: 'y', dtype: 'float32', shape: shape.slice(0, 1)}],
  seed: 's',
  digests: [],
  trace: ran([]).trace,
})

const definition = `#define FACTOR 2.5
// constexpr int ROUNDS = 9;
constexpr int ROUNDS = 3;
namespace ops {
class RowTotal : public OpDef {
public:
    explicit RowTotal(const char* name) : OpDef(name)
    {
        this->Input("x").DataType({ge::DT_FLOAT});
        this->Input("axis").DataType({ge::DT_INT32}).ValueDepend(REQUIRED);
        this->Output("y").DataType({ge::DT_FLOAT});
        this->Attr("keep").AttrType(OPTIONAL).Bool(true);
        this->Attr("rounds").AttrType(OPTIONAL).Int(ROUNDS);
        this->Attr("factor").AttrType(OPTIONAL).Float(FACTOR);
        this->Attr("other").AttrType(OPTIONAL).Int(UNKNOWN);
    }
};
OP_ADD(RowTotal);
} // namespace ops
`

const pair = (one: Scenario): HostKernelPair => ({
  origin: {repository: 'r', revision: 'v', path: 'op', licence: 'MIT'},
  operator: 'RowTotal',
  entry: 'row_total',
  host: [{path: 'op_host/row_total_def.cpp', text: definition}],
  kernel: {path: 'op_kernel/row_total.cpp', text: ''},
  kept: [],
  scenario: one,
  executor: scriptedIdentity,
})

function asked(language: 'en' | 'zh', one: Scenario, ...more: Scenario[]) {
  const task = requestedTask(pair(one), 'sums', voice(language, randomFrom('s')), more)
  if (!task) throw new Error('there is no definition')
  return task
}

test('a case for each call, with one column for all inputs only where they agree in every case', () => {
  const same = {...scenario([2], [0, 1])}
  expect(asked('en', same).cases).toEqual([
    {
      case_id: '0',
      shape: '[2]',
      x_dtype: 'float32',
      axis_dtype: 'int32',
      keep: 'true',
      rounds: '3',
      factor: '2.5',
      other: 'UNKNOWN',
    },
  ])
  const rows = asked('en', same, scenario([8, 4], [1], {rounds: 5})).cases
  expect(rows).toMatchObject([
    {case_id: '0', x_shape: '[2]', axis_shape: '[2]', rounds: '3'},
    {case_id: '1', x_shape: '[8, 4]', axis_shape: '[1]', rounds: '5'},
  ])
  expect(rows.map((row) => Object.keys(row))).toEqual([Object.keys(rows[0] ?? {}), Object.keys(rows[0] ?? {})])
})

test('the interface names what differs from case to case, and what does not once', () => {
  const {description} = asked('en', scenario([2, 3], [0]), scenario([8, 4], [1], {rounds: 5}), scenario([2, 3], [1]))
  expect(description).toContain('| x | input | float32 | [2, 3] or [8, 4] |')
  expect(description).toContain('| y | output | float32 | [2] or [8] |')
  expect(description).toContain('| rounds | attribute | int | 3 or 5 |')
  expect(description).toContain('| keep | attribute | bool | true |')
  expect(description).toContain('- `axis` holds 0 in case 0, 1 in case 1 and 1 in case 2.')
})

test('values that all cases share are said once, in either language', () => {
  expect(asked('en', scenario([2, 3], [0]), scenario([8, 4], [0])).description).toContain('- `axis` holds 0.')
  expect(asked('zh', scenario([2, 3], [0]), scenario([8, 4], [0])).description).toContain('- `axis` 的取值为 0。')
  expect(asked('zh', scenario([2, 3], [0]), scenario([8, 4], [1])).description).toContain('[2, 3] 或 [8, 4]')
})

test('the host to begin with knows the constants of the definition', () => {
  const {text} = asked('en', scenario([2, 3], [0])).hostTemplate
  expect(text).toContain('.Int(3);')
  expect(text).toContain('.Float(2.5);')
  expect(text).toContain('.Bool(true);')
})
