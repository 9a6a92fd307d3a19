import {Pipeline} from '../../../engine/pipeline.ts'
import type {ModelBenchmark} from '../benchmark.ts'
import {findTorch, submissionRules, type TorchPython} from '../submission/python.ts'
import type {ModelsAsked} from '../whole-model.ts'
import judgePackage from './judge-package.ts'
import {operatorCases} from './operator-cases.ts'
import {oracleRules} from './operator-oracle.ts'
import {packages} from './open-package.ts'
import packageCandidates, {requests} from './package-candidates.ts'
import {readTasks, referenceTexts, type CheckoutTask} from './checkout-operators.ts'
import {sizeNames} from './sizes.ts'
import {operatorTables} from './operator-tables.ts'
import {JudgedOperator} from './operator-verdict.ts'

async function judging({source, pattern, ...asked}: ModelsAsked<TorchPython>): Promise<Pipeline<JudgedOperator>> {
  const {name, folder, tiers, trials, largestInput, python, executor, tools, cacheDirectory, concurrency} = asked
  const {sandbox, workDirectory} = tools
  const judge = judgePackage({
    identity: {...executor.identity, torch: python.torch, replies: submissionRules},
    open: await packages({twin: tools, python, cacheDirectory, workDirectory}),
    python,
    sandbox,
    workDirectory,
    sizes: sizeNames.filter((one) => tiers.includes(one)),
    largestInput,
    trials,
    concurrency,
  })
  return Pipeline.from(name, [folder], packageCandidates({source, pattern})).via(judge)
}

const benchmark: ModelBenchmark<CheckoutTask, TorchPython, JudgedOperator> = {
  title: 'cann-bench',
  checkout: ['tasks/level1', 'tasks/metadata'],
  texts: referenceTexts,
  part: 'the four levels',
  tasks: readTasks,
  requests: Object.keys(requests),
  tiers: sizeNames,
  trials: 2,
  notes: [
    'Sizes are its own cases by their input: small up to 4 MiB, medium up to 16 MiB, large the rest.',
    'The size sample is the smallest case alone.',
    'Copies on the device that no kernel makes are refused, and outputs must be contiguous, as its rules say.',
  ],
  findPython: findTorch,
  judging,
  verdicts: JudgedOperator,
  tables: operatorTables,
  cases: {identity: oracleRules, of: operatorCases},
}
export default benchmark
