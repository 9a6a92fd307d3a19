import {expect, test} from 'vitest'
import {withoutComments} from '../../cpp/code-pieces.ts'
import {kernelName, parseOperatorDefinitions} from '../../cpp/op-def.ts'

const text = `
static const std::vector<ge::DataType> wide = {ge::DT_FLOAT, ge::DT_BF16};
// class Old : public OpDef {
namespace ops {
class GatherDemo : public OpDef {
public:
    explicit GatherDemo(const char* name) : OpDef(name)
    {
        this->Input("x").ParamType(REQUIRED) // "y"
            .DataType({ge::DT_FLOAT16, /* ge::DT_INT8, */ ge::DT_FLOAT}).Format({ge::FORMAT_ND});
        this->Input("list").ParamType(DYNAMIC).DataType(wide);
        Input("bias").ParamType(OPTIONAL).DataTypeList({ge::DT_INT64});
        this->Output("out").ParamType(REQUIRED).DataType({ge::DT_FLOAT16, ge::DT_FLOAT}).OutputShapeDependOnCompute();
        this->Attr("axis").AttrType(OPTIONAL).Int(-1);
        this->Attr("sizes").ListInt();
        OpAICoreConfig config;
        config.Input("x").ParamType(REQUIRED).DataType({ge::DT_INT8});
        this->AICore().AddConfig("ascend910b", config).AddConfig("ascend910_93");
    }
};
OP_ADD(GatherDemo);
}
`

test('a list of types may be a macro over several lines', () => {
  const macro = '#define DTYPE_X   \\\n    {             \\\n        ge::DT_BF16, ge::DT_FLOAT \\\n    }\n'
  const definition = 'class A : public OpDef { A() { this->Input("x").ParamType(REQUIRED).DataType(DTYPE_X); } };'
  expect(parseOperatorDefinitions(macro + definition)[0]?.inputs[0]?.dtypes).toEqual(['bfloat16', 'float32'])
})

test.each<[written: string, dtypes: string[]]>([
  ['.Follow("x")', ['float16', 'float32']],
  ['.Follow("x", FollowType::DTYPE)', ['float16', 'float32']],
  ['.Follow("x", FollowType::SHAPE)', []],
  ['.Follow("lost")', []],
  ['.DataType({ge::DT_BOOL}).Follow("x")', ['bool']],
])('an output with %s has the types %j', (written, dtypes) => {
  const input = 'this->Input("x").DataType({ge::DT_FLOAT16, ge::DT_FLOAT});'
  const definition = `class A : public OpDef { A() { ${input} this->Output("y").ParamType(REQUIRED)${written}; } };`
  expect(parseOperatorDefinitions(definition)[0]?.outputs[0]?.dtypes).toEqual(dtypes)
})

test('a definition is read with names, kinds, dtype columns and attributes in order', () => {
  expect(parseOperatorDefinitions(text)).toEqual([
    {
      operator: 'GatherDemo',
      inputs: [
        {name: 'x', kind: 'required', dtypes: ['float16', 'float32']},
        {name: 'list', kind: 'dynamic', dtypes: ['float32', 'bfloat16']},
        {name: 'bias', kind: 'optional', dtypes: ['int64']},
      ],
      outputs: [{name: 'out', kind: 'required', dtypes: ['float16', 'float32']}],
      attributes: [
        {name: 'axis', required: false, type: 'Int', default: '-1'},
        {name: 'sizes', required: true, type: 'ListInt', default: ''},
      ],
      socs: ['ascend910b', 'ascend910_93'],
      shapeFromKernel: true,
    },
  ])
})

test('a cut definition gives nothing rather than an error', () => {
  expect(parseOperatorDefinitions(text.slice(0, 300))).toEqual([])
})

test.each([
  ['AddCustom', 'add_custom'],
  ['Conv2DCustom', 'conv2_d_custom'],
  ['GroupNormSwishGrad', 'group_norm_swish_grad'],
  ['Sqrt', 'sqrt'],
  ['GeGluGradV2', 'ge_glu_grad_v2'],
  ['TopKV3', 'top_kv3'],
  ['NonFiniteCheckOp', 'non_finite_check_op'],
  ['GELUQuant', 'gelu_quant'],
  ['ReGlu', 're_glu'],
  ['MulFp16', 'mul_fp16'],
  ['LayerNormV4', 'layer_norm_v4'],
])('the kernel of %s is named %s, by the rule of the operator build', (operator, name) => {
  expect(kernelName(operator)).toBe(name)
})

test('comments become blanks of the same length, and strings keep what looks like one', () => {
  expect(withoutComments('a // b\n"// c" /* d\n */ e')).toBe('a     \n"// c"     \n    e')
})
