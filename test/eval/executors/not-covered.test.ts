import {describe, expect, test} from 'vitest'
import {missingNames, pastOurLimits} from '../../../eval/executors/not-covered.ts'
import {realExecutor, usesClang} from '../../helpers/real-executor.ts'

interface Said {
  message: string
  line?: string
  /** What stands at the place of the message; default the first name in quotes. */
  at?: string
  twin?: string[]
  headers?: 'sdk' | 'any'
}

function lacking({
  message,
  line = 'AscendC::CreateCubeResGroup(x); using namespace AscendC;',
  at = 'CreateCubeResGroup',
  twin = [],
  headers = 'sdk',
}: Said): string[] {
  const place = {file: 'op_kernel/k.cpp', line: 2, column: Buffer.from(line.slice(0, line.indexOf(at))).length + 1}
  const files = new Map([['op_kernel/k.cpp', `int a;\n${line}\n`]])
  return missingNames([{severity: 'error', message, ...place}], {twinNames: new Set(twin), files, headers})
}

describe('missing names', () => {
  const inNamespace = "no member named 'CreateCubeResGroup' in namespace 'AscendC'"
  test('are documented names that the twin has nowhere', () => {
    expect(lacking({message: inNamespace})).toEqual(['CreateCubeResGroup'])
    expect(lacking({message: "use of undeclared identifier 'AscendC::CreateCubeResGroup'", at: 'AscendC'})).toEqual([
      'CreateCubeResGroup',
    ])
    expect(lacking({message: "'CreateCubeResGroup' is not a member of 'AscendC'"})).toEqual(['CreateCubeResGroup'])
    expect(lacking({message: inNamespace, twin: ['CreateCubeResGroup']})).toEqual([])
    expect(lacking({message: "no member named 'Digamna' in namespace 'AscendC'"})).toEqual([])
    const ownName = "no member named 'Digamna' in namespace 'AscendC'"
    expect(lacking({message: ownName, line: 'AscendC::Digamna(x);', at: 'Digamna'})).toEqual([])
    const behindUmlauts = '/* ä€ */ AscendC::CreateCubeResGroup(x);'
    expect(lacking({message: inNamespace, line: behindUmlauts})).toEqual(['CreateCubeResGroup'])
  })

  test('are told where gcc points at the bracket of their call', () => {
    const undeclared = {message: "'CreateCubeResGroup' was not declared in this scope", at: '('}
    expect(lacking({...undeclared, line: 'x = CreateCubeResGroup (y);'})).toEqual(['CreateCubeResGroup'])
    expect(lacking({...undeclared, line: 'x = CreateCubeResGroups(y);'})).toEqual([])
    expect(lacking({...undeclared, line: 'x = Other(CreateCubeResGroup(y));'})).toEqual([])
  })

  test.each([
    '#pragma once',
    '#pragma GCC warning "x"',
    '#define FAIL error',
    '#if error\n#endif',
    '#include "line.h"',
  ])('are told beside %s, which words no message', (directive) => {
    const line = `AscendC::CreateCubeResGroup(x);\n${directive}`
    expect(lacking({message: inNamespace, line})).toEqual(['CreateCubeResGroup'])
  })

  test('may come from a macro of the candidate, which is where compilers place them', () => {
    const line = '#define RUN(x) AscendC::CreateCubeResGroup(x)\nvoid f() { RUN(1); }'
    const files = new Map([['k.cpp', line]])
    const found = {severity: 'error' as const, file: 'k.cpp', line: 2, column: 12, message: inNamespace}
    expect(missingNames([found], {twinNames: new Set(), files, headers: 'sdk'})).toEqual(['CreateCubeResGroup'])
  })

  test('are headers of the SDK, or any header when the whole project is inside the file', () => {
    const line = '#include "adv_api/hccl/hccl.h"'
    expect(lacking({message: "'adv_api/hccl/hccl.h' file not found", line, at: '"'})).toEqual(['adv_api/hccl/hccl.h'])
    const mine = {message: 'mine.h: No such file or directory', line: '#include <mine.h>', at: '<'}
    expect(lacking(mine)).toEqual([])
    expect(lacking({...mine, headers: 'any'})).toEqual(['mine.h'])
    const absolute = {message: "'/etc/passwd' file not found", line: '#include "/etc/passwd"', at: '"'}
    expect(lacking({...absolute, headers: 'any'})).toEqual([])
  })

  const plain = "use of undeclared identifier 'CreateCubeResGroup'"
  test.each<[string, Said]>([
    ['#error', {message: plain, line: `#error ${plain}`, at: 'error'}],
    ['a spliced #error', {message: plain, line: `#\\\nerror ${plain}`, at: '#'}],
    ['a static assertion', {message: `static assertion failed: ${inNamespace}`}],
    ['an unavailable function', {message: `'f' is unavailable: ${plain}`}],
    ['a pragma', {message: plain, line: `#pragma GCC error "${plain}"`, at: '"'}],
    ['a pragma in an operator', {message: plain, line: `_Pragma("GCC error \\"${plain}\\"")`, at: '_Pragma'}],
    [
      'diagnose_if on a function of that name',
      {message: plain, line: 'CreateCubeResGroup(); void CreateCubeResGroup() [[clang::diagnose_if(1)]];'},
    ],
    ['a pasted diagnose_if', {message: plain, line: 'CreateCubeResGroup();\n#define P(a, b) a##b\nP(diagnose, _if)'}],
    ['a moved line', {message: plain, line: 'CreateCubeResGroup();\n#line 2'}],
    ['a line marker', {message: plain, line: 'CreateCubeResGroup();\n# 2 "op_kernel/k.cpp"'}],
    [
      'a missing header that #error words',
      {message: "'lib/x.h' file not found", line: "#error 'lib/x.h' file", at: 'error', headers: 'any'},
    ],
    ['a place in a comment', {message: plain, line: 'f(1); // CreateCubeResGroup', at: 'f('}],
    ['a place in no file of the candidate', {message: plain, line: ' '.repeat(9), at: ' '}],
  ])('%s is an error of the candidate', (_, said) => expect(lacking(said)).toEqual([]))
})

