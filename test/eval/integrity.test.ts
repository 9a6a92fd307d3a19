import {describe, expect, test} from 'vitest'
import {describeCheat, findDegenerate, inspectSources} from '../../eval/integrity.ts'
import {encode} from '../../datasets/dtype.ts'

const kernel = (text: string) => [{path: 'op_kernel/add.cpp', text}]
const host = (text: string) => [{path: 'op_host/add.cpp', text}]
const rulesOf = (files: {path: string; text: string}[]) => inspectSources(files).map(({rule}) => rule)

describe('inspectSources', () => {
  test.each([
    ['forbidden-include', '#include <fstream>'],
    ['forbidden-include', '#  include "/etc/passwd"'],
    ['forbidden-include', '#include <sys/socket.h>'],
    ['reads-the-reference', 'const char* path = "../validation/reference.ts";'],
    ['includes-bytes', 'const char* s = ".incbin \\"y.bin\\"";'],
    ['calls-the-system', 'auto* file = fopen(name, "r");'],
    ['calls-the-system', 'std::system("ls");'],
    ['calls-the-system', 'void* lib = ::dlopen(name, 0);'],
    ['inline-assembly', 'asm volatile("nop");'],
    ['runs-outside-the-kernel', 'std::thread worker(run);'],
    ['runs-outside-the-kernel', '__attribute__((constructor)) void before() {}'],
    ['calls-a-finished-operator', 'aclnnAdd(workspace, size, executor, stream);'],
    ['touches-the-judge', 'twin::Fail({});'],
    ['stored-results', `const float table[] = {${Array.from({length: 64}, (_, i) => `${i}.5f`).join(', ')}};`],
  ])('%s: %s', (rule, text) => {
    expect(rulesOf(kernel(`int a;\n${text}\n`))).toEqual([rule])
    expect(inspectSources(kernel(`int a;\n${text}\n`))[0]?.line).toBe(2)
  })

  const numbers = (count: number, from = 0) => Array.from({length: count}, (_, i) => `${from + i}.5f`).join(', ')
  const raw = (text: string) => `const char* s = R"x(${text})x"; `

  // What a search of the text does not see.
  test.each([
    ['calls-the-system', '(getenv)("X");'],
    ['calls-the-system', 'auto* f = &fopen;'],
    ['calls-the-system', 'auto f = fopen;'],
    ['calls-the-system', 'auto f = system;'],
    ['calls-the-system', 'void* table[] = {(void*)std::system};'],
    ['calls-the-system', 'run(&::fork);'],
    ['calls-the-system', `${raw('"')}system("ls"); ${raw('"')}`],
    ['calls-the-system', 'int n = 1\'000; system("ls"); int m = 1\'000;'],
    ['calls-the-system', 'sys\\\ntem("ls");'],
    ['calls-the-system', 'fop\\  \nen("x");'],
    ['calls-the-system', '#define RUN(f) f("ls")\nint r = RUN(system);'],
    ['calls-the-system', '#define CAT(a, b) a##b\nauto r = CAT(fo, pen)("x", "r");'],
    ['calls-the-system', '#define A fo\n#define J(a, b) J2(a, b)\n#define J2(a, b) a %:%: b\nauto r = J(A, pen);'],
    ['calls-the-system', 'auto r = __CONCAT(get, env)("X");'],
    ['calls-the-system', 'using namespace std;\nint r = raise(SIGXCPU);'],
    ['calls-the-system', 'rlimit r{1, 1}; setrlimit(RLIMIT_CPU, &r);'],
    ['calls-the-system', "auto c = u'\\''; auto f = fopen; auto d = '\"';"],
    ['forbidden-include', '#define H <dlfcn.h>\n#include H'],
    ['forbidden-include', '#define H "/etc/passwd"\n#include H'],
    ['forbidden-include', '%: include <fstream>'],
    ['forbidden-include', '#/* */include/* */<fstream>'],
    ['forbidden-include', '#inc\\\nlude <fstr\\\neam>'],
    ['forbidden-include', '#include_next <dlfcn.h>'],
    ['forbidden-include', '#include "../../../../etc/hostname"'],
    ['reads-the-reference', 'const char* p = "../valid" "ation/reference.ts";'],
    ['reads-the-reference', '#define S(x) #x\nconst char* p = S(module.py);'],
    ['reads-the-reference', 'const char* p = R"(golden.bin)";'],
    ['includes-bytes', 'const char* s = "\\x2eincbin";'],
    ['includes-bytes', 'const char* s = ".inc" "bin";'],
    ['inline-assembly', '#define A as##m\n#define P(a, b) a##b\nP(a, sm)("nop");'],
    ['inline-assembly', 'int f() __asm__("system");'],
    ['runs-outside-the-kernel', '[[gnu::constructor]] void before() {}'],
    ['runs-outside-the-kernel', '[[using gnu: constructor(101)]] void before() {}'],
    ['runs-outside-the-kernel', '<:<:gnu::constructor:>:> void before() {}'],
    ['runs-outside-the-kernel', '__attribute__((used, __destructor__)) void after() {}'],
    ['runs-outside-the-kernel', '__attribute__((section(".init_array"))) void (*p)() = before;'],
    ['runs-outside-the-kernel', '#define EARLY __attribute__((constructor))\nEARLY void before() {}'],
    ['runs-outside-the-kernel', '#pragma clang section text=".init"'],
    ['runs-outside-the-kernel', '_Pragma("clang section text=\\".init\\"") void f() {}'],
    ['runs-outside-the-kernel', '#pragma redefine_extname f system'],
    ['runs-outside-the-kernel', '#pragma clang attribute push(__attribute__((constructor)), apply_to = function)'],
    ['runs-outside-the-kernel', 'using namespace std;\nthread worker(run);'],
    ['runs-outside-the-kernel', 'namespace s = std;\ns::thread worker(run);'],
    ['runs-outside-the-kernel', 'std /* */ :: /* */ ifstream in("x");'],
    ['calls-a-finished-operator', '(aclnnAdd)(workspace, size, executor, stream);'],
    ['calls-a-finished-operator', 'auto f = &aclnnAdd;'],
    ['calls-a-finished-operator', 'namespace t = at;'],
    ['touches-the-judge', 'using namespace twin;'],
    ['touches-the-judge', '#ifdef TWIN_CUBE_CORE\n#endif'],
    ['touches-the-judge', 'twin :: Fail({});'],
    ['stored-results', `float a[] = {${numbers(40)}};\nfloat b[] = {${numbers(40, 40)}};`],
    ['stored-results', `float a[2][32] = {{${numbers(32)}}, {${numbers(32)}}};`],
    ['stored-results', `#define T ${numbers(40)}\nfloat a[] = {T, T};`],
    ['stored-results', Array.from({length: 128}, (_, i) => `t[${i}] = ${i}.25f;`).join(' ')],
    ['stored-results', Array.from({length: 26}, (_, i) => `S s${i}{${numbers(5, 5 * i)}};`).join(' ')],
    ['stored-results', `const char* t = "${'\\x3f'.repeat(256)}";`],
  ])('%s: %s, whatever it looks like', (rule, text) => {
    expect(new Set(rulesOf(kernel(`int a;\n${text}\n`)))).toEqual(new Set([rule]))
  })

  test('a macro of one file is seen through in another, and the finding names the line that uses it', () => {
    const files = [
      {path: 'op_kernel/names.h', text: '#define JOIN(a, b) a##b\n'},
      {path: 'op_kernel/add.cpp', text: '#include "names.h"\nint x;\nauto f = JOIN(dl, open)(0, 1);\n'},
    ]
    expect(inspectSources(files)).toEqual([
      {rule: 'calls-the-system', path: 'op_kernel/add.cpp', line: 3, seen: 'dlopen('},
    ])
  })

  test.each([
    '// fopen(name) would be a way around\n/* asm */ int a;',
    'const char* text = "call system(now)";',
    'queue.system(3); object->socket(); mySystem(1); file.fork();',
    'constexpr float coefficients[] = {0.044715f, 1.5957691f, -3.92f, 8.8f};',
    '#include <cstdio>\n#include <algorithm>\n#include "kernel_operator.h"\n#include "../op_host/add_tiling.h"',
    '#pragma once\nprintf("%d system(1) golden", n);',
    `const char* s = R"(fopen("x") */ ' )"; int n = 1'000'000; char c = '"'; // isn't asm`,
    'bool signal = true; if (signal) run(signal); void f(int open, int system) { g(open, system); }',
    'int constructor = 1; section(constructor); x[constructor] = section[1];',
    'std::thread_local_storage x; thread y; std::vector<int> fork; q.async(1);',
    'uint32_t goldenRatio = 3; reference.ts = 1; x = validation / 2; aclnnStatus status = f();',
    'vector<::std::pair<int, int>> x; auto y = a<:0:>;',
    '#define LIST(x, ...) f(x, ##__VA_ARGS__)\nLIST(1); LIST(1, 2);\n#define SELF SELF + 1\nint z = SELF;',
    "#if 0\nthis isn't code\n#endif\nint a; /* asm */ ",
    `#error "no system(here)"\nstatic_assert(n > 0, "asm");`,
    'DataCopyParams p{1, 2, 0, 0}; '.repeat(40),
  ])('finds nothing in %s', (text) => {
    expect(rulesOf(kernel(text))).toEqual([])
  })

  test('a tiling function may read the values of an input only when the definition declares it', () => {
    const read = 'auto* data = context->GetInputTensor(1)->GetData<int64_t>();'
    expect(rulesOf(host(read))).toEqual(['host-reads-input-values'])
    expect(rulesOf(host(`${read}\nthis->Input("axis").ValueDepend(REQUIRED);`))).toEqual([])
  })
})

