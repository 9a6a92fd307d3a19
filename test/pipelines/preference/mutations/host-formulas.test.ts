import {expect, test} from 'vitest'
import {formulaMutations} from '../../../../pipelines/preference/mutations/host-formulas.ts'
import {madeBy} from './places.ts'

const inHost = madeBy(formulaMutations, 'op_host/a.cpp')

test.each<[string, string, [string, string][]]>([
  [
    'host-rounds-down',
    'n = CeilDiv(a + b, u);',
    [
      ['n = ((a + b) / u);', 'CeilDiv without rounding up'],
      ['n = (a + b);', 'CeilDiv left out'],
    ],
  ],
  [
    'host-rounds-down',
    'n = CeilDiv(t.a, F(u));',
    [
      ['n = (t.a / F(u));', 'CeilDiv without rounding up'],
      ['n = (t.a);', 'CeilDiv left out'],
    ],
  ],
  [
    'host-rounds-down',
    'n = std::max(RoundUp(a, u), DivCeil(a, u)); m = AlignUp(a, u, v);',
    [
      ['n = std::max((a / u * u), DivCeil(a, u)); m = AlignUp(a, u, v);', 'RoundUp without rounding up'],
      ['n = std::max((a), DivCeil(a, u)); m = AlignUp(a, u, v);', 'RoundUp left out'],
      ['n = std::max(RoundUp(a, u), (a / u)); m = AlignUp(a, u, v);', 'DivCeil without rounding up'],
      ['n = std::max(RoundUp(a, u), (a)); m = AlignUp(a, u, v);', 'DivCeil left out'],
      ['n = std::max(RoundUp(a, u), DivCeil(a, u)); m = (a / u * u);', 'AlignUp without rounding up'],
      ['n = std::max(RoundUp(a, u), DivCeil(a, u)); m = (a);', 'AlignUp left out'],
    ],
  ],
  ['host-rounds-down', 'CeilDiv(a, u); n = CeilDiv(a); m = FloorDiv(a, u);', []],
  [
    'host-rounds-down',
    'uint32_t CeilDiv(uint32_t a, uint32_t b) { return 1; } int AlignUp(const int64_t a, int b) {}',
    [],
  ],
  [
    'min-for-max',
    'n = std::min(a, std::max(b, c)); m = min(a, b);',
    [
      ['n = std::max(a, std::max(b, c)); m = min(a, b);', 'the other one of std::min and std::max'],
      ['n = std::min(a, std::min(b, c)); m = min(a, b);', 'the other one of std::min and std::max'],
    ],
  ],
  [
    'wrong-formula',
    'void TilingFunc() {\n  n = 1;\n  int a = b * c + d / e;\n  int f = g % h - 1;\n}',
    [
      ['void TilingFunc() {\n  n = 1;\n  int a = b / c + d / e;\n  int f = g % h - 1;\n}', '/ for * in a'],
      ['void TilingFunc() {\n  n = 1;\n  int a = b * c - d / e;\n  int f = g % h - 1;\n}', '- for + in a'],
      ['void TilingFunc() {\n  n = 1;\n  int a = b * c + d * e;\n  int f = g % h - 1;\n}', '* for / in a'],
      ['void TilingFunc() {\n  n = 1;\n  int a = b * c + d / e;\n  int f = g / h - 1;\n}', '/ for % in f'],
      ['void TilingFunc() {\n  n = 1;\n  int a = b * c + d / e;\n  int f = g % h + 1;\n}', '+ for - in f'],
    ],
  ],
  ['wrong-formula', 'void Infer() {\n  int a = b * c;\n}\nint d = e * f;', []],
  ['wrong-formula', 'void TilingFunc() {\n  int a = b*c;\n  int d = -e;\n}', []],
  [
    'host-size-scaled',
    'void TilingFunc() {\n  int a = F(b);\n  int c = d;\n}',
    [
      ['void TilingFunc() {\n  int a = (F(b)) * 2;\n  int c = d;\n}', 'a is twice what the kernel expects'],
      ['void TilingFunc() {\n  int a = (F(b)) / 2;\n  int c = d;\n}', 'a is half of what the kernel expects'],
      ['void TilingFunc() {\n  int a = (F(b)) + 1;\n  int c = d;\n}', 'a is one more than the kernel expects'],
    ],
  ],
  ['host-size-scaled', 'void TilingFunc() {\n  auto a = GetPlatform(b);\n  auto c = p->GetInputShape(0);\n}', []],
  [
    'host-size-scaled',
    'void TilingFunc() {\n  auto c = p->GetInputShape(0)->GetDim(1);\n}',
    [
      [
        'void TilingFunc() {\n  auto c = (p->GetInputShape(0)->GetDim(1)) * 2;\n}',
        'c is twice what the kernel expects',
      ],
      [
        'void TilingFunc() {\n  auto c = (p->GetInputShape(0)->GetDim(1)) / 2;\n}',
        'c is half of what the kernel expects',
      ],
      [
        'void TilingFunc() {\n  auto c = (p->GetInputShape(0)->GetDim(1)) + 1;\n}',
        'c is one more than the kernel expects',
      ],
    ],
  ],
  [
    'wrong-type-size',
    'n = t == ge::DT_FLOAT ? 4 : 2;',
    [['n = t == ge::DT_FLOAT ? 2 : 4;', 'the sizes of the two types change places']],
  ],
  ['wrong-type-size', 'n = a ? 2 : 2; m = a ? 16 : 4; k = a ? 4 : 16;', []],
  [
    'wrong-host-constant',
    'constexpr int n = 8 + 1;',
    [
      ['constexpr int n = (8 + 1) * 4;', 'n is (8 + 1) * 4'],
      ['constexpr int n = (8 + 1) / 2;', 'n is (8 + 1) / 2'],
      ['constexpr int n = 1;', 'n is 1'],
      ['constexpr int n = 8 + 1 + 3;', 'n is 8 + 1 + 3'],
    ],
  ],
  [
    'wrong-host-constant',
    'static constexpr uint32_t n{1};',
    [
      ['static constexpr uint32_t n{1 * 4};', 'n is 1 * 4'],
      ['static constexpr uint32_t n{(1) / 2};', 'n is (1) / 2'],
      ['static constexpr uint32_t n{1 + 3};', 'n is 1 + 3'],
    ],
  ],
  ['wrong-host-constant', 'const int n = 8;\nvoid F() {\n  constexpr int m = 8;\n}', []],
  [
    'tiling-fields-swapped',
    't.set_n(a); t.set_m(b); t.set_k(a); set_j(a, b);',
    [
      ['t.set_n(b); t.set_m(b); t.set_k(a); set_j(a, b);', 'n is set to b'],
      ['t.set_n(a); t.set_m(a); t.set_k(a); set_j(a, b);', 'm is set to a'],
      ['t.set_n(a); t.set_m(a); t.set_k(a); set_j(a, b);', 'm is set to a'],
      ['t.set_n(a); t.set_m(b); t.set_k(b); set_j(a, b);', 'k is set to b'],
    ],
  ],
  ['tiling-fields-swapped', 't.set_n(a); t.set_n(b); t.get_m(c);', []],
  [
    'tiling-field-constant',
    't.set_n(a);',
    [
      ['t.set_n(0);', 'n is always 0'],
      ['t.set_n(1);', 'n is always 1'],
      ['t.set_n(1024);', 'n is always 1024'],
    ],
  ],
  [
    'tiling-field-constant',
    't.set_n(1); t.set_m(); t.get_k(0);',
    [
      ['t.set_n(0); t.set_m(); t.get_k(0);', 'n is always 0'],
      ['t.set_n(1024); t.set_m(); t.get_k(0);', 'n is always 1024'],
    ],
  ],
  [
    'wrong-core-count',
    'context->SetBlockDim(used);',
    [
      ['context->SetBlockDim(used + 1);', 'used + 1 cores are launched'],
      ['context->SetBlockDim((used + 1) / 2);', '(used + 1) / 2 cores are launched'],
      ['context->SetBlockDim(48);', '48 cores are launched'],
    ],
  ],
  [
    'wrong-core-count',
    'context->SetBlockDim(coreNum);',
    [
      ['context->SetBlockDim(coreNum + 1);', 'coreNum + 1 cores are launched'],
      ['context->SetBlockDim((coreNum + 1) / 2);', '(coreNum + 1) / 2 cores are launched'],
      ['context->SetBlockDim(48);', '48 cores are launched'],
    ],
  ],
  [
    'wrong-core-count',
    'int coreNum = 1; context->SetBlockDim(48); context->SetBlockDim();',
    [
      ['int coreNum = 1; context->SetBlockDim(48 + 1); context->SetBlockDim();', '48 + 1 cores are launched'],
      [
        'int coreNum = 1; context->SetBlockDim((48 + 1) / 2); context->SetBlockDim();',
        '(48 + 1) / 2 cores are launched',
      ],
      ['int coreNum = 1; context->SetBlockDim(coreNum); context->SetBlockDim();', 'coreNum cores are launched'],
    ],
  ],
  [
    'wrong-shape-read',
    'int TilingFunc() { c->GetInputShape(0); c->GetInputShape(1); c->GetInputShape(2); }',
    [
      [
        'int TilingFunc() { c->GetInputShape(1); c->GetInputShape(1); c->GetInputShape(2); }',
        'the shape of another input is read',
      ],
      [
        'int TilingFunc() { c->GetInputShape(0); c->GetInputShape(0); c->GetInputShape(2); }',
        'the shape of another input is read',
      ],
      [
        'int TilingFunc() { c->GetInputShape(0); c->GetInputShape(1); c->GetInputShape(0); }',
        'the shape of another input is read',
      ],
    ],
  ],
  [
    'wrong-shape-read',
    'int TilingFunc() { s.GetDim(0); s.GetDim(1); s.GetDim(i); s.GetDim(i - 1); }',
    [
      ['int TilingFunc() { s.GetDim(1); s.GetDim(1); s.GetDim(i); s.GetDim(i - 1); }', 'another dimension is read'],
      ['int TilingFunc() { s.GetDim(0); s.GetDim(0); s.GetDim(i); s.GetDim(i - 1); }', 'another dimension is read'],
      ['int TilingFunc() { s.GetDim(0); s.GetDim(1); s.GetDim(0); s.GetDim(i - 1); }', 'another dimension is read'],
    ],
  ],
  [
    'wrong-shape-read',
    'int TilingFunc() { a->GetAttrPointer<float>(0); }',
    [['int TilingFunc() { a->GetAttrPointer<float>(1); }', 'another attribute is read']],
  ],
  ['wrong-shape-read', 'int InferShape() { c->GetInputShape(0); s.GetDim(0); }', []],
  [
    'tiling-size-not-told',
    'c->GetRawTilingData()->SetDataSize(t.GetDataSize()); SetDataSize();',
    [['c->GetRawTilingData()->SetDataSize(4); SetDataSize();', 'the tiling data is said to have four bytes']],
  ],
  ['tiling-size-not-told', 'SetDataSize(4);', []],
  [
    'tiling-saved-elsewhere',
    't.SaveToBuffer(c->GetRawTilingData()->GetData(), n); c->GetOther()->GetData();',
    [
      [
        't.SaveToBuffer(c->GetRawTilingData(), n); c->GetOther()->GetData();',
        'the tiling data is written over the buffer object',
      ],
    ],
  ],
  [
    'wrong-inferred-output',
    'x.DataType({ge::DT_A, ge::DT_B, ge::DT_C});',
    [
      [
        'x.DataType({ge::DT_B, ge::DT_A, ge::DT_C});',
        'the data types of a parameter stand in another order than those of the others',
      ],
    ],
  ],
  ['wrong-inferred-output', 'x.DataType({ge::DT_A}); x.DataType({ge::DT_A, ge::DT_A});', []],
  [
    'wrong-inferred-output',
    'x.Float(1.5); x.Float(2); x.Float(1e-5f); x.Int(1);',
    [
      ['x.Float(2.5); x.Float(2); x.Float(1e-5f); x.Int(1);', 'another default of an attribute'],
      ['x.Float(1.5); x.Float(3.0); x.Float(1e-5f); x.Int(1);', 'another default of an attribute'],
    ],
  ],
  ['wrong-inferred-output', 'x.Float(0.00001);', [['x.Float(1.00001);', 'another default of an attribute']]],
])('host, %s: %j', (name, text, expected) => {
  expect(inHost(name, text)).toEqual(expected)
  expect(madeBy(formulaMutations, 'op_kernel/a.cpp')(name, text)).toEqual([])
})
