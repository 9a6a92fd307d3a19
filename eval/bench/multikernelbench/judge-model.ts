import {mkdtemp, mkdir} from 'node:fs/promises'
import {availableParallelism} from 'node:os'
import {join, resolve} from 'node:path'
import {contentId} from '../../../engine/ids.ts'
import {removeFolder} from '../../../engine/files.ts'
import {each, type Stage} from '../../../engine/stage.ts'
import {ratesOf} from '../../cost.ts'
import {defaultSoc} from '../../executors/chips.ts'
import type {SandboxName} from '../../executors/sandbox.ts'
import {openOracle, oracleRules} from './oracle/oracle.ts'
import type {TorchPython} from '../submission/python.ts'
import type {Opened, OpenSubmission} from '../submission/submission.ts'
import {mhcSizes, rolesOf, sizesOf, tierNames} from './tiers.ts'
import type {TierName} from './tiers.ts'
import {judgeTiers, ownTrials} from './judge-tiers.ts'
import {JudgedModel, ModelCandidate} from './verdict.ts'
import type {ModelVerdict, TierVerdict} from './verdict.ts'

interface JudgeModelOptions {
  /** Identity of the judge, for keys: the executor, the version of torch. */
  identity: Readonly<Record<string, string>>
  open: OpenSubmission
  python: TorchPython
  sandbox: SandboxName
  workDirectory: string
  /** Default all. */
  tiers?: readonly TierName[]
  /** A setting with more input than this is skipped, in bytes. Default 64 MiB. */
  largestInput?: number
  /** Calls with the benchmark's own inputs at each setting; default 5, as in its harness. */
  trials?: number
  /** Time limit for one answer of a task's module, in seconds; default 600. */
  seconds?: number
  /** Candidates in progress at once; default one per core. */
  concurrency?: number
}

/**
 * Reply → its verdict: whether it compiles, and whether its model gives the same results as the task's own, by the
 * benchmark's comparison and by a stricter one, at every size. A fault of a reply is a verdict; a module or a tool that
 * fails is an error, and the record is retried. Where a second executor runs models, it has the last word on what the
 * first finds correct.
 */
export default function judgeModel(options: JudgeModelOptions): Stage<ModelCandidate, JudgedModel> {
  const rates = ratesOf(options.identity['soc'] ?? defaultSoc)
  const {identity, open, concurrency = availableParallelism(), workDirectory} = options
  const {tiers = tierNames, largestInput = 64 * 2 ** 20, trials = ownTrials, seconds = 600} = options
  return {
    name: 'judge-model',
    version: 6,
    options: {
      identity: {...identity},
      tiers: [...tiers],
      largestInput,
      trials,
      rates: {...rates},
      rules: contentId([oracleRules, {...sizesOf}, {...mhcSizes}, {...rolesOf}]),
    },
    tally: ({verdict}) => outcomeOf(verdict),
    input: ModelCandidate,
    output: JudgedModel,
    run: each(
      async ({task, sampler, reply}, {signal}) => {
        const opened = await open({name: task.name, stem: task.name}, reply, signal)
        const judged = {task, sampler, reply: contentId(reply)}
        await mkdir(resolve(workDirectory), {recursive: true})
        const folder = await mkdtemp(join(resolve(workDirectory), 'oracle-'))
        const module = resolve(task.root, task.path)
        const verdictOn = async (one: Opened): Promise<ModelVerdict> => {
          if (!one.ok) {
            const {kind, why, behaviour} = one
            return {opened: false, kind, why, ...(behaviour && {behaviour})}
          }
          try {
            const oracle = await openOracle({...options, folder, module, seconds, signal})
            const asked = {tiers, largestInput, trials, rates}
            const what = {task: task.name, element: task.element, oracle, submission: one.submission, signal}
            return await judgeTiers(what, asked)
              .then((found) => ({opened: true as const, ...found}))
              .finally(() => oracle.close())
          } finally {
            await one.submission.dispose()
          }
        }
        try {
          const first = await verdictOn(opened)
          if (!opened.ok || !opened.again || outcomeOf(first) !== 'hardened') return [{...judged, verdict: first}]
          const second = await verdictOn(await opened.again(signal))
          return [{...judged, verdict: lastWord(first, second, options.identity['confirmedBy'] ?? '')}]
        } finally {
          await removeFolder(folder)
        }
      },
      {concurrency},
    ),
  }
}

/** Of one that was correct at first; the modelled times and the outputs of kernels without work are the twin's. */
function lastWord(first: ModelVerdict, second: ModelVerdict, by: string): ModelVerdict {
  if (!first.opened || !second.opened) return second
  const {tiers, mutants} = first
  const modelled = new Map(tiers.map((one) => [one.tier, one.modelled]))
  const timed = (tier: TierVerdict) => ({...tier, ...(modelled.get(tier.tier) && {modelled: modelled.get(tier.tier)})})
  return {...second, tiers: second.tiers.map(timed), mutants, again: by}
}

/** `hardened`, `literal`, `wrong`, or the kind of failure to open. */
function outcomeOf(verdict: ModelVerdict): string {
  if (!verdict.opened) return verdict.kind
  if (verdict.tiers.every(({hardened}) => hardened)) return 'hardened'
  return verdict.tiers.every(({literal}) => literal) ? 'literal' : 'wrong'
}
