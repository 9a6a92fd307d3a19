import {createHash} from 'node:crypto'
import {describe, expect, test} from 'vitest'
import {parseOperatorDefinitions} from '../../../../cpp/op-def.ts'
import type {Execution, RunTrace} from '../../../../datasets/schema/executor.ts'
import type {RanProject, Scenario} from '../../../../datasets/schema/scenario.ts'
import {standAlone} from '../../../../pipelines/code/specialise/alone.ts'
import pairs from '../../../../pipelines/code/specialise/pairs.ts'
import {ProvenRuns} from '../../../../pipelines/code/specialise/proven-runs.ts'
import {tilingConstants, tilingStructures} from '../../../../pipelines/code/specialise/tiling-constants.ts'
import {inlineIncludes} from '../../../../sources/kernels/inline.ts'
import {programOf} from '../../../../sources/kernels/program.ts'
import {runStage} from '../../../helpers/run-stage.ts'
import {ran, scriptedExecutor, scriptedIdentity, type Script} from '../../../helpers/scripted-executor.ts'

const definitionText = `class Op : public OpDef {
  this->Input("x").DataType({ge::DT_FLOAT});
  this->Output("y").DataType({ge::DT_FLOAT});
};
`
const kernel = `#include "kernel_operator.h"
struct OpTilingData { uint32_t rows; };
__aicore__ inline void Use(GM_ADDR x, GM_ADDR workspace, uint32_t rows) { Fill(x, workspace, rows); }
extern "C" __global__ __aicore__ void op(GM_ADDR x, GM_ADDR y, GM_ADDR ws, GM_ADDR t)
{
    GET_TILING_DATA(data, t);
    Use(x, ws, data.rows);
}
`
const tensor = {name: 'x', dtype: 'float32' as const, shape: [2]}
const bytes = (value: number) => [new Uint8Array([value])]
const digestOf = (value: number) => createHash('sha256').update(bytes(value)[0]!).digest('hex')
const traceOf = (changes: Partial<RunTrace>) => ({...ran([]).trace, blockDim: 4, tiling: {rows: 7}, ...changes})
const scenarioOf = (changes: Partial<RunTrace> = {}): Scenario => ({
  dtypes: {x: 'float32', y: 'float32'},
  inputs: [{...tensor, range: [-4, 4]}],
  attributes: {},
  outputs: [{...tensor, name: 'y'}],
  seed: 's',
  trace: traceOf(changes),
  digests: [digestOf(1)],
})

describe('a kernel alone', () => {
  const made = (text: string, changes: Partial<RunTrace> = {}, declared = definitionText) => {
    const [definition] = parseOperatorDefinitions(declared)
    const structures = tilingStructures([text])
    const work = {kernel: text, entry: 'op', operator: 'Op', definition: definition!, structures}
    return standAlone({...work, scenario: scenarioOf(changes), registered: 'OpTilingData'})
  }
  const plainest = async (...given: Parameters<typeof made>) => {
    const alone = await made(...given)
    return alone.ok ? alone.texts[0]! : alone.reason
  }

  test('has its tiling as constants, ends cores without work, and one parameter that looks like a workspace', async () => {
    const text = await plainest(kernel)
    expect(text).toContain('static constexpr int64_t usedCores = 4;')
    expect(text).toContain('static constexpr uint32_t rows = 7;')
    expect(text).toContain('GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling)')
    expect(text).toContain('GetBlockIdx() >= TilingDataDef::usedCores')
    expect(text).toContain('Use(GM_ADDR x, GM_ADDR userWorkspace, uint32_t rows)')
    expect(text).toContain('Use(x, workspace, TilingDataDef::rows);')
    expect(await plainest(kernel, {blockDim: 48})).not.toContain('GetBlockIdx')
  })

  const waiting = kernel.replace('    Use(', '    SyncAll();\n    Use(')
  const two = kernel.replace(
    'GET_TILING_DATA(data, t);',
    'GET_TILING_DATA_WITH_STRUCT(OpTilingData, data, t);\n    GET_TILING_DATA_WITH_STRUCT(Other, more, t);',
  )
  test.each<[string, Parameters<typeof made>]>([
    ['more-blocks-than-cores', [kernel, {blockDim: 49}]],
    ['waits-for-all-cores', [waiting, {blockDim: 47}]],
    ['dynamic-list', [kernel, {}, definitionText.replace('"x")', '"x").ParamType(DYNAMIC)')]],
    ['several-tilings', [two]],
    ['tiling-form', [kernel.replace('GET_TILING_DATA(', 'GET_TILING_DATA_MEMBER(OpTilingData, rows, ')]],
    [
      'host-macro-left',
      [kernel.replace('    Use(', '    DTYPE_X one = 0;\n    Use(').replace('ws, data', 'ws, one + data')],
    ],
    ['cube-cores', [kernel.replace('    Use(', '    Mmad(x, y);\n    Use(')]],
    ['tiling-unread', [kernel, {tiling: {}}]],
  ])('is refused as %s', async (reason, given) => expect(await plainest(...given)).toBe(reason))

  test('may wait for all cores where all have work', async () => {
    expect(await plainest(waiting, {blockDim: 48})).toContain('SyncAll();')
  })
})

