import {percent, type ScoreTable} from '../../scores/table.ts'
import {categories} from './tiers.ts'
import type {JudgedModel, ModelCandidate, ModelVerdict, TierVerdict} from './verdict.ts'

type Task = Pick<ModelCandidate['task'], 'name' | 'category'>
type Judged = Pick<JudgedModel, 'task' | 'sampler' | 'verdict'>
type Opened = Extract<ModelVerdict, {opened: true}>

/** Source: AscendCraft, arXiv 2601.22760, of its one model on an Atlas A2 with the harness's own inputs. */
const published = ['AscendCraft (paper)', '52', '98.1', '90.4', '–']

/**
 * Verdicts → the tables of AscendCraft's evaluation. A task without a verdict counts as one that failed: shares are of
 * all requested tasks.
 */
export function modelTables(tasks: readonly Task[], judged: readonly Judged[]): ScoreTable[] {
  const own = judged.filter(({task}) => task.element === undefined)
  const mhc = judged.filter(({task}) => task.element !== undefined)
  return [
    ...filled(categoryTable(tasks, own)),
    ...filled(taskTable(own, 'By task')),
    ...filled(taskTable(mhc, 'mHC, which is not a task of the benchmark')),
    ...filled(leftOutTable(judged)),
    ...filled(modelledTable(own, 'Modelled efficiency')),
    ...filled(modelledTable(mhc, 'Modelled efficiency of mHC')),
    ...filled(mutantTable(own)),
  ]
}

const filled = (table: ScoreTable) => (table.rows.length > 0 ? [table] : [])

/** Tiers with at least one run setting. */
const ran = ({tiers}: Opened) => tiers.filter(({sizes}) => sizes.length > 0)

const passes = (verdict: ModelVerdict, way: 'literal' | 'hardened') =>
  verdict.opened && ran(verdict).length > 0 && ran(verdict).every((tier) => tier[way])

function categoryTable(tasks: readonly Task[], judged: readonly Judged[]): ScoreTable {
  const line = (name: string, members: readonly Task[]) => {
    const share = (holds: (verdict: ModelVerdict) => boolean) => {
      const sum = members.reduce((all, task) => all + shareOf(judged, task, holds), 0)
      return members.length === 0 ? '–' : percent(sum / members.length)
    }
    return [
      name,
      String(members.length),
      share(({opened}) => opened),
      share((verdict) => passes(verdict, 'literal')),
      share((verdict) => passes(verdict, 'hardened')),
    ]
  }
  const known = categories.filter((category) => tasks.some((task) => task.category === category))
  return {
    title: 'Compiled and correct, by category',
    note:
      "Comp@1 and Pass@1 of all tasks; one without a verdict counts as failed. Literal: the benchmark's own inputs " +
      'and comparison; hardened: also other kinds of values, against float64, and with a check of the work ' +
      "done; both at every size that was run. The paper's figures are for its own sizes, on an NPU.",
    columns: ['Category', 'Tasks', 'Comp@1 (%)', 'Pass@1 literal (%)', 'Pass@1 hardened (%)'],
    names: 1,
    rows:
      tasks.length === 0
        ? []
        : [
            ...known.map((category) =>
              line(
                category,
                tasks.filter((task) => task.category === category),
              ),
            ),
            line('all', tasks),
            [...published],
          ],
  }
}

/** The share of a task's replies with a property. */
function shareOf(judged: readonly Judged[], task: Task, holds: (verdict: ModelVerdict) => boolean): number {
  const own = judged.filter((one) => one.task.name === task.name && one.task.category === task.category)
  return own.length === 0 ? 0 : own.filter(({verdict}) => holds(verdict)).length / own.length
}

function taskTable(judged: readonly Judged[], title: string): ScoreTable {
  return {
    title,
    note: 'For each tier: hardened, literal only, wrong, or – if none of its sizes was run; calls in brackets.',
    columns: ['Task', 'Sample', 'head', 'scaled', 'v0', 'odd', 'First fault'],
    names: 7,
    rows: judged.map(({task, sampler, verdict}) => [
      nameOf(task),
      String(sampler.sample),
      ...(['head', 'scaled', 'v0', 'odd'] as const).map((tier) =>
        verdict.opened
          ? tierText(
              task,
              verdict.tiers.find((one) => one.tier === tier),
            )
          : '–',
      ),
      faultText(verdict),
    ]),
  }
}

const nameOf = ({name, element}: JudgedModel['task']) => (element === undefined ? name : `${name} (${element})`)

