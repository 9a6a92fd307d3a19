import {execFileSync, spawn} from 'node:child_process'
import {existsSync, mkdirSync, writeFileSync} from 'node:fs'
import {userInfo} from 'node:os'
import {join} from 'node:path'
import {onTestFinished} from 'vitest'
import {freePort} from '../../engine/free-port.ts'
import {temporaryFolder} from './temporary.ts'
import {until} from './until.ts'

const sshd = '/usr/sbin/sshd'

/** Why there is none here; '' where there is. */
export const noSshd = existsSync(sshd) && existsSync('/usr/bin/ssh') ? '' : 'needs sshd: apt install openssh-server'

/**
 * A daemon of our own on loopback, which lets in by a key of ours: ssh's configuration that names it `loopback`.
 * @param account variables that the account has there
 */
export async function loopbackSshd(account: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await temporaryFolder()
  for (const name of ['host', 'user']) {
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, name)])
  }
  const port = await freePort()
  // Where root starts it, the daemon asks for this folder.
  if (userInfo().uid === 0) mkdirSync('/run/sshd', {recursive: true})
  const settings = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(folder, 'host')}`,
    `AuthorizedKeysFile ${join(folder, 'user.pub')}`,
    `PidFile ${join(folder, 'pid')}`,
    ...(Object.keys(account).length > 0
      ? [
          `SetEnv ${Object.entries(account)
            .map(([name, value]) => `${name}=${value}`)
            .join(' ')}`,
        ]
      : []),
    ...['StrictModes no', 'UsePAM no', 'PasswordAuthentication no', 'PermitRootLogin prohibit-password', ''],
  ]
  writeFileSync(join(folder, 'sshd_config'), settings.join('\n'))
  const daemon = spawn(sshd, ['-D', '-e', '-f', join(folder, 'sshd_config')], {stdio: ['ignore', 'ignore', 'pipe']})
  onTestFinished(() => void daemon.kill())
  let said = ''
  daemon.stderr.on('data', (text) => (said += String(text)))
  await until(() => said.includes('Server listening'))
  const client = [
    'Host loopback',
    `HostName 127.0.0.1\nPort ${port}\nUser ${userInfo().username}\nIdentityFile ${join(folder, 'user')}`,
    'IdentitiesOnly yes\nStrictHostKeyChecking no\nUserKnownHostsFile /dev/null\nLogLevel ERROR\n',
  ]
  writeFileSync(join(folder, 'ssh_config'), client.join('\n'))
  return join(folder, 'ssh_config')
}
