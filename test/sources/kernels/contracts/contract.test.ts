import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {dirname, join} from 'node:path'
import {afterAll, describe, expect, test} from 'vitest'
import {parseOperatorDefinitions} from '../../../../cpp/op-def.ts'
import type {Contract} from '../../../../datasets/schema/contract.ts'
import {readContract} from '../../../../sources/kernels/contracts/contract.ts'

const root = mkdtempSync(join(tmpdir(), 'contract-test-'))
afterAll(() => rmSync(root, {recursive: true, force: true}))

const [definition] = parseOperatorDefinitions(`class RoiAlign : public OpDef {
  explicit RoiAlign(const char* name) : OpDef(name) {
    this->Input("features").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
    this->Input("rois").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
    this->Output("output").ParamType(REQUIRED).DataType({ge::DT_FLOAT});
    this->Attr("pooled_height").AttrType(REQUIRED).Int();
    this->Attr("spatial_scale").AttrType(OPTIONAL).Float(1.0);
  }
};`)

let folders = 0
/** What is read of an operator whose folder holds these files. */
async function contractOf(files: Readonly<Record<string, string>>): Promise<Contract | undefined> {
  const path = `objdetect/roi_align_${folders++}`
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path, name)), {recursive: true})
    writeFileSync(join(root, path, name), text)
  }
  return readContract('RoiAlign', definition, {root, path, paths: Object.keys(files).map((name) => `${path}/${name}`)})
}

const example = (call: string) => `int main() {
  aclTensor* self = nullptr;
  aclTensor* boxes = nullptr;
  std::vector<int64_t> selfShape = {2, 3, 16, 16};
  std::vector<float> selfData(1536, 1);
  std::vector<int64_t> boxesShape = {1, 5};
  std::vector<float> boxesData{0, 1, 1, 2, 2};
  ret = CreateAclTensor(selfData, selfShape, &selfAddr, aclDataType::ACL_FLOAT, &self);
  ret = CreateAclTensor(boxesData, boxesShape, &boxesAddr, aclDataType::ACL_FLOAT, &boxes);
  aclTensor* out = nullptr;
  std::vector<int64_t> outShape = {1, 3, 7, 7};
  std::vector<float> outData(147, 1);
  ret = CreateAclTensor(outData, outShape, &outAddr, aclDataType::ACL_FLOAT, &out);
  int32_t pooled_height = 7;
  float scale = 0.5f;
  ret = ${call};
}`

describe('a call of the interface in C', () => {
  const call = 'aclnnRoiAlignGetWorkspaceSize(self, boxes, pooled_height, scale, out, &size, &executor)'
  const features = {name: 'features', dtype: 'float32', shape: [2, 3, 16, 16]}
  const rois = {name: 'rois', dtype: 'float32', shape: [1, 5], values: [0, 1, 1, 2, 2]}

  test('without a header its arguments are those of the definition', async () => {
    const read = await contractOf({'examples/test_aclnn_roi_align.cpp': example(call)})
    expect(read?.examples).toEqual([
      {
        inputs: [features, rois],
        outputs: [{name: 'output', dtype: 'float32', shape: [1, 3, 7, 7]}],
        attributes: [
          {name: 'pooled_height', value: 7},
          {name: 'spatial_scale', value: 0.5},
        ],
        place: {path: 'examples/test_aclnn_roi_align.cpp', line: 16},
      },
    ])
  })

  test('a header names them in its own order', async () => {
    const header = `aclnnStatus aclnnRoiAlignGetWorkspaceSize(int64_t height, const aclTensor* x,
      const aclTensor* roisOptional, aclTensor* y, uint64_t* workspaceSize, aclOpExecutor** executor);`
    const other = 'aclnnRoiAlignGetWorkspaceSize(pooled_height, self, nullptr, out, &size, &executor)'
    const read = await contractOf({'examples/a.cpp': example(other), 'op_api/aclnn_roi_align.h': header})
    expect(read?.examples[0]).toMatchObject({
      inputs: [{...features, name: 'x'}, null],
      outputs: [{name: 'y'}],
      attributes: [{name: 'height', value: 7}],
    })
  })

  test('a variable of which nothing is known makes it no example', async () => {
    const read = await contractOf({'examples/a.cpp': example(call.replace('boxes', 'others'))})
    expect(read).toBeUndefined()
  })

  test('a test that expects an error, and tests for other chips, are none', async () => {
    const unit = (status: string) => `TEST_F(l2_test, one) {
      auto x = TensorDesc({2, 3, 8, 8}, ACL_FLOAT, ACL_FORMAT_ND).ValueRange(-2, 2);
      auto boxes = TensorDesc({4, 5}, ACL_FLOAT, ACL_FORMAT_ND);
      auto out = TensorDesc({4, 3, 7, 7}, ACL_FLOAT, ACL_FORMAT_ND);
      auto ut = OP_API_UT(aclnnRoiAlign, INPUT(x, boxes, 7, 0.5f), OUTPUT(out));
      EXPECT_EQ(ut.TestGetWorkspaceSize(&size), ${status});
    }`
    const good = await contractOf({'tests/ut/op_api/test.cpp': unit('ACL_SUCCESS')})
    expect(good?.examples[0]?.inputs[0]).toEqual({
      name: 'features',
      dtype: 'float32',
      shape: [2, 3, 8, 8],
      range: [-2, 2],
    })
    expect(await contractOf({'tests/ut/op_api/test.cpp': unit('ACLNN_ERR_PARAM_INVALID')})).toBeUndefined()
    expect(await contractOf({'tests/ut/arch35/test.cpp': unit('ACL_SUCCESS')})).toBeUndefined()
  })
})

