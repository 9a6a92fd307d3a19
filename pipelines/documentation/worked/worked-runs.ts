import {availableParallelism} from 'node:os'
import {decode, isInteger, roundTo, unitInLastPlace} from '../../../datasets/dtype.ts'
import type {Observation} from '../../../datasets/schema/decision.ts'
import type {Execution, Executor} from '../../../datasets/schema/executor.ts'
import type {Dtype} from '../../../datasets/schema/tensor.ts'
import {type Shown, valueOf, WorkedQuestion, WorkedRun} from '../../../datasets/schema/worked.ts'
import {PipelineError} from '../../../engine/errors.ts'
import {each, type Stage} from '../../../engine/stage.ts'
import {executed} from '../../facts/executed.ts'
import {operatorCase} from '../../facts/operator-case.ts'
import {smallProgram} from './small-kernel.ts'

interface RunsOptions {
  executor: Executor
}

/**
 * Questions whose kernels were built and run: the correct kernel runs and matches the formula, and the wrong one fails
 * as the rule predicts. If page and executor disagree, there is no row. Drops: `right-refused`, `other-results` (the
 * formula gives other values), `wrong-not-shown` (the wrong kernel behaves differently than expected), `not-covered`.
 */
export default function workedRuns({executor}: RunsOptions): Stage<WorkedQuestion, WorkedRun> {
  return {
    name: 'worked-runs',
    version: 2,
    options: {executor: executor.identity},
    input: WorkedQuestion,
    output: WorkedRun,
    run: each(
      async (question, context): Promise<readonly WorkedRun[]> => {
        const what = `${question.api} ${question.situation}`
        const right = await ran(question, question.text, executor, context.signal)
        if ('missing' in right) return context.drop(question, 'not-covered', `${what}: ${right.missing}`)
        if (!('outputs' in right)) return context.drop(question, 'right-refused', `${what}: ${toldOf(right)}`)
        const other = differing(question, right.outputs)
        if (other !== undefined) return context.drop(question, 'other-results', `${what}: ${other}`)
        const wrong = question.other && (await ran(question, question.other.text, executor, context.signal))
        const observed = wrong && observationOf(question, right.outputs, wrong)
        if (question.other && !(observed && isShown(observed, question.other.shows)))
          return context.drop(
            question,
            'wrong-not-shown',
            `${what}: ${JSON.stringify(observed ?? wrong).slice(0, 300)}`,
          )
        const results = resultsOf(question, right.outputs)
        return [{...question, results, ...(observed && {observed}), executor: executor.identity}]
      },
      {concurrency: availableParallelism()},
    ),
  }
}

type Ran = {outputs: Float64Array[]} | {missing: string} | {message: string} | {stopped: Execution}

const toldOf = (one: Exclude<Ran, {outputs: unknown}>) => JSON.stringify(one).slice(0, 300)

async function ran(question: WorkedQuestion, text: string, executor: Executor, signal: AbortSignal): Promise<Ran> {
  const {inputs, outputs, api, situation, host} = question
  const built = await executor.build(smallProgram(text, {inputs, outputs}, host), signal)
  if (!built.ok) {
    const {verdict} = built
    if (verdict.outcome === 'not-covered') return {missing: verdict.missing.join(', ')}
    if (verdict.outcome === 'compile-failed') return {message: firstError(verdict.log)}
    const what = `${api} ${situation} was not built: ${verdict.outcome}.`
    throw new PipelineError('executor-failed', what, {fix: 'Run `ascend-cot resume`.'})
  }
  try {
    const call = operatorCase({seed: `${api} ${situation}`, inputs, attributes: {}, outputs}, 'worked')
    const execution = await executed(executor, built.build, call, {}, signal)
    if (execution.outcome !== 'ran') return {stopped: execution}
    return {outputs: execution.outputs.map((data, at) => decode(data, outputs[at]!.dtype))}
  } finally {
    await built.build.dispose()
  }
}

const firstError = (log: string) => (/^.*?\berror: (.*)$/m.exec(log)?.[1] ?? log).trim().slice(0, 300)

/** Values that the formula does not give; undefined where all are right. */
function differing({expected, outputs}: WorkedQuestion, found: readonly Float64Array[]): string | undefined {
  for (const [at, {name, dtype}] of outputs.entries()) {
    const exact = (expected[name] ?? []).map(Number)
    const right = isInteger(dtype) ? Float64Array.from(exact, Math.trunc) : roundTo(exact, dtype)
    const wrong = right.findIndex((value, index) => !isNear(found[at]?.[index] ?? NaN, value, dtype))
    if (wrong >= 0) return `${name}[${wrong}] is ${found[at]?.[wrong]}, by the formula ${right[wrong]}`
  }
  return undefined
}

/** Functions of the library are approximated, and add up in an order of their own; no page gives exact figures. */
const units = 12

function isNear(found: number, right: number, dtype: Dtype): boolean {
  if (Object.is(found, right) || found === right) return true
  if (isInteger(dtype) || !Number.isFinite(right)) return false
  const distance = Math.abs(found - right)
  return distance <= units * unitInLastPlace(right, dtype)
}

function observationOf({outputs}: WorkedQuestion, right: readonly Float64Array[], wrong: Ran): Observation | undefined {
  if ('message' in wrong) return {outcome: 'not-built', message: wrong.message}
  if ('stopped' in wrong) {
    if (wrong.stopped.outcome !== 'violated') return undefined
    const {rule, api, message} = wrong.stopped.violation
    return {outcome: 'refused', rule, api, message}
  }
  if (!('outputs' in wrong)) return undefined
  for (const [at, {name}] of outputs.entries()) {
    const [expected, seen] = [right[at] as Float64Array, wrong.outputs[at] as Float64Array]
    const places = [...expected.keys()].filter((index) => !Object.is(expected[index], seen[index]))
    const [index] = places
    if (index === undefined) continue
    const values = {seen: valueOf(seen[index] as number), expected: valueOf(expected[index] as number)}
    const [differ, of] = [places.length, expected.length]
    return {outcome: 'wrong', inputs: 'call', output: name, index, ...values, differ, of, at: []}
  }
  return {outcome: 'equal', large: false}
}

function isShown(observed: Observation, shows: Shown): boolean {
  if (typeof shows === 'string') return observed.outcome === shows
  return observed.outcome === 'refused' && observed.rule === shows.refused
}

/** Most values stated for an output. */
const mostTold = 16

function resultsOf({outputs}: WorkedQuestion, found: readonly Float64Array[]): WorkedRun['results'] {
  return Object.fromEntries(outputs.map(({name}, at) => [name, [...(found[at] ?? [])].slice(0, mostTold).map(valueOf)]))
}
