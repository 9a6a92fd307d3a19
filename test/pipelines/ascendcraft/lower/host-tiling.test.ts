import {Needs} from '../../../../pipelines/ascendcraft/lower/scalar-code.ts'
import {describe, expect, test} from 'vitest'
import {tilingBody} from '../../../../pipelines/ascendcraft/lower/host-tiling.ts'
import {planKernel} from '../../../../pipelines/ascendcraft/lower/plan-lowering.ts'
import {sketched, type Sketch} from '../../../helpers/interpreting.ts'
import {checkedText} from '../../../helpers/lowering.ts'

const kernelOf = (use: string, before = '') => `
x_ub = tl.alloc_ub(64, dtype=tl.float32)
y_ub = tl.alloc_ub(64, dtype=tl.float32)
${before}
with tl.copyin():
    tl.load(x_ptr, x_ub, count=8)
with tl.compute():
    tl.exp(y_ub, x_ub, count=8)
    ${use}
with tl.copyout():
    tl.store(y_ptr + tl.program_id(0) * 8, y_ub, count=8)
`
const nothing = 'tl.copy(y_ub, x_ub, count=8)'

/** Statements of TilingFunc in front of the frame, and the frame where it is asked for. */
function written(sketch: Sketch): {body: string[]; frame: string[]} {
  const lines = tilingBody(planKernel(checkedText(sketched(sketch))), new Needs(), 'One')
  const flat = (lines as readonly unknown[]).flat(9).map((line) => String(line))
  const at = flat.indexOf('OneTilingData tiling;')
  return {body: flat.slice(0, at).filter((line) => line !== ''), frame: flat.slice(at)}
}

/** Each core stores its own tile of the workspace, and loads another's. */
const meeting = `
h_ub = tl.alloc_ub(64, dtype=tl.float16)
x_ub = tl.alloc_ub(64, dtype=tl.float16)
y_ub = tl.alloc_ub(64, dtype=tl.float32)
with tl.compute():
    tl.duplicate(h_ub, 1.0, count=16)
with tl.copyout():
    tl.store(w_ptr + tl.program_id(0) * 16, h_ub, count=16)
tl.sync_all()
with tl.copyin():
    tl.load(w_ptr, x_ub, count=16)
with tl.compute():
    tl.cast(y_ub, x_ub, count=16)
with tl.copyout():
    tl.store(y_ptr + tl.program_id(0) * 16, y_ub, count=16)
`
const cores = ['// Core Partitioning: as the test asks.', 'const int64_t nCores = 1;']
const shape = 'const gert::Shape& xShape = context->GetInputShape(0)->GetStorageShape();'
const size = [shape, 'const int64_t n = xShape.GetShapeSize();']
/** Multiplies by what the launch passes. */
const times = kernelOf('tl.muls(y_ub, x_ub, k, count=8)')

