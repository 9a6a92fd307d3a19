import {test} from 'vitest'
import {definitionFacts} from '../../../../pipelines/facts/definition-facts.ts'
import {definitionRequest} from '../../../../pipelines/code/offline/definition-request.ts'
import {both, sourceOf, toldCases} from '../../../helpers/told-parts.ts'

/** `x: FLOAT BF16` is a required input, `?x` an optional one, `*x` a list of tensors, `>y` an output. */
function tensor(text: string): string {
  const [, head = '', types = '', formats = '', more = ''] =
    /^([^:|;]*?)\s*(?::\s*([^|;]*?))?\s*(?:\|\s*([^;]*?))?\s*(?:;\s*(.*))?$/.exec(text) ?? []
  const side = head.includes('>') ? 'Output' : 'Input'
  const kind = {'?': 'OPTIONAL', '*': 'DYNAMIC'}[/[?*]/.exec(head)?.[0] ?? ''] ?? 'REQUIRED'
  const list = (prefix: string, names: string) =>
    names === ''
      ? ''
      : `{${names
          .split(' ')
          .map((one) => `ge::${prefix}_${one}`)
          .join(', ')}}`
  const [data, format] = [list('DT', types), list('FORMAT', formats)]
  const name = head.replace(/^\W+/, '')
  return (
    `this->${side}("${name}").ParamType(${kind})${data && `.DataType(${data})`}` +
    `${format && `.Format(${format})`}${more};`
  )
}

const definition = (tensors: readonly string[], more = '', rest = '') => `
class Fold : public OpDef {
public:
  explicit Fold(const char* name) : OpDef(name) {
    ${tensors.map(tensor).join('\n    ')}
    ${more}
  }
  ${rest}
};
OP_ADD(Fold);`

const xy = ['x: FLOAT16 FLOAT', '>y: FLOAT16 FLOAT']
const config = (calls: string) => `OpAICoreConfig config; ${calls} this->AICore().AddConfig("ascend910b", config);`
const flags = [
  ...['DynamicCompileStaticFlag(true)', 'DynamicFormatFlag(true)', 'DynamicFormatFlag(false)'],
  ...['DynamicRankSupportFlag(true)', 'DynamicShapeSupportFlag(true)', 'DynamicRankSupportFlag(false)'],
  ...['DynamicShapeSupportFlag(false)', 'PrecisionReduceFlag(true)', 'PrecisionReduceFlag(false)'],
  ...['NeedCheckSupportFlag(false)', 'ExtendCfgInfo("opFile.value", "fold")'],
  ...['ExtendCfgInfo("opInterface.value", "fold")', 'Other(1, 2)'],
]

