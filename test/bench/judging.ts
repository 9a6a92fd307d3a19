import {LabelledCandidate} from '../../datasets/schema/candidate.ts'
import {compileClasses, type ErrorClass} from '../../datasets/schema/error-class.ts'
import {labels} from '../../datasets/schema/label.ts'
import {byCodeUnit} from '../../engine/code-unit-order.ts'
import {contentId} from '../../engine/ids.ts'
import {openRun, type RunRecord} from '../../engine/run.ts'
import {classifyCandidate} from '../../eval/taxonomy.ts'
import {paperShares} from '../../pipelines/preference/mutations/fault-classes.ts'
import {survivors} from './survivors.ts'

type Label = LabelledCandidate['label']

/** A judged candidate in a few words. */
interface Judged {
  task: string
  /** Its kind of author; of mutants, the first mutation. */
  author: string
  mutation: string | undefined
  detail: string
  label: Label
  failed: ErrorClass | undefined
  /** The same for candidates of one task with the same files. */
  source: string
}

interface JudgedRun {
  directory: string
  record: RunRecord
  judged: Judged[]
}

/**
 * `judging <run of the recipe candidates>`: what was judged, in which colours, how fast, and why mutants passed.
 * `--with <run>`: the shares of another run beside it. A run that is still going on, or was killed, is read as far as
 * it came; copy its folder first while a process works in it.
 */
export async function benchJudging(directory: string, other: string | undefined): Promise<void> {
  const run = await readRun(directory)
  printPace(run)
  printAuthors(run.judged)
  printClasses(run.judged)
  printSurvivors(run.judged)
  if (other !== undefined) compare(run, await readRun(other))
}

async function readRun(directory: string): Promise<JudgedRun> {
  const run = await openRun(directory)
  if (!run) throw new Error(`No run in ${directory}`)
  try {
    const judged: Judged[] = []
    for (const {json} of run.emitted()) judged.push(inShort(LabelledCandidate.parse(JSON.parse(json))))
    return {directory, record: run.record, judged}
  } finally {
    run.close()
  }
}

function inShort(candidate: LabelledCandidate): Judged {
  const {task, sampler, label, files} = candidate
  const isMutant = sampler.kind === 'mutation'
  const byPath = [...files].sort((a, b) => byCodeUnit(a.path, b.path))
  return {
    task: task.name,
    author: sampler.kind,
    mutation: isMutant ? [sampler, ...(sampler.more ?? [])].map(({mutation}) => mutation).join(' + ') : undefined,
    detail: isMutant ? sampler.detail : '',
    label,
    failed: classifyCandidate(candidate)?.class,
    source: contentId([task, byPath]),
  }
}

function printPace({directory, record, judged}: JudgedRun): void {
  const stage = record.counts.find((count) => count.stage === 'judge')
  console.log(`${directory}: ${judged.length} labelled candidates of ${groups(judged, (one) => one.task).size} tasks`)
  console.log(
    `the same files as another of its task: ${judged.length - new Set(judged.map(({source}) => source)).size}`,
  )
  if (!stage) return
  const quarantined = stage.reasons['flaky-verdict'] ?? 0
  console.log(`quarantined: ${quarantined}; dropped in all: ${JSON.stringify(stage.reasons)}; failed: ${stage.failed}`)
  const done = stage.accepted + stage.dropped + stage.failed - stage.reused
  if (record.endedAt === undefined) {
    console.log('no pace: the run has no end yet')
    return
  }
  const minutes = (Date.parse(record.endedAt) - Date.parse(record.startedAt)) / 60_000
  const before = stage.reused > 0 ? `, ${stage.reused} before it` : ''
  // The ledger keeps no times: what is known is how long the last process took, with all that it did.
  console.log(`last process: ${done} judged in ${minutes.toFixed(1)} min, ${(done / minutes).toFixed(0)}/min${before}`)
}

