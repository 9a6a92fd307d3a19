import {expect, test} from 'vitest'
import {typeMutations} from '../../../../pipelines/preference/mutations/types.ts'
import {madeBy} from './places.ts'

const kernelHead = 'LocalTensor<T> a;\nLocalTensor<T> b;\n'
const inKernel = madeBy(typeMutations, 'op_kernel/a.cpp', kernelHead)

test.each<[string, string, [string, string][]]>([
  [
    'wrong-tensor-dtype',
    'LocalTensor<float> x = q;',
    [
      ['LocalTensor<half> x = q;', 'LocalTensor<half> where the queue holds float'],
      ['LocalTensor<int32_t> x = q;', 'LocalTensor<int32_t> where the queue holds float'],
      ['LocalTensor<uint8_t> x = q;', 'LocalTensor<uint8_t> where the queue holds float'],
    ],
  ],
  [
    'wrong-tensor-dtype',
    'LocalTensor<half> x = q;',
    [
      ['LocalTensor<float> x = q;', 'LocalTensor<float> where the queue holds half'],
      ['LocalTensor<int16_t> x = q;', 'LocalTensor<int16_t> where the queue holds half'],
      ['LocalTensor<uint8_t> x = q;', 'LocalTensor<uint8_t> where the queue holds half'],
    ],
  ],
  [
    'wrong-tensor-dtype',
    'LocalTensor<DTYPE_X> x = q;',
    [
      ['LocalTensor<int32_t> x = q;', 'LocalTensor<int32_t> where the queue holds DTYPE_X'],
      ['LocalTensor<uint8_t> x = q;', 'LocalTensor<uint8_t> where the queue holds DTYPE_X'],
      ['LocalTensor<bool> x = q;', 'LocalTensor<bool> where the queue holds DTYPE_X'],
    ],
  ],
  [
    'wrong-tensor-dtype',
    'LocalTensor<int32_t> x = q;',
    [
      ['LocalTensor<uint8_t> x = q;', 'LocalTensor<uint8_t> where the queue holds int32_t'],
      ['LocalTensor<bool> x = q;', 'LocalTensor<bool> where the queue holds int32_t'],
    ],
  ],
  ['wrong-tensor-dtype', 'LocalTensor<float> x; GlobalTensor<float> y = g; LocalTensor<U> z = q;', []],
  [
    'mixed-dtype-overload',
    'x = q.DeQue<float>();',
    [
      ['x = q.DeQue<half>();', 'a tensor of half for float'],
      ['x = q.DeQue<int32_t>();', 'a tensor of int32_t for float'],
      ['x = q.DeQue<uint8_t>();', 'a tensor of uint8_t for float'],
    ],
  ],
  [
    'mixed-dtype-overload',
    'x = q.template Get<T>();',
    [
      ['x = q.template Get<int32_t>();', 'a tensor of int32_t for T'],
      ['x = q.template Get<uint8_t>();', 'a tensor of uint8_t for T'],
      ['x = q.template Get<bool>();', 'a tensor of bool for T'],
    ],
  ],
  ['mixed-dtype-overload', 'x = q.Get<U>(); y = Get<T>(); z = q.EnQue<T>(x); w = q.Get<T>;', []],
  [
    'unsupported-element-type',
    'LocalTensor<float> x = q.Get<float>();',
    [
      ['LocalTensor<bool> x = q.Get<bool>();', 'x is a tensor of bool, which its instructions do not take'],
      ['LocalTensor<uint8_t> x = q.Get<uint8_t>();', 'x is a tensor of uint8_t, which its instructions do not take'],
      ['LocalTensor<int8_t> x = q.Get<int8_t>();', 'x is a tensor of int8_t, which its instructions do not take'],
    ],
  ],
  [
    'unsupported-element-type',
    'LocalTensor<bool> x = q.Get<bool>();',
    [
      ['LocalTensor<uint8_t> x = q.Get<uint8_t>();', 'x is a tensor of uint8_t, which its instructions do not take'],
      ['LocalTensor<int8_t> x = q.Get<int8_t>();', 'x is a tensor of int8_t, which its instructions do not take'],
    ],
  ],
  [
    'unsupported-element-type',
    'LocalTensor<float> x = q.Get<half>();\nLocalTensor<T> y = q;\nauto z = q.Get<T>();',
    [],
  ],
  [
    'misnamed-type',
    'F<half>(); G< float >(); (bfloat16_t)x; (uint32_t)x;',
    [
      ['F<fp16>(); G< float >(); (bfloat16_t)x; (uint32_t)x;', 'fp16 for the type half'],
      ['F<float16>(); G< float >(); (bfloat16_t)x; (uint32_t)x;', 'float16 for the type half'],
      ['F<fp16_t>(); G< float >(); (bfloat16_t)x; (uint32_t)x;', 'fp16_t for the type half'],
      ['F<half_t>(); G< float >(); (bfloat16_t)x; (uint32_t)x;', 'half_t for the type half'],
      ['F<half>(); G< fp32 >(); (bfloat16_t)x; (uint32_t)x;', 'fp32 for the type float'],
      ['F<half>(); G< float32 >(); (bfloat16_t)x; (uint32_t)x;', 'float32 for the type float'],
      ['F<half>(); G< fp32_t >(); (bfloat16_t)x; (uint32_t)x;', 'fp32_t for the type float'],
      ['F<half>(); G< float >(); (bfloat16)x; (uint32_t)x;', 'bfloat16 for the type bfloat16_t'],
      ['F<half>(); G< float >(); (bfloat)x; (uint32_t)x;', 'bfloat for the type bfloat16_t'],
      ['F<half>(); G< float >(); (bfloat16_t)x; (uint32)x;', 'uint32 for the type uint32_t'],
      ['F<half>(); G< float >(); (bfloat16_t)x; (uint)x;', 'uint for the type uint32_t'],
    ],
  ],
  [
    'misnamed-type',
    'F<int8_t>(); F<uint8_t>(); F<T>(); F<int32_t>(); F<uint64_t>();',
    [
      ['F<int8>(); F<uint8_t>(); F<T>(); F<int32_t>(); F<uint64_t>();', 'int8 for the type int8_t'],
      ['F<int8_t>(); F<uint8>(); F<T>(); F<int32_t>(); F<uint64_t>();', 'uint8 for the type uint8_t'],
      ['F<int8_t>(); F<uint8_t>(); F<float16>(); F<int32_t>(); F<uint64_t>();', 'float16 for the type T'],
      ['F<int8_t>(); F<uint8_t>(); F<bfloat16>(); F<int32_t>(); F<uint64_t>();', 'bfloat16 for the type T'],
      ['F<int8_t>(); F<uint8_t>(); F<T>(); F<int32>(); F<uint64_t>();', 'int32 for the type int32_t'],
      ['F<int8_t>(); F<uint8_t>(); F<T>(); F<int32_t>(); F<uint64>();', 'uint64 for the type uint64_t'],
    ],
  ],
  ['misnamed-type', 'F<int16_t>(); F<bool>(); half x; F<U, half>();', []],
  [
    'misnamed-variable-type',
    'float x = 1;\nconst uint32_t n = 1;\nvoid F(int32_t y, constexpr half z) {}',
    [
      ['fp32 x = 1;\nconst uint32_t n = 1;\nvoid F(int32_t y, constexpr half z) {}', 'fp32 for the type float'],
      ['float32 x = 1;\nconst uint32_t n = 1;\nvoid F(int32_t y, constexpr half z) {}', 'float32 for the type float'],
      ['fp32_t x = 1;\nconst uint32_t n = 1;\nvoid F(int32_t y, constexpr half z) {}', 'fp32_t for the type float'],
      ['float x = 1;\nconst uint32 n = 1;\nvoid F(int32_t y, constexpr half z) {}', 'uint32 for the type uint32_t'],
      ['float x = 1;\nconst uint n = 1;\nvoid F(int32_t y, constexpr half z) {}', 'uint for the type uint32_t'],
      ['float x = 1;\nconst uint32_t n = 1;\nvoid F(int32 y, constexpr half z) {}', 'int32 for the type int32_t'],
      ['float x = 1;\nconst uint32_t n = 1;\nvoid F(int32_t y, constexpr fp16 z) {}', 'fp16 for the type half'],
      ['float x = 1;\nconst uint32_t n = 1;\nvoid F(int32_t y, constexpr float16 z) {}', 'float16 for the type half'],
      ['float x = 1;\nconst uint32_t n = 1;\nvoid F(int32_t y, constexpr fp16_t z) {}', 'fp16_t for the type half'],
      ['float x = 1;\nconst uint32_t n = 1;\nvoid F(int32_t y, constexpr half_t z) {}', 'half_t for the type half'],
    ],
  ],
  ['misnamed-variable-type', 'static float x = 1; int y; F<float>(); bfloat16_t z; int16_t w;', []],
  [
    'operators-on-tensors',
    'Add(a, b, b, n);',
    [
      ['a = b + b;', 'a = b + b; on tensors, for Add'],
      ['a += b;', 'a += b; on tensors, for Add'],
    ],
  ],
  [
    'operators-on-tensors',
    'Muls(a, b, v, n);',
    [
      ['a = b * v;', 'a = b * v; on tensors, for Muls'],
      ['a *= v;', 'a *= v; on tensors, for Muls'],
    ],
  ],
  [
    'operators-on-tensors',
    'AscendC::Div(a, b, b, n); Sub(a, b);  Exp(a, b, n); x = Add(a, b, b, n);',
    [
      ['a = b / b; Sub(a, b);  Exp(a, b, n); x = Add(a, b, b, n);', 'a = b / b; on tensors, for Div'],
      ['a /= b; Sub(a, b);  Exp(a, b, n); x = Add(a, b, b, n);', 'a /= b; on tensors, for Div'],
    ],
  ],
  [
    'wrong-scalar-type',
    'Muls(a, b, v, n);',
    [
      ['Muls(a, b, static_cast<bool>(v), n);', 'Muls with the scalar static_cast<bool>(v)'],
      ['Muls(a, b, static_cast<uint8_t>(v), n);', 'Muls with the scalar static_cast<uint8_t>(v)'],
    ],
  ],
  [
    'wrong-scalar-type',
    'Copy(a, b, p.params, n);',
    [
      ['Copy(a, b, static_cast<bool>(p.params), n);', 'Copy with the scalar static_cast<bool>(p.params)'],
      ['Copy(a, b, static_cast<uint8_t>(p.params), n);', 'Copy with the scalar static_cast<uint8_t>(p.params)'],
    ],
  ],
  [
    'wrong-scalar-type',
    'Cast(a, b, RoundMode::CAST_NONE, n); Copy(a, b, repeatParams, n); DataCopy(a, b, 1, n); Abs(a, b);',
    [],
  ],
  ['missing-static-cast', 'x = static_cast<T>(F(n) * 4);', [['x = F(n) * 4;', 'F(n) * 4 without the cast to T']]],
  [
    'missing-static-cast',
    'x = static_cast<T>(n + 1) * 2 / static_cast<T>(m * 3) + static_cast<T>(k);',
    [
      ['x = (n + 1) * 2 / static_cast<T>(m * 3) + static_cast<T>(k);', 'n + 1 without the cast to T'],
      ['x = static_cast<T>(n + 1) * 2 / (m * 3) + static_cast<T>(k);', 'm * 3 without the cast to T'],
      ['x = static_cast<T>(n + 1) * 2 / static_cast<T>(m * 3) + k;', 'k without the cast to T'],
    ],
  ],
  ['missing-static-cast', 'x = static_cast<T>(n; y = static_cast<LocalTensor<T>>(x); z = (T)(n);', []],
  [
    'count-through-float',
    'void F() {\n  const uint32_t n = m / 4;\n}',
    [
      [
        'void F() {\n  const uint32_t n = static_cast<uint32_t>(static_cast<float>(m / 4));\n}',
        'n is computed through a float',
      ],
    ],
  ],
  ['count-through-float', 'void F() {\n  float x = 1;\n  int32_t k;\n  int j = 1;\n}', []],
  ['count-through-float', 'uint32_t n = m / 4;', []],
  ['assigned-constant', 'int n = 1;\nn = 2;', [['const int n = 1;\nn = 2;', 'n is declared const and assigned later']]],
  [
    'assigned-constant',
    'int n;\nn = 2;\nn += 1;',
    [['const int n;\nn = 2;\nn += 1;', 'n is declared const and assigned later']],
  ],
  ['assigned-constant', 'int n = 1;\nx.n = 2; n == 3; p->n = 1;', []],
  ['assigned-constant', 'const int n = 1;\nn = 2;\nLocalTensor<T> t = x;\nt = y;\nTQue<X, 1> q = x;\nq = y;', []],
  [
    'address-assigned-to-tensor',
    'x.SetGlobalBuffer((__gm__ T*)p + i, n); p->y.SetGlobalBuffer(q);',
    [
      ['x = (__gm__ T*)p + i; p->y.SetGlobalBuffer(q);', 'x is assigned an address'],
      ['x.SetGlobalBuffer((__gm__ T*)p + i, n); p->y = q;', 'p->y is assigned an address'],
    ],
  ],
  ['address-assigned-to-tensor', 'x.SetGlobalBuffer(); y = x.SetGlobalBuffer(p); x.SetLocal(p);', []],
  [
    'element-by-index',
    'float s = a.GetValue(i + 1);',
    [
      ['float s = a[i + 1];', 'a[i + 1] for a number'],
      ['float s = a;', 'the tensor a for a number'],
    ],
  ],
  ['element-by-index', 'a.GetValue(); a.SetValue(0, 1);', []],
  [
    'tensor-as-number',
    'Exp(a, v, n);',
    [
      ['if (a > 0) { return; }\n        Exp(a, v, n);', 'if (a > 0) takes a tensor for a number'],
      ['float scale = a;\n        Exp(a, v, n);', 'float scale = a; takes a tensor for a number'],
    ],
  ],
  ['tensor-as-number', 'f(a, b);', []],
])('%s: %j', (name, text, expected) => {
  expect(inKernel(name, text)).toEqual(expected)
  expect(madeBy(typeMutations, 'op_host/a.cpp', kernelHead)(name, text)).toEqual([])
})