describe('constants of the tiling', () => {
  const structures = tilingStructures([
    `struct Tiled {
      bool on; float scale; float slope; int64_t wide; uint64_t most; int32_t small; double ratio; TCubeTiling cube;
      uint32_t list[2];
    };`,
  ])
  const constants = (tiling: RunTrace['tiling'], mentions = (name: string) => name in tiling) =>
    tilingConstants(structures, 'Tiled', {tiling, blockDim: 3}, mentions)

  test('are written so that they have the value and the type of their field', () => {
    const tiling = {on: 1, scale: 1, slope: Math.fround(0.01), wide: -(2 ** 31), most: 2 ** 32, small: 7, ratio: 2}
    const made = constants({...tiling, list: [1, 2]})
    expect(made.ok && made.text.split('\n').map((line) => line.trim().replace('static constexpr ', ''))).toEqual([
      'struct TilingDataDef {',
      'int64_t usedCores = 3;',
      'bool on = true;',
      'float scale = 1.0f;',
      'float slope = 0.01f;',
      'int64_t wide = -2147483648LL;',
      'uint64_t most = 4294967296ULL;',
      'int32_t small = 7;',
      'double ratio = 2.0;',
      'uint32_t list[2] = {1, 2};',
      '};',
    ])
  })

  test('are refused where they are too many, or of a structure that is not known', () => {
    expect(constants({list: Array.from({length: 401}, () => 1)})).toMatchObject({reason: 'tiling-too-long'})
    expect(constants({list: Array.from({length: 400}, () => 1)})).toMatchObject({ok: true})
    expect(constants({}, (name) => name === 'cube')).toMatchObject({reason: 'system-tiling'})
    expect(constants({}, (name) => name === 'small')).toMatchObject({reason: 'tiling-unread'})
  })
})

describe('runs prove a program', () => {
  const scenario = scenarioOf()
  const program = {operator: 'Op', files: [], dtypes: {}}
  const violation = {rule: 'pipe-hazard', block: 0, api: 'Add', tensor: 'x', message: 'no order', fix: 'a flag'}
  /** The answers of a program whose second run, with other values, gives `second`. */
  const proven = async (second: Uint8Array[] | Execution, trace = scenario.trace, one: Scenario = scenario) => {
    const seen: string[] = []
    const executor = scriptedExecutor({
      run: ({inputs}) => {
        seen.push(String(inputs[0]?.data))
        return seen.at(-1) === seen[0] ? {...ran(bytes(1)), trace} : second
      },
    })
    const runs = new ProvenRuns(executor, new AbortController().signal)
    const [same, tiling] = [
      await runs.same(program, one, [[digestOf(1)], [digestOf(2)]]),
      await runs.sameTiling(program, one, [[digestOf(1)], undefined]),
    ]
    await runs.close()
    expect(executor.openBuilds()).toBe(0)
    expect(executor.builds).toHaveLength(1)
    return {same, tiling, tolerant: executor.runs.every(({options}) => options.tolerant)}
  }

  test('by two sets of values, where both ran before', async () => {
    expect(await proven(bytes(2))).toEqual({same: {ok: true}, tiling: {ok: true}, tolerant: false})
    expect(await proven(bytes(3))).toMatchObject({same: {reason: 'not-equal'}, tiling: {ok: true}})
    const tolerated = {...scenario, tolerated: violation}
    expect((await proven(bytes(2), scenario.trace, tolerated)).tolerant).toBe(true)
  })

  test.each<[string, Partial<RunTrace>]>([
    ['values', {tiling: {rows: 8}}],
    ['workspace', {workspaceBytes: 32}],
    ['blocks', {blockDim: 5}],
    ['key', {tilingKey: 1}],
  ])('by its tiling, not with other %s', async (_, changes) => {
    const {same, tiling} = await proven(bytes(2), traceOf(changes))
    expect([same.ok, tiling]).toEqual([
      true,
      {ok: false, reason: 'not-equal', detail: 'another tiling than before it was reduced'},
    ])
  })
})