test.each([
  ['graph/utils/op_desc_utils.h', false],
  ['graph/ge_tensor.h', false],
  ['impl/conv2d.h', false],
  ['adv_api/activation/log_softmax.h', false],
  ['lib/math/relu.h', false],
  ['graph/gnode.h', true],
  ['adv_api/hccl/hccl.h', true],
  ['impl/dav_c220/kernel_operator_mm_impl.h', true],
  ['opdev/op_log.h', true],
] as const)('of a folder whose headers are known, %s counts only when an SDK has it: %s', (path, known) => {
  for (const headers of ['sdk', 'any'] as const) {
    const said = {message: `'${path}' file not found`, line: `#include "${path}"`, at: '"', headers}
    expect(lacking(said)).toEqual(known ? [path] : [])
  }
})

test('a name counts where the SDK has it: on its side, in its namespace, in a build for the device', () => {
  const undeclared = (name: string, file: string, before = '') => {
    const found = {
      severity: 'error' as const,
      file,
      line: 2,
      column: 1,
      message: `use of undeclared identifier '${name}'`,
    }
    const files = new Map([[file, `${before}\n${name}(1);\n`]])
    return missingNames([found], {twinNames: new Set(), files, headers: 'sdk'})
  }
  const [name, using] = ['GetTanhTmpBufferFactorSize', 'using namespace AscendC;']
  expect(undeclared(name, 'op_host/a.cpp', using)).toEqual([name])
  expect(undeclared(name, 'op_host/a.cpp')).toEqual([])
  expect(undeclared(name, 'op_kernel/a.cpp', using)).toEqual([])
  expect(undeclared('CreateCubeResGroup', 'op_kernel/a.cpp', using)).toEqual(['CreateCubeResGroup'])
  // Declared for a build for the CPU alone (kernel_tpipe.h:514-519).
  expect(undeclared('GetBaseAddr', 'op_kernel/a.cpp', using)).toEqual([])
})

test('tensors past our own limits are not covered', () => {
  const limits = {fileBytes: 2 ** 32, memoryBytes: 2 ** 33}
  const outputs = (...counts: number[]) =>
    counts.map((count) => ({name: 'y', dtype: 'float32' as const, shape: [count]}))
  const judged = (...counts: number[]) => pastOurLimits({inputs: [], outputs: outputs(...counts)}, limits)
  expect(judged(2 ** 30)).toMatchObject({
    outcome: 'violated',
    violation: {rule: 'not-covered', message: 'tensors of more than 2.0 GiB: y has 4.0 GiB'},
  })
  expect(judged(2 ** 28, 2 ** 28)).toBeUndefined()
  expect(judged(...Array.from({length: 7}, () => 2 ** 28))).toMatchObject({outcome: 'violated'})
})

// The sentences are clang's; g++ has no `diagnose_if` and says less of a name that is no type.
describe.skipIf(!usesClang)('the compiler itself', () => {
  const verdict = async (text: string) =>
    (await realExecutor()).compile({
      side: 'kernel',
      text: `#include "kernel_operator.h"\n${text}\n`,
      tiling: '',
      dtypes: {},
    })

  test.each([
    'void f(AscendC::LocalTensor<float> x) { AscendC::CreateCubeResGroup(x, x, 8); }',
    'using namespace AscendC;\nvoid f(LocalTensor<float> x) { CreateCubeResGroup<float>(x, x, 8); }',
    '#define D(x) AscendC::CreateCubeResGroup(x, x, 8)\nvoid f(AscendC::LocalTensor<float> x) {\n  D(x);\n}',
    '#ifndef X\n#define X 1\n#else\n#error twice\n#endif\nAscendC::CreateCubeResGroup<float> y;',
  ])('places a missing name: %s', async (text) => {
    expect(await verdict(text)).toMatchObject({outcome: 'not-covered', missing: ['CreateCubeResGroup']})
  })

  test.each([
    "#error use of undeclared identifier 'CreateCubeResGroup'",
    "#\\\nerror no member named 'CreateCubeResGroup' in namespace 'AscendC'",
    `static_assert(false, "no member named 'CreateCubeResGroup' in namespace 'AscendC'");`,
    `__attribute__((unavailable("use of undeclared identifier 'CreateCubeResGroup'"))) void f();\nvoid g() { f(); }`,
    `#pragma GCC error "use of undeclared identifier 'CreateCubeResGroup'"`,
    `_Pragma("GCC error \\"use of undeclared identifier 'CreateCubeResGroup'\\"")`,
    `__attribute__((diagnose_if(1, "use of undeclared identifier 'CreateCubeResGroup'", "error"))) void CreateCubeResGroup();
void g() { CreateCubeResGroup(); }`,
    "#error 'op_common/vec.h' file not found",
    '#line 1 "kernel.cpp"\n#error use of undeclared identifier \'CreateCubeResGroup\'',
  ])('is not taken in by %s', async (text) => {
    expect((await verdict(text)).outcome).toBe('compile-failed')
  })
})
