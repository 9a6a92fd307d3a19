import {expect, test} from 'vitest'
import {proseFault} from '../../../datasets/gates/row-words.ts'
import type {Language} from '../../../datasets/voice.ts'

test.each<[what: string, language: Language, text: string]>([
  [
    'addresses that everybody can open',
    'en',
    'See [the page](https://www.hiascend.com/a.md) and <https://a.org/b.png>.',
  ],
  ['subscripts beside brackets', 'zh', '记 `y`[i](i 从 0 起)，$[a](b.md)$ 为公式。'],
  [
    'names of code and formulas',
    'zh',
    '用 `DataCopyPad` 搬运，$y_i = \\max(x_i, 0)$，数据类型 float16 或 bfloat16_t。',
  ],
  ['comments of code', 'en', 'Write it:\n\n```cpp\n// 每个核处理的行数\nint rows;\n```\n'],
  [
    'code for whoever reads Chinese',
    'zh',
    '请补全：\n\n```cpp\n// every core takes as many rows as the ones before it\nint rows;\n```\n',
  ],
  ['folders of everybody', 'en', 'Set `ASCEND_HOME=/usr/local/Ascend` first.'],
  ['diagnostics with the names of the vendor', 'en', 'kernel_operator.h:12:3: error: no member `twin` of a twin'],
])('%s may stand in a row', (_, language, text) => {
  expect(proseFault(text, language)).toBeUndefined()
})

test.each<[reason: string, language: Language, text: string, detail: string]>([
  ['dead-link', 'zh', '参见[接口](../api/DataCopy.md)。', '[接口](../api/DataCopy.md)'],
  ['dead-link', 'zh', '见 ![](figures/a.png)', '![](figures/a.png)'],
  ['dead-link', 'en', 'As [below](#limits) says.', '[below](#limits)'],
  ['dead-link', 'en', 'See <a name="limits"></a>.', '<a name="limits">'],
  ['own-name', 'en', '```text\ntwin/data_copy.h:64: note: candidate\n```', 'twin/d'],
  ['own-name', 'en', 'declared as `twin::Placed(half)`', 'twin::'],
  ['own-name', 'en', '```text\n/tmp/x1/op_kernel/a.cpp:3:14: error: no\n```', '/tmp/x1/op_kernel/a.cpp:3:14'],
  ['two-languages', 'en', 'What the operator does: 逐元素相加.', '逐元素相加'],
  [
    'two-languages',
    'zh',
    '算子功能:Adds two tensors element by element and rounds the sum。',
    'Adds two tensors element by element and rounds',
  ],
])('%s is refused, with what is seen', (reason, language, text, detail) => {
  expect(proseFault(text, language)).toEqual({reason, detail})
})
