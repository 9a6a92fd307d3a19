import {describe, expect, test} from 'vitest'
import {describeCheat, findDegenerate, inspectSources} from '../../eval/integrity.ts'
import {encode} from '../../eval/reference/dtype.ts'

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

  test.each([
    '// fopen(name) would be a way around\n/* asm */ int a;',
    'const char* text = "call system(now)";',
    'queue.system(3); object->socket(); mySystem(1); file.fork();',
    'constexpr float coefficients[] = {0.044715f, 1.5957691f, -3.92f, 8.8f};',
    '#include <cstdio>\n#include <algorithm>\n#include "kernel_operator.h"',
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
