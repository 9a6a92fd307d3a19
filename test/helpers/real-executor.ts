import {mkdirSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {Executor} from '../../datasets/schema/executor.ts'
import twin from '../../eval/executors/twin.ts'

let executor: Promise<Executor> | undefined

/** The CPU twin with whatever compiler this machine has. Precompiled parts are shared between test files. */
export function realExecutor(): Promise<Executor> {
  const cacheDirectory = join(tmpdir(), 'ascend-cot-test-cache')
  const workDirectory = join(tmpdir(), `ascend-cot-test-work-${process.pid}`)
  mkdirSync(workDirectory, {recursive: true})
  return (executor ??= twin({cacheDirectory, workDirectory}))
}
