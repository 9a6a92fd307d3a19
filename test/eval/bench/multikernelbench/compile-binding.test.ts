import {chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {compileBinding} from '../../../../eval/bench/submission/compile-binding.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'

/** A compiler that notes what it is asked, makes headers, and then does as it is told. */
async function compilerThat(does: string) {
  const folder = await temporaryFolder()
  const command = join(folder, 'compiler')
  const log = join(folder, 'asked')
  writeFileSync(
    command,
    `#!/bin/sh
echo "$@" >> ${log}
case "$*" in *c++-header*) touch made; exit 0;; esac
header=$(ls -d ${folder}/cache/*/binding.h)
${does}
`,
  )
  chmodSync(command, 0o755)
  const [cacheDirectory, place] = [join(folder, 'cache'), join(folder, 'place')]
  mkdirSync(place)
  const python = {torch: '0', package: folder, headers: folder, folders: [], command: 'python3'}
  const compiler = {command, kind: 'clang' as const, major: 15, version: 'v', cost: ''}
  const compile = () => compileBinding({python, sandbox: 'plain', compiler, cacheDirectory}, place, 'int a;')
  return {
    compile,
    asked: () => readFileSync(log, 'utf8').trim().split('\n'),
    headers: () => readdirSync(cacheDirectory, {recursive: true, encoding: 'utf8'}).filter((one) => /\.pch$/.test(one)),
  }
}

test('what the compiler finds in a binding is returned, and the header is made once', async () => {
  const {compile, asked, headers} = await compilerThat(`echo "op.cpp:1: error: no such thing" >&2; exit 1`)
  expect(await compile()).toContain('op.cpp:1: error: no such thing')
  expect(await compile()).toContain('no such thing')
  expect(asked()).toHaveLength(3)
  expect(headers()).toHaveLength(1)
})

const complaint = `'a.h' has been modified since the precompiled header '$header.pch' was built`
const stale = `echo "fatal error: ${complaint}" >&2; exit 1`

test('a precompiled header that is older than its sources is made anew', async () => {
  const once = `[ -e "$header.seen" ] && exit 0; touch "$header.seen"; ${stale}`
  const {compile, asked, headers} = await compilerThat(once)
  expect(await compile()).toBeUndefined()
  expect(asked().filter((line) => line.includes('c++-header'))).toHaveLength(2)
  expect(headers()).toHaveLength(1)
})

test('one that never fits is a failure of ours, and says nothing of the binding', async () => {
  const {compile, asked} = await compilerThat(stale)
  await expect(compile()).rejects.toMatchObject({code: 'executor-failed', scope: 'record'})
  expect(asked()).toHaveLength(4)
})

test('a compiler that is killed says nothing of the binding', async () => {
  const {compile} = await compilerThat('kill -9 $$')
  await expect(compile()).rejects.toMatchObject({message: expect.stringContaining('it was killed') as string})
})

test('of bindings that find no header at once, one makes it, and its text is written once', async () => {
  const {compile, asked} = await compilerThat('exit 0')
  expect(await Promise.all([compile(), compile(), compile()])).toEqual([undefined, undefined, undefined])
  expect(asked().filter((line) => line.includes('c++-header'))).toHaveLength(1)
})

test('a header that another has made anew meanwhile is kept', async () => {
  // The second complaint comes when the first has been answered by a new header.
  // Of two compilers that start at once, one makes a folder.
  const late = `if mkdir "$header.first" 2>/dev/null; then ${stale}; fi
if mkdir "$header.second" 2>/dev/null; then sleep 0.3; ${stale}; fi`
  const {compile, asked} = await compilerThat(late)
  expect(await Promise.all([compile(), compile()])).toEqual([undefined, undefined])
  expect(asked().filter((line) => line.includes('c++-header'))).toHaveLength(2)
})
