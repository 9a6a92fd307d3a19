import {describe, expect, test} from 'vitest'
import {asPlainEntry, withTemplateValues} from '../../../../pipelines/code/specialise/template-entry.ts'

const declared = (list: string) => `ASCENDC_TPL_ARGS_DECL(Fold,\n${list}\n);\n`
const entryOf = (parameters: string, body: string) =>
  `template <${parameters}>\n__global__ __aicore__ void fold(GM_ADDR x, GM_ADDR t)\n{${body}}\n`
/** The body of an entry for a key; undefined where nothing of the text is replaced. */
function bodyFor(list: string, parameters: string, body: string, key: number): string | undefined {
  const text = `${declared(list)}${entryOf(parameters, body)}`
  const taken = withTemplateValues(text, 'fold', key)
  if (taken === text) return undefined
  const [head] = text.split(`{${body}}`)
  expect(taken.startsWith(`${head}{`) && taken.endsWith('}\n')).toBe(true)
  return taken.slice(head!.length + 1, -2)
}

const uint = (bits: string, values: string, kind = 'ASCENDC_TPL_UI_LIST') =>
  `ASCENDC_TPL_UINT_DECL(N, ${bits}, ${kind}, ${values})`

describe('a key tells what the template parameters of an entry are', () => {
  test.each<[what: string, list: string, parameters: string, body: string, key: number, taken: string | undefined]>([
    ['true is a bit that is set', 'ASCENDC_TPL_BOOL_DECL(A, 0, 1)', 'bool A', 'F(A);', 1, 'F(true);'],
    ['false one that is not', 'ASCENDC_TPL_BOOL_DECL(A, 0, 1)', 'bool A', 'F(A);', 0, 'F(false);'],
    [
      'the first stands in the lowest bits',
      'ASCENDC_TPL_BOOL_DECL(A, 0, 1), ASCENDC_TPL_BOOL_DECL(B, 0, 1), ASCENDC_TPL_BOOL_DECL(C, 0, 1)',
      'bool A, bool B, bool C',
      'F(A, B, C);',
      4,
      'F(false, false, true);',
    ],
    ['a number is a place in its list', uint('ASCENDC_TPL_2_BW', '10, 20, 30'), 'int N', 'F(N);', 2, 'F(30);'],
    ['the first place is 0', uint('ASCENDC_TPL_2_BW', '10, 20, 30'), 'int N', 'F(N);', 0, 'F(10);'],
    ['bits may be a bare number', uint('2', '10, 20, 30'), 'int N', 'F(N);', 1, 'F(20);'],
    ['only its own bits are read', uint('1', '10, 20'), 'int N', 'F(N);', 2, 'F(10);'],
    ['a place that the list has not', uint('2', '10, 20, 30'), 'int N', 'F(N);', 3, undefined],
    ['a range is no list', uint('2', '2, 0, 3', 'ASCENDC_TPL_UI_RANGE'), 'int N', 'F(N);', 0, undefined],
    ['bits by a name of their own', uint('WIDTH', '10, 20'), 'int N', 'F(N);', 0, undefined],
    ['bits are missing', 'ASCENDC_TPL_UINT_DECL(N)', 'int N', 'F(N);', 0, undefined],
    ['a format is 8 bits', 'ASCENDC_TPL_FORMAT_DECL(A, 2)', 'int A', 'F(A);', 258, 'F(2);'],
    [
      'what follows a format begins behind its 8 bits',
      'ASCENDC_TPL_FORMAT_DECL(A, 2), ASCENDC_TPL_BOOL_DECL(B, 0, 1)',
      'int A, bool B',
      'F(A, B);',
      258,
      'F(2, true);',
    ],
    ['types by their number', 'ASCENDC_TPL_DATATYPE_DECL(T, C_DT_FLOAT16)', 'typename T', 'F<T>();', 1, 'F<half>();'],
    ['or of a class', 'ASCENDC_TPL_DATATYPE_DECL(T, C_DT_BF16)', 'class T', 'F<T>();', 27, 'F<bfloat16_t>();'],
    ['a type that no tensor has', 'ASCENDC_TPL_DATATYPE_DECL(T, C_DT_X)', 'typename T', 'F<T>();', 5, undefined],
    ['more parameters than are declared', 'ASCENDC_TPL_BOOL_DECL(A, 0, 1)', 'bool A, bool B', 'F(A);', 1, undefined],
    [
      'fewer parameters than are declared',
      'ASCENDC_TPL_BOOL_DECL(A, 0, 1), ASCENDC_TPL_BOOL_DECL(B, 0, 1)',
      'bool A',
      'F(A);',
      1,
      undefined,
    ],
    ['a parameter without a name', 'ASCENDC_TPL_BOOL_DECL(A, 0, 1)', '', 'F(A);', 1, undefined],
    ['no whole key', 'ASCENDC_TPL_BOOL_DECL(A, 0, 1)', 'bool A', 'F(A);', 0.5, undefined],
    [
      'names of members and of other scopes stay',
      'ASCENDC_TPL_BOOL_DECL(A, 0, 1)',
      'bool A',
      'x.A = p->A + N::A + A + AB;',
      1,
      'x.A = p->A + N::A + true + AB;',
    ],
    [
      'a comment between says nothing',
      'ASCENDC_TPL_BOOL_DECL(A, 0, 1), // ASCENDC_TPL_BOOL_DECL(B, 0, 1)',
      'bool A',
      'if (A) { F(); }',
      1,
      'if (true) { F(); }',
    ],
  ])('%s', (_, list, parameters, body, key, taken) => {
    expect(bodyFor(list, parameters, body, key)).toBe(taken)
  })

  test.each([
    ['ASCENDC_TPL_BOOL_DECL(A, 0, 1)', ''],
    ['ASCENDC_TPL_DATATYPE_DECL(T, C_DT_X)', 'typename T'],
  ])('an entry that cannot be read stays a template: %s', (list, parameters) => {
    const text = declared(list) + entryOf(parameters, 'F();')
    expect(asPlainEntry(text, 'fold', 5)).toBe(text)
  })

  test('an entry of another name, without a declaration, or without an end, stays as it is', () => {
    const list = declared('ASCENDC_TPL_BOOL_DECL(A, 0, 1)')
    const entry = entryOf('bool A', 'F(A);')
    expect(withTemplateValues(list + entry, 'other', 1)).toBe(list + entry)
    expect(withTemplateValues(entry, 'fold', 1)).toBe(entry)
    expect(withTemplateValues(list + entry.slice(0, -2), 'fold', 1)).toBe(list + entry.slice(0, -2))
    expect(asPlainEntry(entry, 'fold', 1)).toBe(entry)
  })
})