describe('a test of tiling', () => {
  const para = (kind: string, status: string) => `TEST_F(RoiAlignTiling, one) {
    int64_t n = 4;
    gert::StorageShape shape = {{2, 3, 8, 8}, {2, 3, 8, 8}};
    gert::${kind}ContextPara para("RoiAlign",
      {{shape, ge::DT_FLOAT, ge::FORMAT_ND}, {{{n * 2, 5}, {n * 2, 5}}, ge::DT_FLOAT, ge::FORMAT_ND}},
      {{{{8, 3, 7, 7}, {8, 3, 7, 7}}, ge::DT_FLOAT, ge::FORMAT_ND}},
      {gert::TilingContextPara::OpAttr("pooled_height", Ops::Cv::AnyValue::CreateFrom<int64_t>(7))}, &info);
    ExecuteTestCase(para, ge::${status}, 1, "", {});
  }`
  const inputs = [
    {name: '', dtype: 'float32', shape: [2, 3, 8, 8]},
    {name: '', dtype: 'float32', shape: [8, 5]},
  ]

  test('gives inputs, outputs and attributes; one of inference alone leaves its outputs open', async () => {
    const read = await contractOf({'tests/ut/op_host/test.cpp': para('Tiling', 'GRAPH_SUCCESS')})
    expect(read?.examples[0]).toMatchObject({
      inputs,
      outputs: [{shape: [8, 3, 7, 7]}],
      attributes: [{name: 'pooled_height', value: 7}],
    })
    const open = await contractOf({'tests/ut/op_host/test.cpp': para('Infershape', 'GRAPH_SUCCESS')})
    expect(open?.examples[0]).toMatchObject({inputs, outputs: []})
    expect(await contractOf({'tests/ut/op_host/test.cpp': para('Tiling', 'GRAPH_FAILED')})).toBeUndefined()
  })

  test('of inference gives the shapes that it expects, of the call that stands before them', async () => {
    const run = (expected: string) => `std::vector<std::vector<int64_t>> expectOutputShape = {${expected}};
      ExecuteTestCase(para, ge::GRAPH_SUCCESS, expectOutputShape);`
    const tail = 'ExecuteTestCase(para, ge::GRAPH_SUCCESS, 1, "", {});'
    const inferred = (expected: string) =>
      para('Infershape', 'GRAPH_SUCCESS').replaceAll('8, 3, 7, 7', '').replace(tail, run(expected))
    const outputsOf = async (text: string) =>
      (await contractOf({'tests/ut/op_host/test.cpp': text}))?.examples.map(({outputs}) => outputs)
    const output = {name: '', dtype: 'float32', shape: [8, 3, 7, 7]}
    expect(await outputsOf(inferred('{8, 3, 7, 7}'))).toEqual([[output]])
    expect(await outputsOf(inferred('{}'))).toEqual([[{...output, shape: []}]])
    expect(await outputsOf(inferred('{-1, 3, 7, 7}'))).toEqual([[]])
    expect(await outputsOf(inferred(''))).toEqual([[]])
    const inOneFunction = inferred('{1, 3, 7, 7}').replace('n = 4', 'n = 2').slice(0, -1)
    const both = `${inOneFunction}${inferred('{8, 3, 7, 7}').replace(/^.*\n/, '')}`
    const {examples = []} = (await contractOf({'tests/ut/op_host/test.cpp': both})) ?? {}
    const shapes = examples.map((one) => [one.inputs[1]?.shape, one.outputs[0]?.shape])
    expect(shapes).toEqual([
      [
        [8, 5],
        [8, 3, 7, 7],
      ],
      [
        [4, 5],
        [1, 3, 7, 7],
      ],
    ])
  })

  test('gives a scalar where both of its shapes are empty', async () => {
    const text = para('Tiling', 'GRAPH_SUCCESS').replace('{{n * 2, 5}, {n * 2, 5}}', '{{}, {}}')
    const read = await contractOf({'tests/ut/op_host/test.cpp': text})
    expect(read?.examples[0]?.inputs).toEqual([inputs[0], {...inputs[1], shape: []}])
  })

  test('is read in its older form as well', async () => {
    const faked = `TEST_F(RoiAlignTiling, one) {
      gert::StorageShape a = {{2, 3, 8, 8}, {2, 3, 8, 8}};
      gert::StorageShape b = {{8, 5}, {8, 5}};
      gert::StorageShape y = {{8, 3, 7, 7}, {8, 3, 7, 7}};
      auto holder = gert::TilingContextFaker().NodeIoNum(2, 1).InputShapes({&a, &b}).OutputShapes({&y})
        .NodeInputTd(0, ge::DT_FLOAT, ge::FORMAT_ND, ge::FORMAT_ND)
        .NodeInputTd(1, ge::DT_FLOAT, ge::FORMAT_ND, ge::FORMAT_ND)
        .NodeOutputTd(0, ge::DT_FLOAT, ge::FORMAT_ND, ge::FORMAT_ND)
        .NodeAttrs({{"pooled_height", ge::AnyValue::CreateFrom<int64_t>(7)}}).Build();
      EXPECT_EQ(tiling_func(context), ge::GRAPH_SUCCESS);
    }`
    const read = await contractOf({'tests/ut/op_host/test.cpp': faked})
    expect(read?.examples[0]).toMatchObject({
      inputs,
      outputs: [{shape: [8, 3, 7, 7]}],
      attributes: [{name: 'pooled_height', value: 7}],
    })
  })

  test('a call with an empty tensor is none', async () => {
    const empty = para('Tiling', 'GRAPH_SUCCESS').replace('int64_t n = 4', 'int64_t n = 0')
    expect(await contractOf({'tests/ut/op_host/test.cpp': empty})).toEqual({examples: [], parameters: []})
  })
})
