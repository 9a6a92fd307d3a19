import {PipelineError} from '../../../engine/errors.ts'
import type {Shell} from './cann-shell.ts'

/** A command as it is started where candidates' code runs; `writable` is the one folder that it may change. */
export type Walls = (command: readonly string[], writable: string) => string[]

/**
 * The toolkit, its driver and Python lie anywhere, so all files can be read; only the build's folder can be written.
 * There is no network, and devices are those of the machine.
 */
const bubblewrap: Walls = (command, writable) => [
  ...['bwrap', '--unshare-net', '--unshare-pid', '--die-with-parent', '--new-session'],
  ...['--ro-bind', '/', '/', '--dev-bind', '/dev', '/dev', '--proc', '/proc'],
  ...['--bind', writable, writable, '--chdir', writable, '--', ...command],
]

const none: Walls = (command) => [...command]

/** `unshare` has no walls of this kind: devices have to stay. */
type Asked = 'auto' | 'bwrap' | 'unshare' | 'plain'

/**
 * Bubblewrap where candidates run, unless it is waived in words.
 * @throws PipelineError `sandbox-missing` when it does not work there
 */
export async function chooseWalls(shell: Shell, asked: Asked = 'auto', signal?: AbortSignal): Promise<Walls> {
  if (asked === 'plain') return none
  const canary = ['/bin/sh', '-c', 'touch probe && rm probe && ! touch ../.probe 2>/dev/null && echo inside']
  const [folder, how] = ['walls', {seconds: 20, signal}]
  await shell.run(['mkdir', '-p', `${shell.root}/${folder}`], how)
  const said = await shell.run(bubblewrap(canary, `${shell.root}/${folder}`), how).then(
    ({stdout, stderr}) => (stdout.trim() === 'inside' ? '' : stderr.trim()),
    (error: unknown) =>
      error instanceof PipelineError && error.code === 'toolchain-missing' ? error.message : raise(error),
  )
  if (said === '') return bubblewrap
  throw new PipelineError('sandbox-missing', `Bubblewrap does not work on ${shell.place}: ${said.slice(0, 300)}`, {
    fix:
      'Install bubblewrap there (`apt install bubblewrap`). To build and run generated code without walls: ' +
      '`--set executor.sandbox=none-and-i-accept-the-risk`.',
  })
}

function raise(error: unknown): never {
  throw error
}
