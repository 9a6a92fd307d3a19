import {describe, expect, test} from 'vitest'
import type {HostKernelPair} from '../../../datasets/schema/scenario.ts'
import {hostFacts} from '../../../pipelines/facts/host-facts.ts'
import {kernelFacts} from '../../../pipelines/facts/kernel-facts.ts'
import {derivations} from '../../../pipelines/facts/derivations.ts'
import {sideOfPair} from '../../../pipelines/facts/pair-source.ts'
import {takenPath} from '../../../pipelines/facts/taken-path.ts'
import {scriptedIdentity} from '../../helpers/scripted-executor.ts'

type Trace = HostKernelPair['scenario']['trace']

/** An operator of one float input [400, 160], as far as its tiling function and its kernel matter. */
function pairOf(trace: Partial<Trace>, host: string, kernel = ''): HostKernelPair {
  const definition = `class Op : public OpDef {
    this->Input("x").DataType({ge::DT_FLOAT});
    this->Output("y").DataType({ge::DT_FLOAT});
    this->Attr("groups").Int(4);
  };`
  const tensor = {dtype: 'float32' as const, shape: [400, 160]}
  return {
    origin: {repository: 'r', revision: 'v', path: 'op', licence: 'MIT'},
    operator: 'Op',
    entry: 'op',
    host: [
      {path: 'op_host/op_def.cpp', text: definition},
      {path: 'op_host/op.cpp', text: `ge::graphStatus Tiling(gert::TilingContext* context)\n{\n${host}\n}\n`},
    ],
    kernel: {path: 'op_kernel/op.cpp', text: kernel},
    kept: [],
    scenario: {
      dtypes: {x: 'float32', y: 'float32'},
      inputs: [{name: 'x', ...tensor, range: [-4, 4]}],
      attributes: {},
      outputs: [{name: 'y', ...tensor}],
      seed: 's',
      digests: ['0'.repeat(64)],
      trace: {
        ...{
          blockDim: 4,
          tilingKey: 2,
          workspaceBytes: 0,
          tiling: {},
          buffers: [],
          ubPeakBytes: 0,
          calls: {},
          blocks: [],
        },
        ...trace,
      },
    },
    executor: scriptedIdentity,
  }
}

async function derived(tiling: Trace['tiling'], host: string) {
  const pair = pairOf({tiling}, host)
  return derivations(await hostFacts(sideOfPair(pair, 'host')), pair)
}

