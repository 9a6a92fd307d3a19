import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {localShell, type Shell, type ShellCommand} from '../../../../eval/executors/cann/cann-shell.ts'
import {step, type CannTools} from '../../../../eval/executors/cann/cann-tools.ts'
import {launchTimes} from '../../../../eval/executors/cann/package-runs.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'

async function tools(more: Partial<CannTools> = {}) {
  const workDirectory = await temporaryFolder()
  mkdirSync(join(workDirectory, 'build-1'))
  const shell = localShell(workDirectory)
  const install = {variables: {PATH: process.env['PATH'] ?? '', ASCEND_HOME_PATH: '/cann', HOME: '/root', LC_ALL: 'de'}}
  const walls: CannTools['walls'] = (command) => [...command]
  return {workDirectory, tools: {shell, install, walls, workDirectory, ...more} as unknown as CannTools}
}

test("a step has the toolkit's environment, with home, logs and temporary files in its own folder", async () => {
  const asked: {command: readonly string[]; how: ShellCommand}[] = []
  const shell: Partial<Shell> = {
    root: '/there',
    run(command, how) {
      asked.push({command, how})
      return Promise.resolve({code: 0, signal: null, stdout: 'a', stderr: 'b', timedOut: false} as never)
    },
  }
  const {tools: given} = await tools({shell: shell as Shell, walls: (command, place) => ['walls', place, ...command]})
  const asking = {folder: 'build-1', seconds: 7, variables: {ASCEND_CUSTOM_OPP_PATH: '/opp'}}
  expect(await step(given, ['bisheng', 'x'], asking)).toMatchObject({log: 'ab'})
  expect(asked).toEqual([
    {
      command: ['walls', '/there/build-1', 'bisheng', 'x'],
      how: {
        cwd: 'build-1',
        seconds: 7,
        signal: undefined,
        env: {
          PATH: process.env['PATH'],
          ASCEND_HOME_PATH: '/cann',
          ASCEND_CUSTOM_OPP_PATH: '/opp',
          ASCEND_PROCESS_LOG_PATH: '/there/build-1/log',
          HOME: '/there/build-1',
          TMPDIR: '/there/build-1',
          LC_ALL: 'C',
        },
      },
    },
  ])
})

test('a step that takes too long is stopped', async () => {
  const {tools: given} = await tools()
  const asked = {folder: 'build-1', seconds: 0.3}
  expect(await step(given, ['sh', '-c', 'echo begun; sleep 60'], asked)).toMatchObject({timedOut: true})
  expect(await step(given, ['true'], {...asked, seconds: 60})).toMatchObject({timedOut: false, code: 0})
})

test('times are those of the operator in the order of their starts, without the warm-up', async () => {
  const folder = await temporaryFolder()
  const place = join(folder, 'PROF_1/mindstudio_profiler_output')
  mkdirSync(place, {recursive: true})
  const row = (type: string, start: number, duration: number | string) => `0,${type},${type},${start},${duration}`
  const write = (name: string, ...rows: string[]) =>
    writeFileSync(
      join(place, name),
      ['Device_id,Op Name,OP Type,Task Start Time(us),Task Duration(us)', ...rows, ''].join('\n'),
    )
  const own = [row('Add', 5, 14), row('Add', 4, 10), row('Mul', 0, 1), row('Add', 3, 12), row('Add', 2, 900)]
  write('op_summary_1.csv', ...own)
  write('op_statistic_1.csv', row('Add', 9, 1e6))
  expect(await launchTimes(folder, {operator: 'Add', warmUp: 1})).toEqual({microseconds: 12, spread: 2, repeats: 3})
  expect(await launchTimes(folder, {operator: 'Add', warmUp: 4})).toBeUndefined()
  expect(await launchTimes(folder, {operator: 'Sub', warmUp: 0})).toBeUndefined()
  write('op_summary_1.csv', ...own, row('Add', 6, 'N/A'))
  expect(await launchTimes(folder, {operator: 'Add', warmUp: 1})).toBeUndefined()
})
