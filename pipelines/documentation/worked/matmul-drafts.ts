import {begins, cleaned, term} from './core-drafts.ts'
import {leftMatrix, leftText, productOf, rightMatrix, rightText} from './cube-drafts.ts'
import type {Form} from './small-kernel.ts'
import {type Drafting, perBlock, scalarOf, smallValues} from './worked-draft.ts'

const names = /^(?:GetMatmulApiTiling|GetSysWorkSpacePtr)$/

/** A product of the library whose tiling is a constant of the kernel, and which needs the library's workspace. */
const constantTiling: Drafting = ({name}, random) => {
  if (!names.test(name)) return undefined
  const [baseM, baseN, baseK] = [16 * random.integer(1, 2), 16 * random.integer(1, 2), 16 * random.integer(1, 2)]
  const [down, across] = [random.integer(1, 3), random.integer(2, 3)]
  const [m, n, k] = [baseM * down, baseN * across, baseK * random.integer(1, 3)]
  const [from, factor] = [random.pick([1, 2, 3, 4]), random.integer(2, 5)]
  const [x, y] = [leftMatrix(m, k), rightMatrix(k, n, from, factor)]
  const isTiling = name === 'GetMatmulApiTiling'
  const by = (whole: string, place: string): Form => ({
    inputs: [
      {name: 'x', dtype: 'float16', count: m * k},
      {name: 'y', dtype: 'float16', count: k * n},
    ],
    outputs: [{name: 'z', dtype: 'float32', count: m * n}],
    isWhole: true,
    cores: 'MIX_AIC_1_1',
    launch: {blocks: 1, workspace: 0},
    before: [
      '#include "lib/matmul_intf.h"',
      '',
      'using HalfRows = MatmulType<TPosition::GM, CubeFormat::ND, half>;',
      'using FloatRows = MatmulType<TPosition::GM, CubeFormat::ND, float>;',
      'constexpr MatmulConfig SIZES = GetMMConfig<MatmulConfigMode::CONFIG_NORM>(',
      `    MatmulShapeParams{${whole}, ${baseM}, ${baseN}, ${baseK}});`,
      'constexpr auto TILING = GetMatmulApiTiling<HalfRows, HalfRows, FloatRows, FloatRows>(SIZES);',
      '',
    ],
    compute: [
      'Matmul<HalfRows, HalfRows, FloatRows, FloatRows, TILING> mm;',
      `REGIST_MATMUL_OBJ(&pipe, ${place}, mm, (TCubeTiling*)nullptr);`,
      'mm.SetTensorA(xGm);',
      'mm.SetTensorB(yGm);',
      'while (mm.Iterate()) {',
      '    mm.GetTensorC(zGm);',
      '}',
      'mm.End();',
    ],
  })
  const first = x[from] ?? 0
  const library = 16 * 1024 * 1024
  return {
    situation: 'constant-tiling',
    values: {
      ...{api: name, m, n, k, baseM, baseN, baseK, times: down * across, down, across, library},
      call:
        {
          GetMatmulApiTiling: 'GetMatmulApiTiling<HalfRows, HalfRows, FloatRows, FloatRows>(SIZES)',
        }[name] ?? 'REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), mm, (TCubeTiling*)nullptr)',
      data: [leftText, rightText(from, factor), 'z = x · y'],
      steps: [
        ...(isTiling
          ? [`Iterate: (${m} / ${baseM}) × (${n} / ${baseN}) = ${down} × ${across} = ${down * across}`]
          : [`GetLibApiWorkSpaceSize() = 16 × 1024 × 1024 = ${library}`]),
        `z[0] = ${factor} × x[0][${from}] = ${factor} × ${term(first)} = ${factor * first}`,
      ],
    },
    form: by(`${m}, ${n}, ${k}`, 'GetSysWorkSpacePtr()'),
    other: isTiling
      ? {form: by('0, 0, 0', 'GetSysWorkSpacePtr()'), shows: {refused: 'matmul-init'}}
      : {form: by(`${m}, ${n}, ${k}`, 'nullptr'), shows: {refused: 'matmul-init'}},
    given: {x, y},
    expected: {z: productOf(x, y, {m, k, n})},
  }
}

/** Lines of the data cache, and pieces of the instruction cache, that are brought ahead. */
const preloaded: Drafting = ({name}, random) => {
  if (!/^(?:DataCachePreload|ICachePreLoad|GetICachePreloadStatus)$/.test(name)) return undefined
  const isData = name === 'DataCachePreload'
  const n = random.integer(9, 32)
  const lines = Math.ceil((n * 8) / 64)
  const kilobytes = random.integer(3, 13)
  const pieces = Math.ceil(kilobytes / 2)
  const words = Array.from({length: n}, () => random.integer(1, 99))
  const sum = words.reduce((all, one) => all + one, 0)
  if (isData)
    return {
      situation: 'preloaded-data',
      values: {
        ...{n, lines, bytes: n * 8, sum, offsets: Array.from({length: lines}, (_, at) => String(at * 64))},
        ...{call: 'DataCachePreload(xGm, static_cast<int64_t>(line * 64))'},
        data: [`x = [${words.join(', ')}]`, 'z[0] = Σ x'],
        steps: ['uint64_t / line: 64 / 8 = 8', `x: ${n} × 8 = ${n * 8} ≤ ${lines} × 64`, `z[0] = Σ x = ${sum}`],
      },
      form: {
        inputs: [{name: 'x', dtype: 'uint64', count: n}],
        outputs: [{name: 'z', dtype: 'int32', count: 1}],
        isWhole: true,
        compute: [
          `for (int32_t line = 0; line < ${lines}; ++line) {`,
          '    DataCachePreload(xGm, static_cast<int64_t>(line * 64));',
          '}',
          'uint64_t sum = 0;',
          `for (int32_t at = 0; at < ${n}; ++at) {`,
          '    sum += xGm.GetValue(at);',
          '}',
          'zGm.SetValue(0, static_cast<int32_t>(sum));',
          cleaned('int32_t', 'zGm'),
        ],
      },
      given: {x: words},
      expected: {z: [sum]},
    }
  const count = perBlock('float32') * random.integer(1, 8)
  const x = smallValues(count, 'float32', random)
  return {
    situation: 'preloaded-code',
    values: {
      ...{api: name, kilobytes, pieces},
      call: name === 'ICachePreLoad' ? `ICachePreLoad(${pieces})` : 'GetICachePreloadStatus() != 0',
      data: [begins('x', x), 'z = x + 1'],
      steps: [
        `preFetchLen = ${kilobytes} / 2 = ${kilobytes / 2}${kilobytes / 2 === pieces ? '' : ` → ${pieces}`}`,
        'AIV limit: 16 / 2 = 8',
        `${pieces} < 8`,
      ],
    },
    form: {
      inputs: [{name: 'x', dtype: 'float32', count}],
      outputs: [{name: 'z', dtype: 'float32', count}],
      compute: [
        `ICachePreLoad(${pieces});`,
        'while (GetICachePreloadStatus() != 0) {',
        '}',
        `Adds(zLocal, xLocal, ${scalarOf('1', 'float32')}, ${count});`,
      ],
    },
    given: {x},
    expected: {z: x.map((value) => value + 1)},
  }
}

export const matmulDrafts: readonly Drafting[] = [constantTiling, preloaded]
