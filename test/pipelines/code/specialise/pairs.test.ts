import {expect, test} from 'vitest'
import {canonicalJson} from '../../../../engine/ids.ts'
import {runStage} from '../../../helpers/run-stage.ts'
import {pairsStage, ranOperator} from './ran-operator.ts'

const twinTime = 240_000

test(
  'reduces an operator to its scenario, and to a kernel that stands alone, with the same outputs',
  async () => {
    // As a ledger gives it back: with the keys of its tiling in order.
    const ran = JSON.parse(canonicalJson(await ranOperator('RowSoftmax', 'float16', [7, 33])))
    const {outputs, dropped} = await runStage(await pairsStage(), [ran])
    expect(dropped).toEqual([])
    const [pair] = outputs
    expect(pair?.kept).toEqual([])
    expect(pair?.entry).toBe('row_softmax')
    expect(pair?.host.map(({path}) => path)).toEqual(['op_host/row_softmax.cpp'])
    // The column of its type alone, and the tiling data in the same file.
    expect(pair?.host[0]?.text).toContain('BEGIN_TILING_DATA_DEF(RowSoftmaxTilingData)')
    expect(pair?.host[0]?.text).not.toMatch(/DT_BF16|InferShape/)
    // What tiling computed on the way to the scenario's values.
    const steps = pair?.steps?.filter(({name}) => name === 'set_rowsPerCore' || name === 'SetBlockDim')
    expect(steps?.map(({value}) => value)).toEqual([ran.scenarios[0].trace.tiling.rowsPerCore, 7])
    // One file, one type, no branch of another, and nothing that only float32 needs.
    const {text} = pair!.kernel
    expect(text).toContain('class RowSoftmaxKernel {')
    expect(text).toContain('ExponentialsOfRow')
    for (const gone of [/DTYPE_X/, /if constexpr/, /is_same/, /template <typename T>/, /#include "softmax_of_row\.h"/])
      expect(text).not.toMatch(gone)
    expect(text).toContain('GET_TILING_DATA(tilingData, tiling)')
    const alone = pair!.alone!.text
    expect(alone).toContain('static constexpr uint32_t cols = 33;')
    expect(alone).toContain('static constexpr int64_t usedCores = 7;')
    expect(alone).toMatch(/GetBlockIdx\(\) >= TilingDataDef::usedCores\) \{\s*return;/)
    expect(alone).toContain('TilingDataDef::rowsPerCore')
    expect(alone).not.toMatch(/GET_TILING_DATA|RowSoftmaxTilingData|tilingData/)
  },
  twinTime,
)

test(
  'refuses a scenario whose outputs the operator does not give',
  async () => {
    const ran = await ranOperator('LeakyRelu', 'float32', [3, 40])
    const [scenario] = ran.scenarios
    const wrong = {...ran, scenarios: [{...scenario!, digests: ['0'.repeat(64)]}]}
    const {outputs, dropped} = await runStage(await pairsStage(), [wrong])
    expect(outputs).toEqual([])
    expect(dropped.map(({reason}) => reason)).toEqual(['not-reproduced'])
  },
  twinTime,
)

test(
  'says what it kept where the thorough reduction would not be right',
  async () => {
    const ran = await ranOperator('LeakyRelu', 'float32', [3, 40])
    // Two pieces of a macro make the name, which nothing mentions in whole.
    const kernel = ran.project.kernel.map((file) => ({
      ...file,
      text: file.text
        .replace(/^template <typename T>/m, '#define JOINED(a, b) a##b\nconstexpr float JOINED_SLOPE = 1.0f;\n$&')
        .replace('negativeSlope_ = ', 'negativeSlope_ = JOINED(JOINED_, SLOPE) * '),
    }))
    const {outputs, dropped} = await runStage(await pairsStage(), [{...ran, project: {...ran.project, kernel}}])
    expect(dropped).toEqual([])
    expect(kernel[0]?.text).toContain('JOINED(JOINED_, SLOPE)')
    expect(outputs[0]?.kept).toEqual(['templates', 'unreached declarations'])
  },
  twinTime,
)

test(
  'tells why a kernel cannot do without its host',
  async () => {
    const ran = await ranOperator('LeakyRelu', 'float32', [3, 40])
    const kernel = ran.project.kernel.map((file) => ({
      ...file,
      text: file.text.replace(
        'GET_TILING_DATA(tilingData, tiling);',
        'GET_TILING_DATA(tilingData, tiling);\n    if (GetBlockNum() > 4096) {\n        SyncAll();\n    }',
      ),
    }))
    const {outputs} = await runStage(await pairsStage(), [{...ran, project: {...ran.project, kernel}}])
    expect(outputs[0]?.alone).toBeUndefined()
    expect(outputs[0]?.notAlone?.reason).toBe('waits-for-all-cores')
    // What no core came to is told by its lines.
    const {text, idle = []} = outputs[0]!.kernel
    const lines = text.split('\n')
    const idleText = idle.map(([first, last]) =>
      lines
        .slice(first - 1, last)
        .join('\n')
        .trim(),
    )
    expect(idleText).toContain('SyncAll();')
    expect(idleText.join('\n')).not.toContain('LeakyRelu(')
  },
  twinTime,
)
