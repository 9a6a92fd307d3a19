import {test} from 'vitest'
import type {HostKernelPair, HostStep} from '../../../../datasets/schema/scenario.ts'
import {handedOver, sizesParagraph} from '../../../../pipelines/code/project/host-plan.ts'
import {both, hostOf, toldCases} from '../../../helpers/told-parts.ts'

type Scenario = HostKernelPair['scenario']
type Trace = Scenario['trace']

interface Given {
  /** Statements of the tiling function. */
  body?: string
  /** What stands before it. */
  before?: string
  trace?: Partial<Trace>
  inputs?: [name: string, dtype: string, shape: number[]][]
  outputs?: [name: string, dtype: string, shape: number[]][]
  steps?: HostStep[]
}

async function told({body = '', before = '', trace = {}, inputs, outputs, steps}: Given): Promise<string> {
  const tensors = (list: NonNullable<Given['inputs']>) => list.map(([name, dtype, shape]) => ({name, dtype, shape}))
  const text = `${before}
static ge::graphStatus Tiling(gert::TilingContext* context) {
  FoldTilingData tiling;
  ${body}
  return ge::GRAPH_SUCCESS;
}`
  const definition = `class Fold : public OpDef { public: explicit Fold(const char* name) : OpDef(name) {
    this->Input("x").DataType({ge::DT_FLOAT}); this->Output("y").DataType({ge::DT_FLOAT});
    this->Attr("rows").AttrType(OPTIONAL).Int(3); } };`
  const scenario = {
    inputs: tensors(inputs ?? [['x', 'float32', [4, 16]]]),
    outputs: tensors(outputs ?? [['y', 'float32', [4, 16]]]),
    attributes: {},
    trace: {blockDim: 48, tilingKey: 0, workspaceBytes: 0, tiling: {}, ...trace},
  }
  const host = [
    {path: 'op_host/fold.cpp', text},
    {path: 'op_host/fold_def.cpp', text: definition},
  ]
  const pair = {operator: 'Fold', host, scenario, ...(steps && {steps})} as unknown as HostKernelPair
  const facts = await hostOf(text)
  return both((speaker) => `${sizesParagraph(pair, speaker)}\n\n${handedOver(pair, facts, speaker)}`)
}

const platform =
  'auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo()); uint32_t cores = ' +
  'platform.GetCoreNumAiv();'
const shape = 'uint32_t total = context->GetInputShape(0)->GetStorageShape().GetShapeSize();'
const set = (field: string, value: string) => `tiling.set_${field}(${value});`
const many = (count: number, value: (at: number) => string) =>
  Array.from({length: count}, (_, at) => set(`f${at}`, value(at))).join(' ')
const numbers = (count: number, value: (at: number) => number) =>
  Object.fromEntries(Array.from({length: count}, (_, at) => [`f${at}`, value(at)]))

