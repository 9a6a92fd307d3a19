import {kinds} from './kinds.ts'
import type {Tried} from './plant.ts'

export const survived = ({verdict}: Tried) => verdict.outcome === 'correct'

/** One line for each kind, one for all, then the survivors. */
export function printTable(tried: readonly Tried[]): void {
  console.log('\n| fault | planted | noticed | share | how |\n|---|---:|---:|---:|---|')
  for (const kind of Object.keys(kinds)) {
    const own = tried.filter((one) => one.kind === kind)
    if (own.length > 0) console.log(line(kind, own))
  }
  console.log(line('all', tried))
  console.log(`\nnoticed only in other rows: ${tried.filter(({late}) => late).length}`)
  const perAnswer = new Map<string, number>()
  for (const {task} of tried) perAnswer.set(task, (perAnswer.get(task) ?? 0) + 1)
  console.log(
    `mutants of an answer: ${Math.min(...perAnswer.values())} to ${Math.max(...perAnswer.values())}; answers with at least eight: ${[...perAnswer.values()].filter((count) => count >= 8).length}`,
  )
  const survivors = tried.filter(survived)
  console.log(
    `survivors: ${survivors.length}, ${survivors.filter(({sameBits}) => sameBits).length} of them with the answer's outputs to the bit`,
  )
  for (const {task, cores, kind, mutant, sameBits} of survivors) {
    console.log(
      `survives (${sameBits ? 'same bits' : 'within tolerance'}, cores ${cores.join(' and ')}): ${task}, ${kind}, ${mutant.mutation}, ${mutant.detail}`,
    )
  }
}

function line(name: string, tried: readonly Tried[]): string {
  const noticed = tried.filter((one) => !survived(one)).length
  return `| ${name} | ${tried.length} | ${noticed} | ${((100 * noticed) / tried.length).toFixed(1)} % | ${outcomes(tried)} |`
}

function outcomes(tried: readonly Tried[]): string {
  const counts = new Map<string, number>()
  for (const {verdict} of tried) {
    const name = verdict.outcome
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
}
