import {availableParallelism} from 'node:os'
import {basename, join} from 'node:path'
import pLimit from 'p-limit'
import {runCommand} from '../../../engine/subprocess.ts'
import {chooseCompiler} from '../../../eval/executors/toolchain.ts'
import {guards} from '../../twin/guards.ts'
import type {Tree} from './tree.ts'

interface TwinPrograms {
  has(file: string): boolean
  /** Rebuilds the object of one file, and runs test programs with it until one notices. */
  judge(file: string): Promise<'noted' | 'survived'>
}

const device = 'eval/twin/runtime/device/'
/** `twin.test.ts` gives each program as long: a fault that makes one run for ever is noticed by that limit. */
const programSeconds = 60

/**
 * Builds the device side of the twin as one library, and its test programs against it; a fault then costs one object
 * and one link.
 * @throws Error when the tree does not build or its programs do not pass without a fault
 */
export async function twinPrograms({root, files}: Tree): Promise<TwinPrograms> {
  const compiler = await chooseCompiler()
  const {command} = compiler
  const limit = pLimit(availableParallelism())
  const build = async (args: readonly string[]) =>
    (await limit(() => runCommand(command, ['-pthread', ...args], {cwd: root, timeoutSeconds: 300}))).code === 0
  const sources = files.filter((name) => name.startsWith(device) && name.endsWith('.cpp'))
  const tests = files.filter((name) => name.startsWith('test/twin/') && name.endsWith('.test.cc'))
  const object = (name: string) => join(root, `${basename(name)}.o`)
  const program = (name: string) => join(root, `${basename(name)}.out`)
  const library = join(root, 'libtwin.so')
  const flags = ['-std=c++17', '-Ieval/twin/include', '-fPIC']
  const faulty = join(root, 'faulty.o')
  const compile = (name: string, to = object(name)) =>
    build([...flags, '-O1', ...guards(compiler), '-c', name, '-o', to])
  const linkLibrary = (objects: readonly string[]) => build(['-shared', ...objects, '-o', library])
  const passes = async (name: string, signal?: AbortSignal) => {
    const {code} = await runCommand(program(name), [], {timeoutSeconds: programSeconds, ...(signal && {signal})})
    return code === 0
  }
  const link = (name: string) => build([...flags, '-O0', name, library, `-Wl,-rpath,${root}`, '-o', program(name)])
  const ready =
    (await all(sources, (name) => compile(name))) &&
    (await linkLibrary(sources.map(object))) &&
    (await all(tests, link))
  if (!ready || (await firstFailure(tests)) !== undefined)
    throw new Error("The twin's test programs fail without any fault.")
  return {
    has: (file) => sources.includes(file),
    async judge(file) {
      const objects = sources.map((name) => (name === file ? faulty : object(name)))
      if (!(await compile(file, faulty)) || !(await linkLibrary(objects))) return 'noted'
      return (await firstFailure(tests)) === undefined ? 'survived' : 'noted'
    },
  }

  /** The others are ended as soon as one fails. */
  async function firstFailure(names: readonly string[]): Promise<string | undefined> {
    const ended = new AbortController()
    const failed = await Promise.all(
      names.map((name) =>
        limit(async () => {
          if (ended.signal.aborted) return []
          const fine = await passes(name, ended.signal).catch(() => true)
          if (!fine) ended.abort()
          return fine ? [] : [name]
        }),
      ),
    )
    return failed.flat().at(0)
  }
}

async function all(names: readonly string[], does: (name: string) => Promise<boolean>): Promise<boolean> {
  return (await Promise.all(names.map(does))).every(Boolean)
}
