import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {readdirSync} from 'node:fs'
import {expect, onTestFinished, test} from 'vitest'
import type {WorkOrder} from '../../../engine/elsewhere/work-order.ts'
import {command} from '../../helpers/command.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {until} from '../../helpers/until.ts'

const order: WorkOrder = {
  ...{format: 1, recipe: './nothing.mjs', config: {}, answers: {}, seed: 's', index: 0},
  fingerprint: {package: '', code: '', stage: '', stageVersion: 1, key: '', options: {}},
}

test('the process of a worker that was killed leaves no folder behind', async () => {
  const folder = await temporaryFolder()
  const child = spawn(process.execPath, [command, 'worker', '--stdin'], {
    env: {...process.env, TMPDIR: folder},
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  const its = () => readdirSync(folder).filter((name) => name.startsWith('ascend-cot-worker-'))
  await until(() => its().length === 1)
  child.stdout.destroy()
  child.stdin.write(`${JSON.stringify({order, own: {}})}\n`)
  expect(await ended).toEqual([0, null])
  expect(its()).toEqual([])
})
