import {expect, test} from 'vitest'
import {formulasOf} from '../../../../pipelines/documentation/formulas/candidates-of.ts'
import {normalLatex} from '../../../../pipelines/documentation/formulas/latex-form.ts'
import {pageFacts} from '../../../../pipelines/documentation/formulas/page-facts.ts'

const origin = {repository: 'r', revision: '1', path: 'a.md', licence: 'Apache-2.0'}
const page = (title: string, ...markdown: string[]) =>
  pageFacts({origin, title, language: 'zh', markdown: markdown.join('\n\n')})

const cpp = (code: string) => `\`\`\`cpp\n${code}\n\`\`\``

test('operands are the tensors and pointers of a prototype, by what they hold', () => {
  const tensors = 'const LocalTensor<T>& dstTensor, const LocalTensor<T>& src0Local, const LocalTensor<uint8_t>& tmp'
  expect(page('F', cpp(`void F(${tensors}, float* bias, int32_t count)`)).operands).toEqual([
    {result: 'dst', sources: ['src0', 'bias']},
  ])
  expect(page('F', cpp('void F(const LocalTensor<T>& dst, int32_t count)')).operands).toEqual([])
  expect(page('F', cpp('void F(const LocalTensor<T>& Local, const LocalTensor<T>& dst)')).operands).toEqual([])
  const twice = cpp('void F(float* y, float* x)\nvoid F(float* y, float* x, int n)')
  expect(page('F', twice).operands).toEqual([{result: 'y', sources: ['x']}])
  expect(page('F', '```python\nvoid F(float* y, float* x)\n```').operands).toEqual([])
  expect(page('F', '```\nvoid F(float* y, float* x)\n```').operands).toEqual([{result: 'y', sources: ['x']}])
})

test('equations stand in prose, and in listings that are no C++', () => {
  const equations = (...markdown: string[]) =>
    page('F', ...markdown).equations.map(({left, right}) => `${left} := ${right}`)
  expect(equations('其中 y = x + 1 为结果，z[i] = a。')).toEqual(['y := x + 1', 'z[i] := a'])
  expect(equations('- y = x\n- y = x')).toEqual(['y := x'])
  expect(equations('```\ny = x\nf(a, b) = a*b\n```')).toEqual(['y := x', 'f(a, b) := a*b'])
  expect(equations('```python\ny = x\n```')).toEqual(['y := x'])
  expect(equations(cpp('y = x'), '```C\ny = x\n```', '```c++\ny = x\n```')).toEqual([])
  expect(equations('| 公式 |\n| --- |\n| y = x |')).toEqual([])
  expect(equations('y == x')).toEqual([])
})

test('words of a page are those of its title and text, and the stems of its operands', () => {
  const facts = page('Pad v2.5', 'The Width is 16, 宽。', cpp('void Pad(float* dstLocal, float* srcLocal)'))
  for (const word of ['pad', 'v2', 'width', '16', 'dst', 'src', 'dstlocal']) expect(facts.words).toContain(word)
  expect([...facts.words].filter((word) => /[A-Z]/.test(word))).toEqual([])
  expect([facts.words.has('宽'), facts.title]).toEqual([false, 'Pad v2.5'])
})

const forms = (title: string, ...markdown: string[]) => {
  const all = new Set(formulasOf(page(title, ...markdown)).map(normalLatex))
  return (...latex: string[]) => latex.map((one) => all.has(normalLatex(one)))
}

test('what interfaces compute is known by their names, with the operands of the page and of mathematics', () => {
  const add = forms('Add', cpp('void Add(float* out, float* in0, float* in1)'))
  expect(add('out=in0+in1', 'out_i=in0_i+in1_i', 'dst=src0+src1', 'Add(in0)=in0+in1', 'add(in0)=in0+in1')).toEqual(
    Array(5).fill(true),
  )
  expect(add('y=x+b', 'out=in0', 'out=in0-in1')).toEqual([false, false, false])
  expect(forms('Abs-12')('y=|x|', 'dst=|src|')).toEqual([true, true])
  expect(forms('Abs（正数）')('y=|x|')).toEqual([true])
  expect(forms('Unknown')('y=|x|')).toEqual([false])
})

test('what the page writes is a candidate, with the index of operands', () => {
  const page = forms('Scale', 'scaled = -src * pow(max(other, 1), 2)', cpp('void Scale(float* dst, float* src)'))
  const right = (src: string) => `-${src}\\times\\max(other,1)^{2}`
  expect(page(`scaled=${right('src')}`, `scaled_i=${right('src_i')}`, `scaled=${right('src_i')}`)).toEqual([
    true,
    true,
    false,
  ])
  expect(forms('Scale', 'scaled = a b')('scaled=ab')).toEqual([false])
  expect(forms('Scale', 'f(x) = x + 1')('\\mathrm{f}(x)=x+1')).toEqual([true])
})
