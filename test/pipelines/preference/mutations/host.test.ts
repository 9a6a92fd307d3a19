import {expect, test} from 'vitest'
import {hostMutations} from '../../../../pipelines/preference/mutations/host.ts'
import {madeBy} from './places.ts'

const made = madeBy(hostMutations, 'op_host/a.cpp')
const few = 'one core is launched for the work of many'
const key = 'a tiling key that no branch of the kernel serves'
const length = 'the first dimension is taken for the number of elements'

test.each<[string, string, [string, string][]]>([
  ['wrong-block-dim', 'c->SetBlockDim(n);', [['c->SetBlockDim(1);', few]]],
  ['wrong-block-dim', 'c->SetBlockDim(1);', []],
  ['wrong-block-dim', 'c->SetBlockDim(); c->SetOther(n);', []],
  ['tiling-not-saved', 'f();\nt.SaveToBuffer(a, b);\n', [['f();\n', 'the tiling data is never saved']]],
  ['tiling-not-saved', 'a = t.SaveToBuffer(a, b);\n', []],
  ['wrong-tiling-key', 'c->SetTilingKey(n);', [['c->SetTilingKey(99);', key]]],
  ['wrong-tiling-key', 'c->SetTilingKey(); c->SetTilingKey(99);', []],
  ['tiling-field-not-set', 'f();\nt.set_length(n);\n', [['f();\n', 'length is never set']]],
  ['tiling-field-not-set', 'a = t.set_length(n);\n', []],
  ['tiling-field-not-set', 't.reset_length(n);\n', []],
  ['wrong-total-length', 'n = s.GetShapeSize( );', [['n = s.GetDim(0);', length]]],
  ['wrong-total-length', 'n = s.GetShapeSize(1);', []],
])('%s: %j', (name, text, expected) => {
  expect(made(name, text)).toEqual(expected)
  expect(madeBy(hostMutations, 'op_kernel/a.cpp')(name, text)).toEqual([])
})