function groups<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const found = new Map<string, T[]>()
  for (const item of items) found.set(keyOf(item), [...(found.get(keyOf(item)) ?? []), item])
  return new Map([...found].sort(([a, x], [b, y]) => y.length - x.length || byCodeUnit(a, b)))
}

const share = (part: number, all: number) => (all === 0 ? '–' : `${((100 * part) / all).toFixed(1)} %`)

/** Mutants with several faults count for each of them: any may have shown. */
function printAuthors(judged: readonly Judged[]): void {
  const line = (name: string, of: readonly Judged[]) => {
    const cells = labels.map((label) => of.filter((one) => one.label === label).length)
    return `| ${name} | ${of.length} | ${cells.map((cell) => `${cell} (${share(cell, of.length)})`).join(' | ')} |`
  }
  console.log(`\n| author | judged | ${labels.join(' | ')} |\n|---|---:|${'---:|'.repeat(labels.length)}`)
  for (const [name, of] of [['all', [...judged]] as const, ...groups(judged, ({author}) => author)])
    console.log(line(name, of))
  const single = judged.flatMap((one) => (one.mutation ?? '').split(' + ').map((mutation) => ({...one, mutation})))
  for (const [name, of] of groups(
    single.filter(({mutation}) => mutation !== ''),
    ({mutation}) => mutation,
  ))
    console.log(line(`mutation ${name}`, of))
}

/** Shares of the first error among candidates that did not compile, as in Figure 6 of the paper. */
function classShares(judged: readonly Judged[]): Map<string, number> {
  const known: readonly string[] = compileClasses
  const built = judged.filter(({failed}) => failed !== undefined && known.includes(failed))
  return new Map(
    compileClasses.map((name) => [name, built.filter(({failed}) => failed === name).length / built.length]),
  )
}

const percent = (value: number) => `${(100 * value).toFixed(1)} %`

function printClasses(judged: readonly Judged[]): void {
  console.log('\n| first error | share | paper |\n|---|---:|---:|')
  const paper = new Map<string, number>(Object.entries(paperShares))
  for (const [name, value] of classShares(judged))
    console.log(`| ${name} | ${percent(value)} | ${paper.has(name) ? `${paper.get(name)} %` : '–'} |`)
}

function printSurvivors(judged: readonly Judged[]): void {
  const mutants = judged.filter(({mutation}) => mutation !== undefined)
  const green = mutants.filter(({label}) => label === 'green')
  console.log(
    `\n${green.length} of ${mutants.length} mutants were judged correct (${share(green.length, mutants.length)})`,
  )
  for (const [name, of] of groups(green, ({mutation = ''}) => mutation)) {
    const known = name.split(' + ').map((one) => survivors[one])
    const why = known
      .map((one) => (one ? `supposed ${one.seen}: ${one.why}` : 'not explained yet, read them'))
      .join('; and ')
    console.log(`${name} ${of.length} – ${why}`)
    for (const {task, detail} of of) console.log(`  ${task}: ${detail}`)
  }
}

/** Colours of all, and first errors: a seeded part of a run should show the same. */
function compare(run: JudgedRun, other: JudgedRun): void {
  const colours = ({judged}: JudgedRun) =>
    labels.map((label) => [label, judged.filter((one) => one.label === label).length / judged.length] as const)
  const both = [run, other].map((one) => new Map([...colours(one), ...classShares(one.judged)]))
  console.log(`\nBeside ${other.directory}: ${other.judged.length} labelled candidates`)
  console.log('\n| share | this run | the other | apart by | two standard errors |\n|---|---:|---:|---:|---:|')
  for (const [name, mine] of both[0] ?? []) {
    const theirs = both[1]?.get(name) ?? Number.NaN
    const error = 2 * Math.sqrt((mine * (1 - mine)) / other.judged.length + (mine * (1 - mine)) / run.judged.length)
    const cells = [percent(mine), percent(theirs), percent(Math.abs(mine - theirs)), percent(error)]
    console.log(`| ${name} | ${cells.join(' | ')} |`)
  }
}