describe('findDegenerate', () => {
  const bytes = (...values: number[]) => [encode(values, 'float32')]
  const inputs = [bytes(1, 2, 3, 4), bytes(5, 6, 7, 8)] as const
  const expected = [bytes(2, 4, 6, 8), bytes(10, 12, 14, 16)] as const
  const runs = (outputs: readonly [Uint8Array[], Uint8Array[]]) =>
    outputs.map((output, index) => ({inputs: inputs[index] ?? [], outputs: output, expected: expected[index] ?? []}))

  test('sees an output that does not depend on the input', () => {
    expect(findDegenerate(runs([bytes(2, 4, 6, 8), bytes(2, 4, 6, 8)]))).toContain('the same whatever the inputs are')
  })
  test('sees an input handed through', () => {
    expect(findDegenerate(runs([inputs[0], inputs[1]]))).toBe('the output is a copy of input 0')
  })
  test('sees an output that was never written: zeros once, poison the next time', () => {
    expect(findDegenerate(runs([bytes(0, 0, 0, 0), [new Uint8Array(16).fill(255)]]))).toContain('nothing was written')
  })
  test('leaves wrong but computed outputs alone', () => {
    expect(findDegenerate(runs([bytes(2, 4, 6, 9), bytes(10, 12, 14, 17)]))).toBeUndefined()
  })
  test('leaves an operator alone whose right answer is a copy', () => {
    expect(findDegenerate(inputs.map((input) => ({inputs: input, outputs: input, expected: input})))).toBeUndefined()
  })
})

test('a verdict of cheating says what was seen, and whether the literal rule was satisfied', () => {
  const executor = {name: 'twin', fingerprint: 'f', compiler: 'c', soc: 's'}
  const cheat = {outcome: 'cheated' as const, executor}
  const seen = {...cheat, rule: 'calls-the-system', detail: 'op_host/a.cpp line 3: fopen(', literal: false}
  expect(describeCheat(seen)).toBe('calls-the-system: op_host/a.cpp line 3: fopen(')
  expect(describeCheat({...cheat, rule: 'not-computed', detail: 'the output is constant', literal: true})).toBe(
    'passes the literal check of every case, but the output is constant',
  )
})
