import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {beforeAll, expect, test} from 'vitest'
import cann from '../../../../eval/executors/cann/cann.ts'
import {localShell} from '../../../../eval/executors/cann/cann-shell.ts'
import {findCann, type CannLevel} from '../../../../eval/executors/cann/find-cann.ts'
import {realExecutor} from '../../../helpers/real-executor.ts'
import {workingCann} from '../../../helpers/stand-in-cann.ts'

const soc = 'Ascend910B1'
const textOf = (name: string) => readFileSync(join('test/fixtures/direct-launch', name), 'utf8')

/** A program that adds two tensors, as `edit` changes it. */
function adding(edit: (text: string) => string = (text) => text) {
  const files = [
    {path: 'add.asc', text: edit(textOf('add.asc'))},
    {path: 'common/data.h', text: textOf('data.h')},
  ]
  return {files, units: ['add.asc'], include: ['common'], definitions: ['SOME=1']}
}

async function opened(level: CannLevel, boards: readonly number[] = [0]) {
  const {home, environment, workDirectory} = await workingCann({boards, simulator: soc})
  const shell = localShell(workDirectory)
  const install = await findCann({shell, soc, environment})
  const said: string[] = []
  const lockDirectory = join(workDirectory, 'locks')
  const given = {shell, install, level, soc, workDirectory, lockDirectory, seconds: {run: 20}}
  const executor = await cann({...given, say: (text) => said.push(text)})
  return {...executor, home, workDirectory, said}
}

beforeAll(() => realExecutor())

test('a compiler compiles a program that launches kernels, names what is wrong with it, and runs nothing', async () => {
  const {checkDirect, identity, home, workDirectory} = await opened('cann-compile')
  const before = readdirSync(home, {recursive: true}).sort()
  expect(await checkDirect(adding())).toEqual({outcome: 'compiled', executor: identity})
  const broken = await checkDirect(adding((text) => text.replace('AscendC::Add(', 'AscendC::Ad(')))
  const diagnostics = [{file: 'add.asc', severity: 'error', message: expect.stringContaining('Ad')}]
  expect(broken).toMatchObject({
    outcome: 'compile-failed',
    diagnostics: expect.arrayContaining(diagnostics.map((one) => expect.objectContaining(one))),
  })
  const crashed = checkDirect(adding((text) => `${text}// stand-in: crash compiler\n`))
  await expect(crashed).rejects.toMatchObject({code: 'executor-failed'})
  expect(readdirSync(home, {recursive: true}).sort()).toEqual(before)
  expect(readdirSync(workDirectory).filter((name) => /^(?:direct|unit)-/.test(name))).toEqual([])
}, 300_000)
