import {chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {objectFlags} from '../../eval/executors/library.ts'
import {twinTools} from '../../eval/executors/twin.ts'
import {testCompiler} from './real-executor.ts'
import {compiledOnce, projectSocket, textsIn} from './stand-in-project.ts'
import {temporaryFolder} from './temporary.ts'
import {twinCache} from './test-cache.ts'

const tree = fileURLToPath(new URL('cann-tree', import.meta.url))

interface Parts {
  boards?: readonly number[]
  /** The chip whose simulator is there. */
  simulator?: string
  /** Tools that are missing. */
  without?: readonly string[]
  /** Where all of it lies, for several tests; otherwise it is gone after the test. */
  within?: string
}

/** A toolkit, and the environment of somebody who has it. */
export async function standInCann({boards = [], simulator, without = [], within}: Parts = {}) {
  const home = join(within ?? (await temporaryFolder()), 'cann')
  cpSync(tree, home, {recursive: true})
  for (const name of without) rmSync(join(home, 'bin', name))
  for (const name of readdirSync(join(home, 'bin'))) chmodSync(join(home, 'bin', name), 0o755)
  writeFileSync(join(home, 'version.cfg'), '# of the toolkit\nversion=9.0.0\n')
  if (boards.length > 0) writeFileSync(join(home, 'boards'), boards.map((number) => `${number}\n`).join(''))
  if (simulator) mkdirSync(join(home, 'tools/simulator', simulator, 'lib'), {recursive: true})
  return {home, environment: {PATH: process.env['PATH'] ?? '', HOME: home, ASCEND_HOME_PATH: home}}
}

/** The same with what stands behind its compiler and its boards: the twin. */
export async function workingCann(parts: Parts = {}) {
  const made = await standInCann(parts)
  const workDirectory = parts.within ? join(parts.within, 'work') : await temporaryFolder()
  mkdirSync(workDirectory, {recursive: true})
  const tools = await twinTools({cacheDirectory: twinCache, workDirectory, ...testCompiler})
  const {prebuilt, compiler} = tools
  const [kernel, host] = (['kernel', 'host'] as const).map((side) => prebuilt.command(side, objectFlags(tools, side)))
  const plain = [compiler.command, '-std=c++17']
  const settings = {kernel, host, plain, socket: await projectSocket()}
  writeFileSync(join(made.home, 'stand-in.json'), JSON.stringify(settings))
  if (parts.boards || parts.simulator) await addRuntime(made.home, plain, parts.simulator)
  return {...made, workDirectory}
}

/** One library has the functions, the others are only there to be linked. */
async function addRuntime(home: string, plain: readonly string[], simulator: string | undefined): Promise<void> {
  mkdirSync(join(home, 'lib64'))
  const simulated = simulator ? join('tools/simulator', simulator, 'lib') : undefined
  const headers = textsIn(join(home, 'include'))
  for (const [folder, name, source] of [
    ['lib64', 'ascendcl', join(home, 'stand_in.cpp')],
    ['lib64', 'nnopbase', '/dev/null'],
    ...(simulated ? ['runtime_camodel', 'npu_drv_camodel'].map((one) => [simulated, one, '/dev/null'] as const) : []),
  ] as const) {
    const command = [...plain, '-x', 'c++', source, '-shared', '-fPIC', '-I', join(home, 'include')]
    const texts = [...plain, ...headers, readFileSync(source, 'utf8')]
    await compiledOnce(join(home, folder, `lib${name}.so`), texts, command)
  }
}
