import {Counter, Gauge, Histogram, Registry} from 'prom-client'
import type {Desk} from './desk.ts'
import type {Assessment} from './assess.ts'
import type {Store} from './store.ts'

/** What the service counts, in the text format of Prometheus. */
export interface Meters {
  answered(route: string, status: number, seconds: number): void
  judged(seconds: {waited: number; judging: number}): void
  assessed(assessment: Assessment): void
  /** A step of an executor while judging. */
  stepped(step: 'build' | 'run', seconds: number): void
  /** Total of judged candidates. */
  total(): number
  text(): Promise<string>
}

const seconds = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100]

export function openMeters(desk: () => Desk, store: Store): Meters {
  const registers = [new Registry()]
  const requests = new Counter({
    name: 'judge_requests_total',
    help: 'Requests by route and status; 499 if the client disconnected.',
    labelNames: ['route', 'status'],
    registers,
  })
  const verdicts = new Counter({
    name: 'judge_verdicts_total',
    help: 'Completions by label, outcome and source of the verdict.',
    labelNames: ['label', 'outcome', 'cached'],
    registers,
  })
  const steps = new Histogram({
    name: 'judge_seconds',
    help: 'Seconds by step: reply, wait, judge, and of judging build and run.',
    labelNames: ['step'],
    buckets: seconds,
    registers,
  })
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value())
      },
    })
  gauge('judge_queue_waiting', 'Waiting candidates.', () => desk().load().waiting)
  gauge('judge_queue_running', 'Candidates being judged.', () => desk().load().running)
  gauge('judge_stored_verdicts', 'Verdicts on disk.', () => store.counts().findings)
  gauge('judge_stored_requests', 'Named requests on disk.', () => store.counts().requests)
  gauge('process_resident_bytes', 'Memory of the service itself.', () => process.memoryUsage.rss())
  let total = 0
  return {
    answered(route, status, took) {
      requests.inc({route, status})
      steps.observe({step: 'reply'}, took)
    },
    judged({waited, judging}) {
      total += 1
      steps.observe({step: 'wait'}, waited)
      steps.observe({step: 'judge'}, judging)
    },
    assessed({label, evidence, cached}) {
      verdicts.inc({label, outcome: evidence.outcome, cached})
    },
    stepped: (step, took) => steps.observe({step}, took),
    total: () => total,
    text: () => registers[0]!.metrics(),
  }
}
