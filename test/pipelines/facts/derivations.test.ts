import {describe, expect, test} from 'vitest'
import type {HostKernelPair} from '../../../datasets/schema/scenario.ts'
import {derivations} from '../../../pipelines/facts/derivations.ts'
import {hostOf} from '../../helpers/told-parts.ts'

interface Given {
  before?: string
  tiling?: Record<string, number | number[]>
  blockDim?: number
  tilingKey?: number
  workspaceBytes?: number
}

const definition = `class Fold : public OpDef { public: explicit Fold(const char* name) : OpDef(name) {
  this->Input("x").DataType({ge::DT_FLOAT}); this->Output("y").DataType({ge::DT_FLOAT}); } };`

async function derived(body: string, given: Given = {}) {
  const {before = '', tiling = {}, blockDim = 48, tilingKey = 0, workspaceBytes = 0} = given
  const text = `${before}\nstatic ge::graphStatus Tiling(gert::TilingContext* context) {
    FoldTilingData tiling; ${body} return ge::GRAPH_SUCCESS; }`
  const scenario = {
    inputs: [{name: 'x', dtype: 'float32', shape: [4, 16]}],
    outputs: [{name: 'y', dtype: 'float32', shape: [4, 16]}],
    attributes: {},
    trace: {blockDim, tilingKey, workspaceBytes, tiling},
  }
  const host = [
    {path: 'op_host/fold.cpp', text},
    {path: 'op_host/fold_def.cpp', text: definition},
  ]
  return derivations(await hostOf(text), {operator: 'Fold', host, scenario} as unknown as HostKernelPair)
}

const total = 'uint32_t total = context->GetInputShape(0)->GetStorageShape().GetShapeSize();'
const fieldsOf = async (body: string, given: Given) =>
  (await derived(body, given)).fields.map(({field, value, expression, worked}) => [field, value, expression, worked])

describe('a field of the tiling', () => {
  test.each<[string, string, Given, unknown[][]]>([
    ['is worked out', 'tiling.set_a(6 * 7);', {tiling: {a: 42}}, [['a', 42, '6 * 7', true]]],
    [
      'is what a constant says',
      'tiling.set_a(SIZE);',
      {before: 'constexpr int SIZE = 7;', tiling: {a: 7}},
      [['a', 7, 'SIZE', true]],
    ],
    ['is not explained by another result', 'tiling.set_a(6 * 7);', {tiling: {a: 41}}, [['a', 41, undefined, false]]],
    ['is not explained where nothing sets it', '', {tiling: {a: 42}}, [['a', 42, undefined, false]]],
    ['may be of a plain structure', 'tiling.a = 6 * 7;', {tiling: {a: 42}}, [['a', 42, '6 * 7', true]]],
    ['is of no other structure', 'other.a = 6 * 7;', {tiling: {a: 42}}, [['a', 42, undefined, false]]],
    ['is a number', 'tiling.set_a(6 * 7);', {tiling: {a: [42]}}, []],
    ['is known through a variable', 'int n = 6 * 7; tiling.set_a(n);', {tiling: {a: 42}}, [['a', 42, '6 * 7', true]]],
  ])('%s', async (_, body, given, fields) => {
    expect(await fieldsOf(body, given)).toEqual(fields)
  })

  test.each([
    ['what the library needs and a part for each core', 'p.GetLibApiWorkSpaceSize() + shares', 16777312, true],
    ['another number', 'p.GetLibApiWorkSpaceSize() + shares', 16777313, false],
    ['what the library needs', 'p.GetLibApiWorkSpaceSize()', 16777216, false],
  ])('is followed by the size of the workspace, if that is %s', async (_, size, workspaceBytes, isTold) => {
    const body = `tiling.set_a(6 * 7); int shares = 32 * 3; context->GetWorkspaceSizes(1)[0] = ${size};`
    const held = `tiling.set_a(6 * 7); int shares = 32 * 3; auto w = context->GetWorkspaceSizes(1); w[0] = ${size};`
    for (const one of [body, held]) {
      const fields = await fieldsOf(one, {tiling: {a: 42}, workspaceBytes})
      expect(fields.slice(1).map(([field, value]) => [field, value])).toEqual(
        isTold
          ? [
              ['shares', 96],
              ['workspace', 16777312],
            ]
          : [],
      )
    }
  })

  test('follows what it is computed from', async () => {
    const body = 'int n = 6 * 7; tiling.set_b(n + 1); tiling.set_a(n);'
    expect(await fieldsOf(body, {tiling: {b: 43, a: 42}})).toEqual([
      ['n', 42, '6 * 7', true],
      ['b', 43, 'n + 1', true],
      ['a', 42, '6 * 7', true],
    ])
    // The variable is what the field is, which is told.
    expect(await fieldsOf(body, {tiling: {a: 42, b: 43}})).toEqual([
      ['a', 42, '6 * 7', true],
      ['b', 43, 'n + 1', true],
    ])
  })

  test.each([
    [3, true],
    [4, true],
    [5, false],
  ])('is known through %i variables that pass a value on', async (count, isKnown) => {
    const passed = Array.from({length: count - 1}, (_, index) => `int v${index + 1} = v${index};`).join(' ')
    const [field] = await fieldsOf(`int v0 = 6 * 7; ${passed} tiling.set_a(v${count - 1});`, {tiling: {a: 42}})
    expect(field?.[3]).toBe(isKnown)
  })

  test('has the numbers of the shape', async () => {
    const {fields} = await derived(`${total} tiling.set_a(total / 2);`, {tiling: {a: 32}})
    expect(fields.at(-1)).toEqual({
      field: 'a',
      value: 32,
      branches: [],
      expression: 'total / 2',
      known: [['total', 64]],
      worked: true,
    })
  })
})

describe('the launch', () => {
  test('has its numbers from what it is handed', async () => {
    const {key, blocks} = await derived('context->SetTilingKey(1 + 1); context->SetBlockDim(6 * 8);', {tilingKey: 2})
    expect([key?.field, key?.value, key?.expression, key?.worked]).toEqual(['SetTilingKey', 2, '1 + 1', true])
    expect([blocks?.field, blocks?.value, blocks?.expression]).toEqual(['SetBlockDim', 48, '6 * 8'])
  })

  test('has none where nothing is handed to it', async () => {
    expect(await derived('')).toEqual({fields: [], key: undefined, blocks: undefined})
  })

  test('a number of blocks in a variable is told before it', async () => {
    const {fields, blocks} = await derived('int used = 6 * 8; context->SetBlockDim(used);')
    expect([blocks?.field, blocks?.expression, blocks?.worked]).toEqual(['used', '6 * 8', true])
    expect(fields.map(({field}) => field)).toEqual(['used'])
  })

  test('knows the cores of the chip', async () => {
    const asks = 'auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());'
    const cores = `${asks} uint32_t cores = platform.GetCoreNumAiv(); tiling.set_a(cores * 2);`
    const {fields} = await derived(cores, {tiling: {a: 96}})
    expect(fields.at(-1)?.known).toEqual([['cores', 48]])
  })
})
