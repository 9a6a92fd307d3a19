import {expect, test} from 'vitest'
import {parseOperatorDefinitions} from '../../../cpp/op-def.ts'
import {plainKernelText} from '../../../eval/executors/kernel-text.ts'
import {entryName, kernelUnit, selectionSpaceOf, usedDtypeNames} from '../../../eval/executors/kernel-unit.ts'

const kernel = (name: string, parameters = 'GM_ADDR x, GM_ADDR y') =>
  `extern "C" __global__ __aicore__ void ${name}(${parameters})\n{\n}\n`

test('a kernel is the function named after the operator, else the last of its file', () => {
  expect(entryName(kernel('add_custom') + kernel('add_tail'), 'AddCustom')).toBe('add_custom')
  expect(entryName(kernel('max_pool3d'), 'MaxPool3D')).toBe('max_pool3d')
  expect(entryName(kernel('a') + kernel('b'))).toBe('b')
  expect(entryName('void plain() {}')).toBeUndefined()
})

test('a kernel in a branch for another chip is none', () => {
  const text = `#if __CCE_AICORE__ == 310\ntemplate <int N>\n${kernel('add_custom', '')}#else\n${kernel('add_custom')}#endif\n`
  expect(entryName(`#if __NPU_ARCH__ == 3510\n${kernel('late')}#endif\n${kernel('early')}`, 'Late')).toBe('early')
  expect(entryName(text)).toBe('add_custom')
})

test('types of a build are those that the code does not define itself', () => {
  const text = `
    #define DTYPE_MADE half
    constexpr int64_t DTYPE_FACTOR = 2;
    enum Kinds { DTYPE_SMALL, DTYPE_LARGE };
    template <typename DTYPE_ARGUMENT, uint32_t DTYPE_MODE> struct S { DTYPE_ARGUMENT a[DTYPE_MODE]; };
    using DTYPE_ALIAS = float;
    DTYPE_X x = DTYPE_FACTOR + DTYPE_SMALL;
    DTYPE_MADE m; DTYPE_ALIAS a;
    bool same = ORIG_DTYPE_Y == DT_FLOAT;`
  expect(usedDtypeNames(text)).toEqual(['X', 'Y'])
})

test('a definition that computes its parameters leaves their count to the entry', () => {
  const computed = 'class Made : public OpDef { explicit Made(const char* n) : OpDef(n) { AddInput(*this, "x"); } };'
  const [definition] = parseOperatorDefinitions(computed)
  if (!definition) throw new Error('the definition was not read')
  const entry = {
    path: 'op_kernel/made.cpp',
    text: kernel('made', 'GM_ADDR x, GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling'),
  }
  const unit = kernelUnit({entry, operator: 'Made', definition, dtypes: {}, tiling: '', cores: 'vector'})
  expect(unit).toContain('made(args[0], args[1], args[2], args[3]);')
})

test('template parameters may be declared in a namespace', () => {
  const inside = 'namespace Other { int a; }\nnamespace Keys {\nASCENDC_TPL_ARGS_DECL(Add, X);\n}\n'
  expect(selectionSpaceOf(['int b;', inside])).toBe('Keys::')
  expect(selectionSpaceOf(['namespace Other { int a; }\nASCENDC_TPL_ARGS_DECL(Add, X);\n'])).toBe('')
})

test('a header with template parameters and no guard is read once', () => {
  expect(plainKernelText('ASCENDC_TPL_ARGS_DECL(A, X);\n')).toBe('ASCENDC_TPL_ARGS_DECL(A, X);\n\n#pragma once\n')
  expect(plainKernelText('int a;\n')).toBe('int a;\n')
})
