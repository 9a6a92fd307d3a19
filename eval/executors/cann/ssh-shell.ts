import {readFile, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {PipelineError} from '../../../engine/errors.ts'
import {runCommand, type CommandResult} from '../../../engine/subprocess.ts'
import type {Shell, ShellCommand} from './cann-shell.ts'

interface SshOptions {
  /** `user@host`, or a name of ssh's configuration. */
  host: string
  /** Of ssh; default its own files. */
  configuration?: string | undefined
  /** Folder here whose files the host gets. */
  workDirectory: string
  /** Of the caller: ssh wants the agent's socket. */
  environment: Readonly<Record<string, string | undefined>>
  signal?: AbortSignal | undefined
}

/** What ssh may take to connect and to end beyond the command itself. */
const connectSeconds = 20

/** Leftovers of processes that ended a day ago or more; then a folder for this one. */
const openScript = `me="$(id -un)"
find /tmp -maxdepth 1 -name 'ascend-cot-????????' -user "$me" -mmin +1440 -exec rm -rf {} + 2>/dev/null
folder="$(mktemp -d /tmp/ascend-cot-XXXXXXXX)" && mkdir "$folder/.groups" && printf %s "$folder"`

/**
 * A host over ssh, which must let in by key (BatchMode) and have bash, tar and coreutils. What it runs is a process
 * group that is killed there on time-out and abort.
 * @throws PipelineError `toolchain-missing` of scope `run` when it cannot be reached
 */
export async function sshShell(options: SshOptions): Promise<Shell> {
  const {host, workDirectory, signal} = options
  const opened = await ssh(options, openScript, {seconds: connectSeconds, signal})
  if (opened.code !== 0 || !opened.stdout.startsWith('/')) throw lost(host, opened, 'run')
  const root = opened.stdout
  let commands = 0
  const done = async (script: string, how: {stdin?: Uint8Array; outputBytes?: number} = {}) => {
    const end = await ssh(options, script, {seconds: transferSeconds, ...how})
    if (end.code !== 0) throw lost(host, end, 'record')
    return end.stdout
  }
  return {
    place: host,
    root,
    async run(command, {cwd = '.', env, seconds, outputBytes, signal: stop}) {
      commands += 1
      const group = `${root}/.groups/${process.pid}-${commands}`
      // `timeout` leads a group of its own; the shell around it tells how it ended, as sshd would not of a signal.
      const words = [...settings(env), 'timeout', '-s', 'KILL', String(seconds), ...command].map(quoted).join(' ')
      const script = `cd ${quoted(join(root, cwd))} && { ${words} & echo $! > ${quoted(group)}; wait $!; }`
      const kill = () =>
        ssh(options, `kill -KILL -- "-$(cat ${quoted(group)})" 2>/dev/null; rm -f ${quoted(group)}`, {
          seconds: connectSeconds,
        }).catch(() => undefined)
      const started = performance.now()
      const how = {seconds: seconds + connectSeconds, signal: stop, ...(outputBytes !== undefined && {outputBytes})}
      const end = await ssh(options, script, how).catch(async (error: unknown) => {
        await kill()
        throw error
      })
      if (end.timedOut) await kill()
      if (end.code === 255) throw lost(host, end, 'record')
      const isLate = end.code === 137 && performance.now() - started >= seconds * 1000
      return {...end, timedOut: end.timedOut || isLate}
    },
    async put(folder) {
      const packed = join(workDirectory, `.put-${process.pid}-${(commands += 1)}.tar`)
      await tar(['-C', workDirectory, '-cf', packed, folder])
      await done(`tar -C ${quoted(root)} -xf -`, {stdin: await readFile(packed)})
      await rm(packed)
    },
    async get(folder) {
      // Text passes through every stream; inputs are here already.
      const script = `tar -C ${quoted(root)} --exclude 'input-*.bin' -cf - ${quoted(folder)} | base64 -w0`
      const text = await done(script, {outputBytes: mostBytes})
      const own = ['--no-same-owner', '--no-same-permissions']
      await tar(['-C', workDirectory, ...own, '-xf', '-'], Buffer.from(text, 'base64'))
    },
    remove: async (folder) => void (await done(`rm -rf ${quoted(join(root, folder))}`)),
  }
}

const transferSeconds = 600
const mostBytes = 2 ** 30

function settings(env: ShellCommand['env']): string[] {
  return env ? ['env', '-i', ...Object.entries(env).map(([name, value]) => `${name}=${value}`)] : []
}

const quoted = (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`

interface Asked {
  seconds: number
  stdin?: Uint8Array
  outputBytes?: number
  signal?: AbortSignal | undefined
}

function ssh({host, configuration, environment}: SshOptions, script: string, asked: Asked): Promise<CommandResult> {
  const named = configuration === undefined ? [] : ['-F', configuration]
  const how = ['-T', '-o', 'BatchMode=yes', '-o', `ConnectTimeout=${connectSeconds}`, '-o', 'ServerAliveInterval=15']
  const env = ['PATH', 'HOME', 'USER', 'SSH_AUTH_SOCK'].flatMap((name) => {
    const value = environment[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return runCommand('ssh', [...named, ...how, host, '--', script], {
    env: Object.fromEntries(env),
    timeoutSeconds: asked.seconds,
    ...(asked.stdin && {stdin: asked.stdin}),
    ...(asked.outputBytes !== undefined && {maxOutputBytes: asked.outputBytes}),
    ...(asked.signal && {signal: asked.signal}),
  })
}

async function tar(args: readonly string[], stdin?: Uint8Array): Promise<void> {
  const {code, stderr} = await runCommand('tar', args, {timeoutSeconds: transferSeconds, ...(stdin && {stdin})})
  if (code === 0) return
  throw new PipelineError('executor-failed', `tar ended with status ${code}: ${stderr.slice(0, 300)}`, {
    fix: 'Look whether the disk is full, then run `ascend-cot resume`.',
  })
}

function lost(
  host: string,
  {stderr, code}: Pick<CommandResult, 'stderr' | 'code'>,
  scope: 'run' | 'record',
): PipelineError {
  const said = stderr.trim().slice(-300) || `status ${code}`
  return new PipelineError(scope === 'run' ? 'toolchain-missing' : 'executor-failed', `ssh ${host}: ${said}`, {
    fix: `Check that \`ssh -o BatchMode=yes ${host} true\` works, then run the command or \`ascend-cot resume\` again.`,
    scope,
  })
}
