import {join} from 'node:path'
import {logName, type Attempt} from './backend.ts'
import {exitCodeName, leaveExitCode} from './exit-code.ts'
import {quoted} from './shell.ts'
import {chooseScripts, portOf, restartFunctions, stepFile} from './step-script.ts'

/**
 * The script of every pod of an attempt. The operator numbers the pods by RANK; the first one writes the log, runs the
 * one-time steps, and records the end.
 */
export function podScript(attempt: Attempt): string {
  const {plan, rendering, number, folder} = attempt
  const steps = rendering.steps.map((step, at) => {
    const once = step.everyNode ? 'run_step' : 'once'
    return `${once} ${stepFile(at)} || finish $?`
  })
  return `#!/bin/bash
# ${plan.id}, attempt ${number}
set -uo pipefail
folder=${quoted(folder)}
export NODE_RANK=\${RANK:-0} MASTER_ADDR=\${MASTER_ADDR:-127.0.0.1} MASTER_PORT=\${MASTER_PORT:-${portOf(attempt)}}
# Of pods, not of processes: what starts the trainer's processes gives each its own.
unset RANK WORLD_SIZE LOCAL_RANK LOCAL_WORLD_SIZE
if [ "$NODE_RANK" = 0 ]; then
  exec > >(tee -a ${quoted(join(folder, logName))}) 2>&1
  rm -f ${quoted(join(folder, exitCodeName))}
fi
${restartFunctions(attempt)}
${chooseScripts(attempt)}

# A pod is stopped by a signal to its first process only.
child=
trap '[ -z "$child" ] || kill -TERM "$child"' TERM INT
run_step() {
  bash "$scripts/$1" &
  child=$!
  wait "$child"
  code=$?
  if [ "$code" -gt 128 ] && kill -0 "$child" 2> /dev/null; then
    wait "$child"
    code=$?
  fi
  child=
  return "$code"
}
once() {
  if [ "$NODE_RANK" != 0 ]; then
    until [ -e "$folder/$1.done" ]; do sleep 5; done
  elif [ ! -e "$folder/$1.done" ]; then
    run_step "$1" && touch "$folder/$1.done"
  fi
}
finish() {
  code=$1
  if [ "$NODE_RANK" = 0 ]; then
${leaveExitCode(folder).replace(/^/gm, '    ')}
  fi
  exit "$code"
}
${steps.join('\n')}
finish 0
`
}
