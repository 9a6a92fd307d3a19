import {mkdirSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {Executor} from '../../datasets/schema/executor.ts'
import {chooseCompiler} from '../../eval/executors/toolchain.ts'
import twin from '../../eval/executors/twin.ts'
import {twinCache} from './test-cache.ts'

const asked = process.env['ASCEND_COT_TEST_COMPILER']

/** For `twin`: the compiler that ASCEND_COT_TEST_COMPILER names, else the one that it would choose. */
export const testCompiler: {compiler?: string} = asked ? {compiler: asked} : {}

/** What quotes the words of clang asks this, and says so where it is skipped. */
export const usesClang = (await chooseCompiler(asked)).kind === 'clang'

let executor: Promise<Executor> | undefined

/** The CPU twin with whatever compiler this machine has. Precompiled parts are shared between test files. */
export function realExecutor(): Promise<Executor> {
  const workDirectory = join(tmpdir(), 'work', String(process.pid))
  mkdirSync(workDirectory, {recursive: true})
  return (executor ??= twin({cacheDirectory: twinCache, workDirectory, ...testCompiler}))
}
