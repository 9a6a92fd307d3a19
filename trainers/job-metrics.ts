import {join} from 'node:path'
import {PipelineError} from '../engine/errors.ts'
import {openJournal, readJournal, type Journal} from '../engine/journal.ts'
import {lockDirectory} from '../engine/lock.ts'
import {MetricsLine} from '../datasets/schema/job.ts'
import type {LogLine} from './backends/backend.ts'
import type {Engine} from './engines/engine.ts'

const metricsName = 'metrics.jsonl'

/** What a trainer has reported so far. */
export function readMetrics(folder: string): MetricsLine[] {
  return readJournal(join(folder, metricsName), MetricsLine).entries
}

interface Source {
  /** Of a job. */
  folder: string
  attempt: number
  engine: Pick<Engine, 'progressOf'>
  /** Whole lines of the attempt's log from a byte on. */
  log(from: number): Promise<readonly LogLine[]>
}

/**
 * Appends new reports from an attempt's log to `metrics.jsonl`. Every line records the byte offset up to which the log
 * was read, so reading a log twice, or from two processes, gives each report once.
 * @returns all reports of the job
 */
export async function takeMetrics({folder, attempt, engine, log}: Source): Promise<readonly MetricsLine[]> {
  const release = lockOf(folder)
  // Another process is doing this.
  if (!release) return readMetrics(folder)
  const journal = openJournal(join(folder, metricsName), MetricsLine)
  try {
    const taken = [...journal.entries]
    const last = taken.findLast((line) => line.attempt === attempt)
    for await (const line of reports(last?.at ?? 0, {attempt, engine, log})) taken.push(kept(journal, line))
    return taken
  } finally {
    journal.close()
    release()
  }
}

async function* reports(start: number, {attempt, engine, log}: Omit<Source, 'folder'>): AsyncIterable<MetricsLine> {
  for (let from = start; ; ) {
    const lines = await log(from)
    for (const {text, end} of lines) {
      const progress = engine.progressOf(text)
      if (progress !== null) yield {...progress, attempt, at: end}
    }
    if (lines.length === 0) return
    from = lines.at(-1)?.end ?? from
  }
}

function kept(journal: Journal<MetricsLine>, line: MetricsLine): MetricsLine {
  journal.append(line)
  return line
}

function lockOf(folder: string): (() => void) | undefined {
  try {
    return lockDirectory(folder)
  } catch (error) {
    if (error instanceof PipelineError && error.code === 'run-locked') return undefined
    throw error
  }
}

/** The curve of a job: where attempts overlap, the later one's reports count. */
export function curveOf(lines: readonly MetricsLine[]): MetricsLine[] {
  const curve: MetricsLine[] = []
  for (const line of lines) {
    while ((curve.at(-1)?.step ?? -1) >= line.step) curve.pop()
    curve.push(line)
  }
  return curve
}
