import {cp} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import pLimit from 'p-limit'
import {runCommand} from '../../engine/subprocess.ts'
import {buildDirect} from '../helpers/direct-program.ts'
import type {DirectBuild, DirectRun} from '../helpers/direct-program.ts'
import type {Tools} from '../../eval/executors/tools.ts'
import twin, {twinTools} from '../../eval/executors/twin.ts'
import {twinCache} from '../helpers/test-cache.ts'
import {ascExamples} from './asc-examples.ts'
import type {AscExample} from './asc-examples.ts'
import {settledOf} from './direct-settled.ts'
import {tryMultiKernelBench} from './multi-kernel-bench.ts'

type Outcome = 'passed' | 'cleared' | 'ran' | 'outside' | 'not-built' | 'violated' | 'wrong' | 'ended' | 'no-input'

interface Result {
  name: string
  outcome: Outcome
  detail: string
}

/** How its steps ended; `broken` is the rule that ended the program. */
interface Ending extends Omit<Result, 'name'> {
  broken?: string
}

const usage =
  'Usage: npm run bench -- direct-launch [--asc-devkit <checkout> [--only <part of a name>]] ' +
  '[--multi-kernel-bench <checkout>]'

/**
 * Builds the examples of asc-devkit that launch kernels themselves, and runs those with a check of their own; builds
 * and runs the AscendC examples of MultiKernelBench. Scripts of the examples run inside the sandbox too, with the
 * Python of the PATH; it needs NumPy.
 */
export async function benchDirectLaunch(args: readonly string[]): Promise<void> {
  const option = (name: string) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined)
  const [devkit, shipped] = [option('--asc-devkit'), option('--multi-kernel-bench')]
  if (devkit === undefined && shipped === undefined) throw new Error(usage)
  const where = {cacheDirectory: twinCache, workDirectory: join(tmpdir(), 'ascend-cot-direct'), soc: 'Ascend910B1'}
  const tools = await twinTools(where)
  if (devkit !== undefined) await benchAscDevkit(tools, devkit, option('--only') ?? '')
  if (shipped !== undefined) {
    const results = await tryMultiKernelBench(shipped, tools, await twin(where))
    for (const {name, outcome, detail} of results)
      console.log(`${outcome.padEnd(10)} ${name}${detail && `: ${detail}`}`)
    const right = results.filter(({outcome}) => outcome === 'right').length
    console.log(`${right} of ${results.length} examples of MultiKernelBench build and compute the right values`)
  }
}

async function benchAscDevkit(tools: Tools, checkout: string, only: string): Promise<void> {
  const python = await findPython()
  const examples = (await ascExamples(checkout)).filter(({name}) => name.includes(only))
  const limit = pLimit(2)
  const results = await Promise.all(
    examples.map((example) =>
      limit(async () => {
        const result = await tryExample(tools, python, example)
        console.log(`${result.outcome.padEnd(10)} ${result.name}${result.detail && `: ${result.detail}`}`)
        return result
      }),
    ),
  )
  printCounts(results)
  for (const line of reasons(results)) console.log(line)
}

/** What settles each example that does not pass, and which ones nothing settles. */
function reasons(results: readonly Result[]): string[] {
  const failed = results.filter(({outcome}) => !['passed', 'cleared', 'ran', 'outside'].includes(outcome))
  const known = failed.flatMap(({name}) => settledOf(name) ?? [])
  const open = failed.filter(({name}) => !settledOf(name)).map(({name}) => name)
  const stale = results.filter(({name, outcome}) => outcome === 'passed' && settledOf(name)).map(({name}) => name)
  return [
    ...known.map(({example, fault, at, why}) => `  fault of the ${fault}: ${example}: ${why} (${at})`),
    ...open.map((name) => `  not settled: ${name}`),
    ...stale.map((name) => `  passes, and direct-settled.ts says that it does not: ${name}`),
  ]
}

function printCounts(results: readonly Result[]): void {
  const count = (...outcomes: Outcome[]) => results.filter(({outcome}) => outcomes.includes(outcome)).length
  const inside = results.length - count('outside')
  const built = inside - count('not-built')
  const checked = built - count('ran', 'no-input')
  console.log(`\n${results.length} examples for Atlas A2, ${count('outside')} of them with a framework`)
  console.log(`${built} of ${inside} build (${((100 * built) / inside).toFixed(1)} %)`)
  console.log(`${count('passed')} of ${checked} with a check of their own pass it; ${count('ran')} run without one`)
  for (const outcome of ['cleared', 'violated', 'wrong', 'ended', 'no-input'] as const)
    console.log(`  ${outcome}: ${count(outcome)}`)
}