const cases: Readonly<Record<string, Given>> = {
  'nothing is handed over': {},
  'one element': {inputs: [['x', 'float16', [1]]], outputs: [['y', 'float16', [1]]]},
  'rows of whole blocks': {inputs: [['x', 'float16', [3, 16]]], outputs: [['y', 'float16', [3]]]},
  'rows of no whole blocks': {
    inputs: [['x', 'int8', [3, 5]]],
    outputs: [
      ['y', 'int8', [3, 5]],
      ['z', 'int8', [5]],
    ],
  },
  'a list of tensors': {
    inputs: [
      ['x', 'float32', [8]],
      ['x', 'float32', [2, 4]],
      ['x', 'float32', [9]],
    ],
  },
  'a list, and others': {inputs: ['a', 'b', 'c', 'd', 'e'].map((name) => [name, 'int64', [2]])},
  'no tensors': {inputs: [], outputs: []},
  'no outputs': {outputs: []},
  'one block': {trace: {blockDim: 1}},
  'a value that follows from the shape': {body: `${shape} ${set('total', 'total')}`, trace: {tiling: {total: 64}}},
  'a value that follows from others': {
    body:
      `${platform} ${shape} uint32_t share = (total + cores - 1) / cores; ${set('share', 'share')} ` +
      `${set('total', 'total')} context->SetBlockDim(cores);`,
    trace: {tiling: {share: 2, total: 64}},
  },
  'a value of a branch': {
    body: `${shape} uint32_t n = 0; if (total > 32) { n = total / 2; } else { n = total; } ${set('n', 'n')}`,
    trace: {tiling: {n: 32}},
  },
  'a value of a long branch': {
    body:
      `${shape} uint32_t n = 0; if (total > 32 && ${'1 == 1 && '.repeat(9)}1) { n = total / 2; } ` +
      `else { n = total; } ${set('n', 'n')}`,
    trace: {tiling: {n: 32}},
  },
  'a value of three branches': {
    body:
      `${shape} uint32_t n = 0; if (total > 1) { if (total > 2) { if (total > 3) { n = total / 4; ` +
      `} } } ${set('n', 'n')}`,
    trace: {tiling: {n: 16}},
  },
  'a constant': {before: 'constexpr uint32_t ALIGN = 32;', body: set('align', 'ALIGN'), trace: {tiling: {align: 32}}},
  'a constant in an expression': {
    before: 'constexpr uint32_t ALIGN = 32;',
    body: `${set('align', 'ALIGN * 2')} ${set('more', 'ALIGN * 2 + 1')}`,
    trace: {tiling: {align: 64, more: 65}},
  },
  'a number': {body: set('n', '7'), trace: {tiling: {n: 7}}},
  'what the text does not give': {body: `${shape} ${set('n', 'total / 2')}`, trace: {tiling: {n: 33}}},
  'what is not known': {
    body: `${set('n', 'Choose(context) * 2')} ${set('m', 'other')} ${set('z', 'third')}`,
    trace: {tiling: {n: 6, m: 4, z: 0}},
  },
  'two that end as 0': {body: `${set('a', 'first')} ${set('b', 'second')}`, trace: {tiling: {a: 0, b: 0}}},
  'one that ends as 0': {body: set('a', 'first'), trace: {tiling: {a: 0}}},
  'eighteen that are not worked out': {
    body: many(18, (at) => `Choose(${at})`),
    trace: {tiling: numbers(18, (at) => at)},
  },
  'thirty-one that are': {body: many(31, (at) => `${at} + 1`), trace: {tiling: numbers(31, (at) => at + 1)}},
  'an attribute': {
    body: `auto attrs = context->GetAttrs(); auto rows = attrs->GetInt(0); ${set('rows', '*rows * 2')}`,
    trace: {tiling: {rows: 6}},
  },
  'an assignment to the structure': {
    body: `${shape} tilingData->total = total * 2; other->total = 5;`,
    trace: {tiling: {total: 128}},
  },
  'a float': {body: `${set('scale', '1.0f / 10')}`, trace: {tiling: {scale: Math.fround(0.1)}}},
  'through names that pass it on': {
    body:
      `${shape} uint32_t a = total * 2; uint32_t b = a; uint32_t c = static_cast<uint32_t>(b); ` +
      `uint32_t d = (c); ${set('n', 'd')}`,
    trace: {tiling: {n: 128}},
  },
  'through more names than are followed': {
    body:
      `${shape} uint32_t a = total * 2; uint32_t b = a; uint32_t c = b; uint32_t d = c; uint32_t e ` +
      `= d; uint32_t f = e; ${set('n', 'f')}`,
    trace: {tiling: {n: 128}},
  },
  'a field by two names': {
    body: `${shape} uint32_t n = total * 2; ${set('a', 'n')} ${set('b', 'n')}`,
    trace: {tiling: {a: 128, b: 128}},
  },
  'the platform and the unified buffer': {
    body:
      `${platform} uint64_t ub; platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub); ` +
      `${set('tile', 'ub / 8')} ${set('all', 'cores * 2')}`,
    trace: {tiling: {tile: 24544, all: 96}},
  },
  'cube cores of the platform': {
    body: `auto p = Platform(context); uint32_t cube = p.GetCoreNumAic(); ${set('n', 'cube * 2')}`,
    trace: {tiling: {n: 48}},
  },
  lists: {
    trace: {
      tiling: {
        a: [1, 2, 0, 0],
        b: [0, 0],
        c: [1, 2, 3, 4, 5, 6, 7, 8, 9],
        d: [1, 2, 3, 4, 5, 6, 7, 8],
        e: [Math.fround(0.1)],
      },
    } as never,
  },
  'a key and blocks by expressions': {
    body: `${platform} ${shape} context->SetTilingKey(total > 32 ? 5 : 6); context->SetBlockDim(cores / 2);`,
    trace: {tilingKey: 5, blockDim: 24},
  },
  'a key that is a number': {
    body: 'context->SetTilingKey(5); context->SetBlockDim(1);',
    trace: {tilingKey: 5, blockDim: 1},
  },
  'a key that is a cast number': {body: 'context->SetTilingKey(static_cast<uint64_t>(5));', trace: {tilingKey: 5}},
  'a key of a branch': {
    body: `${shape} if (total > 32) { context->SetTilingKey(KEY + 1); } else { context->SetTilingKey(2); }`,
    trace: {tilingKey: 3},
  },
  'a key of 0 that is set': {body: 'context->SetTilingKey(zero);'},
  'two calls of the same': {
    body: 'if (other) { context->SetBlockDim(a * 2); } context->SetBlockDim(b * 2);',
    trace: {blockDim: 4},
  },
  'blocks by a variable': {
    body: `${shape} uint32_t used = total / 16; uint32_t half = used / 2; context->SetBlockDim(half);`,
    trace: {blockDim: 2},
  },
  workspace: {trace: {workspaceBytes: 16}},
  'the steps that were seen': {
    body: `${shape} uint32_t share = total / 4; ${set('share', 'share')} context->SetBlockDim(share);`,
    trace: {tiling: {share: 16}, blockDim: 16},
    steps: [
      {name: 'total', expression: 'context->GetInputShape(0)->GetStorageShape().GetShapeSize()', value: 64},
      {name: 'share', expression: 'total / 4', value: 16},
      {name: 'set_share', expression: 'share', value: 16},
      {name: 'SetBlockDim', expression: 'share', value: 16},
    ],
  },
}

test('a call is told by its sizes, the values that nothing derives, and its launch', async () => {
  const pages: Record<string, string> = {}
  for (const [name, given] of Object.entries(cases)) pages[name] = await told(given)
  toldCases('host-plans', pages)
})
