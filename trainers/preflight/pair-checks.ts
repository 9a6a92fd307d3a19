import {counted} from '../../engine/counted.ts'
import {normalForm} from '../../datasets/contamination/normalize.ts'
import {dividedReply} from '../../datasets/parquet/reply-parts.ts'
import {isBetter, labels, type Label} from '../../datasets/schema/label.ts'
import type {CheckedJob} from './checked-job.ts'
import {count, found, percent, type Finding} from './finding.ts'
import {Tally, type RowCheck, type RowView} from './row-view.ts'

/** Share of pairs with the same side longer from which length alone identifies the better side. */
const tellingShare = 0.8
/** Sides of similar length give no hint. */
const alike = 1.05
const manyVisits = 3
/** Most differing lines of a small edit. */
const smallEdit = 2
/** Share of pairs from which one task dominates. */
const dominating = 0.2

interface PairCounts {
  pairs: number
  longerChosen: number
  longerRejected: number
  ratios: number
  byTask: Map<string, number>
  byLabels: Map<string, number>
  offPolicy: number
  close: number
}

/** Checks preference pairs: identical sides, labels, lengths, and how often each is seen. */
export function pairChecks({plan}: CheckedJob): RowCheck {
  const [same, sameCode, reversed] = [new Tally(), new Tally(), new Tally()] as const
  const counts: PairCounts = {
    pairs: 0,
    longerChosen: 0,
    longerRejected: 0,
    ratios: 0,
    byTask: new Map(),
    byLabels: new Map(),
    offPolicy: 0,
    close: 0,
  }
  return {
    look(row) {
      const [chosen = '', rejected = ''] = row.replies.map(({text}) => text)
      if (chosen === rejected) same.add(row)
      else if (codeOf(chosen) === codeOf(rejected)) sameCode.add(row)
      if (isReversed(row)) reversed.add(row)
      addCounts(counts, row, chosen, rejected)
    },
    findings: () => [
      ...same.found(
        'sides-equal',
        (rows) =>
          `${rows} choose and reject the same text: there is nothing to learn from, and the loss stays at ln 2.`,
        'Remove these pairs.',
      ),
      ...sameCode.found(
        'sides-same-code',
        (rows) => `${rows} choose and reject answers that only differ in comments, layout or reasoning.`,
        'Remove these pairs: one side was judged by something other than its text.',
      ),
      ...reversed.found(
        'labels-reversed',
        (rows) => `${rows} choose a label that is not better than the rejected one (${labels.join(' over ')}).`,
        'Run `preference` and `release-dpo` again; swapped sides teach the opposite.',
      ),
      ...countFindings(counts, plan.arithmetic.steps * plan.spec.hyperparameters.globalBatch.value),
      ...closeFinding(counts, plan.spec.dpo?.likelihoodWeight.value ?? 0),
    ],
  }
}

const codeOf = (text: string) => normalForm(dividedReply(text).answer)

function isReversed({cells}: RowView): boolean {
  const [chosen, rejected] = [cells['chosen_label'], cells['rejected_label']]
  if (typeof chosen !== 'string' || typeof rejected !== 'string') return false
  return !isBetter(chosen as Label, rejected as Label) || !labels.includes(chosen as Label)
}

function addCounts(counts: PairCounts, {cells, question}: RowView, chosen: string, rejected: string): void {
  counts.pairs += 1
  const ratio = (chosen.length + 1) / (rejected.length + 1)
  if (ratio > alike) counts.longerChosen += 1
  if (ratio < 1 / alike) counts.longerRejected += 1
  counts.ratios += ratio
  const task = String(cells['task'] ?? question)
  counts.byTask.set(task, (counts.byTask.get(task) ?? 0) + 1)
  const by = String(cells['strategy'] ?? `${String(cells['chosen_label'])} over ${String(cells['rejected_label'])}`)
  counts.byLabels.set(by, (counts.byLabels.get(by) ?? 0) + 1)
  if (typeof cells['changed_lines'] === 'number' && cells['changed_lines'] <= smallEdit) counts.close += 1
  if (typeof cells['chosen_sampler'] === 'string' && cells['chosen_sampler'] !== 'model') counts.offPolicy += 1
}

