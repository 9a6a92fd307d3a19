import {availableParallelism} from 'node:os'
import {parseOperatorDefinitions, type OperatorDefinition} from '../../../cpp/op-def.ts'
import type {Executor, Program} from '../../../datasets/schema/executor.ts'
import {OperatorProject} from '../../../datasets/schema/operator.ts'
import {RanProject, type Scenario} from '../../../datasets/schema/scenario.ts'
import type {Verdict} from '../../../datasets/schema/verdict.ts'
import {each, type Context, type Stage} from '../../../engine/stage.ts'
import {dtypeColumns, type Dtypes} from './dtype-columns.ts'
import {findCall, isMistyped} from './search.ts'
import {Trial} from './trial.ts'
import {varied} from './variety.ts'

interface ScenariosOptions {
  executor: Executor
  /** A project as the executor builds it, without dtypes. */
  program(project: OperatorProject): Program
  /** Combinations of dtypes of the definition that are built. Default 4. */
  columns?: number
  /** Scenarios kept of each combination. Default 4. */
  runs?: number
  /** Calls tried until one runs. Default 40. */
  attempts?: number
  /** Projects at once; default one per core. */
  concurrency?: number
}

/**
 * Operators with calls that ran, tiling and kernel. Calls are drawn by the names, kinds and dtypes of the definition;
 * one is kept when its outputs are the same bytes over two patterns that stood there before, and in either order of
 * blocks. Drops: `no-kernel`, `no-definition`, `not-covered` with the names that the executor lacks, `does-not-build`
 * with the first error, and `no-call-runs` with the refusal that came farthest.
 */
export default function scenarios({
  executor,
  program,
  columns = 4,
  runs = 4,
  attempts = 40,
  concurrency = availableParallelism(),
}: ScenariosOptions): Stage<OperatorProject, RanProject> {
  return {
    name: 'scenarios',
    version: 1,
    options: {executor: executor.identity, columns, runs, attempts},
    input: OperatorProject,
    output: RanProject,
    run: each(
      async (project, context) => {
        const definition = definitionOf(project)
        if (project.beside) return context.drop(project, 'no-kernel', `${project.operator}: code beside operators`)
        if (!definition) return context.drop(project, 'no-definition', `${project.operator}: no class of OpDef`)
        const combinations = dtypeColumns(definition, columns)
        if (combinations.length === 0)
          return context.drop(project, 'no-definition', `${project.operator}: no dtypes that values are drawn for`)
        const drawing = {definition, executor, program: program(project), runs, attempts, context}
        const ran: Scenario[] = []
        let refused: Refused | undefined
        for (const dtypes of combinations) {
          context.signal.throwIfAborted()
          const end = await drawColumn(dtypes, drawing)
          if (end.ok) ran.push(...end.scenarios)
          // After dtypes that the definition does not have, what was refused for another reason says more.
          else refused = end
          // What one combination does not compile or run for, the others hardly do.
          if (!end.ok && !end.mistyped && ran.length === 0) break
        }
        if (ran.length > 0) return [{project, scenarios: ran, executor: executor.identity}]
        return context.drop(project, refused?.reason ?? 'no-call-runs', `${project.operator}: ${refused?.detail ?? ''}`)
      },
      {concurrency},
    ),
  }
}

interface Drawing {
  definition: OperatorDefinition
  executor: Executor
  program: Program
  runs: number
  attempts: number
  context: Context
}

interface Refused {
  ok: false
  reason: 'not-covered' | 'does-not-build' | 'no-call-runs'
  detail: string
  /** The definition does not have the combination of dtypes. */
  mistyped?: boolean
}

type ColumnEnd = {ok: true; scenarios: Scenario[]} | Refused

function definitionOf({operator, host}: OperatorProject): OperatorDefinition | undefined {
  const definitions = host.flatMap(({text}) => parseOperatorDefinitions(text))
  return definitions.find((one) => one.operator === operator)
}

async function drawColumn(dtypes: Dtypes, drawing: Drawing): Promise<ColumnEnd> {
  const {definition, executor, program, runs, attempts, context} = drawing
  const {signal} = context
  const built = await executor.build({...program, dtypes}, signal)
  if (!built.ok) return refusedBuild(built.verdict)
  try {
    const seed = `${context.seed} ${definition.operator}`
    const trial = new Trial({executor, build: built.build, dtypes, seed, signal})
    const search = await findCall(definition, dtypes, trial, attempts)
    if (!search.found) {
      const {outcome, message} = search.refusal
      const detail = `${search.attempts} calls, at best ${outcome}: ${message.slice(0, 600)}`
      return {ok: false, reason: 'no-call-runs', detail, mistyped: isMistyped(search.refusal)}
    }
    return {ok: true, scenarios: await varied(search.found, {definition, dtypes, trial, most: runs})}
  } finally {
    await built.build.dispose()
  }
}

function refusedBuild(verdict: Verdict): Refused {
  if (verdict.outcome === 'not-covered') return {ok: false, reason: 'not-covered', detail: verdict.missing.join(', ')}
  return {ok: false, reason: 'does-not-build', detail: firstError(verdict)}
}

function firstError(verdict: Verdict): string {
  if (verdict.outcome === 'link-failed') return verdict.log.slice(0, 400)
  if (verdict.outcome !== 'compile-failed') return verdict.outcome
  const first = verdict.diagnostics.find(({severity}) => severity === 'error')
  return first ? `${first.file}:${first.line}: ${first.message}` : verdict.log.slice(0, 400)
}