describe('a value of the tiling', () => {
  test('follows from shapes that variables pass on', async () => {
    const {fields} = await derived(
      {rows: 400},
      `auto xShape = context->GetInputShape(0);
      gert::Shape shape = xShape->GetStorageShape();
      int64_t last = shape.GetDim(shape.GetDimNum() - 1);
      int64_t total = shape.GetShapeSize();
      int64_t rows = total / last;
      tiling.set_rows(rows);`,
    )
    expect(fields.map(({field, value}) => [field, value])).toEqual([
      ['total', 64_000],
      ['last', 160],
      ['rows', 400],
    ])
    expect(fields.every(({worked}) => worked)).toBe(true)
  })

  test('follows from an attribute, by its default', async () => {
    const {fields} = await derived(
      {perGroup: 100},
      `auto attrs = context->GetAttrs();
      const int64_t* groups = attrs->GetAttrPointer<int64_t>(0);
      int64_t count = *groups;
      tiling.set_perGroup(context->GetInputShape(0)->GetStorageShape().GetDim(0) / count);`,
    )
    expect(fields.at(-1)).toMatchObject({field: 'perGroup', worked: true, known: [['count', 4]]})
  })

  test('is told after what it is computed from', async () => {
    const {fields} = await derived(
      {half: 200, rows: 400},
      `int64_t rows = context->GetInputShape(0)->GetStorageShape().GetDim(0);
      tiling.set_half(rows / 2);
      tiling.set_rows(rows);`,
    )
    expect(fields.map(({field}) => field)).toEqual(['rows', 'half'])
  })

  test('is not said to come from an expression that gives another', async () => {
    const {fields} = await derived(
      {rows: 399},
      'tiling.set_rows(context->GetInputShape(0)->GetStorageShape().GetDim(0));',
    )
    expect(fields).toEqual([{field: 'rows', value: 399, branches: [], known: [], worked: false}])
  })

  test('comes from no arm that the call does not take', async () => {
    const host = `auto dtype = context->GetInputDesc(0)->GetDataType();
      int64_t bytes = 0;
      if (dtype == ge::DT_FLOAT) { bytes = 2 + 2; } else { bytes = 1 + 1; }
      tiling.set_bytes(bytes);`
    const {fields} = await derived({bytes: 4}, host)
    expect(fields[0]?.expression).toBe('2 + 2')
    expect(fields[0]?.branches).toMatchObject([{condition: 'dtype == ge::DT_FLOAT', arm: 'then'}])
  })

  test('that was mended afterwards is not the remainder that it began as', async () => {
    const {fields} = await derived(
      {former: 4, tail: 0},
      `int64_t blocks = 4;
      int64_t former = total % blocks;
      if (former == 0) { former = blocks; }
      tiling.set_former(former);
      int64_t tail = 0;
      if (blocks - former > 0) { tail = (total - former) / (blocks - former); }
      tiling.set_tail(tail);`,
    )
    expect(fields.find(({field}) => field === 'former')?.expression).toBeUndefined()
    expect(fields.find(({field}) => field === 'tail')?.expression).not.toContain('/')
  })

  test('says why the key is this one', async () => {
    const {key} = await derived(
      {},
      `auto dtype = context->GetInputDesc(0)->GetDataType();
      if (dtype == ge::DT_FLOAT) { context->SetTilingKey(2); } else { context->SetTilingKey(1); }`,
    )
    expect(key).toMatchObject({value: 2, expression: '2', branches: [{condition: 'dtype == ge::DT_FLOAT'}]})
  })
})