function countFindings(counts: PairCounts, visits: number): Finding[] {
  const {pairs, byTask, byLabels, offPolicy} = counts
  if (pairs === 0) return []
  const kinds = [...byLabels].sort(([, a], [, b]) => b - a).map(([name, rows]) => `${name} ${count(rows)}`)
  const epochs = visits / pairs
  const repeated = found(
    'pairs-repeated',
    `${counted(visits, 'visit')} (steps × global batch) to ${counted(pairs, 'pair')}: each is seen ` +
      `${epochs.toFixed(1)} times; beyond ${manyVisits} times, a model tends to memorise them.`,
    `Make more pairs, or train fewer epochs: --set hyperparameters.epochs=${manyVisits}.`,
  )
  const others = found(
    'pairs-off-policy',
    `${percent(offPolicy / pairs)} of the chosen replies were not sampled from a model: an accuracy of 1 within ` +
      `a few steps may only reflect style.`,
  )
  return [
    ...found(
      'pairs',
      `${counted(pairs, 'pair')} of ${counted(byTask.size, 'task')}: ${kinds.join(', ')}; ` +
        `${counted(visits, 'visit')}.`,
    ),
    ...(epochs > manyVisits ? repeated : []),
    ...taskFinding(byTask, pairs),
    ...lengthFinding(counts),
    ...(offPolicy > 0 ? others : []),
  ]
}

/** Razin et al. 2024, arXiv:2410.08847: the closer the sides, the more the likelihood of both falls. */
function closeFinding({pairs, close}: PairCounts, weight: number): Finding[] {
  if (close <= pairs / 2 || weight > 0) return []
  return found(
    'pairs-close',
    `${percent(close / pairs)} of the pairs differ in at most ${smallEdit} lines of code: the likelihood of the ` +
      'chosen reply may fall with that of the rejected one. Watch `logps/chosen`.',
    'Use --set dpo.likelihoodWeight=0.2 to add the likelihood of the chosen reply to the loss.',
  )
}

function taskFinding(byTask: ReadonlyMap<string, number>, pairs: number): Finding[] {
  const [most] = [...byTask].sort(([, a], [, b]) => b - a)
  if (!most || byTask.size < 2 || most[1] <= dominating * pairs) return []
  return found(
    'task-dominates',
    `${count(most[1])} of ${counted(pairs, 'pair')} belong to one task, ${most[0].slice(0, 60)}.`,
    'Lower `samples.maxPairsPerTask` in the configuration, and make the pairs again.',
  )
}

function lengthFinding({pairs, longerChosen, longerRejected, ratios}: PairCounts): Finding[] {
  const telling = Math.max(longerChosen, longerRejected) / pairs
  const mean = ratios / pairs
  if (telling <= tellingShare && mean <= 2 && mean >= 0.5) return []
  const which = longerChosen > longerRejected ? 'chosen' : 'rejected'
  return found(
    'length-tells',
    `In ${percent(telling)} of the pairs the ${which} reply is longer (${mean.toFixed(2)} characters ` +
      'chosen for each rejected one): the model may only learn length.',
    'Match the lengths of both sides, and remove truncated rejected replies.',
  )
}

/** Checks for desirable and undesirable replies; both are needed. */
export function unpairedChecks(_: CheckedJob): RowCheck {
  const labels = {good: 0, bad: 0}
  return {
    look({cells}) {
      if (cells['label'] === true) labels.good += 1
      else labels.bad += 1
    },
    findings: () =>
      labels.good > 0 && labels.bad > 0
        ? []
        : found(
            'labels-one-sided',
            `Desirable replies: ${count(labels.good)}, others: ${count(labels.bad)}; KTO needs both.`,
            'Use a data set with replies of both kinds.',
          ),
  }
}
