import {expect, test} from 'vitest'
import {mendOfOperation} from '../../../../pipelines/ascendcraft/language/read/foreign-names.ts'

test.each([
  ['tl.log', 'write tl.ln'],
  ['log', 'write tl.ln'],
  ['tl.vlog', 'write tl.ln'],
  ['tl.FMA', 'write tl.mul_add'],
  ['tl.extract', 'write `value = tl.extract(buffer, i)`'],
  // One of the words of other languages goes before one of its own that is meant by its mark.
  ['tl.compare_scalar', 'write tl.compares'],
  ['tl.vadd', 'write tl.add'],
  ['tl.Exp', 'write tl.exp'],
  ['tl.v', undefined],
  ['tl.add_scalar', 'write tl.adds'],
  ['tl.muls_scalars', undefined],
  ['tl.max_scalars', 'write tl.maxs'],
  ['tl.vmul_scalar', 'write tl.muls'],
  // A letter too many, too few or wrong, and underscores.
  ['tl.exxp', 'write tl.exp'],
  ['tl.ep', undefined],
  ['tl.sqr', 'write tl.sqrt'],
  ['tl.sqrtt', 'write tl.sqrt'],
  ['tl.tanhs', 'write tl.tanh'],
  ['tl.tonh', 'write tl.tanh'],
  ['tl.tonx', undefined],
  ['tl.tanhxx', undefined],
  ['tl.reducesum', 'write tl.reduce_sum'],
  ['tl.reduce_summ', 'write tl.reduce_sum'],
  ['tl.leakyrelu', 'write tl.leaky_relu'],
  ['tl.sigmoida', 'write tl.sigmoid'],
  ['tl.asigmoid', 'write tl.sigmoid'],
  ['tl.xigmoid', 'write tl.sigmoid'],
  ['tl.xigmoidx', undefined],
  ['tl.sel', 'write tl.set'],
  ['tl.stt', 'write tl.set'],
  ['tl.se', undefined],
  ['tl.leaky__relux', 'write tl.leaky_relu'],
  ['tl.lb', undefined],
  ['tl.softmax', undefined],
])('of %s', (name, mend) => {
  const found = mendOfOperation(name)
  expect(found.startsWith('use the operations of the page: load, store, exp, ') ? undefined : found).toBe(mend)
})
