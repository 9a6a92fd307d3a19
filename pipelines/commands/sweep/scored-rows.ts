import {Score} from '../../../datasets/schema/score.ts'
import type {ScoredRow} from '../../../trainers/sweep/paper-tables.ts'
import type {Sweep} from '../../../trainers/sweep/read-sweep.ts'
import {emittedBy, findRuns} from '../../workspace/runs.ts'
import type {SweptJob} from './sweep-jobs.ts'

/** The rows of a table with their scores: of a job by its id, of an untrained model by its profile. */
export async function scoredRows({rows}: Sweep, swept: readonly SweptJob[], out: string): Promise<ScoredRow[]> {
  const runs = (await findRuns(out).catch(() => [])).map(({record}) => record.recipe)
  return Promise.all(
    rows.map(async ({name, profile}) => {
      const jobs = swept.filter(({row}) => row === name)
      const authors = profile === undefined ? jobs.flatMap(({id}) => (id === null ? [] : `job-${id}`)) : [profile]
      const scored = authors.flatMap((author) => runs.filter((run) => isScoreOf(run, author)))
      return {
        name,
        state: profile === undefined ? statesOf(jobs) : 'not scored',
        scores: await Promise.all(scored.map((run) => linesOf(out, run))),
        settings: settingsOf(jobs),
      }
    }),
  )
}

/** `score-<benchmark>-<author>-<mode>-<shape>`, as named by `eval`. */
export const isScoreOf = (run: string, author: string) => run.startsWith('score-') && `${run}-`.includes(`-${author}-`)

async function linesOf(out: string, run: string): Promise<Score[]> {
  const lines: Score[] = []
  for await (const line of emittedBy(out, run, Score)) lines.push(line)
  return lines
}

const statesOf = (jobs: readonly SweptJob[]) => [...new Set(jobs.map(({state}) => state))].join(', ')

/** In the words of the paper's Table 4. */
function settingsOf(jobs: readonly SweptJob[]): Record<string, string> {
  const spec = jobs.find(({plan}) => plan !== null)?.plan?.spec
  if (spec?.dpo === undefined) return {}
  const {learningRate, schedule, globalBatch, steps} = spec.hyperparameters
  return {
    'Negative Strategy': spec.dpo.strategies.value.join(', ') || 'all',
    LR: learningRate.value.toExponential(),
    'LR Decay': schedule.value,
    'Batch Size': String(globalBatch.value),
    'Training Steps': steps === undefined ? '' : String(steps.value),
  }
}
