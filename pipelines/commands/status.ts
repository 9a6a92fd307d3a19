import type {Workforce} from '../../engine/elsewhere/worker-seen.ts'
import {waitingText} from '../../engine/elsewhere/workforce.ts'
import {isLocked} from '../../engine/lock.ts'
import type {StageCounts} from '../../engine/progress.ts'
import type {World} from './world.ts'
import {findRuns} from '../workspace/runs.ts'
import {table} from './text-table.ts'

interface Asked {
  out: string
  json: boolean
  /** In the text format of Prometheus. */
  metrics: boolean
}

/** `ascend-cot status`: every run of the output folder, stage by stage. */
export async function status({out, json, metrics}: Asked, {terminal}: World): Promise<number> {
  const runs = await findRuns(out)
  if (metrics) {
    const {runMetrics} = await import('./run-metrics.ts')
    terminal.print((await runMetrics(runs.map(({record}) => record))).trimEnd())
    return 0
  }
  if (json) {
    terminal.print(
      JSON.stringify(runs.map(({directory, record}) => ({directory, alive: isLocked(directory), ...record}))),
    )
    return 0
  }
  for (const {record} of runs) {
    terminal.print(`${record.recipe}: ${stateOf(record.state)}${record.error ? ` (${record.error.message})` : ''}`)
    terminal.print(`${stageTable(record.counts, terminal.width)}\n`)
    for (const {stage, workforce} of record.counts)
      if (workforce) terminal.print(`${workerTable(stage, workforce, terminal.width)}\n`)
  }
  return 0
}

function workerTable(stage: string, workforce: Workforce, width: number | undefined): string {
  const header = [`  workers of ${stage}`, 'has', 'records', 'a second', 'seen', 'holds']
  const rows = workforce.workers.map(({by, capability, records, rate, silentSeconds, holds}) => {
    return [`  ${by}`, capability, records, rate, `${silentSeconds} s ago`, holds || 'nothing']
  })
  return `${table(header, rows, width)}\n  ${waitingText(workforce)}, ${workforce.working} worked on`
}

/** Counts of each stage. */
export function stageTable(counts: readonly StageCounts[], width: number | undefined): string {
  const rows = counts.map((count) => [
    `  ${count.stage}`,
    count.read,
    count.written,
    count.dropped,
    count.failed,
    count.reused,
    reasons(count),
  ])
  return table(['  stage', 'read', 'written', 'dropped', 'failed', 'reused', 'why'], rows, width)
}

function stateOf(state: string): string {
  return state === 'interrupted' ? 'interrupted; continue it with `ascend-cot resume`' : state
}

export function reasons({
  reasons: drops,
  failures,
}: {
  reasons: Record<string, number>
  failures: Record<string, number>
}): string {
  return [...Object.entries(drops), ...Object.entries(failures)]
    .sort((a, b) => b[1] - a[1])
    .map(([reason, count]) => `${reason} ${count}`)
    .join(', ')
}