test('as a plain function it has no template, no lists of keys and nothing that only these need', () => {
  const text = `#include "kernel_operator.h"
#include "ascendc/host_api/tiling/template_argument.h"
ASCENDC_TPL_ARGS_DECL(Fold, ASCENDC_TPL_BOOL_DECL(A, 0, 1));
ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_BOOL_SEL(A, 0)));

// What it folds.
template <bool A>
__global__ __aicore__ void fold(GM_ADDR x) { F(A); }
`
  expect(asPlainEntry(text, 'fold', 1)).toBe(`#include "kernel_operator.h"

// What it folds.
extern "C" __global__ __aicore__ void fold(GM_ADDR x) { F(true); }
`)
})

test('an entry that is extern "C" already is not made so again', () => {
  const list = declared('ASCENDC_TPL_BOOL_DECL(A, 0, 1)')
  const entry = 'template <bool A> extern "C" __global__ void fold(GM_ADDR x) { F(A); }\n'
  expect(asPlainEntry(list + entry, 'fold', 0)).toBe('extern "C" __global__ void fold(GM_ADDR x) { F(false); }\n')
})

test('a list that has no end is left', () => {
  const text = `ASCENDC_TPL_ARGS_DECL(Fold, ASCENDC_TPL_BOOL_DECL(A, 0, 1));
template <bool A> __global__ void fold(GM_ADDR x) { F(A); }
ASCENDC_TPL_SEL(A
`
  expect(asPlainEntry(text, 'fold', 1)).toBe(`extern "C" __global__ void fold(GM_ADDR x) { F(true); }
ASCENDC_TPL_SEL(A
`)
})
