import {spawn} from 'node:child_process'
import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, onTestFinished, test} from 'vitest'
import {builtFiles, compiledAhead, layout, planned, readReady} from '../../../eval/executors/precompile.ts'
import {runtimeFolder} from '../../../eval/executors/runtime-units.ts'
import type {Compiler} from '../../../eval/executors/toolchain.ts'
import {chooseCompiler} from '../../../eval/executors/toolchain.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const clang = (major: number): Compiler => ({command: 'c', kind: 'clang', major, version: `clang ${major}`, cost: ''})
const gcc = (major: number): Compiler => ({command: 'g++', kind: 'gcc', major, version: `g++ ${major}`, cost: ''})

describe('where things lie', () => {
  const places = {directory: '/t', include: '/t/include', library: '/t/libtwin.so', runner: '/t/twin-run'}
  const standard = ['-I', '/t/std']

  test.each<[string, Compiler, boolean, ReturnType<typeof layout>['header']]>([
    [
      'clang, without rules of the device',
      clang(15),
      false,
      {
        kernel: ['-include-pch', '/t/kernel.pch'],
        cube: ['-DTWIN_CUBE_CORE', '-include-pch', '/t/cube.pch'],
        host: ['-include-pch', '/t/host.pch'],
      },
    ],
    [
      'clang, with them: kernels alone have the standard library of the twin',
      clang(15),
      true,
      {
        kernel: ['-include-pch', '/t/kernel.pch', ...standard],
        cube: ['-DTWIN_CUBE_CORE', '-include-pch', '/t/cube.pch', ...standard],
        host: ['-include-pch', '/t/host.pch'],
      },
    ],
    [
      'gcc, which finds the precompiled header beside the one that is named',
      gcc(12),
      false,
      {
        kernel: ['-include', '/t/gch/kernel.h'],
        cube: ['-DTWIN_CUBE_CORE', '-include', '/t/gch/cube.h'],
        host: ['-include', '/t/gch/host.h'],
      },
    ],
  ])('%s', (_, compiler, device, header) => {
    expect(layout(compiler, '/t', device)).toEqual({...places, header})
  })

  test.each([
    [clang(15), ['kernel.pch', 'cube.pch', 'host.pch', 'libtwin.so', 'twin-run']],
    [gcc(12), ['gch/kernel.h.gch', 'gch/cube.h.gch', 'gch/host.h.gch', 'libtwin.so', 'twin-run']],
  ])('the built files of %j', (compiler, files) => {
    expect(builtFiles(compiler)).toEqual(files)
  })
})

test.each([
  [clang(10), 'host', false],
  [clang(11), 'host', true],
  [clang(12), 'host', true],
  [clang(11), 'kernel', false],
  [gcc(10), 'host', false],
  [gcc(11), 'host', false],
  [gcc(14), 'kernel', false],
] as const)('functions of a header of %j, side %s, are compiled ahead: %s', (compiler, side, ahead) => {
  expect(compiledAhead(compiler, side)).toBe(ahead)
})

describe('a runtime source', () => {
  test.each([
    ['runtime/device/norm.cpp', {optimisation: '-O3', program: 'library'}],
    ['runtime/host/norm.cpp', {optimisation: '-O1', program: 'library'}],
    ['runtime/direct/launch.cpp', {optimisation: '-O1', program: 'library'}],
    ['runtime/runner/main.cpp', {optimisation: '-O1', program: 'runner'}],
  ])('%s is built as its folder says', (path, built) => {
    expect(runtimeFolder(path)).toEqual(built)
  })

  test.each(['runtime/other/a.cpp', 'runtime/device/deep/a.cpp', 'a.cpp', 'device'])('%s lies in no folder', (path) => {
    expect(() => runtimeFolder(path)).toThrow(
      new TypeError(`${path} is not in any of runtime/{device,host,direct,runner}`),
    )
  })
})

describe('what is built is whole', () => {
  const bytes = {'libtwin.so': 3, 'gch/host.h.gch': 0}

  async function folder(ready: string | undefined, files: Readonly<Record<string, string>>) {
    const directory = await temporaryFolder()
    await mkdir(join(directory, 'gch'))
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text)
    if (ready !== undefined) await writeFile(join(directory, 'ready'), ready)
    return directory
  }
  const whole = {'libtwin.so': 'abc', 'gch/host.h.gch': ''}
  const said = JSON.stringify({id: 'x', bytes})

  test('when each file has the length that is noted, whatever else lies there', async () => {
    expect(await readReady(await folder(said, {...whole, more: 'm'}))).toEqual({id: 'x', bytes})
  })

  test('when nothing is noted as built', async () => {
    expect(await readReady(await folder('{"id": "x", "bytes": {}}', {}))).toEqual({id: 'x', bytes: {}})
  })

  test.each<[string, string | undefined, Readonly<Record<string, string>>]>([
    ['there is no note', undefined, whole],
    ['a file is shorter', said, {...whole, 'libtwin.so': 'ab'}],
    ['a file is longer', said, {...whole, 'libtwin.so': 'abcd'}],
    ['an empty file is none any more', said, {...whole, 'gch/host.h.gch': ' '}],
    ['a file is missing', said, {'libtwin.so': 'abc'}],
    ['the note is cut off', said.slice(0, -1), whole],
    ['the note is empty', '', whole],
    ['the note has no id', JSON.stringify({bytes}), whole],
    ['the note has a field of another layout', JSON.stringify({id: 'x', bytes, hash: 'h'}), whole],
    ['a length is no whole number', JSON.stringify({id: 'x', bytes: {'libtwin.so': 2.5}}), whole],
  ])('not when %s', async (_, ready, files) => {
    expect(await readReady(await folder(ready, files))).toBe(undefined)
  })
})

test('where another process is compiling the twin, it is waited for', async () => {
  const cache = await temporaryFolder()
  const twin = await planned(await chooseCompiler(), cache)
  const other = spawn('sleep', ['300'])
  onTestFinished(() => void other.kill('SIGKILL'))
  await writeFile(`${twin.directory}.lock`, String(other.pid))
  const ending = new AbortController()
  const steps: number[] = []
  const waiting = twin.build({
    signal: ending.signal,
    onProgress: (done) => void steps.push(done),
    onWait: () => ending.abort(),
  })
  await expect(waiting).rejects.toMatchObject({name: 'AbortError'})
  expect(steps).toEqual([])
})
