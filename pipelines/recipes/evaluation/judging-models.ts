import judgeModel from '../../../eval/bench/multikernelbench/judge-model.ts'
import modelCandidates, {type ReplySource} from '../../../eval/bench/multikernelbench/model-candidates.ts'
import type {TaskFolder} from '../../../datasets/schema/source-folder.ts'
import {Pipeline} from '../../../engine/pipeline.ts'

interface JudgingModels {
  /** Name of the run. */
  name: string
  folder: TaskFolder
  /** Glob over `<category>/<name>` and names. */
  tasks: string
  source: ReplySource
  judge: Parameters<typeof judgeModel>[0]
}

/** A checkout of MultiKernelBench → replies → verdicts. */
export default ({name, folder, tasks, source, judge}: JudgingModels) =>
  Pipeline.from(name, [folder], modelCandidates({source, pattern: tasks})).via(judgeModel(judge))
