import {chmod, readdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {buildDirect} from '../../helpers/direct-program.ts'
import type {Tools} from '../../../eval/executors/tools.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {identity, namedTools} from './scripted-bench.ts'

const program = {files: [{path: 'a.cpp', text: 'int main() {}'}], units: ['a.cpp']}
const limits = {cpuSeconds: 9, wallSeconds: 9, memoryBytes: 2 ** 33, fileBytes: 1 << 20, outputBytes: 1 << 10}

/** Builds with tools of which every call ends as `end` says, and looks at what is left of the folders. */
async function builtWith(end: object, prebuilt: Partial<Tools['prebuilt']> = {}) {
  const [workDirectory, directory] = [await temporaryFolder(), await temporaryFolder()]
  const runner = join(directory, 'runner')
  const ends = JSON.stringify({ends: [end, end]})
  const one = JSON.stringify({ends: [end]})
  // Both units are compiled by one request; the linker's has one command.
  const say = (text: string) => `printf '%s\\n' '${text}'`
  const made = 'for word in $line; do case "$last" in -o|-MF) echo made: > "$word";; esac; last=$word; done'
  const script = `while read -r line; do\n${made}\ncase "$line" in *' ; '*) ${say(ends)};; *) ${say(one)};; esac\ndone`
  await writeFile(runner, `#!/bin/sh\n${script}\n`)
  await chmod(runner, 0o755)
  const tools: Tools = {
    ...namedTools({directory, runner, isWhole: async () => true, ...prebuilt}),
    sandbox: 'plain',
    workDirectory,
    limits: {compile: limits, run: limits},
  }
  const built = await buildDirect(tools, program).catch((error: unknown) => ({thrown: error}))
  return {built, left: await readdir(workDirectory)}
}

const well = {exit: 0, overtime: false, cpuSeconds: 0, stderr: ''}

test('the folder of a program that is built stays until it is disposed of', async () => {
  const {built, left} = await builtWith(well)
  expect(left).toEqual([expect.stringMatching(/^direct-/)])
  expect(built).toMatchObject({ok: true, build: {directory: expect.stringContaining(left[0] ?? '')}})
  if ('ok' in built && built.ok) await built.build.dispose()
})

test('nothing is left of a program that does not compile', async () => {
  const {built, left} = await builtWith({...well, exit: 1, stderr: 'a.cpp:1:2: error: expected a semicolon\n'})
  expect(built).toMatchObject({ok: false, verdict: {outcome: 'compile-failed', executor: identity}})
  expect(left).toEqual([])
})

test.each([
  [
    'by the clock alone, which is the machine',
    {signal: 9, overtime: true, cpuSeconds: 1},
    {thrown: {code: 'executor-failed'}},
  ],
  ['after its CPU time, which is the candidate', {signal: 9, overtime: true, cpuSeconds: 9}, {ok: false}],
  ['by the signal of that limit, which is the same', {signal: 24, overtime: true, cpuSeconds: 4}, {ok: false}],
])('a compiler that is ended: %s', async (_, how, built) => {
  expect(await builtWith({...how, stderr: ''})).toMatchObject({built})
})

test('nothing is left where a tool fails, and its failure is what is thrown', async () => {
  const {built, left} = await builtWith({nothing: true})
  expect(built).toMatchObject({thrown: {code: 'executor-failed'}})
  expect(left).toEqual([])
  const fault = new Error('no command')
  const refusing = await builtWith(well, {
    command: () => {
      throw fault
    },
  })
  expect(refusing).toEqual({built: {thrown: fault}, left: []})
})
