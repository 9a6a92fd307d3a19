import {describe, expect, test} from 'vitest'
import {parseDiagnostics, outwardLog} from '../../../eval/executors/diagnostics.ts'
import {plainKernelText} from '../../../eval/executors/kernel-text.ts'
import {linkerCall, parseVersion} from '../../../eval/executors/toolchain.ts'

test('clang and gcc messages are read with their places; quotes of source are not', () => {
  const log = [
    'In file included from unit.cpp:3:',
    "op_kernel/a.cpp:5:2: error: no member named 'Foo' in namespace 'AscendC'",
    ' AscendC::Foo(x);',
    ' ~~~~~~~~~^',
    'kernel_operator.h:26:24: note: candidate template ignored',
    'b.cpp:7: warning: odd [-Wodd=1]',
    'clang: error: no input files',
  ].join('\n')
  expect(parseDiagnostics(log)).toEqual([
    {
      severity: 'error',
      file: 'op_kernel/a.cpp',
      line: 5,
      column: 2,
      message: "no member named 'Foo' in namespace 'AscendC'",
    },
    {severity: 'note', file: 'kernel_operator.h', line: 26, column: 24, message: 'candidate template ignored'},
    {severity: 'warning', file: 'b.cpp', line: 7, column: 0, message: 'odd'},
    {severity: 'error', file: '', line: 0, column: 0, message: 'no input files'},
  ])
})

test('folders of this machine are taken out of a log', () => {
  expect(
    outwardLog('/w/x1/./op_kernel/a.cpp:1:1 in /cache/include/lib/b.h and ./c.cpp', ['/w/x1', '/cache/include/']),
  ).toBe('op_kernel/a.cpp:1:1 in lib/b.h and c.cpp')
})

test.each([
  ['twin/tensor.h:119:7: note: here', 'kernel_tensor.h:119:7: note: here'],
  ['twin/softmax.h:1:2: note: here', 'kernel_operator.h:1:2: note: here'],
  ['twin_host/library_tiling.h:1:2: note: here', 'tiling/tiling_api.h:1:2: note: here'],
  ["from 'twin::TensorTerm<float>' to 'float'", "from 'AscendC::TensorTerm<float>' to 'float'"],
  [
    "an lvalue of type 'twin::Scalar<float, __ubuf__ float>' (aka '__attribute__((address_space(2))) float')",
    "an lvalue of type '__ubuf__ float'",
  ],
  ["unknown type name 'TwinDefaultTiling'", "unknown type name 'DefaultTiling'"],
  ["macro 'TWIN_C_UNARY'", "macro 'ASCENDC_C_UNARY'"],
  ["redefinition of 'twin_entry_exp'", "redefinition of 'exp'"],
  ['  twin::Placed(p)[0] = u;', '  p[0] = u;'],
  ['2 errors generated when compiling for x86-64.', '2 errors generated.'],
  ["'y' is unavailable: cast to/from double precision", 'cast to/from double precision'],
  ["unknown type name 'twins'", "unknown type name 'twins'"],
])('a message is as the device’s compiler words it: %s', (said, outward) => expect(outwardLog(said, [])).toBe(outward))

test('launches behind a kernel become blanks that keep every place', () => {
  const text = 'void run()\n{\n    add<<<blocks, l2, stream>>>(x,\n        y);\n    a <<= 3;\n}\n'
  expect(plainKernelText(text)).toBe(
    'void run()\n{\n                                  \n          ;\n    a <<= 3;\n}\n',
  )
})

test('ASSERT behind a value gets a semicolon for its blank, and elsewhere none', () => {
  expect(plainKernelText('x = n ASSERT(n != 0);')).toBe('x = n;ASSERT(n != 0);')
  expect(plainKernelText('x = p.n\n    ASSERT(n != 0);')).toBe('x = p.n\n   ;ASSERT(n != 0);')
  for (const text of ['f(); ASSERT(n);', 'if (n > 0) ASSERT(n);', 'else ASSERT(n);', '{ ASSERT(n)'])
    expect(plainKernelText(text)).toBe(text)
})

test('arrays in UB become objects of the twin, and parameters stay', () => {
  const text = 'void f() {\n    __ubuf__ half x[4 * N], y[2][8];\n    __ubuf__ const float z[64];\n}\n'
  expect(plainKernelText(text)).toBe(
    'void f() {\n    twin::UbArray<half[4 * N]> x; twin::UbArray<half[2][8]> y;\n    twin::UbArray<const float[64]> z;\n}\n',
  )
  for (const other of [
    'void f(\n    __ubuf__ half x[4]);',
    '__ubuf__ half* x[4];',
    '{ __ubuf__ half* x = y[4]; }',
    '(__ubuf__ half x[4];',
  ])
    expect(plainKernelText(other)).toBe(other)
})

test('compilers are told apart by what they say of themselves', () => {
  expect(parseVersion('clang++-15', 'Debian clang version 15.0.6\nTarget: x')).toMatchObject({
    kind: 'clang',
    major: 15,
    cost: '',
  })
  expect(parseVersion('clang++', 'Ubuntu clang version 19.1.1 (1ubuntu1)')).toMatchObject({kind: 'clang', major: 19})
  expect(parseVersion('g++-12', 'g++-12 (Debian 12.2.0-14+deb12u1) 12.2.0')).toMatchObject({
    kind: 'gcc',
    major: 12,
    version: 'g++ (Debian 12.2.0-14+deb12u1) 12.2.0',
  })
  expect(parseVersion('c++', 'something else')).toBeUndefined()
})

describe('the call of the linker that a compiler prints', () => {
  const printed = (linker: string) =>
    `Debian clang version 15.0.6\nInstalledDir: /usr/bin\n "${linker}" "-shared" "-o" "@@output@@" "/lib/crti.o" "-L/a \\"b\\"" "@@inputs@@" "-lc"\n`

  test('is read part by part', () => {
    expect(linkerCall(printed('/usr/lib/llvm-15/bin/ld.lld'))).toEqual([
      '/usr/lib/llvm-15/bin/ld.lld',
      '-shared',
      '-o',
      '@@output@@',
      '/lib/crti.o',
      '-L/a "b"',
      '@@inputs@@',
      '-lc',
    ])
  })
  test('is of no use when it is another linker or leaves out our inputs', () => {
    expect(linkerCall(printed('/usr/bin/ld'))).toBeUndefined()
    expect(linkerCall(printed('/usr/bin/ld.lld').replace('"@@inputs@@"', ''))).toBeUndefined()
    expect(linkerCall('')).toBeUndefined()
  })
})
