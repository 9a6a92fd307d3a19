import {compileClasses, type ErrorClass} from '../../datasets/schema/error-class.ts'
import {LabelledCandidate} from '../../datasets/schema/candidate.ts'
import {labels} from '../../datasets/schema/label.ts'
import {byCodeUnit} from '../../engine/code-unit-order.ts'
import {randomFrom} from '../../engine/random.ts'
import {openRun, type RunRecord} from '../../engine/run.ts'
import {classifyVerdict} from '../../eval/taxonomy.ts'
import {loadTasks} from '../../eval/tasks/operator-tasks.ts'
import {mutate, mutationsByClass} from '../../pipelines/preference/mutations.ts'
import {paperShares, type FaultClass} from '../../pipelines/preference/mutations/fault-classes.ts'
import {viewFiles} from '../../pipelines/preference/mutations/mutation.ts'

/** A judged mutant in a few words. */
interface Planted {
  task: string
  mutation: string
  detail: string
  declared: FaultClass
  several: boolean
  label: LabelledCandidate['label']
  observed: ErrorClass | 'none'
  rule: string
}

const bundled = {root: 'sources/starter/tasks', operators: 'sources/starter/operators'}

/**
 * `mutants`: how many mutants each bundled task offers. `mutants <run of the recipe candidates>…`: what came of those
 * that the runs judged, beside what the mutations say about themselves and the shares of the paper. A run that is still
 * going on, or was killed, is read as far as it came.
 */
export async function benchMutants(directories: readonly string[]): Promise<void> {
  if (directories.length === 0) return printOffers()
  const planted: Planted[] = []
  for (const directory of directories) planted.push(...(await readMutants(directory)))
  printLabels(planted)
  printCompileClasses(planted)
  printRunClasses(planted)
  printMutations(planted)
  printSurvivors(planted)
}

async function printOffers(): Promise<void> {
  const tasks = await loadTasks(bundled, () => [])
  console.log('| task | places | places, by class | mutants |\n|---|---:|---|---:|')
  let all = 0
  for (const {name, answer} of tasks) {
    const sources = viewFiles(answer)
    const counts = Object.entries(mutationsByClass).map(
      ([one, mutations]) => [one, mutations.flatMap((mutation) => mutation.places(sources)).length] as const,
    )
    const places = counts.reduce((sum, [, count]) => sum + count, 0)
    const mutants = mutate(answer, Number.POSITIVE_INFINITY, randomFrom('offers', name)).length
    all += mutants
    console.log(`| ${name} | ${places} | ${counts.map(([one, count]) => `${one} ${count}`).join(', ')} | ${mutants} |`)
  }
  console.log(`\n${all} mutants of ${tasks.length} tasks, no text twice`)
}

async function readMutants(directory: string): Promise<Planted[]> {
  const run = await openRun(directory)
  if (!run) throw new Error(`No run in ${directory}`)
  try {
    const planted: Planted[] = []
    let count = 0
    for (const {json} of run.emitted()) {
      count += 1
      const mutant = asPlanted(LabelledCandidate.parse(JSON.parse(json)))
      if (mutant) planted.push(mutant)
    }
    console.log(`${directory}: ${count} labelled candidates${pace(run.record, count)}`)
    return planted
  } finally {
    run.close()
  }
}

function pace({startedAt, endedAt}: RunRecord, count: number): string {
  if (endedAt === undefined) return ''
  const minutes = (Date.parse(endedAt) - Date.parse(startedAt)) / 60_000
  return ` in ${minutes.toFixed(1)} minutes, ${(count / minutes).toFixed(0)} a minute`
}

const classes = new Map(
  Object.entries(mutationsByClass).flatMap(([name, mutations]) =>
    mutations.map((mutation) => [mutation.name, name as FaultClass] as const),
  ),
)

function asPlanted({task, sampler, label, verdict}: LabelledCandidate): Planted | undefined {
  if (sampler.kind !== 'mutation') return undefined
  const declared = classes.get(sampler.mutation)
  if (declared === undefined) return undefined
  const failure = classifyVerdict(verdict)
  return {
    task: task.name,
    mutation: sampler.mutation,
    detail: [sampler.detail, ...(sampler.more ?? []).map(({mutation, detail}) => `${mutation}, ${detail}`)].join('; '),
    declared,
    several: sampler.more !== undefined,
    label,
    observed: failure?.class ?? 'none',
    rule: failure?.rule ?? '',
  }
}

function tally<T>(items: readonly T[], keyOf: (item: T) => string): [string, T[]][] {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group) group.push(item)
    else groups.set(keyOf(item), [item])
  }
  return [...groups].sort(([a, x], [b, y]) => y.length - x.length || byCodeUnit(a, b))
}

const counts = <T>(items: readonly T[], keyOf: (item: T) => string): string =>
  tally(items, keyOf)
    .map(([name, group]) => `${name} ${group.length}`)
    .join(', ')

const share = (part: number, all: number) => (all === 0 ? '–' : `${((100 * part) / all).toFixed(1)} %`)

function printLabels(planted: readonly Planted[]): void {
  console.log(`\n| class of the fault | mutants | ${labels.join(' | ')} | with several |`)
  console.log(`|---|---:|${labels.map(() => '---:|').join('')}---:|`)
  for (const [name, group] of [...tally(planted, ({declared}) => declared), ['all', planted] as const]) {
    const cells = labels.map((label) => group.filter((one) => one.label === label).length)
    console.log(`| ${name} | ${group.length} | ${cells.join(' | ')} | ${group.filter(({several}) => several).length} |`)
  }
}

function printCompileClasses(planted: readonly Planted[]): void {
  const failed = planted.filter(({observed}) => (compileClasses as readonly string[]).includes(observed))
  console.log('\n| class | observed | share | paper | declared as |\n|---|---:|---:|---:|---|')
  for (const name of compileClasses) {
    const group = failed.filter(({observed}) => observed === name)
    const paper = Object.entries(paperShares).find(([one]) => one === name)?.[1]
    const declared = counts(group, (one) => one.declared)
    const cells = [group.length, share(group.length, failed.length), paper ?? '–', declared]
    console.log(`| ${name} | ${cells.join(' | ')} |`)
  }
}

function printRunClasses(planted: readonly Planted[]): void {
  const ran = planted.filter(({observed}) => !(compileClasses as readonly string[]).includes(observed))
  console.log(`\nOf those that compile: ${counts(ran, ({observed}) => observed)}`)
  const broken = ran.filter(({rule}) => rule !== '')
  console.log(`Rules: ${counts(broken, ({rule}) => rule)}`)
}

/** Single faults alone: of several, the first message may be of any. */
function printMutations(planted: readonly Planted[]): void {
  console.log('\n| mutation | declared | observed |\n|---|---|---|')
  const single = planted.filter(({several}) => !several)
  for (const [name, group] of tally(single, ({mutation}) => mutation).sort(([a], [b]) => byCodeUnit(a, b))) {
    const seen = counts(group, ({observed, rule}) => (rule === '' ? observed : rule))
    console.log(`| ${name} | ${group[0]?.declared} | ${seen} |`)
  }
}

function printSurvivors(planted: readonly Planted[]): void {
  const green = planted.filter(({observed}) => observed === 'none')
  console.log(`\n${green.length} mutants of ${planted.length} were judged correct`)
  for (const [name, group] of tally(green, ({mutation}) => mutation)) {
    console.log(`${name}: ${group.length}`)
    for (const {task, detail} of group) console.log(`  ${task}: ${detail}`)
  }
}
