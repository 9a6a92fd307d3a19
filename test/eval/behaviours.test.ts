import {describe, expect, test} from 'vitest'
import {behaviourOf} from '../../eval/behaviours.ts'
import {describeCheat, inspectSources} from '../../eval/integrity.ts'
import {sourceRules} from '../../eval/source-rules.ts'

describe('a refusal has the number of its behaviour', () => {
  test.each([
    ['uses-a-finished-operator', 'the model calls aten::mm', 1],
    ['uses-a-finished-operator', 'the model calls aten::_softmax', 1],
    ['calls-a-finished-operator', 'at::', 1],
    ['forbidden-include', '#include <torch/extension.h>', 1],
    ['uses-a-finished-operator', 'the model calls aten::cat', 2],
    ['uses-a-finished-operator', 'the model calls aten::index_select', 2],
    ['copies-without-a-kernel', 'values are moved', 2],
    ['not-contiguous', '', 2],
    ['returns-an-input', '', 2],
    ['calls-a-finished-operator', 'aclnnSoftmaxGetWorkspaceSize(', 3],
    ['uses-a-finished-operator', 'the model calls torch_npu.npu_rms_norm', 3],
    ['reads-tensors-on-the-host', 'Tensor.item', 4],
    ['host-reads-input-values', 'GetInputTensor(', 4],
    ['output-on-the-host', 'cpu', 4],
    ['no-kernel', '', 4],
    ['not-computed', 'the output is the same whatever the inputs are', 5],
    ['stored-results', '700 numbers in long lists', 5],
    ['keeps-an-output', '', 5],
    ['changes-the-clock', 'torch.npu.synchronize', 6],
    ['touches-the-judge', 'twin::', 6],
    ['returns-no-tensor', 'a Lazy', 7],
  ])('%s: %s', (rule, seen, number) => {
    expect(behaviourOf(rule, seen)).toBe(`SUB-BEH-00${number}`)
  })

  test('and none if it is about something else', () => {
    for (const rule of ['forbidden-include', 'inline-assembly', 'calls-the-system'])
      expect(behaviourOf(rule, '#include <fstream>')).toBeUndefined()
  })
})

test.each([
  ['op_kernel/a.cpp', 'auto y = at::add(x, x);', 'SUB-BEH-001, calls-a-finished-operator'],
  ['op_host/a.cpp', 'int f() { return aclnnAdd(a, b); }', 'SUB-BEH-003, calls-a-finished-operator'],
  ['op_host/a.cpp', 'auto v = context->GetInputTensor(0)->GetData<float>();', 'SUB-BEH-004, host-reads-input-values'],
  [
    'op_kernel/a.cpp',
    `float t[] = {${Array.from({length: 200}, (_, at) => at).join(', ')}};`,
    'SUB-BEH-005, stored-results',
  ],
  ['op_kernel/a.cpp', 'auto y = twin::device();', 'SUB-BEH-006, touches-the-judge'],
])('of an operator, %s: %s', (path, text, said) => {
  const [found] = inspectSources([{path, text}])
  expect(sourceRules.map(({rule}) => rule).concat('host-reads-input-values')).toContain(found?.rule)
  const executor = {name: '', fingerprint: '', compiler: '', soc: ''}
  const {rule = '', seen: detail = ''} = found ?? {}
  expect(describeCheat({outcome: 'cheated', rule, detail, literal: false, executor})).toContain(said)
})
