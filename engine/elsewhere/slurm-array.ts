import {join} from 'node:path'
import {PipelineError} from '../errors.ts'
import {makeFolder, writeWhole} from '../files.ts'
import {runCommand, type CommandResult} from '../subprocess.ts'
import type {TaskArray} from './task-array.ts'

interface Slurm {
  /** Shared by this machine and the nodes. */
  folder: string
  /** Job name. */
  name: string
  /** Tasks at once. */
  tasks: number
  /** Further options of sbatch, such as `--partition=cpu`. */
  options: readonly string[]
  /** The shell line of a task; `$INDEX` is its share. */
  line: string
  /** Of Slurm's commands: PATH, SLURM_CONF. */
  env: Readonly<Record<string, string>>
}

/** MaxArraySize is 1001 by default; an index is always below it. */
const mostIndices = 1000
const mostSeconds = 60

/** A Slurm array: `--requeue` puts back what a lost node held. */
export function slurmArray(slurm: Slurm): TaskArray {
  const ask = (command: string, args: readonly string[]) =>
    runCommand(command, args, {env: slurm.env, timeoutSeconds: mostSeconds, maxOutputBytes: 16 << 20})
  async function submitFrom(first: number, shares: readonly number[]): Promise<string> {
    const file = join(slurm.folder, `array-${first}.sbatch`)
    makeFolder(join(slurm.folder, 'log'))
    await writeWhole(file, script(slurm, first, shares))
    const answer = await ask('sbatch', ['--parsable', file])
    const job = answer.stdout.trim().split('\n').at(-1) ?? ''
    if (answer.code !== 0 || !/^\d+(;\S+)?$/.test(job)) throw refused('sbatch', answer)
    return `${job}+${first}`
  }
  return {
    async submit(shares) {
      const handles: string[] = []
      const firsts = new Set(shares.map((share) => share - (share % mostIndices)))
      for (const first of firsts)
        handles.push(
          await submitFrom(
            first,
            shares.filter((share) => share >= first && share < first + mostIndices),
          ),
        )
      return handles
    },
    async live(handles) {
      const found = new Set<number>()
      for (const handle of handles) {
        const {job, cluster, first} = partsOf(handle)
        const answer = await ask('squeue', [...cluster, '-h', '-r', '-j', job, '-o', '%K %t']).catch(() => undefined)
        if (!answer || (answer.code !== 0 && !isUnknown(answer))) return undefined
        for (const [, index] of answer.stdout.matchAll(/^(\d+) [A-Z]+$/gm)) found.add(first + Number(index))
      }
      return found
    },
    async cancel(handles) {
      for (const handle of handles) {
        const {job, cluster} = partsOf(handle)
        await ask('scancel', [...cluster, job])
      }
    },
  }
}

function partsOf(handle: string): {job: string; cluster: string[]; first: number} {
  const [, job = '', cluster, first = ''] = /^(\d+)(?:;([^+]+))?\+(\d+)$/.exec(handle) ?? []
  return {job, cluster: cluster === undefined ? [] : ['-M', cluster], first: Number(first)}
}

/** Slurm forgets a job some minutes after its end. */
const isUnknown = ({stderr}: CommandResult) => /invalid job id/i.test(stderr)

function script({folder, name, tasks, options, line}: Slurm, first: number, shares: readonly number[]): string {
  const own = [
    `--job-name=${name}`,
    `--array=${ranges(shares.map((share) => share - first))}%${tasks}`,
    '--requeue',
    '--open-mode=append',
    `--output=${quotedValue(join(folder, 'log').replaceAll('%', '%%'))}/${first}+%a.txt`,
    ...options,
  ]
  const directives = own.map((option) => `#SBATCH ${oneLine(option)}`).join('\n')
  return `#!/bin/bash\n${directives}\nINDEX=$((${first} + SLURM_ARRAY_TASK_ID))\n${line}\n`
}

/** `0-3,7`: a thousand numbers alone would be a long line. */
function ranges(numbers: readonly number[]): string {
  const found: [from: number, to: number][] = []
  for (const number of numbers) {
    const last = found.at(-1)
    if (last && last[1] === number - 1) last[1] = number
    else found.push([number, number])
  }
  return found.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(',')
}

const quotedValue = (text: string) => (/^[\w@%+:,./-]+$/.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`)

function oneLine(option: string): string {
  if (!/[\n\r]/.test(option)) return option
  throw new PipelineError('config-invalid', `An option for sbatch has several lines: ${JSON.stringify(option)}.`, {
    fix: 'Write each option of workers.options as one line.',
  })
}

function refused(command: string, {stderr, stdout, code, timedOut}: CommandResult): PipelineError {
  const words = (stderr.trim() || stdout.trim()).split('\n').slice(-3).join(' ')
  const why = timedOut ? `no answer within ${mostSeconds} s` : words || `exit code ${code}`
  return new PipelineError('executor-failed', `${command}: ${why}`, {
    fix: 'Check with `sinfo` that the cluster answers, and the keys partition and options under `workers`.',
    scope: 'run',
    evidence: {command, code},
  })
}
