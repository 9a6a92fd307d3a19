import {z} from 'zod'
import type {Route} from '../../engine/service.ts'
import type {Meters} from './meters.ts'
import type {Office} from './office.ts'

export const Health = z.strictObject({
  /** `degraded`: the last candidates failed for reasons not theirs; `draining`: it is shutting down. */
  status: z.enum(['healthy', 'degraded', 'draining']),
  /** Who judges. */
  executor: z.string(),
  /** Tasks that it has. */
  tasks: z.int(),
  /** Candidates that wait. */
  waiting: z.int(),
  /** Candidates being judged. */
  running: z.int(),
  /** Candidates judged since the start. */
  judged: z.int(),
  /** Why nothing can be judged at present; null if all is well. */
  trouble: z.string().nullable(),
})
export const Capacity = z.strictObject({
  /** Candidates judged at once. */
  workers: z.int(),
  /** Places that are left. */
  queue: z.int(),
  /** Candidates that wait. */
  waiting: z.int(),
  /** Candidates being judged. */
  running: z.int(),
})

export interface Watched {
  meters: Meters
  workers: number
  /** What prevents all verdicts, if anything. */
  trouble(): string | null
}

/** Routes for monitoring. */
export function watchRoutes(office: Office, {meters, workers, trouble}: Watched): Route[] {
  const health: Omit<Route, 'path'> = {
    method: 'GET',
    summary: 'Whether candidates are judged.',
    open: true,
    replies: {
      200: {meaning: 'They are', schema: Health},
      503: {meaning: 'The last candidates all failed for outside reasons, or the service is draining', schema: Health},
    },
    handle() {
      const {waiting, running} = office.desk.load()
      const why = trouble()
      const able = why === null ? 'healthy' : 'degraded'
      const status = office.desk.isDraining() ? 'draining' : able
      const json = {
        status,
        executor: office.identity.name,
        tasks: office.tasks.size,
        waiting,
        running,
        judged: meters.total(),
        trouble: why,
      }
      return {status: status === 'healthy' ? 200 : 503, content: {json}}
    },
  }
  return [
    {...health, path: '/health'},
    {...health, path: '/v1/healthz'},
    {
      method: 'GET',
      path: '/v1/capacity',
      summary: 'How many candidates are judged at once, and how many places are free.',
      replies: {200: {meaning: 'Workers and places', schema: Capacity}},
      handle() {
        const {waiting, running, places} = office.desk.load()
        return {status: 200, content: {json: {workers, queue: places, waiting, running}}}
      },
    },
    {
      method: 'GET',
      path: '/metrics',
      summary: 'Counts and times in the text format of Prometheus.',
      open: true,
      replies: {200: {meaning: 'Metrics'}},
      handle: async () => ({
        status: 200,
        content: {text: await meters.text(), type: 'text/plain; version=0.0.4; charset=utf-8'},
      }),
    },
  ]
}
