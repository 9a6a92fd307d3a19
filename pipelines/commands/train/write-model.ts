import {copyFile, link, mkdir} from 'node:fs/promises'
import {dirname, join, resolve} from 'node:path'
import {PipelineError} from '../../../engine/errors.ts'
import {makeFolder, removeFolder, walk, writeWhole} from '../../../engine/files.ts'
import type {JobRecord} from '../../../datasets/schema/job.ts'
import {Score} from '../../../datasets/schema/score.ts'
import {endedAt} from '../../../trainers/backends/exit-code.ts'
import {attemptFolder, findJobs} from '../../../trainers/job-folder.ts'
import {curveOf, readMetrics} from '../../../trainers/job-metrics.ts'
import {lineageOf} from '../../../trainers/lineage.ts'
import {lineageText, modelCard, publicBase, type TrainedStep} from '../../../trainers/model-card.ts'
import {emittedBy, findRuns} from '../../workspace/runs.ts'
import {isScoreOf} from '../sweep/scored-rows.ts'
import {jobCheckpoint} from './job-checkpoint.ts'
import {folderOf, storedSpec} from './look-at-jobs.ts'
import {readMeasures} from './measure-models.ts'

/** A trainer's state for resuming, which users of the model do not need. */
const ofTrainer = /^(?:optimizer|scheduler|scaler|rng_state|training_args|trainer_state|global_step|latest$)|^zero_to/

interface WrittenModel {
  folder: string
  steps: readonly TrainedStep[]
  isMeasured: boolean
}

/**
 * Lays out a job's model as the Hub expects it: weights and tokenizer, a card, the lineage. Rewritten each time.
 * @throws PipelineError `input-invalid` when the job did not succeed, `input-missing` when it left nothing
 */
export async function writeModel(out: string, record: JobRecord): Promise<WrittenModel> {
  const state = record.attempts.at(-1)?.state ?? 'never started'
  if (state !== 'succeeded')
    throw new PipelineError('input-invalid', `The job ${record.id} has not succeeded: ${state}.`, {
      fix: `Check it with \`ascend-cot train status ${record.id}\`; continue it with \`train resume\`.`,
    })
  const {checkpoint} = await jobCheckpoint(`job:${record.id}`, out)
  const folder = join(resolve(out), 'models', record.id)
  await removeFolder(folder)
  makeFolder(folder)
  for await (const path of walk(checkpoint)) if (!ofTrainer.test(path)) await placed(checkpoint, folder, path)
  const jobs = await findJobs(out)
  const find = async (id: string) => jobs.find((one) => one.id === id)
  const lineage = await lineageOf(record, find)
  const steps = await stepsTo(record, out, find)
  const title = `${record.name} (KernelGen-LM)`
  const measures = await readMeasures(folderOf(out, record))
  const scores = await scoresOf()
  await writeWhole(join(folder, 'README.md'), modelCard({title, steps, lineage, measures, scores}))
  await writeWhole(join(folder, 'lineage.json'), lineageText(lineage, publicBase(steps[0].record)))
  return {folder, steps, isMeasured: measures !== undefined || scores.length > 0}

  async function scoresOf() {
    const runs = (await findRuns(out).catch(() => [])).map(({record: {recipe}}) => recipe)
    const scores: Parameters<typeof modelCard>[0]['scores'][number][] = []
    for (const run of runs.filter((one) => isScoreOf(one, `job-${record.id}`)))
      for await (const line of emittedBy(out, run, Score))
        if (line.kind === 'rates' && line.scope.by === 'all') scores.push({run, rates: line})
    return scores
  }
}

/** Weights are not copied if the file system can avoid it. */
async function placed(from: string, to: string, path: string): Promise<void> {
  await mkdir(dirname(join(to, path)), {recursive: true})
  await link(join(from, path), join(to, path)).catch(() => copyFile(join(from, path), join(to, path)))
}

async function stepsTo(
  record: JobRecord,
  out: string,
  find: (id: string) => Promise<JobRecord | undefined>,
): Promise<[TrainedStep, ...TrainedStep[]]> {
  const folder = folderOf(out, record)
  const spent = record.attempts.map(({number, submitted}) => {
    const begun = Date.parse(submitted)
    return Math.max(0, (endedAt(attemptFolder(folder, number)) ?? begun) - begun) / 1000
  })
  const seconds = spent.reduce((sum, one) => sum + one, 0)
  const step = {record, spec: storedSpec(folder), curve: curveOf(readMetrics(folder)), seconds}
  const {job} = record.base
  const parent = job === null || job === record.id ? undefined : await find(job)
  return parent ? [...(await stepsTo(parent, out, find)), step] : [step]
}
