import {availableParallelism} from 'node:os'
import {basename, join} from 'node:path'
import pLimit from 'p-limit'
import {runCommand} from '../../../engine/subprocess.ts'
import {chooseCompiler} from '../../../eval/executors/toolchain.ts'
import type {Tree} from './tree.ts'

interface TwinPrograms {
  has(file: string): boolean
  /** Rebuilds the object of one file, and runs every test program with it. */
  judge(file: string): Promise<'noted' | 'survived'>
}

const device = 'eval/twin/runtime/device/'

/**
 * Builds the device side of the twin and its test programs once; a fault then costs one object and the links.
 * @throws Error when the tree does not build or its programs do not pass without a fault
 */
export async function twinPrograms({root, files}: Tree): Promise<TwinPrograms> {
  const {command} = await chooseCompiler()
  const limit = pLimit(availableParallelism())
  const run = (program: string, args: readonly string[]) =>
    limit(() => runCommand(program, args, {cwd: root, timeoutSeconds: 300}))
  const sources = files.filter((name) => name.startsWith(device) && name.endsWith('.cpp'))
  const tests = files.filter((name) => name.startsWith('test/twin/') && name.endsWith('.test.cc'))
  const object = (name: string) => join(root, `${basename(name)}.o`)
  const compile = async (name: string) => {
    const level = name.endsWith('.cc') ? '-O0' : '-O1'
    const args = ['-std=c++17', '-Ieval/twin/include', level, '-pthread', '-c', name, '-o', object(name)]
    return (await run(command, args)).code === 0
  }
  const passes = async (name: string) => {
    const out = join(root, `${basename(name)}.out`)
    const linked = await run(command, ['-pthread', object(name), ...sources.map(object), '-o', out])
    return linked.code === 0 && (await run(out, [])).code === 0
  }
  const allPass = async () => (await Promise.all(tests.map(passes))).every(Boolean)
  const built = await Promise.all([...sources, ...tests].map(compile))
  if (!built.every(Boolean) || !(await allPass())) throw new Error("The twin's test programs fail without any fault.")
  return {
    has: (file) => sources.includes(file),
    async judge(file) {
      if (!(await compile(file))) return 'noted'
      return (await allPass()) ? 'survived' : 'noted'
    },
  }
}
