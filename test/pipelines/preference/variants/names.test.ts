import {describe, expect, test} from 'vitest'
import type {Random} from '../../../../engine/random.ts'
import {nameRewrites} from '../../../../pipelines/preference/variants/names.ts'
import {firstAndReversed, rewriting} from './chance.ts'

const rewritten = rewriting(nameRewrites)
/** No word has a synonym. */
const noSynonyms: Random = {...firstAndReversed, unit: () => 0.75}
const klass = (lines: string) => `class K {\npublic:\n${lines}};\n`

describe('locals', () => {
  test.each([
    ['auto', 'auto tileLength = 1;', 'auto chunkLen = 1;'],
    ['a number', 'uint32_t totalNum = 1;', 'uint32_t fullCount = 1;'],
    ['what is in capitals', 'int IN_NUM = 1;', 'int INPUT_COUNT = 1;'],
    ['a capital alone', 'int tailR = 1;', 'int restRowIdx = 1;'],
    ['a letter alone', 'int i = 1;', 'int idx = 1;'],
    ['a word with digits', 'float sum2 = 1;', 'float acc2 = 1;'],
    ['words apart', 'size_t row_start(0);', 'size_t row_first(0);'],
    [
      'parameters',
      'void F(const LocalTensor<T>& outLocal, half in, int k);',
      'void F(const LocalTensor<T>& outputUb, half input, int k);',
    ],
    ['of the SDK', 'DataCopyExtParams copyParams{1};', 'DataCopyExtParams moveArgs{1};'],
    ['of the host', 'for (gert::Shape shape : all) { }', 'for (gert::Shape dims : all) { }'],
  ])('%s', (_, text, put) => expect(rewritten('rename-locals', text)).toBe(put))

  test.each([
    ['without a synonym', 'uint32_t foo = 1;'],
    ['of a block of 32 bytes, which is no core', 'uint32_t blockBytes = 32;'],
    ['a field of a class', 'uint32_t tail_ = 1; int m_tail = 1;'],
    ['that a structure of the SDK has', 'uint32_t blockLen = 1; int begin = 1;'],
    ['whose synonym is taken', 'uint32_t tail = rest;'],
    ['whose synonym a structure of the SDK has', 'uint32_t start = 1;'],
    ['that the build gives', 'int DTYPE_NUM = 1;'],
    ['in a directive', '#if tail\nuint32_t tail = 1;'],
    ['in a string', 'uint32_t tail = f("tail");'],
    ['of the entry', '__global__ void F(int tail) { uint32_t tail = 1; }'],
    ['that is registered', 'OP_ADD(tail); int tail = 1;'],
  ])('not one %s', (_, text) => expect(rewritten('rename-locals', text)).toBeUndefined())

  test('keep their names where no synonym is drawn', () => {
    expect(rewritten('rename-locals', 'int tail = 1;', {random: noSynonyms})).toBeUndefined()
    const random = {...firstAndReversed, unit: () => 0.74}
    expect(rewritten('rename-locals', 'int tail = 1;', {random})).toBe('int rest = 1;')
  })

  test('are renamed in code, and in comments where they are no plain word', () => {
    const text = 'int tail = 1; // the tail\nint tileLen = tail; // of tileLen and my_tail\n"tileLen of all";\n'
    expect(rewritten('rename-locals', text)).toBe(
      'int rest = 1; // the tail\nint chunkLen = rest; // of chunkLen and my_tail\n"tileLen of all";\n',
    )
  })

  test('of two that would get one name the second keeps its own', () => {
    expect(rewritten('rename-locals', 'int indexA = 1; int iA = 1;')).toBe('int idxA = 1; int iA = 1;')
    expect(rewritten('rename-locals', 'int numA = 1; int countA = 1; int tailA = 1;')).toBe(
      'int numA = 1; int countA = 1; int restA = 1;',
    )
  })
})

test('members are renamed of the kernel alone, and get a style of their own', () => {
  const text = klass('    void F()\n    {\n        length_ = 1;\n    }\n    uint32_t length_ = 0;\n    int m_row;\n')
  const put = (length: string, row: string) => text.replaceAll('length_', length).replaceAll('m_row', row)
  expect(rewritten('rename-members', text)).toBe(put('m_len', 'm_row'))
  expect(rewritten('rename-members', text, {random: noSynonyms})).toBe(put('mLength', 'mRow'))
  expect(rewritten('rename-members', text, {path: 'op_host/a.cpp'})).toBeUndefined()
})

