import {join, relative, resolve} from 'node:path'
import {LabelledCandidate} from '../../datasets/schema/candidate.ts'
import {Score} from '../../datasets/schema/score.ts'
import {findBenchmark} from '../../eval/bench/load-benchmark.ts'
import {collectReport} from '../report/collect.ts'
import type {ReportInput} from '../report/input.ts'
import {renderReport} from '../report/render-report.ts'
import {writeWhole} from '../../engine/files.ts'
import {artifactsOf, emittedBy, findRuns, type FoundRun} from '../workspace/runs.ts'
import {savedRequest} from './evaluation/request.ts'
import type {World} from './world.ts'

/** `ascend-cot report`: what the runs of an output folder made, as one HTML file. */
export async function report({out, json}: {out: string; json: boolean}, {terminal}: World): Promise<number> {
  const file = await writeReport(out)
  terminal.print(json ? JSON.stringify({report: file}) : file)
  return 0
}

/** Writes `<out>/report.html` and answers with its path. */
export async function writeReport(out: string): Promise<string> {
  const root = resolve(out)
  const runs = await findRuns(out)
  const directory = join(root, 'dataset')
  const artifacts = await artifactsOf(out)
  const input = await collectReport({
    title: 'Ascend-CoT',
    runs: runs.map(({record}) => record),
    directory,
    artifacts,
    candidates: emittedBy(out, 'candidates', LabelledCandidate),
    scores: await scoresOf(out, runs),
    paths: [
      ...(artifacts.length > 0 ? [{what: 'data set', path: relative(root, directory)}] : []),
      ...runs.map(({directory: run, record}) => ({what: `run ${record.recipe}`, path: relative(root, run)})),
    ],
  })
  const file = join(root, 'report.html')
  await writeWhole(file, renderReport(input))
  return file
}

/** The score lines of every evaluation of the folder. */
async function scoresOf(out: string, runs: readonly FoundRun[]): Promise<ReportInput['scores']> {
  const scores: ReportInput['scores'] = []
  for (const {
    record: {recipe, stages},
  } of runs) {
    if (stages.at(-1)?.name !== 'score') continue
    const lines: Score[] = []
    for await (const line of emittedBy(out, recipe, Score)) lines.push(line)
    const run = recipe.replace(/^score-/, '')
    const request = await savedRequest(join(resolve(out), `evaluate-${run}`))
    const {taskTypes: types = []} = (request && (await findBenchmark(request.benchmark))) ?? {}
    scores.push({run, lines, types: [...types]})
  }
  return scores
}
