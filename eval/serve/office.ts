import {counted} from '../../engine/counted.ts'
import type {OperatorTask} from '../../datasets/schema/task.ts'
import type {ExecutorIdentity} from '../../datasets/schema/verdict.ts'
import {Refusal} from '../../engine/service.ts'
import {nearest} from '../../engine/nearest.ts'
import type {Desk} from './desk.ts'
import type {Form} from './reading.ts'
import type {Recorder} from './recorder.ts'
import type {RewardRule} from './reward.ts'

/** State shared by all routes of the judge's service. */
export interface Office {
  desk: Desk
  recorder: Recorder
  rule: RewardRule
  identity: ExecutorIdentity
  /** By task id. */
  tasks: ReadonlyMap<string, OperatorTask>
  /** By mode. */
  forms: ReadonlyMap<string, Form>
  now(): number
}

/** @throws Refusal 422 with the nearest names */
export function taskOf({tasks}: Office, id: string): OperatorTask {
  const task = tasks.get(id)
  if (task) return task
  const near = nearest(id, [...tasks.keys()])
  throw new Refusal(
    422,
    'task-unknown',
    `There is no task ${quoted(id)} here${near ? `; did you mean ${near}?` : '.'}`,
    {
      fix: 'GET /v1/tasks lists the tasks of this service.',
    },
  )
}

/** @throws Refusal 422 with the available modes */
export function formOf({forms}: Office, mode: string): Form {
  const form = forms.get(mode)
  if (form) return form
  throw new Refusal(422, 'mode-unknown', `There is no mode ${quoted(mode)} here.`, {
    fix: `The modes are ${[...forms.keys()].join(', ')}.`,
  })
}

/**
 * Checks that this many more candidates may wait, before any work on a request, so that a refused request can be resent
 * as a whole. @throws Refusal 503 while the service shuts down, 429 with the seconds after which it may succeed, 422 if
 * it never will
 */
export function makeRoom({desk}: Office, candidates: number): void {
  if (desk.isDraining())
    throw new Refusal(503, 'draining', 'The service is shutting down and accepts no more requests.', {
      fix: 'Send the request again when it is back.',
      headers: {'retry-after': '30'},
    })
  const {waiting, places} = desk.load()
  if (candidates <= places) return
  if (candidates > places + waiting)
    throw new Refusal(
      422,
      'request-too-large',
      `The request has ${candidates} items; the queue holds ${places + waiting}.`,
      {
        fix: 'Send fewer items at once, or start the service with a larger queue.',
      },
    )
  const seconds = desk.patience()
  throw new Refusal(
    429,
    'queue-full',
    `No room for ${counted(candidates, 'candidate')}: ${waiting} waiting, ${counted(places, 'place')} free.`,
    {
      fix: `Send the request again after ${seconds} s.`,
      headers: {'retry-after': String(seconds)},
    },
  )
}

const quoted = (text: string) => JSON.stringify(text.slice(0, 100))
