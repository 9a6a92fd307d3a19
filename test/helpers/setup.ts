import {execFileSync} from 'node:child_process'
import {chmodSync, existsSync, mkdtempSync, readdirSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {closedHub} from './closed-hub.ts'
import {realExecutor} from './real-executor.ts'
import {testCache} from './test-cache.ts'

/** Made by the test run itself, not by a test: work folders of executors, code that `tsx` has transpiled, programs. */
const ofTheRun = /^(work|tsx-\d+|node-compile-cache|programs-\w+)$/

/**
 * Gives the tests a temporary folder of their own, and builds the twin's precompiled parts before the first test needs
 * them. In the end nothing may be left in that folder: a test that leaves its files fills the disks of those who run
 * it.
 */
export default async function setup(): Promise<() => void> {
  process.env['TWIN_TEST_CACHE'] = testCache
  const hadCache = existsSync('.ascend-cot')
  const folder = mkdtempSync(join(tmpdir(), 'ascend-cot-tests-'))
  // Some tests start commands as another user.
  chmodSync(folder, 0o755)
  process.env['TMPDIR'] = folder
  // Commands that tests start have the Hub's own address behind none of theirs.
  process.env['HF_ENDPOINT'] = closedHub
  // Commands that tests start are those that users have.
  execFileSync(process.execPath, ['build.mjs'], {stdio: 'inherit'})
  await realExecutor()
  return () => {
    const left = readdirSync(folder).filter((name) => !ofTheRun.test(name))
    rmSync(folder, {recursive: true, force: true})
    // Commands in this folder would take it for their cache from then on.
    if (!hadCache && existsSync('.ascend-cot')) left.push('.ascend-cot')
    if (left.length === 0) return
    // vitest prints what a teardown throws, and ends as if nothing had been thrown.
    process.exitCode = 1
    throw new Error(`Tests left ${left.length} folders behind: ${left.slice(0, 10).join(', ')}`)
  }
}
