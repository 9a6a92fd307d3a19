import {describe, expect, test} from 'vitest'
import {decodeEntities} from '../../datasets/entities.ts'
import {cppListings, listings} from '../../datasets/listings.ts'

const code = 'uint32_t tiles = total / length;\nDataCopy(local, source[0], length);'

describe('C++ is found', () => {
  const written: Record<string, string> = {
    'in a fence with its tag': `\`\`\`cpp\n${code}\n\`\`\``,
    'in a fence without a tag': `\`\`\`\n${code}\n\`\`\``,
    'in a fence of a header': `\`\`\`h\n${code}\n\`\`\``,
    'in a fence of text': `\`\`\`text\n${code}\n\`\`\``,
    'in a fence of tildes': `~~~cpp\n${code}\n~~~`,
    'in a fence with attributes': `\`\`\`{.cpp .numberLines}\n${code}\n\`\`\``,
    'in a longer fence that holds marks': `\`\`\`\`cpp\n${code}\n\`\`\`\``,
    'in a fence inside a list': `1. so:\n\n      \`\`\`c++\n      ${code.replace('\n', '\n      ')}\n      \`\`\``,
    'in a fence inside a quotation': `> \`\`\`\n> ${code.replace('\n', '\n> ')}\n> \`\`\``,
    'in a fence that nobody closes': `\`\`\`CPP\n${code}`,
    'in an indented block': `so:\n\n    ${code.replace('\n', '\n    ')}\n\nand on`,
    'in a block indented by a tab': `so:\n\n\t${code.replace('\n', '\n\t')}`,
    'in a pre element': `<pre class="x">${code}</pre>`,
    'in a pre element around a code element': `<PRE><code class="language-cpp">${code}</code></PRE>`,
  }
  test.each(Object.entries(written))('%s', (_, text) => {
    expect(cppListings(`before\n\n${text}\n`)).toEqual([code])
  })

  test('escaped', () => {
    expect(cppListings('<pre>LocalTensor&lt;half&gt; x = queue.DeQue&#60;half&#x3e;();</pre>')).toEqual([
      'LocalTensor<half> x = queue.DeQue<half>();',
    ])
  })

  test('by a declaration alone', () => {
    for (const declaration of [
      '__aicore__ inline void Add(LocalTensor<T>& dst)',
      'half __hfma(half x, half y)',
      'enum class Mode {\n  A,\n  B\n};',
      '#include "kernel_operator.h"',
    ]) {
      expect(cppListings(`\`\`\`\n${declaration}\n\`\`\``)).toEqual([declaration])
    }
  })
})

describe('no C++ is found', () => {
  const other: Record<string, string> = {
    shell: '```bash\nmkdir build && cd build;\ncmake ..; make -j;\n```',
    'shell without a tag': '```\ncd build\nexport A=b;\ncmake ..\n./demo;\n```',
    CMake: '```cmake\nadd_executable(demo main.cpp)\n```',
    'CMake without a tag': '```\ncmake_minimum_required(VERSION 3.16)\nadd_executable(demo main.cpp)\n```',
    Python: '```python\nx = torch.zeros(3);\n```',
    'a tree of folders': '```\n├── op_host   // tiling\n│   └── add.cpp\n```',
    'a printed result': '```text\nx: [1, 2, 3]\nresult: 0.5 1.1\n```',
    'a formula': '```\nz = x + y\n```',
    'a paragraph of a list':
      '1. first\n\n    The size (in bytes) is a multiple of 32; see below.\n    It has no limit.',
    'an empty fence': '```cpp\n\n```',
  }
  test.each(Object.entries(other))('in %s', (_, text) => {
    expect(cppListings(`before\n\n${text}\n\nafter`)).toEqual([])
  })
})

test('listings come with their tags, other languages included', () => {
  expect(listings('```Python title="a"\nx\n```\n<pre lang="c">y</pre>')).toEqual([
    {text: 'x', tag: 'python', kind: 'fence'},
    {text: 'y', tag: 'c', kind: 'pre'},
  ])
})

test('an entity that is none stays', () => {
  expect(decodeEntities('&lt;&unknown;&#0;&amp;lt;')).toBe('<&unknown;&#0;&lt;')
})

test('texts that begin alike have listings of their own, in whichever order they are asked for', () => {
  const text = 'Say:\n```cpp\nint a = 1;\n```\nand\n```\nint b = 2;\n```\n'
  const prefixes = Array.from(text, (_, length) => text.slice(0, length + 1))
  const growing = prefixes.map((one) => listings(one))
  const shrinking = prefixes.toReversed().map((one) => listings(one))
  expect(shrinking.toReversed()).toEqual(growing)
})
