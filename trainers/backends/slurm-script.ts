import {join} from 'node:path'
import {PipelineError} from '../../engine/errors.ts'
import {logName, type Attempt} from './backend.ts'
import {leaveExitCode} from './exit-code.ts'
import {quoted} from './shell.ts'
import {chooseScripts, portOf, restartFunctions, stepFile} from './step-script.ts'

export const slurmScriptName = 'job.sbatch'

/** How often an attempt is restarted that was killed before it wrote another checkpoint. */
const mostFruitless = 3

/**
 * The batch script: every step under `srun`; after a killed step, or close to the time limit, the job is requeued and
 * resumes from its newest checkpoint.
 */
export function slurmScript(attempt: Attempt): string {
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
