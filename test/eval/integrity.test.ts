import {describe, expect, test} from 'vitest'
import {describeCheat, findDegenerate, inspectSources} from '../../eval/integrity.ts'
import {encode} from '../../datasets/dtype.ts'
import {hiddenCheats, plainCheats} from '../helpers/cheating-texts.ts'
import {golden} from '../helpers/golden.ts'

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
    'SUB-BEH-005, passes the literal check of every case, but the output is constant',
  )
})

test('a finding names the line and the words that a person would look for', () => {
  const lines = [...plainCheats, ...hiddenCheats].flatMap(([, text]) =>
    inspectSources(kernel(`int a;\n${text}\n`)).map(({rule, line, seen}) => `${line} ${rule}: ${seen}`),
  )
  golden('test/fixtures/told/cheats.txt', `${lines.join('\n')}\n`)
})

describe('numbers and bytes may be stored up to a limit', () => {
  const list = (count: number, from = 0) => `{${Array.from({length: count}, (_, at) => `${from + at}.5f`).join(', ')}}`
  const same = (count: number) => `{${Array.from({length: count}, () => '1.5f').join(', ')}}`
  const lists = (...texts: string[]) => texts.map((text, at) => `float a${at}[] = ${text};`).join('\n')
  const bytes = (count: number) => `const char* s = "${'\\\\x01'.repeat(count)}";`.replaceAll('\\\\', '\\')
  const assigned = (count: number) => Array.from({length: count}, (_, at) => `a[${at}] = ${at}.25f;`).join('\n')
  const returned = (count: number) => Array.from({length: count}, (_, at) => `return -${at}.25f;`).join('\n')
  test.each<[string, string, string]>([
    ['in long lists, one and the same too', lists(same(63)), lists(same(64))],
    ['in long lists together', lists(same(31), same(32)), lists(same(32), same(32))],
    ['different ones in short lists', lists(...shortLists(127)), lists(...shortLists(128))],
    ['different ones that are assigned to places', assigned(127), assigned(128)],
    ['different ones that are returned', returned(127), returned(128)],
    ['escaped bytes of strings', bytes(255), bytes(256)],
  ])('%s', (_, taken, refused) => {
    expect(rulesOf(kernel(taken))).toEqual([])
    expect(rulesOf(kernel(refused))).toEqual(['stored-results'])
  })

  test('a list counts as long from sixteen numbers on', () => {
    expect(rulesOf(kernel(lists(...Array.from({length: 20}, () => same(15)))))).toEqual([])
    expect(rulesOf(kernel(lists(...Array.from({length: 4}, () => same(16)))))).toEqual(['stored-results'])
  })

  function shortLists(count: number): string[] {
    return Array.from({length: Math.ceil(count / 10)}, (_, at) => list(Math.min(10, count - 10 * at), 10 * at))
  }
})

test.each<[string, string[]]>([
  ['using namespace std; thread t(f);', ['runs-outside-the-kernel']],
  ['using namespace ::std; thread t(f);', ['runs-outside-the-kernel']],
  ['using namespace other; thread t(f);', []],
  ['namespace s = std; s::thread t(f);', ['runs-outside-the-kernel']],
  ['namespace s = ::std; s::thread t(f);', ['runs-outside-the-kernel']],
  ['namespace s = other; s::thread t(f);', []],
  ['other::thread t(f);', []],
  ['using namespace std; auto r = async(f);', ['runs-outside-the-kernel']],
  ['using namespace std; int async = 1; async += 1;', []],
  ['using namespace twin;', ['touches-the-judge']],
  ['namespace t = twin;', ['touches-the-judge']],
  ['using namespace at;', ['calls-a-finished-operator']],
  ['int at = 1; a.at(at);', []],
  ['f(&aclnnAdd);', ['calls-a-finished-operator']],
  ['x.aclnnAdd(1); int aclnnAdd = 2;', []],
  ['twin_step(1);', ['touches-the-judge']],
  ['int twin_step = 1;', []],
  ['auto f = system;', ['calls-the-system']],
  ['auto f = ::system;', ['calls-the-system']],
  ['auto f = std::system;', ['calls-the-system']],
  ['(system)("ls");', ['calls-the-system']],
  ['int system = 1; f(system);', []],
])('%s', (text, rules) => {
  expect(rulesOf(kernel(text))).toEqual(rules)
})

