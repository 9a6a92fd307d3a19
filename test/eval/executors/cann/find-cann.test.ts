import {cpSync, mkdirSync, renameSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {localShell} from '../../../../eval/executors/cann/cann-shell.ts'
import {findCann, levelOf} from '../../../../eval/executors/cann/find-cann.ts'
import {standInCann} from '../../../helpers/stand-in-cann.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'

const soc = 'Ascend910B1'

async function found(parts: Parameters<typeof standInCann>[0] = {}, more: Record<string, string | undefined> = {}) {
  const {home, environment} = await standInCann(parts)
  const shell = localShell(await temporaryFolder())
  return {home, install: await findCann({shell, soc, environment: {...environment, ...more}})}
}

describe('a toolkit', () => {
  test('is known by its folder, its version and the environment that its own file sets', async () => {
    const {home, install} = await found()
    expect(install).toMatchObject({
      home,
      version: '9.0.0',
      bisheng: join(home, 'bin/bisheng'),
      msopgen: join(home, 'bin/msopgen'),
      msprof: join(home, 'bin/msprof'),
      simulator: undefined,
      devices: [],
      levels: ['cann-compile'],
    })
    expect(install.variables).toMatchObject({ASCEND_HOME_PATH: home, ASCEND_OPP_PATH: join(home, 'opp')})
    expect(install.variables['PATH']).toMatch(`${home}/bin:`)
    expect(Object.keys(install.variables).filter((name) => name.includes(':'))).toEqual([])
  })

  test('is found by ASCEND_TOOLKIT_HOME too, and by a set_env.sh beside its folder, as 8.x has it', async () => {
    const {home, environment} = await standInCann()
    const shell = localShell(await temporaryFolder())
    const inside = join(home, '..', 'latest')
    cpSync(home, inside, {recursive: true})
    rmSync(join(inside, 'set_env.sh'))
    renameSync(join(home, 'set_env.sh'), join(home, '..', 'set_env.sh'))
    mkdirSync(join(home, '..', 'bin'))
    cpSync(join(home, 'bin'), join(home, '..', 'bin'), {recursive: true})
    const given = {...environment, ASCEND_HOME_PATH: undefined, ASCEND_TOOLKIT_HOME: inside}
    expect((await findCann({shell, soc, environment: given})).home).toBe(join(home, '..'))
  })

  test('without one, or without a tool, says what is missing and how it is installed', async () => {
    const shell = localShell(await temporaryFolder())
    const nowhere = {PATH: process.env['PATH'], HOME: '/nowhere'}
    await expect(findCann({shell, soc, environment: nowhere})).rejects.toMatchObject({
      code: 'toolchain-missing',
      scope: 'run',
      message: 'CANN was not found on this machine: no toolkit.',
      fix: expect.stringContaining('ASCEND_HOME_PATH'),
    })
    await expect(found({without: ['bisheng', 'msopgen']})).rejects.toMatchObject({
      message: 'CANN was not found on this machine: no bisheng and no msopgen.',
    })
    expect((await found({without: ['msprof']})).install.msprof).toBe(undefined)
  })
})

describe('levels', () => {
  test.each([
    [{simulator: soc}, ['cann-compile', 'cann-sim'], []],
    [{simulator: 'dav_2201'}, ['cann-compile', 'cann-sim'], []],
    [{simulator: 'Ascend310P3'}, ['cann-compile'], []],
    [{boards: [0, 3]}, ['cann-compile', 'cann-board'], [0, 3]],
    [{boards: [1], simulator: soc}, ['cann-compile', 'cann-sim', 'cann-board'], [1]],
  ])('of %j are %j', async (parts, levels, devices) => {
    const {install} = await found(parts)
    expect([install.levels, install.devices]).toEqual([levels, devices])
    expect(levelOf(install, undefined, 'here')).toBe(levels.at(-1))
  })

  test('one that was not found is refused with what it lacks', async () => {
    const {install} = await found({simulator: soc})
    expect(levelOf(install, 'cann-compile', 'here')).toBe('cann-compile')
    expect(() => levelOf(install, 'cann-board', 'here')).toThrow(
      expect.objectContaining({
        code: 'toolchain-missing',
        message: 'cann-board cannot be used on here: it lacks a board that `npu-smi info -m` lists.',
        fix: expect.stringContaining('executor.level=cann-sim'),
      }),
    )
  })
})
