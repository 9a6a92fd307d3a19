import {describe, expect, test} from 'vitest'
import {describeCheat, findDegenerate, inspectSources} from '../../eval/integrity.ts'
import {encode} from '../../datasets/dtype.ts'
import {hiddenCheats, plainCheats} from '../helpers/cheating-texts.ts'

const kernel = (text: string) => [{path: 'op_kernel/add.cpp', text}]
const host = (text: string) => [{path: 'op_host/add.cpp', text}]
const rulesOf = (files: {path: string; text: string}[]) => inspectSources(files).map(({rule}) => rule)

describe('inspectSources', () => {
  test.each(plainCheats)('%s: %s', (rule, text) => {
    expect(rulesOf(kernel(`int a;\n${text}\n`))).toEqual([rule])
    expect(inspectSources(kernel(`int a;\n${text}\n`))[0]?.line).toBe(2)
  })

  test.each(hiddenCheats)('%s: %s, whatever it looks like', (rule, text) => {
    expect(new Set(rulesOf(kernel(`int a;\n${text}\n`)))).toEqual(new Set([rule]))
  })

  test.each([...plainCheats, ...hiddenCheats])('%s: %s, at the very beginning of a file', (rule, text) => {
    expect(new Set(rulesOf(kernel(text)))).toEqual(new Set([rule]))
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
    '[[nodiscard]] int f() { return section; } [[maybe_unused]] int g = []() { return 1; }() + section;',
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
