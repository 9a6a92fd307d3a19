import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {beforeAll, describe, expect, test} from 'vitest'
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
  const {direct, identity, home, workDirectory} = await opened('cann-compile')
  const before = readdirSync(home, {recursive: true}).sort()
  expect(await direct.compile(adding())).toEqual({outcome: 'compiled', executor: identity})
  const broken = await direct.compile(adding((text) => text.replace('AscendC::Add(', 'AscendC::Ad(')))
  const diagnostics = [{file: 'add.asc', severity: 'error', message: expect.stringContaining('Ad')}]
  expect(broken).toMatchObject({
    outcome: 'compile-failed',
    diagnostics: expect.arrayContaining(diagnostics.map((one) => expect.objectContaining(one))),
  })
  const crashed = direct.compile(adding((text) => `${text}// stand-in: crash compiler\n`))
  await expect(crashed).rejects.toMatchObject({code: 'executor-failed'})
  const built = await direct.build(adding())
  if (!built.ok) throw new Error(JSON.stringify(built.verdict))
  await expect(built.build.run()).rejects.toThrow('cann-compile compiles and runs nothing')
  await built.build.dispose()
  const unlinked = await direct.build(adding((text) => `${text}// stand-in: lose symbol\n`))
  expect(unlinked).toMatchObject({ok: false, verdict: {outcome: 'link-failed'}})
  expect(readdirSync(home, {recursive: true}).sort()).toEqual(before)
  expect(readdirSync(workDirectory).filter((name) => /^(?:direct|unit)-/.test(name))).toEqual([])
}, 300_000)

describe('a board', () => {
  test('runs it, sees it fail, and one that falls ill hands it to another', async () => {
    const {direct, home, said} = await opened('cann-board', [0, 1])
    const ran = async (edit?: (text: string) => string) => {
      const built = await direct.build(adding(edit))
      if (!built.ok) throw new Error(JSON.stringify(built.verdict))
      const end = await built.build.run([], {folder: 'below'})
      const beside = await built.build.runBeside(['/bin/sh', '-c', 'pwd; exit 3'], {folder: 'below'})
      expect(beside).toMatchObject({code: 3, stdout: expect.stringMatching(/\/below\n$/)})
      expect(existsSync(built.build.directory)).toBe(true)
      await built.build.dispose()
      expect(existsSync(built.build.directory)).toBe(false)
      return end
    }
    expect(await ran()).toMatchObject({code: 0, overtime: false})
    expect(await ran((text) => text.replace('z[i] != x[i] + y[i]', 'z[i] == x[i] + y[i]'))).not.toMatchObject({code: 0})
    const board = await ran((text) =>
      text.replace(
        'int main()\n{',
        'int main()\n{\n    return 10 + std::atoi(std::getenv("ASCEND_RT_VISIBLE_DEVICES"));',
      ),
    )
    expect([10, 11]).toContain(board.code)
    expect(said).toEqual([])
    writeFileSync(join(home, 'sick-0'), '')
    const second = await ran((text) =>
      text.replace('int main()\n{', 'int main()\n{\n    return std::getenv("ASCEND_RT_VISIBLE_DEVICES")[0] == \'0\';'),
    )
    expect(second.code).toBe(0)
    expect(said).toEqual([expect.stringMatching(/^board 0 of this machine stays sick/)])
  }, 600_000)
})
