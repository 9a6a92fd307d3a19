import {PipelineError} from '../errors.ts'
import {ensureWanted, type Clock} from './clock.ts'
import type {Fault} from './fault.ts'

/** Permission to send one request; its holder reports how it went. */
export interface Pass {
  /** The endpoint answered, even if with a refusal. */
  answered(): void
  failed(fault: Fault): void
  /** Nothing was sent. */
  withdraw(): void
}

export interface Breaker {
  /**
   * Waits while the endpoint counts as down.
   * @throws PipelineError `endpoint-unreachable`, scope `run`, when it stayed down
   */
  enter(signal?: AbortSignal): Promise<Pass>
  /** Whether the endpoint counts as down: then failures do not use up a request's attempts. */
  isOpen(): boolean
}

interface BreakerOptions {
  url: string
  outageSeconds: number
  clock: Clock
  log: (message: string) => void
}

const failuresToOpen = 5
const firstProbeMs = 1000
const longestProbeMs = 30_000
/** An address that never answered is most likely wrong: not worth a long wait. */
const neverAnsweredSeconds = 15

/**
 * A circuit breaker for one endpoint, shared by all requests to it. Consecutive outages open it; then one probe at a
 * time is let through, after 1, 2, 4 … 30 s, until an answer closes it or `outageSeconds` have passed.
 */
export function circuitBreaker({url, outageSeconds, clock, log}: BreakerOptions): Breaker {
  let failures = 0
  let failingSince = 0
  let everAnswered = false
  let opened: {probeAt: number; waitMs: number} | undefined
  let probe: {ended: Promise<void>; end: () => void} | undefined
  let dead: PipelineError | undefined

  function endProbe(): void {
    probe?.end()
    probe = undefined
  }

  function answered(): void {
    if (opened) log(`${url} is answering again.`)
    failures = 0
    everAnswered = true
    opened = undefined
    endProbe()
  }

  function failed(fault: Fault, wasProbe: boolean): void {
    if (failures === 0) failingSince = clock.now()
    failures += 1
    const limitSeconds = everAnswered ? outageSeconds : Math.min(outageSeconds, neverAnsweredSeconds)
    const downSeconds = (clock.now() - failingSince) / 1000
    if (opened && !wasProbe) return
    if (opened && downSeconds >= limitSeconds) dead = unreachable(url, fault, {everAnswered, failures, downSeconds})
    else if (opened || failures >= failuresToOpen) {
      const waitMs = opened ? Math.min(opened.waitMs * 2, longestProbeMs) : firstProbeMs
      if (!opened)
        log(`${url} is failing: ${fault.what}. Requests wait while it is retried for up to ${limitSeconds} s.`)
      opened = {
        waitMs,
        probeAt: Math.min(clock.now() + waitMs, Math.max(clock.now(), failingSince + limitSeconds * 1000)),
      }
    }
    if (wasProbe) endProbe()
  }

  const pass = (isProbe: boolean): Pass => ({
    answered,
    failed: (fault) => failed(fault, isProbe),
    withdraw: () => {
      if (isProbe) endProbe()
    },
  })

  return {
    isOpen: () => opened !== undefined,
    async enter(signal) {
      for (;;) {
        ensureWanted(signal)
        if (dead) throw dead
        if (!opened) return pass(false)
        if (probe) await probe.ended
        else if (clock.now() >= opened.probeAt) {
          let end = () => {}
          probe = {
            ended: new Promise((resolve) => {
              end = resolve
            }),
            end: () => end(),
          }
          return pass(true)
        } else await clock.sleep(opened.probeAt - clock.now(), signal)
      }
    },
  }
}

interface Outage {
  everAnswered: boolean
  failures: number
  downSeconds: number
}

function unreachable(url: string, fault: Fault, how: Outage): PipelineError {
  const seconds = Math.round(how.downSeconds)
  const history = how.everAnswered ? `has not answered for ${seconds} s` : `did not answer within ${seconds} s`
  // Where a web page answers, every other request will fail too.
  const code = fault.kind === 'foreign' ? fault.code : 'endpoint-unreachable'
  const message = `${url} ${history} (${how.failures} requests failed in a row). The last failure: ${fault.what}.`
  return new PipelineError(code, message, {
    fix: how.everAnswered
      ? 'Wait until the endpoint works again, then run `ascend-cot resume`; answered requests are not sent again.'
      : fault.fix,
    scope: 'run',
    evidence: {url, ...how, lastFailure: fault.what, ...fault.evidence},
  })
}
