import {describe, expect, test} from 'vitest'
import {pageParameters, dimensionsIn, ranksIn} from '../../../../sources/kernels/contracts/page-parameters.ts'

const table = (rows: readonly string[][]) => `# RoiAlign

## 参数说明

<table>
<thead><tr><th>参数名</th><th>输入/输出/属性</th><th>描述</th><th>数据类型</th><th>维度(shape)</th></tr></thead>
<tbody>
${rows.map((cells) => `<tr>${cells.map((one) => `<td>${one}</td>`).join('')}</tr>`).join('\n')}
</tbody></table>
`

test('rows give shapes, types, ranges, defaults and the lines where they stand', () => {
  const page = table([
    ['features', '输入', '输入特征图，shape [N, C, H, W]。', 'FLOAT、FLOAT16', '4'],
    ['rois', '输入', '感兴趣区域，shape [numRois, 5]，每行为(batch_index, x1, y1, x2, y2)。', 'FLOAT32', '-'],
    ['mask', '可选输入', 'shape与features相同。', 'BOOL', '0-8'],
    ['pooled_height', '属性', '高度，取值范围为[1, 64]，默认值为7。', 'INT64', '-'],
    ['workspaceSize', '输出', '大小。', '-', '-'],
  ])
  const common = {optional: false, shapes: [], ranks: []}
  const found = pageParameters(page, 'README.md')
  expect(found.map(({meaning}) => meaning)).toEqual([
    '输入特征图，shape [N, C, H, W]。',
    '感兴趣区域，shape [numRois, 5]，每行为(batch_index, x1, y1, x2, y2)。',
    'shape与features相同。',
    '高度，取值范围为[1, 64]，默认值为7。',
  ])
  expect(found.map(({meaning: _, ...rest}) => rest)).toEqual([
    {
      ...common,
      ...{name: 'features', kind: 'input', dtypes: ['float32', 'float16'], ranks: [4], shapes: [['N', 'C', 'H', 'W']]},
      place: {path: 'README.md', line: 8},
    },
    {
      ...common,
      ...{name: 'rois', kind: 'input', dtypes: ['float32'], shapes: [['numRois', 5]], hasPlaces: true},
      place: {path: 'README.md', line: 9},
    },
    {
      ...common,
      ...{name: 'mask', kind: 'input', optional: true, dtypes: ['bool'], like: 'features'},
      ranks: [0, 1, 2, 3, 4, 5, 6, 7, 8],
      place: {path: 'README.md', line: 10},
    },
    {
      ...common,
      ...{name: 'pooled_height', kind: 'attribute', dtypes: ['int64'], range: [1, 64], default: 7},
      place: {path: 'README.md', line: 11},
    },
  ])
})

test('sentences and formulas tell what a table leaves open', () => {
  const page = `${table([
    ['x', '输入', '输入。', 'FLOAT', '-'],
    ['grid', '输入', '网格。', 'FLOAT', '-'],
    ['cos', '输入', '余弦。', 'FLOAT', '4'],
  ])}
$$
grid: (N, H_{out}, W_{out}, 2)\\\\
$$

- x，cos 要求为 4 维张量，shape 为（B，N，S，D）。
`
  const shapes = pageParameters(page, 'README.md').map(({name, shapes: one}) => [name, one])
  expect(shapes).toEqual([
    ['x', [['B', 'N', 'S', 'D']]],
    ['grid', [['N', 'H_out', 'W_out', 2]]],
    ['cos', [['B', 'N', 'S', 'D']]],
  ])
})

test('only another tensor of the page gives its shape', () => {
  const page = table([
    ['x', '输入', '输入。', 'FLOAT', '-'],
    ['weightOptional', '输入', 'shape第一维长度与x一致。', 'FLOAT', '-'],
    ['dtype', '属性', '输出的数据类型。', 'INT64', '-'],
    ['y', '输出', 'shape和dtype与x一致。', 'FLOAT', '-'],
    ['z', '输出', 'shape 与 dtype 均需与 `y` 一致。', 'FLOAT', '-'],
    ['grad', '输出', '形状与输入weight一致。', 'FLOAT', '-'],
    ['mask', '输出', '与`x`shape相同。', 'FLOAT', '-'],
    ['resized', '输出', 'shape的N轴和C轴与x一致。', 'FLOAT', '-'],
    ['sized', '输出', 'shape仅支持4维，且N轴和C轴与输入x shape的N轴和C轴保持一致。', 'FLOAT', '-'],
    ['rows', '输出', 'shape长度与numRows一致。', 'FLOAT', '-'],
    ['wide', '输出', 'shape与xbroadcast后的形状一致。', 'FLOAT', '-'],
  ])
  const found = pageParameters(page, 'README.md').map(({name, like}) => [name, like])
  expect(Object.fromEntries(found)).toEqual({
    ...{x: undefined, weightOptional: undefined, dtype: undefined, resized: undefined, rows: undefined},
    ...{y: 'x', z: 'y', grad: 'weight', mask: 'x', wide: undefined, sized: undefined},
  })
})

describe('what is a shape', () => {
  test.each([
    ['shape (4, N)', [[4, 'N']]],
    [
      '(1, 1, 1, D)或(B, 1, 1, D)',
      [
        [1, 1, 1, 'D'],
        ['B', 1, 1, 'D'],
      ],
    ],
    ['[B, 2*N]', [['B', '2*N']]],
    ['(x1, y1, x2, y2)', []],
    ['[x, y, w, h]', []],
    ['取值范围[0, 1]', []],
    ['(公式中的x)', []],
    ['仅取x3[0]作为乘数, inputSizes[dim]', []],
    ['image_id取值范围[0, B), shape为(K, 5)', [['K', 5]]],
    ['rois: shape[K, 5]', [['K', 5]]],
  ])('%s', (text, shapes) => expect(dimensionsIn(text)).toEqual(shapes))

  test.each([
    ['2-4', '', [2, 3, 4]],
    ['1、2', '', [1, 2]],
    ['-', '输入图像的四维Tensor', [4]],
    ['支持2维到3维', '', [2, 3]],
    ['-', '最后1维大小为4', []],
    ['-', '在第2维上求和', []],
  ])('%s %s', (column, description, ranks) => expect(ranksIn(column, description)).toEqual(ranks))
})
