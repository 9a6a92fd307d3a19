import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {findCann} from '../../../../eval/executors/cann/find-cann.ts'
import {sshShell} from '../../../../eval/executors/cann/ssh-shell.ts'
import {loopbackSshd, noSshd} from '../../../helpers/loopback-sshd.ts'
import {standInCann} from '../../../helpers/stand-in-cann.ts'
import {temporaryFolder} from '../../../helpers/temporary.ts'
import {until} from '../../../helpers/until.ts'

async function reached() {
  const workDirectory = await temporaryFolder()
  const configuration = await loopbackSshd()
  const shell = await sshShell({host: 'loopback', configuration, workDirectory, environment: process.env})
  return {shell, workDirectory, configuration}
}

describe.skipIf(noSshd !== '')(`a host over ssh ${noSshd}`, () => {
  test('runs words as they are, in its own folder and with the environment that is given', async () => {
    const {shell} = await reached()
    const words = ['printf', '%s|', "it's", '$HOME "x"', 'a\nb', '']
    expect((await shell.run(words, {seconds: 20})).stdout).toBe(`it's|$HOME "x"|a\nb||`)
    expect((await shell.run(['pwd'], {seconds: 20})).stdout.trim()).toBe(shell.root)
    const env = {A: "b c'd", PATH: '/usr/bin:/bin'}
    const seen = (await shell.run(['env'], {seconds: 20, env})).stdout.trim().split('\n').sort()
    expect(seen.filter((line) => !/^(PWD|SHLVL|OLDPWD|_)=/.test(line))).toEqual([`A=${env.A}`, `PATH=${env.PATH}`])
    expect(await shell.run(['sh', '-c', 'echo no >&2; exit 7'], {seconds: 20})).toMatchObject({code: 7, stderr: 'no\n'})
  })

  test('gets folders and gives them back, inputs apart', async () => {
    const {shell, workDirectory} = await reached()
    mkdirSync(join(workDirectory, 'a/b'), {recursive: true})
    const bytes = Buffer.from(Array.from({length: 70_000}, (_, at) => at % 256))
    writeFileSync(join(workDirectory, 'a/b/input-0.bin'), bytes)
    await shell.put('a')
    await shell.run(['sh', '-c', 'cp a/b/input-0.bin a/out.bin; rm -f a/b/none'], {seconds: 20})
    writeFileSync(join(workDirectory, 'a/b/input-0.bin'), 'own')
    await shell.get('a')
    expect(readFileSync(join(workDirectory, 'a/out.bin')).equals(bytes)).toBe(true)
    expect(readFileSync(join(workDirectory, 'a/b/input-0.bin'), 'utf8')).toBe('own')
    await shell.remove('a')
    expect(existsSync(join(shell.root, 'a'))).toBe(false)
  })

  test('kills what takes too long, and what is stopped, with all that it started', async () => {
    const {shell, workDirectory} = await reached()
    const lives = join(workDirectory, 'lives')
    const script = `(while :; do date +%N > ${lives}; sleep 0.05; done) & wait`
    const late = await shell.run(['sh', '-c', script], {seconds: 1})
    expect(late.timedOut).toBe(true)
    const stop = new AbortController()
    const stopped = shell.run(['sh', '-c', script], {seconds: 60, signal: stop.signal})
    const first = readFileSync(lives, 'utf8')
    await until(() => readFileSync(lives, 'utf8') !== first)
    stop.abort()
    await expect(stopped).rejects.toMatchObject({code: 'interrupted'})
    await new Promise((resolve) => setTimeout(resolve, 300))
    const last = readFileSync(lives, 'utf8')
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(readFileSync(lives, 'utf8')).toBe(last)
  })

  test('that cannot be reached is told with what ssh said', async () => {
    const {configuration, workDirectory} = await reached()
    const asked = {host: 'nowhere.invalid', configuration, workDirectory, environment: process.env}
    await expect(sshShell(asked)).rejects.toMatchObject({
      code: 'toolchain-missing',
      scope: 'run',
      message: expect.stringMatching(/^ssh nowhere\.invalid: \S/),
    })
  })

  test('has a toolkit that is found by the account of its own', async () => {
    const {shell} = await reached()
    await expect(findCann({shell, soc: 'Ascend910B1'})).rejects.toMatchObject({
      message: 'CANN was not found on loopback: no toolkit.',
    })
    const {home} = await standInCann({boards: [0]})
    const through = {...shell, run: shell.run.bind(shell)}
    const install = await findCann({
      shell: through,
      soc: 'Ascend910B1',
      environment: {...process.env, ASCEND_HOME_PATH: home},
    })
    expect(install).toMatchObject({home, levels: ['cann-compile', 'cann-board']})
  })
})
