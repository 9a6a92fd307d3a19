import {createHash} from 'node:crypto'
import {readFile} from 'node:fs/promises'
import {join, relative, resolve} from 'node:path'
import {manifestPath} from '../../datasets/hub/manifest.ts'
import {Progress} from '../../datasets/schema/job.ts'
import {Score} from '../../datasets/schema/score.ts'
import {findBenchmark, judgesModels} from '../../eval/bench/load-benchmark.ts'
import {findJobs, jobsFolder} from '../../trainers/job-folder.ts'
import {curveOf, readMetrics} from '../../trainers/job-metrics.ts'
import {lineageOf} from '../../trainers/lineage.ts'
import {savedRequest} from '../commands/evaluation/request.ts'
import {isScoreOf} from '../commands/sweep/scored-rows.ts'
import {candidatesBehind} from '../workspace/candidate-runs.ts'
import {artifactsOf, emittedBy, findRuns, type FoundRun} from '../workspace/runs.ts'
import {collectReport} from './collect.ts'
import type {ReportInput} from './input.ts'

/** What the runs of an output folder made, in numbers: every row and every candidate is counted. */
export async function overviewInput(out: string): Promise<ReportInput> {
  const root = resolve(out)
  const runs = await findRuns(out)
  const directory = join(root, 'dataset')
  const artifacts = await artifactsOf(out)
  return collectReport({
    directory,
    artifacts,
    candidates: candidatesBehind(out, runs),
    scores: await scoresOf(out, runs),
    jobs: await jobsOf(out, runs),
    manifest: await manifestHash(directory),
    paths: [
      ...(artifacts.length > 0 ? [{what: 'data set', path: relative(root, directory)}] : []),
      ...runs.map(({directory: run, record}) => ({what: `run ${record.recipe}`, path: relative(root, run)})),
    ],
  })
}

/** Training jobs of the folder, each with the runs that scored its model. */
async function jobsOf(out: string, runs: readonly FoundRun[]): Promise<ReportInput['jobs']> {
  const records = await findJobs(out)
  const find = (id: string) => Promise.resolve(records.find((one) => one.id === id))
  return Promise.all(
    records.map(async (record) => ({
      record,
      progress: curveOf(readMetrics(join(jobsFolder(out), record.id))).map((line) => Progress.strip().parse(line)),
      scores: runs.map((run) => run.record.recipe).filter((run) => isScoreOf(run, `job-${record.id}`)),
      sources: [...(await lineageOf(record, find)).data.sources],
    })),
  )
}

async function manifestHash(directory: string): Promise<string | null> {
  const text = await readFile(join(directory, manifestPath)).catch(() => null)
  return text === null ? null : createHash('sha256').update(text).digest('hex')
}

/** The score lines of every evaluation of the folder. */
async function scoresOf(out: string, runs: readonly FoundRun[]): Promise<ReportInput['scores']> {
  const scores: ReportInput['scores'][number][] = []
  for (const {
    record: {recipe, stages},
  } of runs) {
    if (stages.at(-1)?.name !== 'score') continue
    const lines: Score[] = []
    for await (const line of emittedBy(out, recipe, Score)) lines.push(line)
    const run = recipe.replace(/^score-/, '')
    const request = await savedRequest(join(resolve(out), `evaluate-${run}`))
    const benchmark = request && (await findBenchmark(request.benchmark))
    const types = benchmark && !judgesModels(benchmark) ? (benchmark.taskTypes ?? []) : []
    scores.push({run, lines, types: [...types]})
  }
  return scores
}
