import type {Candidate, JudgedCandidate} from '../../datasets/schema/candidate.ts'
import type {CostedCandidate} from '../../datasets/schema/optimisation.ts'
import type {Verdict} from '../../datasets/schema/verdict.ts'
import {contentId} from '../../engine/ids.ts'
import {silentLog} from '../../engine/log.ts'
import {perRecord, type Context, type PerRecordRun, type Stage} from '../../engine/stage.ts'
import judge, {type JudgeOptions} from '../judge.ts'
import modelledCost from '../modelled-cost.ts'

/** The finding on a candidate. `unfit`: its task has no reference here, so no candidate can be judged. */
export type Finding =
  | {state: 'judged'; verdict: Verdict; microseconds?: number}
  | {state: 'unfit'; reason: string; detail: string}

/** The judge as a function: what the stage of the same name does with one record. */
export interface Judging {
  /** Everything besides the candidate that a verdict depends on. */
  key: string
  /**
   * @param seed of the candidate's inputs @param anew judges again, ignoring earlier findings on the same files @throws
   *   PipelineError when a tool failed, which is not a verdict
   */
  judge(candidate: Candidate, how: {seed: string; anew: boolean}, signal: AbortSignal): Promise<Finding>
}

interface JudgingOptions extends JudgeOptions {
  /** Whether to model the chip time of correct candidates. */
  withCost: boolean
}

/**
 * Seeds whose tasks' plans are kept: every seed judges each task's own answer again, and a plan stores all its inputs.
 */
const seedsKept = 8

export function openJudging({withCost, ...options}: JudgingOptions): Judging {
  const judges = new Map<
    string,
    {judge: Stage<Candidate, JudgedCandidate>; cost: Stage<JudgedCandidate, CostedCandidate>}
  >()
  const open = () => ({judge: judge(options), cost: modelledCost(options)})
  const {judge: judgeStage, cost: costStage} = open()
  const stagesOf = (seed: string) => {
    const found = judges.get(seed) ?? open()
    judges.delete(seed)
    judges.set(seed, found)
    const [oldest] = judges.keys()
    if (judges.size > seedsKept && oldest !== undefined) judges.delete(oldest)
    return found
  }
  const parts = [judgeStage, ...(withCost ? [costStage] : [])]
  return {
    key: contentId(parts.map(({name, version, options}) => ({name, version, options: options ?? null}))),
    async judge(candidate, {seed, anew}, signal) {
      const stages = anew ? open() : stagesOf(seed)
      const judged = await ask(stages.judge, candidate, seed, signal)
      if ('reason' in judged) return {state: 'unfit', ...judged}
      const {verdict} = judged.output
      if (!withCost || verdict.outcome !== 'correct') return {state: 'judged', verdict}
      const costed = await ask(stages.cost, judged.output, seed, signal)
      const microseconds = 'reason' in costed ? undefined : costed.output.cost?.microseconds
      return {state: 'judged', verdict, ...(microseconds !== undefined && {microseconds})}
    },
  }
}

/** One record through a stage in isolation: its only output, or why it was refused. */
async function ask<In, Out>(
  stage: Stage<In, Out>,
  input: In,
  seed: string,
  signal: AbortSignal,
): Promise<{output: Out} | {reason: string; detail: string}> {
  let refused = {reason: 'not-judged', detail: `${stage.name} gave no reason`}
  const context: Context = {
    llm: undefined,
    drop(_, reason, detail = '') {
      refused = {reason, detail}
      return []
    },
    stages: {[stage.name]: stage.version},
    log: silentLog,
    seed,
    now: () => 0,
    signal,
    directory: '',
  }
  const {fn} = (stage.run as PerRecordRun<In, Out>)[perRecord]
  const [output] = await fn(input, context)
  return output === undefined ? refused : {output}
}