const inHost = madeBy(typeMutations, 'op_host/a.cpp')

test.each<[string, string, [string, string][]]>([
  [
    'shape-for-number',
    'n = context->GetInputShape(0)->GetStorageShape().GetShapeSize();',
    [['n = context->GetInputShape(0)->GetStorageShape();', 'a shape where a number is meant']],
  ],
  [
    'shape-for-number',
    'e = *context->GetAttrs()->GetAttrPointer<float>(0);',
    [['e = context->GetAttrs()->GetAttrPointer<float>(0);', 'a pointer to an attribute where its value is meant']],
  ],
  [
    'shape-for-number',
    'if (context->GetInputDesc(0)->GetDataType() == t) {} x = context->GetInputDesc(0)->GetDataType();',
    [
      [
        'if (context->GetInputDesc(0) == t) {} x = context->GetInputDesc(0)->GetDataType();',
        'a description compared with a data type',
      ],
    ],
  ],
  [
    'host-variable-type',
    'void F() {\n  const uint32_t n = 1;\n  int k = 1;\n  int64_t m;\n}',
    [
      ['void F() {\n  const std::string n = 1;\n  int k = 1;\n  int64_t m;\n}', 'n is declared as std::string'],
      ['void F() {\n  const ge::DataType n = 1;\n  int k = 1;\n  int64_t m;\n}', 'n is declared as ge::DataType'],
      ['void F() {\n  const gert::Shape n = 1;\n  int k = 1;\n  int64_t m;\n}', 'n is declared as gert::Shape'],
    ],
  ],
  ['host-variable-type', 'uint32_t n = 1;', []],
])('host, %s: %j', (name, text, expected) => {
  expect(inHost(name, text)).toEqual(expected)
  expect(madeBy(typeMutations, 'op_kernel/a.cpp')(name, text)).toEqual([])
})