describe('what the host computes', () => {
  test.each<[string, Omit<Sketch, 'kernel'>, string[]]>([
    ['nothing that neither launch nor assertion needs', {host: 'v = n * 2\nif n > 2:\n    v = 3'}, cores],
    [
      'what the number of cores is made of',
      {cores: 'min(48, n)'},
      [...size, cores[0]!, 'const int64_t nCores = std::min<int64_t>(48, n);'],
    ],
    [
      'what an assertion is made of, turned round, with its words',
      {host: 'assert n % 8 == 0, "whole  blocks"\nassert n > 4 and x.dim() == 2, ""'},
      [
        ...size,
        ...['if (n % 8 != 0) {', '// served: whole blocks', 'return ge::GRAPH_FAILED;', '}'],
        'if (!(n > 4 && static_cast<int64_t>(xShape.GetDimNum()) == 2)) {',
        ...['return ge::GRAPH_FAILED;', '}'],
        ...cores,
      ],
    ],
    [
      'an assertion under a condition',
      {host: 'if n > 4:\n    assert n < 9, "few"'},
      [...[...size, 'if (n > 4) {', 'if (n >= 9) {', '// served: few', 'return ge::GRAPH_FAILED;', '}', '}'], ...cores],
    ],
  ])('%s', (_, sketch, lines) => {
    expect(written({kernel: kernelOf(nothing), ...sketch}).body).toEqual(lines)
  })

  test.each<[string, string, Omit<Sketch, 'kernel' | 'scalars'>, string[], string]>([
    ['a name', 'n', {}, size, 'n'],
    [
      'what a name is made of, a float in double',
      'v',
      {host: 'v = n / 2\nu = 3'},
      [...size, 'const double v = static_cast<double>(n) / 2.0;'],
      'static_cast<float>(v)',
    ],
    [
      'a name that a branch changes',
      'v',
      {host: 'v = 1\nif n > 4:\n    v = 2'},
      [...size, 'int64_t v = 1;', 'if (n > 4) {', 'v = 2;', '}'],
      'v',
    ],
    [
      'a name that the last branch has nothing to do with',
      'v',
      {host: 'v = 1\nif n > 4:\n    v = 2\nelse:\n    u = 3'},
      [...size, 'int64_t v = 1;', 'if (n > 4) {', 'v = 2;', '}'],
      'v',
    ],
    [
      'a name that the first branch has nothing to do with',
      'v',
      {host: 'v = 1\nif n > 4:\n    u = 3\nelse:\n    v = 2'},
      [...size, 'int64_t v = 1;', 'if (n > 4) {', '} else {', 'v = 2;', '}'],
      'v',
    ],
    [
      'a name that every branch sets',
      'v',
      {host: 'if n > 4:\n    v = 1.5\nelif n > 2:\n    v = 2.5\nelse:\n    v = 3.0'},
      [
        ...[...size, 'double v = 0.0;', 'if (n > 4) {', 'v = 1.5;', '} else if (n > 2) {', 'v = 2.5;'],
        ...['} else {', 'v = 3.0;', '}'],
      ],
      'static_cast<float>(v)',
    ],
    [
      'a float attribute as it is, and none that is not needed',
      'a',
      {attributes: 'a: float = 1.0, b: int = 2, o: bool = True,'},
      ['const float a = *context->GetAttrs()->GetAttrPointer<float>(0);'],
      'a',
    ],
    [
      'what is computed of a float attribute',
      'a * 2',
      {attributes: 'a: float = 1.0,'},
      ['const float a = *context->GetAttrs()->GetAttrPointer<float>(0);'],
      'static_cast<float>(a * 2.0)',
    ],
    [
      'attributes by their place',
      '1 if o else b',
      {attributes: 'a: float = 1.0, b: int = 2, o: bool = True,'},
      [
        'const int64_t b = *context->GetAttrs()->GetAttrPointer<int64_t>(1);',
        'const bool o = *context->GetAttrs()->GetAttrPointer<bool>(2);',
      ],
      'o ? 1 : b',
    ],
    ['a whole float', '2.0', {}, [], '2.0f'],
    ['a float', '0.25', {}, [], '0.25f'],
    ['a small float', '1e-9', {}, [], '1e-9f'],
    ['a large float', '1e30', {}, [], '1e+30f'],
    ['an integer', '2', {}, [], '2'],
    ['what has no end', 'float("inf")', {}, [], 'static_cast<float>(std::numeric_limits<double>::infinity())'],
    ['an axis', 'x.shape[0]', {}, [shape], 'xShape.GetDim(0)'],
  ])('for the kernel, %s', (_, k, sketch, lines, value) => {
    const {body, frame} = written({kernel: times, scalars: {k}, ...sketch})
    expect(body).toEqual([...lines, ...cores])
    expect(frame.filter((line) => line.startsWith('tiling.set_'))).toEqual([`tiling.set_k(${value});`])
  })
})

describe('what it tells the framework', () => {
  const tiling = [
    'OneTilingData tiling;',
    'tiling.SaveToBuffer(context->GetRawTilingData()->GetData(), context->GetRawTilingData()->GetCapacity());',
    'context->GetRawTilingData()->SetDataSize(tiling.GetDataSize());',
    'context->SetBlockDim(static_cast<uint32_t>(nCores));',
  ]
  const together = 'context->SetScheduleMode(1); // all cores start together, as they wait for each other'
  const platform = 'const auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());'

  test('no memory beside the tensors where none is needed', () => {
    expect(written({kernel: kernelOf(nothing)}).frame).toEqual([
      ...tiling,
      'context->GetWorkspaceSizes(1)[0] = 0;',
      'return ge::GRAPH_SUCCESS;',
    ])
  })

  test('that cores wait for each other, and the memory that the library needs for it', () => {
    expect(written({kernel: `${kernelOf(nothing)}tl.sync_all()`, cores: '2'}).frame).toEqual([
      ...tiling,
      together,
      platform,
      'context->GetWorkspaceSizes(1)[0] = platform.GetLibApiWorkSpaceSize();',
      'return ge::GRAPH_SUCCESS;',
    ])
  })

  test.each([
    ['n', 'n * 2'],
    ['n + 1', '(n + 1) * 2'],
    ['n * 3', 'n * 3 * 2'],
    ['64', '64 * 2'],
  ])('a workspace of %s halves', (elements, bytes) => {
    const {body, frame} = written({kernel: meeting, cores: '2', workspace: `${elements}, tl.float16`})
    expect(body.at(-1)).toBe(`const int64_t wBytes = AlignUp(${bytes}, 512);`)
    expect(frame).toEqual([
      ...tiling,
      together,
      platform,
      'context->GetWorkspaceSizes(1)[0] = platform.GetLibApiWorkSpaceSize() + wBytes;',
      'return ge::GRAPH_SUCCESS;',
    ])
  })
})
