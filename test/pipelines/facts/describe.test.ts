import {expect, test} from 'vitest'
import type {OperatorSource} from '../../../datasets/schema/operator.ts'
import {describe, isEmpty} from '../../../pipelines/facts/source-facts.ts'
import {sourceOf} from '../../helpers/told-parts.ts'

const define = (body: string) =>
  `class Fold : public OpDef { public: explicit Fold(const char* name) : OpDef(name) { ${body} } };`

test.each<[role: OperatorSource['role'], empty: boolean, text: string]>([
  ['definition', true, define('')],
  ['definition', false, define('this->Input("x");')],
  ['definition', false, define('this->AICore().AddConfig("ascend910b");')],
  ['infer-shape', true, 'int a;'],
  ['infer-shape', false, 'int F() { return 1; }'],
  ['infer-shape', false, 'IMPL_OP_INFERSHAPE(Fold).InferShape(F);'],
  ['api', true, 'int a;'],
  ['api', false, 'int F() { return 1; }'],
  ['api', false, 'int Fold(int a);'],
  ['library', true, '#include "other.h"'],
  ['library', true, 'void F(int a) {}'],
  ['library', true, 'class C { C(int a); void F(int a) {} };'],
  ['library', false, 'class C { void Fold(int a); };'],
  ['library', false, 'void F(int a) { b = a; }'],
  ['library', false, '// folds\nvoid F(int a) {}'],
  ['library', false, 'void Fold(int a);'],
  ['kernel', false, ''],
  ['tiling', false, ''],
])('of a file for %s it is said %s that nothing is to be told: %s', async (role, empty, text) => {
  const described = await describe(sourceOf(text, {role}))
  expect([described.role, isEmpty(described)]).toEqual([role, empty])
})