describe('a pair', () => {
  const project = (files: Record<string, string>, host = definitionText): RanProject => ({
    project: {
      origin: {repository: 'r', revision: 'v', path: 'op', licence: 'MIT'},
      operator: 'Op',
      host: [{path: 'op_host/op.cpp', text: host}],
      kernel: Object.entries(files).map(([path, text]) => ({path: `op_kernel/${path}`, text})),
    },
    scenarios: [scenarioOf({tilingKey: 7})],
    executor: scriptedIdentity,
  })
  const paired = async (one: RanProject, options: {maxBytes?: number; run?: Script['run']} = {}) => {
    const run = options.run ?? (() => ({...ran(bytes(1)), trace: scenarioOf({tilingKey: 7}).trace}))
    const executor = scriptedExecutor({run})
    const licence = (_: readonly string[], licenceOfProject: string) => licenceOfProject
    const stage = pairs({executor, program: programOf, inline: inlineIncludes, licence, ...options})
    const {outputs, dropped} = await runStage(stage, [one])
    return {pair: outputs[0], reasons: dropped.map(({reason}) => reason)}
  }

  test.each<[string, RanProject, number | undefined]>([
    ['no-entry', project({'op.cpp': 'int nothing;'}), undefined],
    ['include-missing', project({'op.cpp': `#include "lost.h"\n${kernel}`}), undefined],
    ['source-too-long', project({'op.cpp': kernel}), 100],
  ])('is refused with %s', async (reason, one, maxBytes) => {
    expect(await paired(one, maxBytes === undefined ? {} : {maxBytes})).toEqual({pair: undefined, reasons: [reason]})
  })

  test('has its kernel from another file where none is named after the operator', async () => {
    const {pair} = await paired(project({'other.cpp': kernel.replace('void op(', 'void other(')}))
    expect(pair).toMatchObject({entry: 'other', kernel: {path: 'op_kernel/other.cpp'}, kept: []})
  })

  test('has the constants of the structure that is registered for its key', async () => {
    const host = ['REGISTER_TILING_DATA_CLASS(Op, Plain)', 'REGISTER_TILING_DATA_CLASS(Op_7, Keyed)'].join('\n')
    const text = kernel.replace('struct OpTilingData', 'struct Plain { uint32_t lines; };\nstruct Keyed')
    const {pair} = await paired(project({'op.cpp': text}, `${definitionText}${host}\n`))
    expect(pair?.alone?.text).toContain('static constexpr uint32_t rows = 7;')
  })

  test('says that its host was kept whole where less gives another tiling', async () => {
    const {pair} = await paired(project({'op.cpp': kernel}, `${definitionText}static int Unused() { return 1; }\n`), {
      run: (_, __, {files}) => {
        const isWhole = files.some(({text}) => text.includes('Unused'))
        return {...ran(bytes(1)), trace: traceOf({tilingKey: 7, blockDim: isWhole ? 4 : 5})}
      },
    })
    expect(pair?.kept).toEqual(['host declarations'])
  })
})
