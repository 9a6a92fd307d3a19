import {mkdtemp, rm} from 'node:fs/promises'
import {availableParallelism, tmpdir} from 'node:os'
import {basename, join} from 'node:path'
import pLimit from 'p-limit'
import type {Executor} from '../../datasets/schema/executor.ts'
import type {OperatorProject, Side} from '../../datasets/schema/operator.ts'
import type {Verdict} from '../../datasets/schema/verdict.ts'
import twin from '../../eval/executors/twin.ts'
import {programOf} from '../../sources/kernels/program.ts'
import operatorProjects from '../../sources/kernels/repo.ts'
import {runStage} from '../helpers/run-stage.ts'
import {twinCache} from '../helpers/test-cache.ts'

const sides = ['kernel', 'host'] as const

interface Compiled {
  /** `ops-math main`, `ops-math experimental`. */
  part: string
  path: string
  side: Side
  verdict: Verdict
}

/**
 * How much of real operator repositories the twin compiles: of each operator that is configured for Atlas A2, the
 * kernel through its entry with all templates, and every host file but graph code. Prints counts by part, and each
 * operator that does not compile with its reason.
 */
export async function benchCoverage(checkouts: readonly string[]): Promise<void> {
  const workDirectory = await mkdtemp(join(tmpdir(), 'ascend-cot-coverage-'))
  try {
    const executor = await twin({cacheDirectory: twinCache, workDirectory})
    const started = performance.now()
    const results: Compiled[] = []
    for (const root of checkouts) results.push(...(await compileAll(root, executor)))
    const seconds = (performance.now() - started) / 1000
    for (const line of [...counts(results), '', ...remaining(results)]) console.log(line)
    const memory = Math.round(process.resourceUsage().maxRSS / 1024)
    console.log(`\n${seconds.toFixed(0)} s on ${availableParallelism()} cores, peak memory of Node ${memory} MB`)
  } finally {
    await rm(workDirectory, {recursive: true, force: true})
  }
}

async function compileAll(root: string, executor: Executor): Promise<Compiled[]> {
  const {outputs} = await runStage(operatorProjects(), [{root}])
  const limit = pLimit(availableParallelism())
  const operators = outputs.filter(({host}) => host.length > 0)
  const tasks = operators.flatMap((project) =>
    sides.map((side) => limit(() => compileOne(root, project, side, executor))),
  )
  return Promise.all(tasks)
}

async function compileOne(root: string, project: OperatorProject, side: Side, executor: Executor): Promise<Compiled> {
  const {path} = project.origin
  const part = `${basename(root)} ${path.startsWith('experimental/') ? 'experimental' : 'main'}`
  const verdict = await executor.compile({side, program: programOf(project)})
  return {part, path: `${basename(root)}/${path}`, side, verdict}
}

function counts(results: readonly Compiled[]): string[] {
  const parts = [...new Set(results.map(({part}) => part)), '']
  return parts.flatMap((part) =>
    sides.map((side) => {
      const mine = results.filter((one) => one.part.startsWith(part) && one.side === side)
      const good = mine.filter(({verdict}) => verdict.outcome === 'compiled').length
      const share = ((100 * good) / Math.max(1, mine.length)).toFixed(1)
      return `${(part || 'all').padEnd(24)} ${side.padEnd(7)} ${String(good).padStart(4)} of ${mine.length} (${share} %)`
    }),
  )
}

/** The most frequent reason first, then by path. */
function remaining(results: readonly Compiled[]): string[] {
  const failed = results.filter(({verdict}) => verdict.outcome !== 'compiled')
  const byReason = new Map<string, string[]>()
  for (const {side, path, verdict} of failed) {
    const reason = `${side}: ${reasonOf(verdict)}`
    byReason.set(reason, [...(byReason.get(reason) ?? []), path])
  }
  const ranked = [...byReason].sort(([, a], [, b]) => b.length - a.length)
  return ranked.map(([reason, paths]) => `${String(paths.length).padStart(4)}  ${reason}\n      ${paths.join(' ')}`)
}

function reasonOf(verdict: Verdict): string {
  if (verdict.outcome === 'not-covered') return `not covered: ${verdict.missing.join(', ')}`
  if (verdict.outcome !== 'compile-failed') return verdict.outcome
  const first = verdict.diagnostics.find(({severity}) => severity === 'error')
  return first ? `${first.message} (${first.file}:${first.line})` : verdict.log.slice(0, 200)
}
