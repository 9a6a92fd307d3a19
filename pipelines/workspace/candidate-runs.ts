import {basename, dirname, join, resolve} from 'node:path'
import {LabelledCandidate} from '../../datasets/schema/candidate.ts'
import type {FinishedRun} from '../../engine/run.ts'
import type {Stage} from '../../engine/stage.ts'
import unrefuted, {refutedIn} from '../preference/unrefuted.ts'
import {emittedBy, type FoundRun} from './runs.ts'

const recipe = 'candidates'

/** For `Pipeline.through`: what one of these runs of `candidates` refutes is correct in none. */
export async function unrefutedIn(
  runs: readonly FinishedRun[],
): Promise<Stage<LabelledCandidate, LabelledCandidate>[]> {
  if (runs.length < 2) return []
  return [unrefuted({refuted: await refutedIn(runs.map(({directory}) => recordsIn(directory)))})]
}

/** All candidates behind the data set of a folder: of its own run, and of those that were read along. */
export async function* candidatesBehind(out: string, runs: readonly FoundRun[]): AsyncIterable<LabelledCandidate> {
  const read = runs.flatMap(({record}) => record.reads ?? []).map(({directory}) => directory)
  const judged = read.filter((directory) => basename(directory) === recipe)
  for (const directory of new Set([join(resolve(out), recipe), ...judged])) yield* recordsIn(directory)
}

const recordsIn = (directory: string) => emittedBy(dirname(directory), recipe, LabelledCandidate)
