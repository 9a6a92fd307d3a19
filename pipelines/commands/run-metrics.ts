import {Gauge, Registry} from 'prom-client'
import type {RunRecord} from '../../engine/run.ts'

/** Runs, their queues and workers in the text format of Prometheus, for a collector of text files. */
export function runMetrics(records: readonly RunRecord[]): Promise<string> {
  const registry = new Registry()
  const gauge = <const L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge({name: `ascend_cot_${name}`, help, labelNames, registers: [registry]})
  const outcomes = gauge('records', 'Records of a stage by outcome.', ['recipe', 'stage', 'outcome'])
  const batches = gauge('queue_batches', 'Batches of a stage that wait or are worked on.', ['recipe', 'stage', 'state'])
  const labels = ['recipe', 'stage', 'worker', 'capability'] as const
  const finished = gauge('worker_records', 'Records that a worker finished since its start.', labels)
  const rate = gauge('worker_records_per_second', 'Of the last batch.', labels)
  const silent = gauge('worker_silent_seconds', 'Since the run saw the worker last.', labels)
  for (const {recipe, counts} of records) {
    for (const {stage, read, accepted, dropped, failed, workforce} of counts) {
      const all = {read, accepted, dropped, failed}
      for (const [outcome, amount] of Object.entries(all)) outcomes.set({recipe, stage, outcome}, amount)
      if (!workforce) continue
      batches.set({recipe, stage, state: 'waiting'}, workforce.waiting)
      batches.set({recipe, stage, state: 'working'}, workforce.working)
      for (const worker of workforce.workers) {
        const whose = {recipe, stage, worker: worker.by, capability: worker.capability}
        finished.set(whose, worker.records)
        rate.set(whose, worker.rate)
        silent.set(whose, worker.silentSeconds)
      }
    }
  }
  return registry.metrics()
}
