import {join} from 'node:path'
import {PipelineError} from '../../engine/errors.ts'
import {runCommand, type CommandResult} from '../../engine/subprocess.ts'
import {logName, type Backend, type JobStatus} from './backend.ts'
import {markCancelled, recordedEnd, wasCancelled} from './exit-code.ts'
import {linesOf} from './log-file.ts'
import {slurmScript, slurmScriptName} from './slurm-script.ts'
import {slurmStatus} from './slurm-states.ts'
import {stepScripts} from './step-script.ts'

const mostSeconds = 60

/**
 * A Slurm cluster, accessed through Slurm's commands. The job's folder must be on a file system that the nodes share.
 * @param env of those commands: SLURM_CONF, PATH
 */
export function slurmBackend(env: Readonly<Record<string, string | undefined>>): Backend {
  const given = Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  const ask = (command: string, args: readonly string[]) =>
    runCommand(command, args, {env: {...given, SLURM_TIME_FORMAT: 'standard'}, timeoutSeconds: mostSeconds})
  return {
    name: 'slurm',
    render: (attempt) => [...stepScripts(attempt), {path: slurmScriptName, text: slurmScript(attempt)}],
    async submit({folder}) {
      const answer = await ask('sbatch', ['--parsable', join(folder, slurmScriptName)])
      const handle = answer.stdout.trim().split('\n').at(-1) ?? ''
      if (answer.code !== 0 || !/^\d+(;\S+)?$/.test(handle)) throw refused('sbatch', answer)
      return handle
    },
    state: (handle, folder) => stateOf(handle, folder, ask),
    log: (_, folder, from) => linesOf(join(folder, logName), from),
    async cancel(handle, folder) {
      await markCancelled(folder)
      const {number, cluster} = partsOf(handle)
      const answer = await ask('scancel', [...cluster, number])
      if (answer.code !== 0 && !isUnknown(answer)) throw refused('scancel', answer)
    },
  }
}

type Ask = (command: string, args: readonly string[]) => Promise<CommandResult>

/** `scontrol` knows jobs for a few minutes after they end, `sacct` if accounting is on, the job's script always. */
async function stateOf(handle: string, folder: string, ask: Ask): Promise<JobStatus> {
  const {number, cluster} = partsOf(handle)
  const shown = await ask('scontrol', [...cluster, '--oneliner', 'show', 'job', number])
  const live = shown.code === 0 ? slurmStatus(fieldsOf(shown.stdout), wasCancelled(folder)) : undefined
  if (live) return live
  if (shown.code !== 0 && !isUnknown(shown)) throw refused('scontrol', shown)
  const columns = ['-o', 'State,Reason,ExitCode']
  const past = await ask('sacct', [...cluster, '-n', '-P', '-X', '-j', number, ...columns]).catch(() => undefined)
  const [JobState, Reason = '', ExitCode = ''] = past?.stdout.trim().split('\n').at(-1)?.split('|') ?? []
  const kept =
    past?.code === 0 && JobState ? slurmStatus({JobState, Reason, ExitCode}, wasCancelled(folder)) : undefined
  const end = kept ?? recordedEnd(folder)
  if (end) return end
  if (wasCancelled(folder)) return {state: 'cancelled', detail: ''}
  return {
    state: 'lost',
    detail: `Slurm no longer knows job ${number}, accounting is off, and its script left no exit code`,
  }
}

/** `JobId=7 JobState=RUNNING Reason=None …`, the fields needed here; values may contain spaces, but these do not. */
function fieldsOf(line: string): Record<string, string> {
  return Object.fromEntries([...line.matchAll(/(?:^|\s)(\w+)=(\S*)/g)].map(([, key = '', value = '']) => [key, value]))
}

function partsOf(handle: string): {number: string; cluster: string[]} {
  const [number = '', cluster] = handle.split(';')
  return {number, cluster: cluster === undefined ? [] : ['-M', cluster]}
}

const isUnknown = ({stderr}: CommandResult) => /invalid job id/i.test(stderr)

function refused(command: string, {stderr, stdout, code, timedOut}: CommandResult): PipelineError {
  const words = (stderr.trim() || stdout.trim()).split('\n').slice(-3).join(' ')
  const why = timedOut ? `no answer within ${mostSeconds} s` : words || `exit code ${code}`
  const unreachable =
    timedOut || /unable to contact|connection refused|socket timed out|configuration source/i.test(words)
  return new PipelineError('executor-failed', `${command}: ${why}`, {
    fix: unreachable
      ? 'Check with `sinfo` that the cluster answers here (SLURM_CONF), then try again; jobs keep running.'
      : 'Change the refused key under `backend` in the specification: partition, account, time, gres, options.',
    scope: 'run',
    evidence: {command, code, stderr: stderr.slice(0, 2000)},
  })
}
