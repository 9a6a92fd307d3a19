import {chmodSync, mkdirSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {prebuilt as builtTwin} from '../../helpers/prebuilt.ts'
import {probeSandboxes} from '../../../eval/executors/sandbox.ts'
import {chooseCompiler} from '../../../eval/executors/toolchain.ts'
import {runCommand} from '../../../engine/subprocess.ts'
import {testCompiler} from '../../helpers/real-executor.ts'
import {twinCache} from '../../helpers/test-cache.ts'

// The walls of an account that is not root are other ones: it may do less by itself, and needs user namespaces to make
// any. Only root can become another account, so elsewhere these tests are left out.

const script = fileURLToPath(new URL('../../helpers/attempts-run.ts', import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'accounts-test-'))
afterAll(() => rmSync(scratch, {recursive: true, force: true}))
const working = (await probeSandboxes(join(scratch, 'probe'))).filter(({works}) => works).map(({name}) => name)

const nobody = ['--reuid=65534', '--regid=65534', '--clear-groups']
const isRoot = process.getuid?.() === 0
const canRead = isRoot && (await runCommand('setpriv', [...nobody, 'test', '-r', script])).code === 0

describe.each(working)('under %s', (sandbox) => {
  beforeAll(async () => {
    await builtTwin(await chooseCompiler(testCompiler.compiler))
    // Folders of temporary files are their owner's alone.
    for (const folder of [scratch, tmpdir()]) chmodSync(folder, 0o711)
  }, 180_000)

  test.each(canRead ? ['root', 'nobody'] : ['root'])('hostile candidates gain nothing as %s', async (account) => {
    const work = join(scratch, `${sandbox}-${account}`)
    mkdirSync(work)
    chmodSync(work, 0o777)
    const args = ['--import', 'tsx', script, sandbox, twinCache, work]
    const [program, ...before] = account === 'nobody' ? ['setpriv', ...nobody, process.execPath] : [process.execPath]
    const env = {...process.env, HOME: work, TMPDIR: work} as Record<string, string>
    const {stdout, stderr} = await runCommand(program as string, [...before, ...args], {env, timeoutSeconds: 120})
    expect(stderr).toBe('')
    const {account: id, ...outcomes} = JSON.parse(stdout)
    if (account === 'nobody') expect(id).toBe('65534')
    expect(outcomes).toEqual({
      sound: 'ran',
      'looks at values': 'ran',
      'writes files': 'ran',
      'changes modes': 'ran',
      forks: 'crashed',
      'kills the judge': 'crashed',
      'forges and leaves': expect.stringMatching(/^(?:crashed|launch-failed)$/),
      'writes behind a tensor': 'violated',
    })
  })
})
