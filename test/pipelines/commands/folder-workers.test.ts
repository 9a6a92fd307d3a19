import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {ascendCot, command} from '../../helpers/command.ts'
import {halved, keptIn} from '../../helpers/halved.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {until} from '../../helpers/until.ts'

// Whole commands: a run that hands out shares to a folder, and a process for each task.

test('tasks that somebody starts by hand give the ledger of one process', {timeout: 120_000}, async () => {
  const folder = await temporaryFolder()
  writeFileSync(join(folder, 'halved.mjs'), halved)
  const args = ['run', './halved.mjs', '--out', 'far', '--workers', 'folder', '--set', 'workers.recordsPerShare=110']
  const run = spawn(process.execPath, [command, ...args], {cwd: folder, stdio: ['ignore', 'pipe', 'pipe']})
  onTestFinished(() => void run.kill('SIGKILL'))
  const ended = once(run, 'exit')
  let said = ''
  for (const stream of [run.stdout, run.stderr]) stream.on('data', (text: Buffer) => (said += text.toString()))
  await until(() => /worker --share (\S+) --index N/.test(said))
  const [, shares = ''] = /worker --share (\S+) --index N/.exec(said) ?? []
  await until(() => existsSync(join(shares, 'wave.json')))
  expect(said).toContain('3 shares (0 to 2)')
  expect(ascendCot(folder, ['worker', '--share', shares, '--index', '7']).said).toContain('has no share 7')
  // From share 1,000 on, the index of a Slurm task is another one.
  for (const index of ['0', '1'])
    expect(ascendCot(folder, ['worker', '--share', shares, '--index', index], {SLURM_ARRAY_TASK_ID: '2'}).code).toBe(0)
  const unknown = ascendCot(folder, ['worker', '--share', shares], {JOB_COMPLETION_INDEX: 'two'})
  expect(unknown).toMatchObject({code: 2, said: expect.stringContaining('No index was given')})
  expect(run.exitCode).toBe(null)
  const env = {JOB_COMPLETION_INDEX: '2'}
  expect(ascendCot(folder, ['worker', '--share', shares], env).code).toBe(0)
  expect(await ended).toEqual([0, null])
  expect(ascendCot(folder, ['run', './halved.mjs', '--out', 'near']).code).toBe(0)
  expect(await keptIn(join(folder, 'far/halved'))).toEqual(await keptIn(join(folder, 'near/halved')))
  expect(existsSync(shares)).toBe(false)
})