test.each<[string, string[]]>([
  // Other operators of a repository are not here: only folders of this machine are refused.
  ['#include "../../other/x.h"', []],
  ['#include "../x.h"', []],
  ['#include "../../etc/x.h"', ['forbidden-include']],
  ['#include "../op_host/../x.h"', []],
  ['#include "etc/x.h"', []],
])('of a file in op_kernel, %s', (text, rules) => {
  expect(rulesOf(kernel(text))).toEqual(rules)
})

describe('the host may not read what the kernel is to compute with', () => {
  test.each<[string, string[]]>([
    ['context->GetInputTensor(0)->GetData<float>();', ['host-reads-input-values']],
    ['context->GetInputTensor(0)->GetAddr();', ['host-reads-input-values']],
    ['context->GetOptionalInputTensor(0)->GetAddr();', ['host-reads-input-values']],
    ['auto* t = context->GetInputTensor(0); auto* d = other->GetData<float>();', []],
    ['context->GetInputTensor(0)->GetStorageShape();', []],
    ['GetInputTensor = 1; x->GetData<float>();', []],
    ['auto p = Make(0)->GetData<float>();', []],
    ['context->GetRequiredInputTensor(0)->GetData<float>();', ['host-reads-input-values']],
    ['context->GetDynamicInputTensor(0, 1)->GetAddr();', ['host-reads-input-values']],
    ['context->GetInputTensor(0)->GetData(1);', []],
    ['context->GetInputTensor(0)->GetAddr<float>;', []],
  ])('%s', (text, rules) => {
    expect(rulesOf(host(text))).toEqual(rules)
    expect(rulesOf(kernel(text))).toEqual([])
    for (const declared of ['ValueDepend', 'Scalar', 'ScalarList'])
      expect(rulesOf([...host(text), {path: 'op_host/def.cpp', text: `input.${declared}(x);`}])).toEqual([])
    expect(rulesOf([...host(text), {path: 'op_host/def.cpp', text: 'ValueDepend(x); input.Scalar = 1;'}])).toEqual(
      rules,
    )
  })
})

describe('what is degenerate is told from what is wrong', () => {
  const floats = (...values: number[]) => encode(values, 'float32')
  const run = (inputs: Uint8Array[], outputs: Uint8Array[], expected: Uint8Array[]) => ({inputs, outputs, expected})

  test('one run alone shows nothing', () => {
    expect(findDegenerate([])).toBeUndefined()
    expect(findDegenerate([run([floats(1, 2)], [floats(1, 2)], [floats(2, 4)])])).toBeUndefined()
  })

  test('the same bytes are right where the same bytes are expected', () => {
    const [out, want] = [[floats(1, 2, 3)], [floats(2, 3, 4)]]
    const same = [run([floats(1)], out, want), run([floats(2)], out, want)]
    expect(findDegenerate(same)).toBeUndefined()
  })

  test('a copy of the second input is named by its number, and every output has to be it', () => {
    const [a, b, c, d] = [floats(1, 2, 3), floats(4, 5, 6), floats(7, 8, 9), floats(3, 2, 1)]
    const want = [floats(9, 9, 8)]
    expect(findDegenerate([run([a, b], [b], want), run([c, d], [d], want)])).toBe('the output is a copy of input 1')
    expect(findDegenerate([run([a, b], [b], want), run([c, d], [c], want)])).toBeUndefined()
    expect(findDegenerate([run([a, b], [b, a], [a, a]), run([c, d], [d, c], [c, c])])).toBeUndefined()
  })

  test('a run with fewer outputs is not the same as another', () => {
    const [a, b] = [floats(1, 2, 3), floats(4, 5, 6)]
    const some = run([a], [b, a], [a, a])
    expect(findDegenerate([some, run([b], [b], [b, b])])).toBeUndefined()
    expect(findDegenerate([some, run([b], [b, a], [b, b])])).toContain('the same whatever')
  })

  test('a uniform output is suspicious only beyond eight bytes, and only where another is expected', () => {
    const constant = (first: Uint8Array, second: Uint8Array, want = [floats(1, 2, 3)]) =>
      findDegenerate([run([floats(7, 6)], [first], want), run([floats(5, 4)], [second], want)])
    expect(constant(floats(5, 5, 5), floats(6, 6, 6))).toContain('a constant')
    expect(constant(floats(5, 5), floats(6, 6))).toBeUndefined()
    expect(constant(floats(5, 5, 5), floats(6, 6, 7))).toBeUndefined()
    expect(constant(floats(5, 5, 5), floats(6, 6, 6), [floats(2, 2, 2)])).toBeUndefined()
    expect(constant(floats(1, 2, 1, 2, 3), floats(1, 2, 1, 2, 4))).toBeUndefined()
  })
})
