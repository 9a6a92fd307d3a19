import {spawn} from 'node:child_process'
import {mkdtemp, readdir, readFile, rm, writeFile} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import type {Program} from '../../datasets/schema/executor.ts'
import type {OperatorCase} from '../../datasets/schema/task.ts'
import {prebuilt as builtTwin} from '../helpers/prebuilt.ts'
import {chooseCompiler, languageFlags} from '../../eval/executors/toolchain.ts'
import twin from '../../eval/executors/twin.ts'
import {encode} from '../../datasets/dtype.ts'
import {runCommand} from '../../engine/subprocess.ts'
import {twinCache} from '../helpers/test-cache.ts'

const operators = fileURLToPath(new URL('../../sources/starter/operators/', import.meta.url))

/**
 * The two shapes of the benchmark's Sqrt in half precision: 3.1 and 6.3 million elements, here of one input and one
 * output.
 */
const shapes = [
  [48, 128, 512],
  [96, 64, 1024],
] as const

/**
 * Candidates per minute for an elementwise operator of the size of the benchmark's Sqrt. A candidate is a fresh build,
 * host and kernel and link, and two runs, all inside the sandbox. `seconds` is how long each count goes on.
 */
export async function benchTwin(seconds = 15): Promise<void> {
  const fresh = await mkdtemp(join(tmpdir(), 'ascend-cot-cold-'))
  try {
    const cold = await timed(() => oneCandidate(fresh, fresh))
    const warm = await timed(() => oneCandidate(fresh, fresh))
    console.log(
      `first candidate on a machine, twin compiled on the way: ${cold.toFixed(1)} s; the same with everything precompiled: ${warm.toFixed(2)} s`,
    )
  } finally {
    await rm(fresh, {recursive: true, force: true})
  }
  await headers()
  for (const processes of [1, 2]) {
    const lines = await Promise.all(Array.from({length: processes}, () => child(seconds)))
    const counts = lines.map((line) => JSON.parse(line) as {candidates: number; seconds: number; peakRssMb: number})
    const perMinute = counts.reduce((sum, one) => sum + (60 * one.candidates) / one.seconds, 0)
    console.log(
      `${processes} ${processes === 1 ? 'process' : 'processes'}: ${perMinute.toFixed(0)} candidates a minute; peak memory of Node ${counts.map((one) => `${one.peakRssMb} MB`).join(', ')}`,
    )
  }
}

/** Counts candidates for a while; prints one JSON line. Runs in a process of its own. */
export async function benchTwinOnce(seconds: number): Promise<void> {
  const workDirectory = await mkdtemp(join(tmpdir(), 'ascend-cot-twin-'))
  try {
    await oneCandidate(twinCache, workDirectory)
    const started = performance.now()
    let candidates = 0
    while ((performance.now() - started) / 1000 < seconds) {
      await oneCandidate(twinCache, workDirectory)
      candidates += 1
    }
    console.log(
      JSON.stringify({
        candidates,
        seconds: (performance.now() - started) / 1000,
        peakRssMb: Math.round(process.resourceUsage().maxRSS / 1024),
      }),
    )
  } finally {
    await rm(workDirectory, {recursive: true, force: true})
  }
}

const executors = new Map<string, ReturnType<typeof twin>>()
let program: Promise<Program> | undefined
let cases: OperatorCase[] | undefined

async function oneCandidate(cache: string, workDirectory: string): Promise<void> {
  const pending = executors.get(cache) ?? twin({cacheDirectory: cache, workDirectory})
  executors.set(cache, pending)
  const executor = await pending
  const built = await executor.build(await (program ??= readProgram()))
  if (!built.ok) throw new Error(JSON.stringify(built.verdict))
  for (const operatorCase of (cases ??= shapes.map(caseOf))) {
    const execution = await executor.execute(built.build, operatorCase)
    if (execution.outcome !== 'ran') throw new Error(JSON.stringify(execution))
  }
  await built.build.dispose()
}

/** A small elementwise operator of ours. */
export async function readProgram(): Promise<Program> {
  const files: {path: string; text: string}[] = []
  for (const side of ['op_host', 'op_kernel']) {
    for (const name of (await readdir(join(operators, 'leaky_relu', side))).sort()) {
      files.push({path: `${side}/${name}`, text: await readFile(join(operators, 'leaky_relu', side, name), 'utf8')})
    }
  }
  return {operator: 'LeakyRelu', files, dtypes: {x: 'float16', y: 'float16'}}
}

function caseOf(shape: readonly number[]): OperatorCase {
  const count = shape.reduce((product, side) => product * side, 1)
  const data = encode(
    Float64Array.from({length: count}, (_, index) => (index % 2001) - 1000),
    'float16',
  )
  return {
    id: shape.join('x'),
    attributes: {negative_slope: 0.1},
    inputs: [{name: 'x', dtype: 'float16', shape: [...shape], data}],
    outputs: [{name: 'y', dtype: 'float16', shape: [...shape]}],
  }
}

/** One host file without a sandbox: against headers as text, and against the precompiled header. */
async function headers(): Promise<void> {
  const compiler = await chooseCompiler()
  const prebuilt = await builtTwin(compiler)
  const directory = await mkdtemp(join(tmpdir(), 'ascend-cot-headers-'))
  try {
    for (const {path, text} of (await readProgram()).files)
      await writeFile(join(directory, path.replace(/^.*\//, path.startsWith('op_kernel') ? 'kernel_' : '')), text)
    const host = [...languageFlags(compiler), '-O0', '-I', prebuilt.include, '-c', 'leaky_relu.cpp', '-o', '/dev/null']
    const compile = (extra: readonly string[]) =>
      timed(async () => {
        const {code, stderr} = await runCommand(compiler.command, [...extra, ...host], {cwd: directory})
        if (code !== 0) throw new Error(stderr)
      })
    const [text, precompiled] = [await compile(['-include', 'twin_host/host.h']), await compile(prebuilt.header.host)]
    console.log(
      `host file with ${compiler.version}: ${(1000 * text).toFixed(0)} ms from headers as text, ${(1000 * precompiled).toFixed(0)} ms precompiled`,
    )
  } finally {
    await rm(directory, {recursive: true, force: true})
  }
}

function child(seconds: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const bench = spawn(
      process.execPath,
      ['--import', 'tsx', fileURLToPath(new URL('bench.ts', import.meta.url)), 'twin-once', String(seconds)],
      {stdio: ['ignore', 'pipe', 'inherit']},
    )
    let text = ''
    bench.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    bench.on('close', (code) => (code === 0 ? resolve(text.trim()) : reject(new Error(`twin-once ended with ${code}`))))
  })
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}
