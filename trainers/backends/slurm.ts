import {join} from 'node:path'
import {PipelineError} from '../../engine/errors.ts'
import {runCommand, type CommandResult} from '../../engine/subprocess.ts'
import {logName, type Backend, type JobStatus, type Attempt} from './backend.ts'
import {markCancelled, recordedEnd, wasCancelled, leaveExitCode} from './exit-code.ts'
import {linesOf} from './log-file.ts'
import {stepScripts, chooseScripts, portOf, restartFunctions, stepFile} from './step-script.ts'
import type {JobState} from '../../datasets/schema/job.ts'
import {quoted} from './shell.ts'

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

/** The job's own states; Slurm's suffixes (`CANCELLED by 1000`, `RUNNING+`) are removed. */
const states: Readonly<Record<string, JobState>> = {
  PENDING: 'queued',
  CONFIGURING: 'queued',
  REQUEUED: 'queued',
  REQUEUE_FED: 'queued',
  REQUEUE_HOLD: 'queued',
  RESV_DEL_HOLD: 'queued',
  SPECIAL_EXIT: 'queued',
  RUNNING: 'running',
  COMPLETING: 'running',
  RESIZING: 'running',
  SIGNALING: 'running',
  STAGE_OUT: 'running',
  STOPPED: 'running',
  SUSPENDED: 'queued',
  COMPLETED: 'succeeded',
  CANCELLED: 'cancelled',
  FAILED: 'failed',
  TIMEOUT: 'failed',
  OUT_OF_MEMORY: 'failed',
  NODE_FAIL: 'failed',
  BOOT_FAIL: 'failed',
  DEADLINE: 'failed',
  PREEMPTED: 'failed',
  REVOKED: 'failed',
}

const meanings: Readonly<Record<string, string>> = {
  TIMEOUT: 'the time limit was reached; raise backend.time, or resume the job',
  OUT_OF_MEMORY: 'out of memory',
  NODE_FAIL: 'a node failed',
  BOOT_FAIL: 'a node did not start',
  PREEMPTED: 'it was preempted by another job',
  SUSPENDED: 'suspended',
}

/** A job's state from Slurm's fields; undefined if they are unknown. */
export function slurmStatus(
  {JobState = '', Reason = '', ExitCode = '', Restarts = '0'}: Readonly<Record<string, string>>,
  weCancelled: boolean,
): JobStatus | undefined {
  const name = JobState.match(/^[A-Z_]+/)?.[0] ?? ''
  const state = states[name]
  if (state === undefined) return undefined
  // A cancelled job may exit with its own code before Slurm records the cancellation.
  if (state === 'failed' && weCancelled) return {state: 'cancelled', detail: ''}
  const [, code = '0', signal = '0'] = /^(\d+):(\d+)/.exec(ExitCode) ?? []
  const parts = [
    meanings[name] ?? '',
    state === 'queued' ? waiting(Reason) : '',
    state === 'failed' && code !== '0' ? `exit code ${code}` : '',
    state === 'failed' && signal !== '0' ? `signal ${signal}` : '',
    Restarts === '0' ? '' : `started again ${Restarts} time${Restarts === '1' ? '' : 's'}`,
  ]
  return {state, detail: parts.filter((part) => part !== '').join(', ')}
}

function waiting(reason: string): string {
  if (reason === '' || reason === 'None') return ''
  if (/held/i.test(reason)) return `held (${reason}): release it with \`scontrol release\``
  return `waits for ${reason}`
}

const slurmScriptName = 'job.sbatch'

/** How often an attempt is restarted that was killed before it wrote another checkpoint. */
const mostFruitless = 3

/**
 * The batch script: every step under `srun`; after a killed step, or close to the time limit, the job is requeued and
 * resumes from its newest checkpoint.
 */
function slurmScript(attempt: Attempt): string {
  const {plan, rendering, number, folder} = attempt
  const steps = rendering.steps.map((step, at) => {
    const once = step.everyNode ? '' : ' once'
    return `run_step ${stepFile(at)}${once} || finish $?`
  })
  return `#!/bin/bash
${directives(attempt)
  .map((option) => `#SBATCH ${option}`)
  .join('\n')}
# ${plan.id}, attempt ${number}
set -uo pipefail
folder=${quoted(folder)}
${restartFunctions(attempt)}
${chooseScripts(attempt)}

running() { scontrol --oneliner show job "$SLURM_JOB_ID" | grep -q 'JobState=RUNNING'; }
again() {
  [ ! -e "$folder/cancelled" ] && running || return
  echo "[ascend-cot] $1: back into the queue"
  scontrol requeue "$SLURM_JOB_ID" && sleep 300
}
finish() {
  code=$1
  if [ "$code" -gt 128 ]; then
    if [ "$(newest_step)" != "$begun" ] || [ "\${SLURM_RESTART_COUNT:-0}" -lt ${mostFruitless} ]; then
      again "a step was killed (exit code $code)"
    fi
  fi
${indented(leaveExitCode(folder))}
  exit "$code"
}
# Before the time limit, and only where the next turn begins further on than this one did.
trap 'signalled=1; [ "$(newest_step)" = "$begun" ] || again "the time limit is near"' USR1

MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
export MASTER_ADDR MASTER_PORT=${portOf(attempt)}
run_step() {
  where=()
  [ "\${2:-}" = once ] && where=(--nodes=1 --ntasks=1)
  srun --kill-on-bad-exit=1 --cpu-bind=none "\${where[@]}" \\
    bash -c 'NODE_RANK=$SLURM_NODEID exec bash "$0"' "$scripts/$1" &
  # \`wait\` returns when a signal comes, before the step has ended.
  while :; do
    signalled=
    wait $!
    code=$?
    [ -n "$signalled" ] || return "$code"
  done
}
${steps.join('\n')}
finish 0
`
}

function directives({plan, number, folder}: Attempt): string[] {
  const {backend, hardware} = plan.spec
  if (backend.kind !== 'slurm') throw new TypeError('not a job for Slurm')
  const {partition, account, time, gres, options} = backend
  const own = [
    `--job-name=${plan.id}-${number}`,
    `--nodes=${hardware.nodes}`,
    '--ntasks-per-node=1',
    `--time=${time}`,
    ...(partition === undefined ? [] : [`--partition=${partition}`]),
    ...(account === undefined ? [] : [`--account=${account}`]),
    ...(gres === undefined ? [] : [`--gres=${gres}:${hardware.devicesPerNode}`]),
    `--chdir=${quotedValue(folder)}`,
    // Without escaping, \`%\` begins a name that Slurm fills in.
    `--output=${quotedValue(join(folder, logName).replaceAll('%', '%%'))}`,
    '--open-mode=append',
    '--requeue',
    '--signal=B:USR1@300',
  ]
  // One task per node with one core would train at the speed of that core.
  const cores = options.some((option) => /^--(exclusive|cpus-per-|mincpus)/.test(option)) ? [] : ['--exclusive']
  return [...own, ...cores, ...options].map(checked)
}

/** In the syntax of sbatch. */
const quotedValue = (text: string) => (/^[\w@%+:,./-]+$/.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`)

function checked(option: string): string {
  if (!/[\n\r]/.test(option)) return option
  throw new PipelineError('config-invalid', `An option for sbatch has several lines: ${JSON.stringify(option)}.`, {
    fix: 'Write each option of backend.options as one line.',
  })
}

const indented = (text: string) => text.replace(/^/gm, '  ')
