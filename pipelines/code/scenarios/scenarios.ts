import {availableParallelism} from 'node:os'
import {parseOperatorDefinitions, type OperatorDefinition} from '../../../cpp/op-def.ts'
import type {Executor, Program} from '../../../datasets/schema/executor.ts'
import {OperatorProject} from '../../../datasets/schema/operator.ts'
import {RanProject, type Scenario} from '../../../datasets/schema/scenario.ts'
import type {Verdict} from '../../../datasets/schema/verdict.ts'
import {each, type Context, type Stage} from '../../../engine/stage.ts'
import type {Contract} from '../../../datasets/schema/contract.ts'
import {checkCall, type Differs} from '../formulas/checked-call.ts'
import {breaksContract} from './breaks-contract.ts'
import {contractScenarios} from './contract-scenarios.ts'
import type {Call} from './drawn-call.ts'
import {dtypeColumns, type Dtypes} from './dtype-columns.ts'
import {areUnlike, inferenceRules, inferredOutputs, isInferred, type InferenceRules} from './inferred-origin.ts'
import {findCall, isMistyped} from './search.ts'
import {Trial, type Subject} from './trial.ts'
import {varied} from './variety.ts'

interface ScenariosOptions {
  executor: Executor
  /** A project as the executor builds it, without dtypes. */
  program(project: OperatorProject): Program
  /** Whether an output is what a formula gives. */
  differs: Differs
  /** Combinations of dtypes of the definition that are built. Default 4. */
  columns?: number
  /** Scenarios kept of each combination. Default 4. */
  runs?: number
  /** Calls tried until one runs. Default 40. */
  attempts?: number
}

/**
 * Operators with calls that ran, tiling and kernel. Calls come from the operator's own tests, examples and pages; if
 * none of them runs, they are drawn from the names, kinds and dtypes of the definition. A call is kept if its outputs
 * are the same bytes over two different initial patterns, and in either order of blocks. Drops: `no-kernel`,
 * `no-definition`, `not-covered` with the names that the executor lacks, `does-not-build` with the first error,
 * `no-call-runs` with the error of the call that got furthest, and `no-contract`: a drawn call ran, but its inputs have
 * different roles and nothing indicates that a user would make it, and `formula-disagreement`: the operator's formula
 * gives other values, of a call or of all.
 */
export default function scenarios({
  executor,
  program,
  differs,
  columns = 4,
  runs = 4,
  attempts = 40,
}: ScenariosOptions): Stage<OperatorProject, RanProject> {
  return {
    name: 'scenarios',
    version: 11,
    options: {executor: executor.identity, columns, runs, attempts},
    input: OperatorProject,
    output: RanProject,
    run: each(
      async (project, context) => {
        const definition = definitionOf(project)
        if (project.beside) return context.drop(project, 'no-kernel', `${project.operator}: code beside operators`)
        if (!definition) return context.drop(project, 'no-definition', `${project.operator}: no class of OpDef`)
        const combinations = dtypeColumns(definition, columns, project.contract)
        if (combinations.length === 0)
          return context.drop(project, 'no-definition', `${project.operator}: no dtypes that values are drawn for`)
        const told = {contract: project.contract, rules: await inferenceRules(project, definition)}
        const given = {definition, executor, program: program(project), runs, attempts, context}
        const drawing = {...given, ...told, differs}
        const ran: Scenario[] = []
        const refuted: string[] = []
        let refused: Refused | undefined
        for (const dtypes of combinations) {
          context.signal.throwIfAborted()
          const end = await drawColumn(dtypes, drawing)
          refuted.push(...end.disagreements)
          if (end.ok) {
            ran.push(...end.scenarios)
            continue
          }
          // After dtypes that the definition does not have, what was refused for another reason says more.
          refused = end
          // What one combination does not compile or run for, the others hardly do.
          if (!end.mistyped && end.reason !== 'formula-disagreement' && ran.length === 0) break
        }
        if (ran.length > 0) {
          for (const one of refuted) context.drop(project, 'formula-disagreement', `${project.operator}: ${one}`)
          return [{project, scenarios: ran, executor: executor.identity}]
        }
        return context.drop(project, refused?.reason ?? 'no-call-runs', `${project.operator}: ${refused?.detail ?? ''}`)
      },
      {concurrency: availableParallelism()},
    ),
  }
}