interface Python {
  command: string
  /** Folders that it needs to see. */
  prefixes: string[]
}

async function findPython(): Promise<Python | undefined> {
  const script =
    'import os, sys, numpy; print(sys.executable); print(sys.prefix); print(sys.base_prefix); ' +
    'print(os.path.dirname(os.path.realpath(sys.executable)))'
  const {code, stdout} = await runCommand('python3', ['-c', script], {timeoutSeconds: 60})
  const [command = '', ...prefixes] = stdout.trim().split('\n')
  return code === 0 ? {command, prefixes: [...new Set(prefixes)]} : undefined
}

async function tryExample(tools: Tools, python: Python | undefined, example: AscExample): Promise<Result> {
  const {name, outside, program} = example
  if (outside !== undefined) return {name, outcome: 'outside', detail: outside}
  const end = await buildDirect(tools, program)
  if (!end.ok) return {name, outcome: 'not-built', detail: firstError('log' in end.verdict ? end.verdict.log : '')}
  try {
    for (const part of ['scripts', 'input', 'data']) {
      await cp(join(example.folder, part), join(end.build.directory, part), {recursive: true, force: false}).catch(
        () => {},
      )
    }
    const strict = await runSteps(end.build, python, example, 'nan')
    if (strict.broken === 'assert-failed' && example.asserts) {
      return {name, outcome: 'passed', detail: 'its README says that its kernel fails this assertion'}
    }
    if (strict.outcome !== 'wrong') return {name, outcome: strict.outcome, detail: strict.detail}
    const cleared = await runSteps(end.build, python, example, 'zero')
    const detail = 'right only when fresh device memory holds zeros, which aclrtMalloc does not promise'
    return cleared.outcome === 'passed'
      ? {name, outcome: 'cleared', detail}
      : {name, outcome: 'wrong', detail: strict.detail}
  } finally {
    await end.build.dispose()
  }
}

const firstError = (log: string) => /^.*(?:error:|undefined).*$/m.exec(log)?.[0].slice(0, 300) ?? log.slice(0, 300)

async function runSteps(
  build: DirectBuild,
  python: Python | undefined,
  {steps, checks, prints}: AscExample,
  poison: 'nan' | 'zero',
): Promise<Ending> {
  let said = ''
  let ran = false
  for (const [command = '', ...args] of steps) {
    const script = command === 'python3'
    if (script && !python) return {outcome: 'no-input', detail: 'no Python with NumPy'}
    const end =
      script && python
        ? await build.runBeside([python.command, ...args], {folder: 'build', readOnly: python.prefixes})
        : await build.run(args, {folder: 'build', poison})
    ran ||= !script
    said += end.stdout
    const failure = failureOf(end, script, ran)
    if (failure) return failure
  }
  if (!ran) return {outcome: 'no-input', detail: 'its README runs no program'}
  if (!checks) return {outcome: 'ran', detail: ''}
  if (prints.length > 0 && prints.every((line) => said.includes(line))) return {outcome: 'passed', detail: ''}
  if (/test pass|success|pass/i.test(said) && !/fail/i.test(said)) return {outcome: 'passed', detail: ''}
  return {outcome: 'wrong', detail: said.trim().slice(-300).replaceAll('\n', ' | ')}
}

function failureOf(end: DirectRun, script: boolean, ran: boolean): Ending | undefined {
  if (end.violation) {
    const {rule, block, api, message} = end.violation
    return {outcome: 'violated', detail: `${rule}, block ${block}, ${api}: ${message}`, broken: rule}
  }
  if (end.code === 0) return undefined
  const detail = (end.stderr || end.stdout).trim().split('\n').slice(-2).join(' | ').slice(0, 300)
  if (script) return {outcome: ran ? 'wrong' : 'no-input', detail}
  const how = end.overtime ? 'out of time' : (end.killedBy ?? `status ${end.code}`)
  return {outcome: /test failed|fail/i.test(end.stdout) ? 'wrong' : 'ended', detail: `${how}: ${detail}`}
}
