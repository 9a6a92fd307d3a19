import {test} from 'vitest'
import type {OperatorSource} from '../../../../datasets/schema/operator.ts'
import {hostRequest} from '../../../../pipelines/code/offline/host-request.ts'
import {both, hostOf, sourceOf, toldCases} from '../../../helpers/told-parts.ts'

const tiling = (body: string, before = '', after = '') =>
  `${before}\nstatic ge::graphStatus Tiling(gert::TilingContext* context) {\n${body}\nreturn ` +
  `ge::GRAPH_SUCCESS;\n}\n${after}`
const lines = (count: number, line: (at: number) => string) =>
  Array.from({length: count}, (_, at) => line(at)).join('\n')
const structure = (name: string, fields: string) =>
  `BEGIN_TILING_DATA_DEF(${name})\n${fields
    .split(', ')
    .map((one) => `TILING_DATA_FIELD_DEF(${one.replace(' ', ', ')});`)
    .join('\n')}\nEND_TILING_DATA_DEF;\n`
const memory = (name: string, variable = 'size') =>
  `platform.GetCoreMemSize(platform_ascendc::CoreMemType::${name}, ${variable});`
const tensor = (side: string, name: string, kind = 'REQUIRED', types = 'ge::DT_FLOAT, ge::DT_FLOAT16') =>
  `this->${side}("${name}").ParamType(${kind}).DataType({${types}});`
const definition = (body: string) =>
  `class Fold : public OpDef { public: explicit Fold(const char* name) : OpDef(name) { ${body} } };\nOP_ADD(Fold);\n`
const steps = (count: number) =>
  lines(count, (at) => `int f${at}(int n) {\nint r${at} = n * ${at + 1};\nreturn r${at};\n}`)
const set = (field: string, value = field) => `tiling.set_${field}(${value});`

