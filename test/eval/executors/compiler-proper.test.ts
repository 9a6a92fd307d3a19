import {expect, test} from 'vitest'
import {properArguments, properCall} from '../../../eval/executors/compiler-proper.ts'

test.each<[string, string[], string[]]>([
  ['an object', ['-O0', '-c', 'a.cpp', '-o', 'a.o'], ['-O0', '-emit-obj', '-x', 'c++', 'a.cpp', '-o', 'a.o']],
  ['a look', ['-fsyntax-only', 'a.cpp'], ['-fsyntax-only', '-x', 'c++', 'a.cpp']],
  ['a header before', ['-include-pch', 'h.pch', 'a'], ['-fno-validate-pch', '-include-pch', 'h.pch', 'a']],
  ['the files that were read', ['-MMD', '-MF', 'a.d', 'a'], ['-dependency-file', 'a.d', '-MT', 'object', 'a']],
  ['a header to be', ['-x', 'c++-header', 'h.h', '-o', 'h'], ['-emit-pch', '-x', 'c++', 'h.h', '-o', 'h']],
  ['another language', ['-x', 'c', 'a'], ['-x', 'c', 'a']],
  ['a value that looks like an option', ['-include-pch', '-c'], ['-fno-validate-pch', '-include-pch', '-c']],
  ['nothing', [], []],
])('the compiler proper is asked for %s in its own words', (_what, driver, proper) => {
  expect(properArguments(driver, 'c++')).toEqual(proper)
  const cuda = proper.map((word, at) => (word === 'c++' && proper[at - 1] === '-x' ? 'cuda' : word))
  expect(properArguments(driver, 'cuda')).toEqual(cuda)
})

test('gcc is called as it is', async () => {
  const gcc = {command: '/no/such/g++', kind: 'gcc', major: 12, version: 'g++ 12'} as never
  expect(await properCall(gcc)).toBeUndefined()
})