interface Drawing {
  definition: OperatorDefinition
  executor: Executor
  program: Program
  differs: Differs
  runs: number
  attempts: number
  context: Context
  contract: Contract | undefined
  rules: InferenceRules
}

interface Refused {
  ok: false
  reason: 'not-covered' | 'does-not-build' | 'no-call-runs' | 'no-contract' | 'formula-disagreement'
  detail: string
  /** The definition does not have the combination of dtypes. */
  mistyped?: boolean
}

type ColumnEnd = {ok: true; scenarios: Scenario[]} | Refused

/** Calls of one build, and what those gave that the operator's formula refutes. */
type Settled = ColumnEnd & {disagreements: readonly string[]}

function definitionOf({operator, host}: OperatorProject): OperatorDefinition | undefined {
  const definitions = host.flatMap(({text}) => parseOperatorDefinitions(text))
  return definitions.find((one) => one.operator === operator)
}

async function drawColumn(dtypes: Dtypes, drawing: Drawing): Promise<Settled> {
  const {definition, executor, program, context, differs} = drawing
  const {signal} = context
  const built = await executor.build({...program, dtypes}, signal)
  if (!built.ok) return {...refusedBuild(built.verdict), disagreements: []}
  try {
    const seed = `${context.seed} ${definition.operator}`
    const hostRead = new Set(definition.inputs.filter(({hostValue}) => hostValue !== undefined).map(({name}) => name))
    const check: Subject['check'] = (ran) => checkCall(definition, ran, differs)
    const inferred = (call: Call) => inferredOutputs(call, definition, drawing.rules)
    const trial = new Trial({executor, build: built.build, dtypes, seed, signal, hostRead, inferred, check})
    return settled(await toldOrGuessed(dtypes, trial, drawing), trial.disagreements)
  } finally {
    await built.build.dispose()
  }
}

async function toldOrGuessed(dtypes: Dtypes, trial: Trial, drawing: Drawing): Promise<ColumnEnd> {
  const {definition, runs, attempts, contract, rules} = drawing
  const told = contract && (await contractScenarios({contract, definition, dtypes, trial, rules, most: runs, attempts}))
  if (told && told.scenarios.length > 0) return {ok: true, scenarios: told.scenarios}
  const end = await guessed(dtypes, trial, drawing)
  if (end.ok || !told?.refusal) return end
  const {outcome, message} = told.refusal
  return {...end, detail: `${end.detail}; of ${told.tried} told calls ${outcome}: ${message.slice(0, 300)}`}
}

/** Where a formula refutes calls of a build and confirms none, the calls that it does not understand prove nothing. */
function settled(end: ColumnEnd, disagreements: readonly string[]): Settled {
  const [first] = disagreements
  const isRefuted = first !== undefined && !(end.ok && end.scenarios.some(({formula}) => formula === 'agrees'))
  return {...(isRefuted ? {ok: false, reason: 'formula-disagreement', detail: first} : end), disagreements}
}

/** Calls drawn by names; of inputs with parts of their own they count only where inference agrees with them. */
async function guessed(dtypes: Dtypes, trial: Trial, drawing: Drawing): Promise<ColumnEnd> {
  const {definition, runs, attempts, contract, rules} = drawing
  const search = await findCall(definition, dtypes, trial, attempts, contract)
  if (!search.found) {
    const {outcome, message} = search.refusal
    const detail = `${search.attempts} calls, at best ${outcome}: ${message.slice(0, 600)}`
    return {ok: false, reason: 'no-call-runs', detail, mistyped: isMistyped(search.refusal)}
  }
  const drawn = await varied(search.found, {definition, dtypes, trial, most: runs})
  const unlike = areUnlike(definition, dtypes)
  const scenarios = drawn.flatMap((one): Scenario[] => {
    if (contract && breaksContract({...one, outputs: []}, contract, definition) !== undefined) return []
    if (isInferred(one, definition, rules)) return [{...one, call: {contract: 'inferred'}}]
    return unlike ? [] : [one]
  })
  if (scenarios.length > 0) return {ok: true, scenarios}
  return {
    ok: false,
    reason: 'no-contract',
    detail: `${drawn.length} drawn calls run, and nothing says that they are any`,
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
