import {describe, expect, test} from 'vitest'
import {looksLikeCpp} from '../../../datasets/listings.ts'
import {
  codeTokens,
  codeWords,
  foldedNames,
  normalForm,
  splitCode,
  words,
} from '../../../datasets/contamination/normalize.ts'

describe('words', () => {
  test('cuts Chinese into words and leaves numbers and Latin words whole', () => {
    expect(words('DataCopy 的搬运长度必须是32字节的整数倍。')).toEqual([
      'datacopy',
      '的',
      '搬运',
      '长度',
      '必须',
      '是',
      '32',
      '字节',
      '的',
      '整数倍',
    ])
  })

  test('does not see widths, case, punctuation or table marks', () => {
    expect(words('| ＵＢ　SIZE | `192 KB` |')).toEqual(words('ub size 192 kb'))
  })
})

const folded = (code: string) => foldedNames(codeTokens(code), undefined)

describe('words of code', () => {
  test('knows no comments and no layout', () => {
    expect(codeWords('a /* b */ += // c\n 1.5e-3f;')).toEqual(['a', '+=', '1.5e-3f', ';'])
  })

  test('keeps comment marks inside strings, plain and raw', () => {
    expect(codeWords('x = "// no"; y = R"d(/* " */)d";')).toEqual([
      'x',
      '=',
      '"// no"',
      ';',
      'y',
      '=',
      'R"d(/* " */)d"',
      ';',
    ])
  })

  test('reads a double closing bracket and two single ones alike', () => {
    expect(codeWords('A<B<int>> c;')).toEqual(codeWords('A<B<int> > c;'))
  })

  test("folds the author's names and keeps keywords and API calls", () => {
    const mine = 'LocalTensor<half> xLocal = inQueueX.AllocTensor<half>(); Muls(yLocal, xLocal, half(2), tileLength);'
    const theirs = 'LocalTensor<half> source = reader_.AllocTensor<half>(); Muls(target, source, half(2), n);'
    expect(folded(mine)).toEqual(folded(theirs))
    expect(folded(mine)).toContain('Muls')
    expect(folded(mine.replace('Muls', 'Adds'))).not.toEqual(folded(theirs))
  })

  test('survives what is not C++', () => {
    expect(codeWords('"open ` 文 /* never closed')).toEqual(['"', 'open', '`', '文'])
  })
})

describe('splitCode', () => {
  test('takes fences out of the prose, an unclosed one included', () => {
    expect(splitCode('before\n```cpp\nint a;\n```\nbetween\n~~~\nint b;\n~~~\nafter\n```\nint c;')).toEqual({
      prose: 'before\n\nbetween\n\nafter\n',
      code: ['int a;', 'int b;', 'int c;'],
    })
  })

  test('takes a bare C++ file for code and a page for prose', () => {
    const file = '#include "kernel_operator.h"\nclass A {\npublic:\n  int a;\n  int b;\n};\n'
    expect(looksLikeCpp(file)).toBe(true)
    expect(splitCode(file)).toEqual({prose: '', code: [file]})
    const chained =
      '/*!\n * \\file add_def.cpp\n * \\brief words words words\n */\n#include "register/op_def_registry.h"\nthis->Input("x")\n  .ParamType(REQUIRED)\n  .DataType({ge::DT_FLOAT})\n  .Format({ge::FORMAT_ND});\n'
    expect(looksLikeCpp(chained)).toBe(true)
    expect(
      looksLikeCpp('Use `#include "kernel_operator.h"` first.\nThen call the class.\nIt returns nothing;\nsee below.'),
    ).toBe(false)
  })
})

test('two answers with the same code and other comments have one normal form', () => {
  expect(normalForm('The  Code:\n```cpp\nint a; // one\n```')).toBe(normalForm('the code:\n\n```c++\nint a;\n```\n'))
})
