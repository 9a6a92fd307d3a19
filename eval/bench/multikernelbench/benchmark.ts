import {join, resolve} from 'node:path'
import {Pipeline} from '../../../engine/pipeline.ts'
import type {ModelBenchmark} from '../benchmark.ts'
import type {ModelsAsked, CasesSetting, ModelCases} from '../whole-model.ts'
import judgeModel from './judge-model.ts'
import {largeInput, ownTrials} from './judge-tiers.ts'
import modelCandidates, {mhcTasks, modelTasks} from './model-candidates.ts'
import {modelTables} from './model-tables.ts'
import {referenceTexts} from './read-checkout.ts'
import {submissions} from '../submission/open-submission.ts'
import {findTorch, submissionRules, type TorchPython} from '../submission/python.ts'
import {tierNames, rolesOf, settingsOf} from './tiers.ts'
import {JudgedModel, type ModelCandidate} from './verdict.ts'
import {readCases, withOracle} from '../oracle/saved-case.ts'
import {openOracle, oracleRules, type InputSize, type ModelCase} from './oracle/oracle.ts'

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
  cases: {identity: oracleRules, of: modelCases},
}
export default benchmark

/** Kinds of values for testing a program: the benchmark's own, and signed ones. */
const families = ['own', 'normal'] as const

/** Odd sizes of a task with two kinds of values each: small enough for a feedback loop. */
export async function modelCases(
  task: ModelCandidate['task'],
  setting: CasesSetting<TorchPython>,
): Promise<ModelCases> {
  const module = resolve(task.root, task.path)
  const open = (folder: string) => openOracle({...setting, folder, module, seconds: 300})
  return withOracle(setting.workDirectory, open, async (oracle) => {
    const settings = settingsOf(task.name, 'odd').filter(({init}) => init === undefined)
    const told = await oracle.describe({})
    const found: ModelCase[] = []
    for (const one of settings) {
      for (const family of families)
        found.push(await oracle.case({setting: one, family, seed: 1024, roles: rolesOf[task.name] ?? []}))
    }
    const [first] = found
    return {
      shapes: first ? shapesText(first, told) : '',
      made: first?.made ?? [],
      called: first?.called ?? [],
      cases: await readCases(found, (at) => outputName(at, first?.outputs.length ?? 0)),
    }
  })
}

const outputName = (at: number, count: number) => (count === 1 ? 'y' : `y${at}`)

/** `x: float32[4096, 393216], also called with [7, 1021]`, and so on. */
function shapesText({inputs, outputs, attributes}: ModelCase, told: readonly InputSize[]): string {
  const values = Object.entries(attributes).map(([name, value]) => `${name} = ${value}`)
  return [
    ...inputs.map(({name, dtype, shape}, at) => {
      const own = told[at]?.shape ?? shape
      return `${name}: ${dtype}[${own.join(', ')}], also called with [${shape.join(', ')}]`
    }),
    ...outputs.map(({dtype, shape}, at) => {
      const name = outputName(at, outputs.length)
      return `${name}: ${dtype}[${shape.join(', ')}] where inputs have the second sizes; an output`
    }),
    ...(values.length > 0 ? [`attributes that may be declared, with their values: ${values.join(', ')}`] : []),
  ].join('\n')
}
