import {mkdtemp, rm} from 'node:fs/promises'
import {availableParallelism, tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import type {Program} from '../../datasets/schema/executor.ts'
import type {OperatorCase} from '../../datasets/schema/task.ts'
import twin from '../../eval/executors/twin.ts'
import {chooseCompiler} from '../../eval/executors/toolchain.ts'
import {runCommand} from '../../engine/subprocess.ts'
import {twinCache} from '../helpers/test-cache.ts'
import {readProgram} from './twin.ts'

const bench = fileURLToPath(new URL('./bench.ts', import.meta.url))
const modes = ['full', 'kernel-only'] as const
type Mode = (typeof modes)[number]

/**
 * CPU time of a candidate beside that of `clang -c` of an empty file, measured in turns: of everything that judging
 * starts, and of this process. In full mode every candidate differs in its host and kernel files, in kernel-only mode
 * in its kernel alone. A candidate is one build and two runs of a small case.
 */
export async function benchCost(candidates = 30): Promise<void> {
  for (const mode of modes) await cpuOf(mode, 2)
  const empty: number[] = []
  const costs: Record<Mode, number[]> = {full: [], 'kernel-only': []}
  for (let round = 0; round < 3; round += 1) {
    empty.push(await emptyFile(candidates))
    for (const mode of modes) {
      const start = await cpuOf(mode, 0)
      costs[mode].push((await cpuOf(mode, candidates)) - start)
    }
  }
  const each = (all: readonly number[]) => Math.min(...all) / candidates
  console.log(`clang -c of an empty file: ${each(empty).toFixed(1)} ms CPU`)
  for (const mode of modes) {
    const ratio = each(costs[mode]) / each(empty)
    console.log(`${mode}: ${each(costs[mode]).toFixed(1)} ms CPU a candidate, ${ratio.toFixed(2)} times the empty file`)
  }
}

/** Milliseconds of user and system time of a command and all that it waited for, as the shell tells it. */
async function cpuUnder(command: string): Promise<number> {
  const script = `${command} >/dev/null 2>&1; times`
  const {stdout} = await runCommand('bash', ['-c', script], {env: {...process.env} as Record<string, string>})
  const children = stdout.trim().split('\n').at(-1) ?? ''
  const parts = [...children.matchAll(/(\d+)m([\d.]+)s/g)]
  return parts.reduce((sum, [, minutes, seconds]) => sum + 1000 * (60 * Number(minutes) + Number(seconds)), 0)
}

async function emptyFile(times: number): Promise<number> {
  const {command} = await chooseCompiler()
  return cpuUnder(`for i in $(seq ${times}); do ${command} -c -x c++ /dev/null -o /dev/null; done`)
}

function cpuOf(mode: Mode, candidates: number): Promise<number> {
  return cpuUnder(`'${process.execPath}' --import tsx '${bench}' cost-once ${mode} ${candidates}`)
}

/** Judges candidates, in a process of its own. */
export async function benchCostOnce(mode: string, candidates: number): Promise<void> {
  const workDirectory = await mkdtemp(join(tmpdir(), 'ascend-cot-cost-'))
  try {
    const executor = await twin({cacheDirectory: twinCache, workDirectory})
    const program = await readProgram()
    const judge = async (number: number) => {
      const built = await executor.build(variant(program, mode, number))
      if (!built.ok) throw new Error(JSON.stringify(built.verdict))
      for (let run = 0; run < 2; run += 1) {
        const execution = await executor.execute(built.build, smallCase)
        if (execution.outcome !== 'ran') throw new Error(JSON.stringify(execution))
      }
      await built.build.dispose()
    }
    // The first one fills the cache, whatever comes after it.
    await judge(-1)
    let next = 0
    const worker = async () => {
      while (next < candidates) await judge(next++)
    }
    await Promise.all(Array.from({length: availableParallelism()}, worker))
  } finally {
    await rm(workDirectory, {recursive: true, force: true})
  }
}

/** Another text with the same meaning. */
function variant(program: Program, mode: string, number: number): Program {
  const changes = (path: string) => path.startsWith('op_kernel/') || (mode === 'full' && path.endsWith('.cpp'))
  const changed = ({path, text}: Program['files'][number]) => ({path, text: `${text}\n// candidate ${number}\n`})
  return {...program, files: program.files.map((file) => (changes(file.path) ? changed(file) : file))}
}

const smallCase: OperatorCase = {
  id: 'small',
  attributes: {negative_slope: 0.1},
  inputs: [{name: 'x', dtype: 'float16', shape: [64, 256], data: new Uint8Array(2 * 64 * 256)}],
  outputs: [{name: 'y', dtype: 'float16', shape: [64, 256]}],
}