const definitions: Readonly<Record<string, string>> = {
  'one type': definition(['x: FLOAT', '>y: FLOAT'], 'this->AICore().AddConfig("ascend910b");'),
  'a tensor alone': definition(['>y: FLOAT FLOAT16']),
  'types that agree': definition(xy),
  'one column that never changes': definition(['x: FLOAT16 FLOAT', 'k: INT32 INT32', '>y: FLOAT16 FLOAT']),
  'a product of two choices': definition([
    'x: FLOAT16 FLOAT FLOAT16 FLOAT',
    'k: INT32 INT32 INT64 INT64',
    '>y: FLOAT16 FLOAT FLOAT16 FLOAT',
  ]),
  'a product with a column that repeats': definition([
    'x: FLOAT16 FLOAT16 FLOAT16 FLOAT',
    'k: INT32 INT32 INT64 INT64',
  ]),
  'six of a product': definition(['x: FLOAT16 FLOAT BF16 FLOAT16 FLOAT BF16', 'k: INT8 INT8 INT8 INT4 INT4 INT4']),
  'columns that differ in few places': definition(['x: FLOAT16 FLOAT BF16', '>y: FLOAT16 FLOAT FLOAT']),
  'columns that differ in half': definition(['x: FLOAT16 FLOAT BF16 INT8', '>y: FLOAT16 FLOAT FLOAT FLOAT']),
  'columns that differ in most': definition(['x: FLOAT16 FLOAT BF16', '>y: FLOAT16 INT8 INT8']),
  'three groups': definition(['x: FLOAT16 FLOAT BF16', 'k: FLOAT16 FLOAT FLOAT', '>y: FLOAT FLOAT FLOAT16']),
  'types that repeat with other formats': definition([
    'x: FLOAT16 FLOAT16 FLOAT | ND NZ ND',
    '>y: FLOAT16 FLOAT16 INT8 | ND ND ND',
  ]),
  'types that repeat for nothing': definition(['x: FLOAT16 FLOAT16 FLOAT | ND ND ND', '>y: FLOAT16 FLOAT16 INT8']),
  'one format': definition(['x: FLOAT16 FLOAT | ND ND', '>y: FLOAT16 FLOAT | ND ND']),
  'five formats': definition([
    'x: FLOAT FLOAT FLOAT FLOAT FLOAT | ND NZ NCHW NHWC HWCN',
    '>y: FLOAT FLOAT FLOAT FLOAT FLOAT | ND ND ND ND ND',
    'k',
  ]),
  'lists of other lengths': definition(['x: FLOAT16 FLOAT', '>y: FLOAT16', 'k']),
  'no types': definition(['x', '>y']),
  'tensors of each kind': definition([
    'x: FLOAT',
    '?bias: FLOAT',
    '?mask: FLOAT',
    '*list: FLOAT',
    '>y: FLOAT',
    '*>z: FLOAT',
  ]),
  'one list': definition(['x: FLOAT', '*list: FLOAT', '>y: FLOAT']),
  'in place': definition(['x: FLOAT16 FLOAT', 'var: FLOAT16 FLOAT', '>var: FLOAT16 FLOAT']),
  'in place with another type': definition(['var: FLOAT16 FLOAT', '>var: FLOAT FLOAT']),
  'two in place': definition(['a: FLOAT', 'b: FLOAT', '>a: FLOAT', '>b: FLOAT']),
  properties: definition([
    'x: FLOAT | ND ; .ValueDepend(OPTIONAL).AutoContiguous()',
    'k: FLOAT | ND ; .IgnoreContiguous().Scalar()',
    'l: FLOAT | ND ; .AutoContiguous().ScalarList().UnknownShapeFormat({ge::FORMAT_ND}).Version(2)',
    '>y ; .Follow("x")',
  ]),
  attributes: definition(
    xy,
    `this->Attr("axis").AttrType(REQUIRED).Int(); this->Attr("keep").AttrType(OPTIONAL).Bool(false);
    this->Attr("names").AttrType(OPTIONAL).ListString({"a"}); this->Attr("odd").AttrType(OPTIONAL);`,
  ),
  'one with and one without a default': definition(
    xy,
    'this->Attr("a").AttrType(OPTIONAL).Float(); this->Attr("b").AttrType(OPTIONAL).Int(1);',
  ),
  'attributes without a default': definition(xy, 'this->Attr("eps").AttrType(OPTIONAL).Float();'),
  'required attributes': definition(xy, 'this->Attr("eps").AttrType(REQUIRED).Float(1.0); this->Attr("other").Int(3);'),
  'three chips': definition(
    xy,
    'this->AICore().AddConfig("ascend910b").AddConfig("ascend910_93"); this->AICore().AddConfig("ascend310p", config);',
  ),
  flags: definition(xy, config(flags.map((one) => `config.${one};`).join(' '))),
  'a table of its own': definition(
    xy,
    config(
      'config.Input("x").ParamType(REQUIRED).DataType({ge::DT_FLOAT16}); config.Output("y").DataType({ge::DT_INT8});',
    ),
  ),
  'a table of its own with no type lost': definition(
    xy,
    config('config.Input("x").DataType({ge::DT_FLOAT, ge::DT_INT8, ge::DT_FLOAT16});'),
  ),
  'a table of its own, and a flag': definition(
    xy,
    config('config.DynamicFormatFlag(true); config.Input("x").DataType({ge::DT_FLOAT16, ge::DT_FLOAT});'),
  ),
  'a table of its own with other formats': definition(
    ['x: FLOAT16 FLOAT | ND ND'],
    config('config.Input("x").DataType({ge::DT_FLOAT16, ge::DT_FLOAT}).Format({ge::FORMAT_ND, ge::FORMAT_NCDHW});'),
  ),
  'a table of its own with the same formats': definition(
    ['x: FLOAT16 | ND'],
    config('config.Input("x").DataType({ge::DT_FLOAT}).Format({ge::FORMAT_ND});'),
  ),
  'a table of its own that is not read': definition(xy, config('config.Input("x").DataType(types);')),
  'a function that makes the configuration': definition(
    xy,
    'OpAICoreConfig c = Get(); this->AICore().AddConfig("a", c).AddConfig("b", Get()); ' +
      'this->AICore().AddConfig("d", this->Get());',
    'OpAICoreConfig Get() { OpAICoreConfig made; made.DynamicFormatFlag(true); return made; }',
  ),
  'types in a variable': `${definition(['x: FLOAT'])}`
    .replace('.DataType({ge::DT_FLOAT})', '.DataType(types)')
    .replace('explicit', 'std::vector<ge::DataType> types = {ge::DT_FLOAT, ge::DT_INT8}; explicit'),
  'a list of which each goes with each': definition(['x: FLOAT FLOAT16', '>y: FLOAT FLOAT16']).replace(
    '.DataType(',
    '.DataTypeList(',
  ),
  'calls on the operator itself': definition(
    xy,
    'this->SetInferShape(InferShape); this->AICore().SetTiling(Tiling).AddConfig("ascend910b");',
  ),
  nothing: 'class Fold : public OpDef { public: explicit Fold(const char* name) : OpDef(name) {} };',
}

test('a definition is asked for by its tensors, their table, attributes and chips', async () => {
  const cases: Record<string, string> = {}
  for (const [name, text] of Object.entries(definitions)) {
    const source = sourceOf(text, {target: {path: 'op_host/fold_def.cpp', text}, side: 'host', role: 'definition'})
    const facts = await definitionFacts(source)
    cases[name] = both((speaker) => definitionRequest(source, facts, speaker))
  }
  toldCases('definitions', cases)
})