function tierText({element}: JudgedModel['task'], verdict: TierVerdict | undefined): string {
  if (!verdict || verdict.sizes.length === 0) return '–'
  const {literal, hardened, calls} = verdict
  // mHC has no literal comparison.
  const word = literal && element === undefined ? 'literal' : 'wrong'
  return `${literal && hardened ? 'hardened' : word} (${calls})`
}

function faultText(verdict: ModelVerdict): string {
  const [fault] = verdict.opened ? verdict.faults : [verdict]
  const number = fault?.behaviour === undefined ? '' : `${fault.behaviour}, `
  if (!verdict.opened) return `${number}${verdict.kind}: ${verdict.why}`.slice(0, 240)
  const [own] = verdict.faults
  return own ? `${number}${own.family} at ${own.sizes}: ${own.literal ?? own.hardened}`.slice(0, 240) : ''
}

function leftOutTable(judged: readonly Judged[]): ScoreTable {
  const rows = judged.flatMap(({task, sampler, verdict}) =>
    verdict.opened && sampler.sample === 0
      ? verdict.tiers.flatMap(({tier, leftOut}) => leftOut.map((sizes) => [nameOf(task), tier, sizes]))
      : [],
  )
  return {
    title: 'Not run',
    note: 'Sizes with more input than --max-input-mib.',
    columns: ['Task', 'Tier', 'Input'],
    names: 3,
    rows,
  }
}

interface Efficiency {
  name: string
  tier: string
  share: number
  microseconds: number
  bottleneck: string
  cores: number
}

/** The largest size that each task was run at. */
function efficiencies(judged: readonly Judged[]): Efficiency[] {
  return judged.flatMap(({task, verdict}) => {
    if (!verdict.opened) return []
    const all = verdict.tiers.flatMap(({tier, modelled}) => (modelled ? [{tier, ...modelled}] : []))
    const [most] = all.sort((a, b) => b.rooflineMicroseconds - a.rooflineMicroseconds)
    if (!most) return []
    const {tier, microseconds, rooflineMicroseconds, bottleneck, cores} = most
    return [{name: nameOf(task), tier, share: rooflineMicroseconds / microseconds, microseconds, bottleneck, cores}]
  })
}

function modelledTable(judged: readonly Judged[], title: string): ScoreTable {
  const all = efficiencies(judged).sort((a, b) => a.share - b.share)
  const middle = all.length > 0 ? percent(median(all.map(({share}) => share))) : '–'
  const worst = all[0] ? `${percent(all[0].share)} % (${all[0].name})` : '–'
  return {
    title,
    note:
      `Slowest first; median ${middle} %, worst ${worst}. Modelled: a run's work at the published rates of the ` +
      'chip, relative to the time for moving inputs and outputs once each at GM bandwidth, without the launch. ' +
      'Nothing here was timed on an NPU.',
    columns: ['Task', 'Tier', 'Bottleneck', 'Cores', 'Modelled (µs)', 'Of the roofline (%)'],
    names: 3,
    rows: all.map(({name, tier, bottleneck, cores, microseconds, share}) => [
      name,
      tier,
      bottleneck,
      String(cores),
      microseconds.toFixed(1),
      percent(share),
    ]),
  }
}

function mutantTable(judged: readonly Judged[]): ScoreTable {
  const sums = new Map<string, {calls: number; literal: number; hardened: number; spared: Set<string>}>()
  for (const {task, verdict} of judged) {
    if (!verdict.opened) continue
    for (const {name, calls, literal, hardened} of verdict.mutants) {
      const known = sums.get(name) ?? {calls: 0, literal: 0, hardened: 0, spared: new Set<string>()}
      if (hardened < calls) known.spared.add(task.name)
      sums.set(name, {
        calls: known.calls + calls,
        literal: known.literal + literal,
        hardened: known.hardened + hardened,
        spared: known.spared,
      })
    }
  }
  return {
    title: 'Outputs of kernels that do no work',
    note:
      'Outputs of a kernel that copies, writes nothing, skips its last tile, and so on: in how many ' +
      'calls they differ from the correct ones, and in how many of these each comparison refuses them.',
    columns: ['Output', 'Calls', 'Literal refuses', 'Hardened refuses', 'Tasks where it does not always'],
    names: 1,
    rows: [...sums].map(([name, {calls, literal, hardened, spared}]) => [
      name,
      ...[calls, literal, hardened, spared.size].map(String),
    ]),
  }
}

/** Of a sorted list that is not empty. */
function median(sorted: readonly number[]): number {
  const at = (index: number) => sorted[index] ?? 0
  const half = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? at(half) : (at(half - 1) + at(half)) / 2
}