test('methods are renamed but those that an entry calls; of the host static functions that give a number', () => {
  const text = klass('    void CopyIn() { }\n    void Init() { CopyIn(); }\n    void Process() { }\n    K() { }\n')
  expect(rewritten('rename-functions', text)).toBe(text.replaceAll('CopyIn', 'MoveInput'))
  const host = (head: string) => rewritten('rename-functions', `${head} RowNum() { }\n`, {path: 'op_host/a.cpp'})
  expect(host('static uint32_t')).toBe('static uint32_t RowCount() { }\n')
  expect(host('static int64_t')).toBe('static int64_t RowCount() { }\n')
  expect(host('uint32_t')).toBeUndefined()
  expect(host('static void')).toBeUndefined()
})

test('fields of the tiling are renamed with their accessors', () => {
  const text = 'TILING_DATA_FIELD_DEF(uint32_t, tailNum);\nt.set_tailNum(a); b = t.get_tailNum() + t.tailNum;\n'
  expect(rewritten('rename-tiling-fields', text)).toBe(text.replaceAll('tailNum', 'restCount'))
})

test('constants are renamed by their words, or in the style of others', () => {
  const text = 'constexpr uint32_t BUFFER_NUM = 2; constexpr int a = BUFFER_NUM;'
  expect(rewritten('rename-constants', text)).toBe(text.replaceAll('BUFFER_NUM', 'BUFFER_COUNT'))
  expect(rewritten('rename-constants', text, {random: noSynonyms})).toBe(text.replaceAll('BUFFER_NUM', 'kBufferNum'))
})

test('a class gets one of the names that classes of kernels have', () => {
  const named = (name: string, random = firstAndReversed) => {
    const text = rewritten('rename-class', `class ${name} {\n};\n`, {random})
    return /class (\w+)/.exec(text ?? '')?.[1]
  }
  const last: Random = {...firstAndReversed, pick: (items) => items.at(-1) as never}
  expect([named('Scale'), named('KernelScale'), named('ScaleKernel')]).toEqual([
    'KernelScale',
    'ScaleImpl',
    'KernelScale',
  ])
  expect([named('Scale', last), named('KernelScale', last), named('ScaleKernel', last)]).toEqual([
    'ScaleKernel',
    'ScaleKernel',
    'ScaleDevice',
  ])
  expect(rewritten('rename-class', 'class Scale {\n};\n', {path: 'op_host/a.cpp'})).toBeUndefined()
})

describe('this before the data of the class', () => {
  const text = (lines: string, rest = '    uint32_t n_ = 0;\n', given = '') =>
    klass(`    void F(${given})\n    {\n${lines}    }\n${rest}`)
  test('in its methods, where it stands alone', () => {
    expect(rewritten('explicit-this', text('        n_ = n_ + a.n_ + a->n_ + A::n_ + nn_;\n'))).toBe(
      text('        this->n_ = this->n_ + a.n_ + a->n_ + A::n_ + nn_;\n'),
    )
    const outside = `${text('        n_ = 1;\n')}int x = n_;\n`
    expect(rewritten('explicit-this', outside)).toBe(outside.replace('        n_', '        this->n_'))
    const made = klass('    K() { n_ = 1; }\n    void F() { n_ = 2; }\n    int n_;\n')
    expect(rewritten('explicit-this', made)).toBe(made.replace('n_ = 2', 'this->n_ = 2'))
  })
  test.each([
    ['no field by its name', text('        n = 1;\n', '    uint32_t n = 0;\n')],
    ['hidden by a parameter', text('        n_ = 1;\n', undefined, 'int n_')],
    ['hidden by a variable', text('        int n_ = 1;\n')],
    ['that would ask for template', text('        n_.Get<T>();\n')],
    ['that would ask for template behind an arrow', text('        n_->Get<T>();\n')],
    ['nowhere used', text('        f();\n')],
  ])('not %s', (_, kernel) => expect(rewritten('explicit-this', kernel)).toBeUndefined())
  test('of two fields the one that is not hidden', () => {
    const rest = '    int n_;\n    int m_;\n'
    expect(rewritten('explicit-this', text('        n_ = m_;\n', rest, 'int n_'))).toBe(
      text('        n_ = this->m_;\n', rest, 'int n_'),
    )
  })
})