describe('a kernel', () => {
  const kernel = `class Kernel {
    __aicore__ inline void Init(const OpTilingData& tiling) { mode = tiling.mode; }
    __aicore__ inline void Process() {
      if (mode == 1) { Exp(y, x, n); } else { Abs(y, x, n); }
      for (int i = 0; i < loops - 1; i++) { Whole(); Narrow(); }
      Last();
    }
    __aicore__ inline void Whole() { Cast(y, x, RoundMode::CAST_NONE, n); }
    __aicore__ inline void Narrow() { Muls(y, x, 2.0f, n); }
    __aicore__ inline void Last() { Muls(y, x, 3.0f, n); Exp(y, x, n); }
    int32_t mode;
  };
  extern "C" __global__ __aicore__ void op(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
    GET_TILING_DATA(tilingData, tiling);
    Kernel kernel;
    kernel.Init(tilingData);
    kernel.Process();
  }`

  test('is told without what the call does not come to', async () => {
    const pair = pairOf({tiling: {mode: 1}, calls: {Exp: 8, Abs: 4, Muls: 4}}, '', kernel)
    const {facts} = takenPath(await kernelFacts(sideOfPair(pair, 'kernel')), pair)
    expect(facts.steps.map(({call}) => `${call.name} ${call.args[2]}`)).toEqual(['Exp n', 'Muls 3.0f', 'Exp n'])
    expect(facts.steps[0]?.call.branches).toEqual([])
    const process = facts.methods.find(({syntax}) => syntax.name === 'Process')?.syntax
    expect(process?.calls.map(({name}) => name)).toEqual(['Exp', 'Last'])
  })

  test('is told without the lines that no core came to', async () => {
    const lines = kernel.split('\n')
    const at = (part: string) => lines.findIndex((line) => line.includes(part)) + 1
    const other = `class Other {\n  __aicore__ inline void Last() {\n    Abs(y, x, n);\n  }\n};\n`
    const text = `${kernel}\n${other}`
    const calls = {Exp: 8, Abs: 4, Muls: 4, Cast: 2}
    const pair = pairOf({tiling: {}, calls}, '', text)
    const told = async (idle: [number, number][]) => {
      const {facts} = takenPath(await kernelFacts(sideOfPair(pair, 'kernel')), {
        ...pair,
        kernel: {...pair.kernel, idle},
      })
      expect(facts.methods.some(({syntax}) => syntax.owner === 'Other')).toBe(idle.length === 0)
      return facts.methods.flatMap(({syntax}) => syntax.calls.map(({name}) => `${syntax.owner}.${syntax.name} ${name}`))
    }
    const loop = ['Kernel.Process Whole', 'Kernel.Process Narrow']
    expect(await told([])).toEqual(expect.arrayContaining([...loop, 'Other.Last Abs']))
    const end = lines.length
    const idle: [number, number][] = [
      [at('i < loops - 1'), at('i < loops - 1')],
      [end + 3, end + 3],
    ]
    const left = await told(idle)
    expect(left).toContain('Kernel.Last Muls')
    for (const gone of [...loop, 'Kernel.Whole Cast', 'Other.Last Abs']) expect(left).not.toContain(gone)
  })

  /** What is left of functions in a call, as `Kernel.Process Exp`, where the entry calls `Process`. */
  async function left(members: string, trace: Partial<Trace>, beside = '') {
    const text = `${beside}class Kernel {\n${members}\n};
      extern "C" __global__ __aicore__ void op(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
        GET_TILING_DATA(tilingData, tiling);
        Kernel kernel;
        kernel.Process(tilingData);
      }`
    const pair = pairOf(trace, '', text)
    const {facts} = takenPath(await kernelFacts(sideOfPair(pair, 'kernel')), pair)
    const inside = facts.methods.filter(({syntax}) => syntax.name !== 'op')
    return inside.flatMap(({syntax}) => syntax.calls.map(({name}) => `${syntax.name} ${name}`))
  }
  const process = (body: string) => `__aicore__ inline void Process(const OpTilingData& tiling) { ${body} }`

  test.each<[string, string, Partial<Trace>, string[]]>([
    ['a branch of which nothing is known', 'if (other) { Abs(y, x, n); }', {calls: {Abs: 1}}, ['Process Abs']],
    [
      'a loop of one round',
      'for (int i = 0; i < tiling.loops; i++) { Abs(y, x, n); }',
      {tiling: {loops: 1}},
      ['Process Abs'],
    ],
    ['not a loop of none', 'for (int i = 0; i < tiling.loops; i++) { Abs(y, x, n); }', {tiling: {loops: 0}}, []],
    ['what is counted by another name', 'Subs(y, x, 1.0f, n);', {calls: {Adds: 1}}, ['Process Subs']],
    [
      'not what was not counted',
      'Adds(y, x, 1.0f, n); if (other) { Abs(y, x, n); }',
      {calls: {Adds: 1}},
      ['Process Adds'],
    ],
    ['everything where nothing was counted', 'Abs(y, x, n);', {calls: {}}, ['Process Abs']],
  ])('is told with %s', async (_, body, trace, calls) => expect(await left(process(body), trace)).toEqual(calls))

  test('is told with a function that has the name of an instruction, of which nothing is counted', async () => {
    const mean = '__aicore__ inline float Mean(const LocalTensor<float>& x) { Abs(x, x, n); return x.GetValue(0); }'
    const row = `__aicore__ inline void Row(int k) { Adds(y, x, -Mean(x), k); }`
    expect(await left(`${mean}\n${row}\n${process('Row(n);')}`, {calls: {Abs: 1, Adds: 1}})).toEqual([
      'Mean Abs',
      'Mean GetValue',
      'Row Adds',
      'Row Mean',
      'Process Row',
    ])
  })

  test('is told with functions that are handed over by name, or share their name with one that ran', async () => {
    const step = '__aicore__ inline void Step(int k) { Abs(y, x, k); }'
    const handed = `${step}\n${process('Each(Step, n);')}`
    expect(await left(handed, {calls: {Abs: 1}})).toEqual(['Step Abs', 'Process Each'])
    const other = 'class Other {\n__aicore__ inline void Step(int k) { Exp(y, x, k); }\n};\n'
    expect(await left(`${step}\n${process('Step(n);')}`, {calls: {Abs: 1}}, other)).toEqual([
      'Step Abs',
      'Process Step',
    ])
  })
})
