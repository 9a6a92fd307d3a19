import {test} from 'vitest'
import type {OperatorSource} from '../../../../datasets/schema/operator.ts'
import {inferenceFacts} from '../../../../pipelines/facts/inference-facts.ts'
import {inferenceRequest} from '../../../../pipelines/code/offline/inference-request.ts'
import {both, sourceOf, toldCases} from '../../../helpers/told-parts.ts'

const shapes = 'auto x = context->GetInputShape(0); auto y = context->GetOutputShape(0);'
const infer = (body: string, before = '', after = '') =>
  `${before}\nstatic ge::graphStatus InferShape(gert::InferShapeContext* context) { ${body} ` +
  `return ge::GRAPH_SUCCESS; }\n${after}`
const typed = (output: string, type: string) =>
  'static ge::graphStatus InferType(gert::InferDataTypeContext* context) { ' +
  `context->SetOutputDataType(${output}, ${type}); return ge::GRAPH_SUCCESS; }`
const many = (count: number, one: (at: number) => string) => Array.from({length: count}, (_, at) => one(at)).join(' ')
const fails = 'return ge::GRAPH_FAILED;'
const named = (count: number) => Object.fromEntries(Array.from({length: count}, (_, at) => [`t${at}`, 'float32']))

const files: Readonly<Record<string, string | readonly [string, Partial<OperatorSource>]>> = {
  'a copy': infer(`${shapes} *y = *x;`),
  'two copies': infer(`${shapes} auto z = context->GetOutputShape(1); *y = *x; *z = *x;`),
  'a copy of an output': infer(`${shapes} auto z = context->GetOutputShape(1); *y = *x; *z = *y;`),
  'a copy, and a loop': infer(
    `${shapes} auto z = context->GetOutputShape(1); *z = *x; size_t n = x->GetDimNum(); ` +
      'y->SetDimNum(n); for (size_t i = 0; i < n; i++) { y->SetDim(i, x->GetDim(i)); }',
  ),
  'a loop without the last two': infer(
    `${shapes} size_t n = x->GetDimNum(); y->SetDimNum(n - 2); for (size_t i = 0; i < n - 2; ` +
      'i++) { y->SetDim(i, x->GetDim(i)); }',
  ),
  'a scalar': infer(`${shapes} y->SetScalar();`),
  'a copy but for a case': infer(`${shapes} if (a) { *y = *z; } *y = *x;`),
  dimensions: infer(
    `${shapes} y->SetDimNum(4); y->SetDim(0, x->GetDim(1)); y->SetDim(1, 8); y->SetDim(2, ` +
      'x->GetDimNum()); auto k = attrs->GetInt(2); y->SetDim(3, *k);',
  ),
  'a dimension': infer(`${shapes} y->SetDimNum(1); y->SetDim(0, 8);`),
  'a dimension that is not understood': infer(`${shapes} y->SetDimNum(2); y->SetDim(0, n * 2); y->SetDim(1, 4);`),
  'what is asked': infer(
    `${shapes} auto d = context->GetInputDataType(B); auto t = context->GetInputTensor(2); auto ` +
      'k = attrs->GetInt(1); auto e = attrs->GetAttrPointer<bool>(0); auto o = ' +
      'context->GetOptionalInputShape(n);',
    'constexpr size_t B = 1;',
  ),
  'nine inputs': infer(many(9, (at) => `auto x${at} = context->GetInputShape(${at});`)),
  'an input of a long expression': infer(
    `auto a = context->GetInputShape(${'a'.repeat(65)}); auto b = context->GetInputShape(${'b'.repeat(66)});`,
  ),
  'common rules':
    `IMPL_OP_INFERSHAPE(Fold).InferShape(Ops::Base::InferShape4Elewise);` +
    `\nIMPL_OP_INFERSHAPE(Other).InferShape(InferShape4Broadcast).InferDataType(InferDataType4Fold);`,
  'a rule of the file':
    'static int InferShapeForOwn(int a) { n = a; return n; }\n' +
    `${infer(`${shapes} InferShapeForOwn(1); InferShapeForOther(2); InferShape4Elewise(context);`)}`,
  'unknown ranks': infer(
    `${shapes} if (Ops::Base::IsUnknownRank(*x)) { Ops::Base::SetUnknownRank(*y); return ge::GRAPH_SUCCESS; } *y = *x;`,
  ),
  'unknown dimensions': infer(`${shapes} if (x->GetDim(0) == UNKNOWN_DIM) { y->SetDim(0, -1); }`),
  'a negative axis': infer(
    `${shapes} if (axis < 0) { axis += rank; } if (dim < 0) { dim = dim + rank; } int64_t index ` +
      '= at < 0 ? at + rank : at; if (idx < 0) { idx -= 1; } if (n < 0) { n += rank; } if (axis < ' +
      '0) { axis = 3; } if (axis > 0) { axis += 2; } int64_t axes = p < 0 ? nullptr + rank : q;',
  ),
  'four negative axes': infer(many(4, (at) => `if (axis${at} < 0) { axis${at} += rank; }`)),
  'a long axis': infer(`if (axis < 0) { axis += ${'a'.repeat(121)}; } if (dim < 0) { dim += ${'b'.repeat(120)}; }`),
  refusals: infer(
    `if (a > 1) { ${fails} } OP_CHECK_IF(b > 2, OP_LOGE("b"), return ge::GRAPH_FAILED); ` +
      `OP_CHECK_IF(c > 3, OP_LOGE("c"), return ge::GRAPH_SUCCESS); if (d) { if (e) { ${fails} } } ` +
      `else { ${fails} } for (int i = 0; i < n; i++) { if (f) { ${fails} } } if (g) { ` +
      `OP_CHECK_IF(h, OP_LOGE("h"), return ge::GRAPH_FAILED); } if (${'i'.repeat(141)}) { ${fails} ` +
      `} if (${'j'.repeat(140)}) { ${fails} } if (a > 1) { ${fails} } if (k) { return ` +
      'ge::GRAPH_PARAM_INVALID; }',
  ),
  'eight refusals': infer(many(8, (at) => `if (n == ${at}) { ${fails} }`)),
  'seven refusals': infer(many(7, (at) => `if (n == ${at}) { ${fails} }`)),
  'a refusal of a function':
    'static bool Fits(int n) { if (n > 4) { return false; } return true; }\n' +
    `${infer('OP_CHECK_INFERSHAPE(n > 5, return false);')}`,
  'a null pointer': infer(`${shapes} OP_CHECK_NULL_WITH_CONTEXT(context, x); *y = *x;`),
  'null pointers': infer(
    `${shapes} if (x == nullptr || y == nullptr) { ${fails} } OP_CHECK_IF(z == nullptr, ` +
      `OP_LOGE("z"), return ge::GRAPH_FAILED); if ((w == nullptr) || n > 2) { ${fails} } if (v == ` +
      `nullptr) { return ge::GRAPH_SUCCESS; } for (;;) { if (u == nullptr) { ${fails} } } if (a) { ` +
      `if (t == nullptr) { ${fails} } } if ((s == nullptr)) { ${fails} } *y = *x;`,
  ),
  'nine null pointers': infer(many(9, (at) => `OP_CHECK_NULL_WITH_CONTEXT(context, x${at});`)),
  'a fixed type': `${infer(`${shapes} *y = *x;`)}${typed('Y', 'ge::DT_BOOL')}`.replace(
    /^/,
    'constexpr size_t Y = 1;\n',
  ),
  types:
    `static ge::graphStatus InferType(gert::InferDataTypeContext* context) { ` +
    `context->SetOutputDataType(0, ge::DataType::DT_INT32); context->SetOutputDataType(1, DT_INT8); ` +
    `context->SetOutputDataType(2, context->GetInputDataType(0)); if (a) { ` +
    `context->SetOutputDataType(3, ge::DT_FLOAT); } context->SetOutputDataType(); return ` +
    `ge::GRAPH_SUCCESS; }`,
  registrations:
    `${infer(`${shapes} *y = *x;`)}` +
    'IMPL_OP_INFERSHAPE(Fold).InferShape(InferShape).InputsDataDependency({1, ' +
    '2}).Flag();\nIMPL_OP(Other);\nINFER_SHAPE_REG(Third).InferDataType([](int a) { return ' +
    'Map(a, (b)); });',
  'types by registration': 'IMPL_OP_INFERSHAPE(Fold).InferDataType(InferType);',
  'a comment': infer(`${shapes} *y = *x;`, '// The output keeps the shape of x, whatever that is.'),
  'a short comment': infer(`${shapes} *y = *x;`, '// fifteen letters'),
  'a comment of sixteen letters': infer(`${shapes} *y = *x;`, '// sixteen letters.'),
  'a long comment': infer(`${shapes} *y = *x;`, `// ${'a'.repeat(241)}`),
  'a licence': infer(`${shapes} *y = *x;`, '// Copyright of somebody, in that year'),
  tensors: [infer(`${shapes} *y = *x;`), {dtypes: named(2) as never}],
  'fewer tensors than are asked for': [infer(`auto x = context->GetInputShape(2);`), {dtypes: named(2) as never}],
  'as many tensors as are asked for': [infer(`auto x = context->GetInputShape(2);`), {dtypes: named(3) as never}],
  'thirteen tensors': [infer(`${shapes} *y = *x;`), {dtypes: named(13) as never}],
  'twelve tensors': [infer(`${shapes} *y = *x; auto k = attrs->GetInt(40);`), {dtypes: named(12) as never}],
  'many functions': many(9, (at) => `static int F${at}(int n) { m${at} = n; return m${at}; }`),
  'handed shapes':
    'static void Fill(const gert::Shape* in, gert::Shape* out, gert::Shape& ref, int n) { ' +
    'out->SetDim(0, 1); in->SetDim(0, 1); ref.AppendDim(2); *out = *in; SetUnknownRank(*out); ' +
    'Other(out); }',
  nothing: '',
}

test('inference is asked for by what it knows and what comes out', async () => {
  const cases: Record<string, string> = {}
  for (const [name, given] of Object.entries(files)) {
    const [text, changes] = typeof given === 'string' ? [given, {}] : given
    const target = {path: 'op_host/fold_infershape.cpp', text}
    const source = sourceOf(text, {target, side: 'host', role: 'infer-shape', ...changes})
    const facts = await inferenceFacts(source)
    const {reads, writes, axes, rules} = facts
    const read = JSON.stringify({reads, writes, axes, rules})
    const said = both((speaker) => inferenceRequest(source, facts, speaker))
    cases[name] = `${said}\n${read}`
  }
  toldCases('inference', cases)
})