const files: Readonly<Record<string, string | readonly [string, Partial<OperatorSource>]>> = {
  nothing: '',
  'a function without a tiling': 'int Count(int n) {\nint m = n * 2;\nm += 1;\nreturn m;\n}',
  'two functions': `${steps(2)}\nint Stub() {\n\n\nreturn 1;\n}\nint Empty() {\n\n\n}`,
  'seven functions': steps(7),
  'eight functions': steps(8),
  'functions of a class': 'int Folding::Count(int n) {\nint m = n * 2;\n\nreturn m;\n}',
  'a structure alone': structure('FoldTiling', 'uint32_t rows, uint32_t cols'),
  'three structures of many fields': ['A', 'B', 'C', 'D']
    .map((name) => structure(`${name}Tiling`, Array.from({length: 26}, (_, at) => `uint32_t f${at}`).join(', ')))
    .join(''),
  'a structure of seventeen fields': structure(
    'FoldTiling',
    Array.from({length: 17}, (_, at) => `int64_t f${at}`).join(', '),
  ),
  'fields of both widths': structure('FoldTiling', 'uint64_t total, uint32_t rows'),
  'fields of one width and a float': structure('FoldTiling', 'uint64_t total, float scale'),
  'fields that are set':
    `${structure('FoldTiling', 'uint32_t rows, uint32_t cols')}` +
    `${tiling(`${set('rows')} ${set('cols', 'total / rows')} context->SetBlockDim(4);`)}`,
  'one of two fields that is set':
    structure('FoldTiling', 'uint32_t rows, uint32_t cols') + tiling(set('rows', 'a + b')),
  'fields that are set again':
    `${structure('FoldTiling', 'uint32_t rows')}` +
    `${tiling(`${set('rows', '1')} if (a) { ${set('rows', '2')} } ${set('cols', '3')} ${set('cols', '3')}`)}`,
  'fields of the same names':
    `${structure('FoldTiling', 'uint32_t a, uint32_t b, uint32_t c, uint32_t d')}` +
    tiling(
      [set('a'), set('b', 'this->b_'), set('c', 'static_cast<uint32_t>(info.c)'), set('d', '(uint32_t)d')].join(' '),
    ),
  'two fields of the same names': tiling(`${set('a')} ${set('b')}`),
  'thirteen fields of the same names': tiling(lines(13, (at) => set(`f${at}`))),
  'fourteen values': tiling(lines(14, (at) => set(`f${at}`, `${at} + n`))),
  'a value that was told': tiling(
    `uint32_t rows = total / 4; ${set('rows')} tilingData->cols = total / 8; ${set('long', `f(${'a'.repeat(80)})`)}`,
  ),
  'a field of the structure': tiling(
    'tilingData->rows = total / 4; tilingData.list[0] = 3; tilingData->n += 2; other.rows = 5;',
  ),
  'structures of other files': [
    tiling(set('rows')),
    {
      dependencies: [
        {path: 'a.h', text: structure('ATiling', 'uint32_t rows, uint32_t more')},
        {path: 'b.h', text: 'struct OtherTiling { uint32_t cols; };'},
      ],
    },
  ],
  'two structures with the field':
    `${structure('ATiling', 'uint32_t rows')}${structure('BTiling', 'uint32_t rows')}` + `${tiling(set('rows'))}`,
  bindings:
    `${structure('FoldTiling', 'uint32_t rows')}REGISTER_TILING_DATA_CLASS(Fold, FoldTiling)\n` +
    `${tiling(set('rows', '1'))}`,
  'bindings of keys':
    'REGISTER_TILING_DATA_CLASS(Fold, FoldTiling)\nREGISTER_TILING_DATA_CLASS(Fold_7, ' +
    `OtherTiling)\n${lines(3, (at) => `REGISTER_TILING_DATA_CLASS(F${at}, T)`)}\n`,
  'the platform': tiling(
    `uint64_t size; ${memory('UB')} ${memory('L1')} ${memory('L0_A')} ${memory('HBM')} n = ` +
      'platform.GetCoreNumAiv(); w = platform.GetLibApiWorkSpaceSize();',
  ),
  'the cores alone': tiling('n = platform.GetCoreNum();'),
  'what follows from the unified buffer': tiling(
    `uint64_t ub; ${memory('UB', 'ub')} uint64_t half = ub / 2; uint64_t tile = half / 8; ` +
      'uint64_t low = ub - 400000; uint64_t other = rows / 8; if (a) { uint64_t cased = ub / 4; } ' +
      'uint64_t a1 = ub / 3; uint64_t a2 = ub / 5; uint64_t a3 = ub / 6;',
  ),
  'a unified buffer that is changed': tiling(
    `uint64_t ub = 0; ${memory('UB', 'ub')} ub -= 1024; uint64_t half = ub / 2;`,
  ),
  'a unified buffer that is first 0': tiling(
    `uint64_t ub = 0; ${memory('UB', 'ub')} uint64_t half = ub / 2; uint64_t loop = 0; for (int ` +
      'i = 0; i < 2; i++) { uint64_t part = ub / 4; } uint64_t same = ub; uint64_t more = same / 2;',
  ),
  'a reserve': tiling(
    `uint64_t ub; ${memory('UB', 'ub')} uint64_t left = ub - RESERVE;`,
    'constexpr uint64_t RESERVE = 1024;\nconstexpr uint64_t OTHER = 8;',
  ),
  'shapes and types of inputs': tiling(
    'auto a = context->GetInputShape(0)->GetStorageShape(); auto b = context->GetInputDesc(0)->GetDataType();',
  ),
  'shapes of two inputs, type of one': tiling(
    'auto a = context->GetInputShape(1)->GetStorageShape(); auto c = ' +
      'context->GetInputShape(0)->GetStorageShape(); auto b = context->GetInputDesc(0)->GetDataType();',
  ),
  'types alone': tiling(
    'auto b = context->GetInputDesc(2)->GetDataType(); auto d = ' +
      'context->GetInputDesc(3)->GetStorageFormat(); auto e = context->GetInputDesc(1); ' +
      'Note(e->GetDataType());',
  ),
  'whether inputs are there': tiling(
    'bool a = context->GetOptionalInputShape(2) != nullptr; auto b = ' +
      'context->GetOptionalInputTensor(3); if (b == nullptr) { n = 1; } bool c = nullptr != ' +
      'context->GetInputShape(1); auto d = context->GetInputShape(4); auto e = ' +
      'context->GetInputShape(k);',
  ),
  'one that is asked for twice': tiling(
    'bool a = context->GetOptionalInputShape(0) != nullptr; auto b = ' +
      'context->GetInputShape(0)->GetStorageShape(); auto t = context->GetInputTensor(1); n = ' +
      't->GetShapeSize(); auto u = context->GetInputTensor(2); m = u->GetDataType(); auto v = ' +
      'context->GetInputShape(3); Look(v); auto w = context->GetInputShape(4); x = *w; auto y = ' +
      'context->GetInputShape(5); OP_CHECK_NULL(y); auto z = context->GetInputShape(6); auto zz = z;',
  ),
  attributes: tiling(
    'auto attrs = context->GetAttrs(); auto axis = attrs->GetAttrPointer<int64_t>(0); auto keep = ' +
      'attrs->GetBool(1); auto odd = attrs->GetInt(k); attrs->GetFloat(2); ' +
      '*attrs->GetAttrPointer<float>(3);',
  ),
  'nine attributes': tiling(
    `auto attrs = context->GetAttrs(); ${lines(9, (at) => `auto a${at} = attrs->GetInt(${at});`)}` +
      ' auto a0 = attrs->GetInt(0);',
  ),
  'sizes in order': tiling(
    'uint32_t rows = total / cols; uint32_t tail = total % cols; uint32_t head = total % 8; uint32_t ' +
      'n = CeilDiv(rows, 8); bool b = rows > 2; uint32_t k = wide ? 3 : 2; dtype = wide ? 1 : 2; auto ' +
      'p = wide ? a : nullptr; m = "a" + b; key = a + b; n += 2; n += step; uint32_t cores = ' +
      'std::min<uint32_t>(total, coreNum); uint32_t perCore = std::min(total, coreNum);',
    'constexpr uint32_t UNUSED = 3;\nconstexpr uint32_t step = 4;',
  ),
  'sizes of nine functions': steps(9),
  'sizes with nine constants': tiling(
    `uint32_t n = ${Array.from({length: 9}, (_, at) => `C${at}`).join(' + ')};`,
    lines(9, (at) => `constexpr uint32_t C${at} = ${at};`),
  ),
  'sizes with one constant': tiling('uint32_t n = C * 2;', 'constexpr uint32_t C = 4;'),
  'seventeen sizes': tiling(lines(17, (at) => `uint32_t n${at} = total / ${at + 1};`)),
  'what a function of sizes gives back':
    'bool Fits(int n) { int m = n * 2; return m; }\nuint32_t Half(int n) { if (n > 1) { return n / 2;' +
    ' } return n; }\nuint32_t Name(int n) { return n; }',
  'both arms of a size': tiling(
    'uint32_t n = 0; if (a) { n = total / 2; } else { n = total; } uint64_t size; ' +
      `${memory('UB', 'size')} size = size / 2; n = "text"; n = f(${'a'.repeat(160)});`,
  ),
  'one launch': tiling(
    'context->SetBlockDim(cores); context->SetTilingKey(3); size_t* w = context->GetWorkspaceSizes(1); w[0] = 0;',
  ),
  'a launch of one core': tiling(
    'context->SetBlockDim(1); context->SetTilingKey(FOLD_KEY); size_t* workspace = ' +
      'context->GetWorkspaceSizes(1); workspace[0] = 16 * 1024;',
  ),
  'a key that is computed': tiling('context->SetTilingKey(a * 10 + b);'),
  'a key of a template': tiling('context->SetTilingKey(GET_TPL_TILING_KEY(ONE, TWO));'),
  'a key of a constant': tiling('context->SetTilingKey(KEY + 1);', 'constexpr uint64_t KEY = 4;'),
  'a key of a variable': tiling('uint64_t key = 0; if (a) { key = 1; } else { key = 2; } context->SetTilingKey(key);'),
  'a key of a field': tiling(
    'if (a) { tiling.set_key(1); } else { tiling.set_key(2); } context->SetTilingKey(tiling.get_key());',
  ),
  'a key that a function gives':
    'uint64_t Folding::GetTilingKey() const { if (a) { return 1; } if (b) { return KEY; } return 0; }',
  'two keys': tiling('if (a) { context->SetTilingKey(1); } else { context->SetTilingKey(2); }'),
  'cores by the case': tiling('if (a) { context->SetBlockDim(1); } else { context->SetBlockDim(cores); }'),
  'cores in a loop': tiling('for (int i = 0; i < n; i++) { context->SetBlockDim(i); }'),
  'a workspace that is guarded': tiling(
    'size_t* workspace = context->GetWorkspaceSizes(1); if (workspace != nullptr) { workspace[0] = 32; }',
  ),
  'a workspace that is written through': tiling(
    'auto* userWorkspace = context->GetWorkspaceSizes(1); *userWorkspace = n * 2; other[0] = 3;',
  ),
  'a workspace in a branch': tiling(
    'size_t* workspace = context->GetWorkspaceSizes(1); if (wide) { workspace[0] = 32; }',
  ),
  'one refusal': tiling('if (rows == 0) { OP_LOGE("a"); return ge::GRAPH_FAILED; }'),
  refusals: tiling(`if (rows == 0 || cols == 0) { return ge::GRAPH_FAILED; }
    OP_CHECK_IF(axis > 3, OP_LOGE("a"), return ge::GRAPH_FAILED);
    OP_CHECK_IF((axis > 4), OP_LOGE("a"), return ge::GRAPH_SUCCESS);
    if (a) { if (b > 1) { return ge::GRAPH_FAILED; } } else { return ge::GRAPH_FAILED; }
    if (rows == 0 || cols == 0) { return ge::GRAPH_FAILED; } if (x == nullptr) { return ge::GRAPH_FAILED; }
    if (Check() != ge::GRAPH_SUCCESS) { return ge::GRAPH_FAILED; }
    if (ret) { return ge::GRAPH_FAILED; }
    if (${'a'.repeat(121)}) { return ge::GRAPH_FAILED; }
    if (${'b'.repeat(120)}) { return ge::GRAPH_FAILED; }
    if (${'c'.repeat(81)}) { if (b > 1) { return ge::GRAPH_FAILED; } }`),
  'nine refusals': tiling(lines(9, (at) => `if (n == ${at}) { return ge::GRAPH_FAILED; }`)),
  'ten refusals': tiling(lines(10, (at) => `if (n == ${at}) { return ge::GRAPH_FAILED; }`)),
  'a definition':
    `${tiling(set('rows', '1'))}` +
    definition(
      [
        tensor('Input', 'x'),
        tensor('Input', 'm', 'OPTIONAL'),
        tensor('Output', 'y'),
        'this->Attr("axis").AttrType(OPTIONAL).Int(-1); this->AICore().AddConfig("ascend910b");',
      ].join(' '),
    ) +
    'IMPL_OP_OPTILING(Fold).Tiling(Tiling);',
  'a definition of one type': definition(
    `${tensor('Input', 'x', 'REQUIRED', 'ge::DT_FLOAT')} ` +
      `${tensor('Output', 'y', 'DYNAMIC', 'ge::DT_FLOAT')} ` +
      'this->Attr("axis").AttrType(REQUIRED).Int(); this->Attr("b").Bool(true); ' +
      'this->SetInferShape(Infer);',
  ),
  registrations: `IMPL_OP_OPTILING(Fold)\n.Tiling(Tiling);\nIMPL_OP_INFERSHAPE(Fold).InferShape(Infer);\n`,
  'seventeen fields': tiling(lines(17, (at) => set(`f${at}`, String(at)))),
  'eighteen fields': tiling(lines(18, (at) => set(`f${at}`, String(at)))),
  'what is included': [
    '#include "a.h"\n#include "b.h"\n',
    {dependencies: ['a', 'b'].map((one) => ({path: `${one}.h`, text: 'int a;'}))},
  ],
}

test('the host side is asked for by its interface, its structure and what it provides', async () => {
  const cases: Record<string, string> = {}
  for (const [name, given] of Object.entries(files)) {
    const [text, changes] = typeof given === 'string' ? [given, {}] : given
    const target = {path: 'op_host/fold.cpp', text}
    const source = sourceOf(text, {target, side: 'host', role: 'tiling', ...changes})
    const facts = await hostOf(text, changes)
    cases[name] = both((speaker) => hostRequest(source, facts, speaker))
  }
  toldCases('hosts', cases)
})
