import {PipelineError} from '../errors.ts'
import {ensureWanted, type Clock} from './clock.ts'
import type {Fault} from './fault.ts'

/** Leave to send one request; its holder says how it went. */
export interface Pass {
  /** The endpoint answered, be it with a refusal. */
  answered(): void
  failed(fault: Fault): void
  /** Nothing was sent. */
  withdraw(): void
}

export interface Breaker {
  /** Waits while the endpoint is taken to be down. @throws PipelineError `endpoint-unreachable`, scope `run`, when it stayed down */
  enter(signal?: AbortSignal): Promise<Pass>
  /** Whether the endpoint is taken to be down: then its failures are nobody's fault but its own. */
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
/** An address that never answered is most likely a wrong one: no reason to wait for it. */
const neverAnsweredSeconds = 15

/**
 * A circuit breaker for one endpoint, shared by all requests to it. Consecutive outages open it; then one probe at a time is
 * let through, after 1, 2, 4 … 30 s, until an answer closes it or the patience is over.
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
      if (!opened) log(`${url} is failing: ${fault.what}. Requests are on hold while it is retried for up to ${limitSeconds} s.`)
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
  const history = how.everAnswered ? `has not answered for ${seconds} s` : `has never answered in ${seconds} s`
  // A web page answers too; no other request will fare better there either.
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
