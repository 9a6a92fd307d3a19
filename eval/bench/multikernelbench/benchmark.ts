import {join} from 'node:path'
import {Pipeline} from '../../../engine/pipeline.ts'
import type {ModelBenchmark} from '../benchmark.ts'
import type {ModelsAsked} from '../whole-model.ts'
import judgeModel from './judge-model.ts'
import {largeInput, ownTrials} from './judge-tiers.ts'
import modelCandidates, {mhcTasks, modelTasks} from './model-candidates.ts'
import {modelTables} from './model-tables.ts'
import {referenceTexts} from './read-checkout.ts'
import {submissions} from '../submission/open-submission.ts'
import {findTorch, submissionRules, type TorchPython} from '../submission/python.ts'
import {tierNames} from './tiers.ts'
import {JudgedModel, type ModelCandidate} from './verdict.ts'
import {openLoneModule} from './lone-module.ts'
import {modelCases} from './model-calls.ts'
import {oracleRules} from './oracle/oracle.ts'

/** Replies in six strings and direct launches alike: a reply states which one it is. */
async function judging({source, pattern, ...asked}: ModelsAsked<TorchPython>): Promise<Pipeline<JudgedModel>> {
  const {name, folder, tiers, trials, largestInput, python, executor, tools, cacheDirectory, concurrency} = asked
  const {sandbox, workDirectory} = tools
  const {confirming} = asked
  const second = confirming && {
    confirmedBy: [confirming.identity.name, confirming.identity.fingerprint, confirming.python?.version]
      .join(' ')
      .trim(),
  }
  const bindings = join(folder.root, 'ascend_op_projects/CppExtension')
  const judge = judgeModel({
    identity: {...executor.identity, ...second, torch: python.torch, replies: submissionRules},
    open: await submissions({executor, twin: tools, python, workDirectory, cacheDirectory, confirming, bindings}),
    python,
    sandbox,
    workDirectory,
    tiers: tierNames.filter((one) => tiers.includes(one)),
    largestInput,
    trials,
    concurrency,
  })
  return Pipeline.from(name, [folder], modelCandidates({source, pattern})).via(judge)
}

const benchmark: ModelBenchmark<ModelCandidate['task'], TorchPython, JudgedModel> = {
  title: 'MultiKernelBench',
  checkout: ['reference', 'prompt_generators'],
  largestInputMib: 64,
  texts: referenceTexts,
  part: 'the seven categories',
  tasks: modelTasks,
  besides: mhcTasks,
  tiers: tierNames,
  trials: ownTrials,
  notes: [`Inputs above ${largeInput / 2 ** 20} MiB get one own call and one other kind of values.`],
  findPython: findTorch,
  judging,
  verdicts: JudgedModel,
  tables: modelTables,
  cases: {identity: oracleRules, of: modelCases, alone: openLoneModule},
}
export default benchmark
