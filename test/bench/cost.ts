import {randomUUID} from 'node:crypto'
import {mkdtemp, rm} from 'node:fs/promises'
import {availableParallelism, tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import type {Program} from '../../datasets/schema/executor.ts'
import type {OperatorCase} from '../../datasets/schema/task.ts'
import twin from '../../eval/executors/twin.ts'
import {chooseSandbox, confined} from '../../eval/executors/sandbox.ts'
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
  await checkMeter()
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

/**
 * Waits for whatever a command leaves behind and prints the seconds of all. bubblewrap ends without waiting for the
 * first process of its namespace, so the time of that counts for nobody who is no reaper of orphans (prctl(2), 36).
 */
const reaper = `import ctypes, os, resource, subprocess, sys
ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
try:
    while True: os.wait()
except ChildProcessError:
    pass
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime)`

/** Milliseconds of user and system time of a command and all that it started. */
async function cpuUnder(command: readonly string[], env = process.env): Promise<number> {
  const {stdout} = await runCommand('python3', ['-c', reaper, ...command], {env: {...env} as Record<string, string>})
  return 1000 * Number(stdout)
}

const loop = ['/bin/sh', '-c', 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done']

/** @throws Error where what runs inside the walls is not counted */
async function checkMeter(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'ascend-cot-cost-'))
  try {
    const sandbox = await chooseSandbox(directory)
    const limits = {cpuSeconds: 60, wallSeconds: 60, memoryBytes: 2 ** 30, fileBytes: 0, outputBytes: 0}
    const inside = confined(sandbox, loop, {readOnly: [], writable: directory}, limits)
    const seen = [await cpuUnder(loop), await cpuUnder([inside.program, ...inside.args], inside.env)]
    const [plain = 0, walled = 0] = seen
    // What is lost is nearly all of it; the rest is how busy the machine is.
    if (walled >= 0.5 * plain) return
    const told = `${walled.toFixed(0)} of ${plain.toFixed(0)} ms of CPU are seen of a loop inside ${sandbox}`
    throw new Error(`The cost of a candidate cannot be measured here: ${told}.`)
  } finally {
    await rm(directory, {recursive: true, force: true})
  }
}

async function emptyFile(times: number): Promise<number> {
  const {command} = await chooseCompiler()
  return cpuUnder(['bash', '-c', `for i in $(seq ${times}); do ${command} -c -x c++ /dev/null -o /dev/null; done`])
}

function cpuOf(mode: Mode, candidates: number): Promise<number> {
  return cpuUnder([process.execPath, '--import', 'tsx', bench, 'cost-once', mode, String(candidates)])
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

/** Objects outlive a process: what an earlier run compiled is not what a candidate costs. */
const ofThisRun = randomUUID()

/** Another text with the same meaning. */
function variant(program: Program, mode: string, number: number): Program {
  const changes = (path: string) => path.startsWith('op_kernel/') || (mode === 'full' && path.endsWith('.cpp'))
  const changed = ({path, text}: Program['files'][number]) => ({
    path,
    text: `${text}\n// candidate ${number} of ${ofThisRun}\n`,
  })
  return {...program, files: program.files.map((file) => (changes(file.path) ? changed(file) : file))}
}

const smallCase: OperatorCase = {
  id: 'small',
  attributes: {negative_slope: 0.1},
  inputs: [{name: 'x', dtype: 'float16', shape: [64, 256], data: new Uint8Array(2 * 64 * 256)}],
  outputs: [{name: 'y', dtype: 'float16', shape: [64, 256]}],
}
