import {createHash} from 'node:crypto'
import {join} from 'node:path'
import type {RenderedFile, Rendering, Step} from '../engines/engine.ts'
import {lastStep, type Attempt} from './backend.ts'
import {quoted, shellWord} from './shell.ts'

/** Folder of an attempt with the files for a restart, with `lastStep` in it. */
const restartFolder = 'restart'
/** The same, with the number filled in by the job's script. */
const restartedFolder = 'restarted'

/**
 * One bash script for each step: it expects NODE_RANK, MASTER_ADDR and MASTER_PORT, and executes the step's program.
 * Those that resume from a checkpoint are templates below `restart`.
 */
export function stepScripts({plan, rendering, restart, number}: Attempt): RenderedFile[] {
  const title = `${plan.id}, attempt ${number}`
  const scripts = (one: Rendering, below: string) =>
    one.steps.map((step, at) => ({path: join(below, stepFile(at)), text: scriptOf(step, plan.spec.environment, title)}))
  if (restart === null) return scripts(rendering, '')
  const templates = restart.files.map(({path, text}) => ({path: join(restartFolder, 'rendered', path), text}))
  return [...scripts(rendering, ''), ...scripts(restart, restartFolder), ...templates]
}

export const stepFile = (at: number) => `step-${at + 1}.sh`

function scriptOf(step: Step, {setup, variables}: Attempt['plan']['spec']['environment'], title: string): string {
  const exports = [
    // A trainer's output appears at once, not in blocks of 8 kB.
    ...Object.entries({PYTHONUNBUFFERED: '1', ...variables, ...step.environment}),
  ].map(([name, value]) => `export ${name}=${shellWord(value)}`)
  return [
    '#!/bin/bash',
    `# ${oneLine(title)}: ${oneLine(step.name)}`,
    'set -eo pipefail',
    ...setup.map((file) => `. ${quoted(file)}`),
    ...exports,
    `cd ${quoted(step.directory)}`,
    `exec ${step.argv.map(shellWord).join(' ')}`,
    '',
  ].join('\n')
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ')

/**
 * Bash functions of a script that a scheduler may run several times: `newest_step` prints the number of the newest
 * complete checkpoint, `fill_in <number>` writes the scripts that resume from it.
 */
export function restartFunctions({plan, restart, folder}: Attempt): string {
  if (restart === null) return 'newest_step() { :; }\n'
  const files = restart.files.map(({path}) => [
    join(folder, restartFolder, 'rendered', path),
    join(plan.folder, 'rendered', path),
  ])
  const steps = restart.steps.map((_, at) => [
    join(folder, restartFolder, stepFile(at)),
    join(folder, restartedFolder, stepFile(at)),
  ])
  const fills = [...files, ...steps].map(([from = '', to = '']) => `  fill ${quoted(from)} ${quoted(to)} "$1"`)
  return `output=${quoted(plan.output)}
newest_step() {
  if [ -f "$output/latest_checkpointed_iteration.txt" ]; then
    tr -cd 0-9 < "$output/latest_checkpointed_iteration.txt"
    return
  fi
  for state in "$output"/checkpoint-*/trainer_state.json; do
    [ -f "$state" ] || continue
    checkpoint=\${state%/trainer_state.json}
    echo "\${checkpoint##*-}"
  done | sort -n | tail -n 1
}
# Whole or not at all: other nodes may be doing the same.
fill() {
  mkdir -p "$(dirname "$2")"
  sed "s/${lastStep}/$3/g" "$1" > "$2.$HOSTNAME.$$" && mv "$2.$HOSTNAME.$$" "$2"
}
fill_in() {
${fills.join('\n')}
}
`
}

/**
 * Bash that sets `begun`, the step that the scripts in `scripts` resume from: the planned one, or a newer one if the
 * attempt was started before.
 */
export function chooseScripts({plan, folder, restart}: Attempt): string {
  if (restart === null) return `scripts=${quoted(folder)}`
  const planned = /(\d+)\/*$/.exec(plan.resume ?? '')?.[1] ?? ''
  // Numbers may begin with zeros in a folder's name.
  return `begun=$(newest_step)
scripts=${quoted(folder)}
if [ -n "$begun" ] && [ "$begun" -ne ${Number(planned)} ]; then
  fill_in "$begun"
  scripts=${quoted(join(folder, restartedFolder))}
  echo "[ascend-cot] going on from step $begun"
fi`
}

/** Below Linux's ephemeral ports; different for each attempt, so that jobs do not collide. */
export function portOf({plan, number}: Pick<Attempt, 'plan' | 'number'>): number {
  return 20_000 + (createHash('sha256').update(`${plan.id} ${number}`).digest().readUInt32BE() % 10_000)
}
