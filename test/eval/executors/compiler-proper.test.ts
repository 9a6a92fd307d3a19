import {chmod, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {properArguments, properCall} from '../../../eval/executors/compiler-proper.ts'
import {languageFlags, type Compiler} from '../../../eval/executors/toolchain.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

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

test.each<[string, string | undefined, string[] | undefined]>([
  [
    'all but its files and the moment',
    '-cc1 -triple x86_64 -emit-obj -clear-ast-before-backend -main-file-name null -fdebug-compilation-dir=/here ' +
      '-fcoverage-compilation-dir=/here -O0 -std=c++17 -o object -x c++ /dev/null',
    ['-cc1', '-triple', 'x86_64', '-O0', '-std=c++17'],
  ],
  [
    'options that are only like those',
    '-cc1 -emit-obj-too -oo a -xx b',
    ['-cc1', '-emit-obj-too', '-oo', 'a', '-xx', 'b'],
  ],
  ['an option behind a value', '-cc1 -o /dev/null -O0 -x c++ -w', ['-cc1', '-O0', '-w']],
  ['no call of the compiler proper', '-O0 -cc1', undefined],
  ['nothing, for it failed', undefined, undefined],
])('of what a driver prints is kept: %s', async (_what, printed, kept) => {
  const command = join(await temporaryFolder(), 'clang++')
  const parts = ['/usr/lib/clang', ...(printed ?? '-cc1').split(' ')].map((part) => `"${part}"`).join(' ')
  // It answers to nothing but the question.
  const clang: Compiler = {command, kind: 'clang', major: 15, version: 'clang 15', cost: ''}
  const asked = [
    '-###',
    ...languageFlags(clang),
    '-march=native',
    '-O0',
    '-x',
    'c++',
    '-c',
    '/dev/null',
    '-o',
    'object',
  ]
  const end = printed === undefined ? 'exit 1' : `[ "$*" = "${asked.join(' ')}" ]`
  await writeFile(command, `#!/bin/sh\necho ' ${parts}' >&2\n${end}\n`)
  await chmod(command, 0o755)
  expect(await properCall(clang, ['-march=native'])).toEqual(kept && [command, ...kept])
})
