import {setMaxListeners} from 'node:events'
import {Refusal, type Reply, type Route} from '../../engine/service.ts'
import {assess, type Asking} from './assess.ts'
import type {Named} from './named.ts'
import {formOf, makeRoom, taskOf, type Office} from './office.ts'
import {readCompletion, readFiles} from './reading.ts'
import {Refused, type ScoredItem, ScoreReply, ScoreRequest, TaskList, type ScoreItem} from './score-wire.ts'

/** Prefix that separates this route's request names from others'. */
const scoreNames = 'score:'

const defaultMode = 'operator'
const mostOfKey = 200

/** `POST /v1/score` and `GET /v1/tasks`. */
export function scoreRoutes(office: Office, named: Named): Route[] {
  return [
    {
      method: 'POST',
      path: '/v1/score',
      summary:
        'Rewards for completions. With `Accept: application/x-ndjson`, items are sent as lines in the order in which ' +
        'they finish. With an `Idempotency-Key`, the request is judged even if the client disconnects.',
      body: ScoreRequest,
      replies: {
        200: {meaning: 'Every item, in the order of the request', schema: ScoreReply},
        409: {meaning: 'The key was used for another request', schema: Refused},
        422: {meaning: 'Something is unknown or invalid', schema: Refused},
        429: {meaning: 'The queue is full; `Retry-After` says when to ask again', schema: Refused},
        503: {meaning: 'The service is shutting down', schema: Refused},
        504: {meaning: 'A request with an `Idempotency-Key` is not judged before its `deadline_ms`', schema: Refused},
      },
      async handle({body, header, gone}) {
        const request = body as ScoreRequest
        const begin = prepare(office, request)
        const name = nameOf(header('idempotency-key'))
        const late = request.deadline_ms === undefined ? [] : [AbortSignal.timeout(request.deadline_ms)]
        if (name === undefined || named.find(name) === undefined) makeRoom(office, request.items.length)
        if (name !== undefined) return replyOf(office, await takeOn(named, name, request, begin, late))
        const signal = AbortSignal.any([gone, ...late])
        // One listener for each item; Node reports more than ten as a leak.
        setMaxListeners(0, signal)
        const items = begin({signal})
        if (header('accept').includes('application/x-ndjson')) return {status: 200, content: {lines: asDone(items)}}
        return replyOf(office, await Promise.all(items))
      },
    },
    {
      method: 'GET',
      path: '/v1/tasks',
      summary: 'The tasks of this service, with the prompts for a model.',
      replies: {200: {meaning: 'All tasks', schema: TaskList}},
      handle: () => ({status: 200, content: {json: {tasks: taskList(office)}}}),
    },
  ]
}

/** A request accepted before the process was stopped. */
export async function resumeScore(office: Office, request: unknown): Promise<ScoredItem[]> {
  const begin = prepare(office, ScoreRequest.parse(request))
  return Promise.all(begin({}))
}

type Begin = (asking: Pick<Asking, 'signal'>) => Promise<ScoredItem>[]

/** Validates a whole request before any work on it. */
function prepare(office: Office, {items, priority = 'normal'}: ScoreRequest): Begin {
  const twice = items.find(({id}, index) => items.findIndex((other) => other.id === id) < index)
  if (twice)
    throw new Refusal(422, 'item-twice', `Two items have the id ${JSON.stringify(twice.id)}.`, {
      fix: 'Use a unique id for each item of a request.',
    })
  const {soc} = office.identity
  const other = items.find(({target}) => target?.soc !== undefined && target.soc !== soc)
  if (other)
    throw new Refusal(422, 'soc-unknown', `This service judges for ${soc}, not for ${other.target?.soc}.`, {
      fix: 'Remove target.soc, or start a service for that chip.',
    })
  const readings = items.map((item) => ({item, reading: readingOf(office, item)}))
  return (asking) =>
    readings.map(async ({item: {id, task_id, seed = 0}, reading}) => {
      const since = office.now()
      const read = reading()
      const how = {...asking, seed: String(seed), priority, anew: false}
      const assessment = await assess(office.desk, office.rule, read, how)
      const wall_ms = Math.round(office.now() - since)
      office.recorder.assessed(task_id, read, assessment, wall_ms)
      return {id, ...assessment, wall_ms}
    })
}

/** Tasks and modes are looked up at once, so that a mistyped one is refused at once; parsing comes later. */
function readingOf(office: Office, {task_id, completion, files, mode = defaultMode}: ScoreItem) {
  const task = taskOf(office, task_id)
  const form = formOf(office, mode)
  return () => (files ? readFiles(task, files) : readCompletion(task, form, completion ?? ''))
}

function nameOf(key: string): string | undefined {
  if (key.length > mostOfKey)
    throw new Refusal(422, 'key-too-long', `The Idempotency-Key has more than ${mostOfKey} characters.`, {
      fix: 'Use a shorter one, such as a UUID.',
    })
  return key === '' ? undefined : `${scoreNames}${key}`
}

/** The stored reply covers all items; a deadline only ends the waiting. */
async function takeOn(
  named: Named,
  name: string,
  request: ScoreRequest,
  begin: Begin,
  [late]: readonly AbortSignal[],
): Promise<readonly ScoredItem[]> {
  const {deadline_ms: _, ...lasting} = request
  const whole = named.take(name, lasting, async () => Promise.all(begin({})))
  return (await (late ? before(late, whole) : whole)) as unknown as ScoredItem[]
}

async function before<T>(late: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    late.addEventListener('abort', () => reject(stillAtIt()), {once: true})
    work.then(resolve, reject)
  })
}

function stillAtIt(): Refusal {
  return new Refusal(504, 'deadline', 'The request was accepted, but is not judged yet.', {
    fix: 'Send it again with the same Idempotency-Key; nothing is judged twice.',
  })
}

function replyOf({identity}: Office, items: readonly ScoredItem[]): Reply {
  return {status: 200, content: {json: {items: [...items], validator: identity}}}
}

/** Items as they finish. */
async function* asDone(items: readonly Promise<ScoredItem>[]): AsyncIterable<ScoredItem> {
  const waiting = new Map(items.map((item, index) => [index, item.then((value) => ({index, value}))]))
  for (const promise of waiting.values()) promise.catch(() => {})
  while (waiting.size > 0) {
    const {index, value} = await Promise.race(waiting.values())
    waiting.delete(index)
    yield value
  }
}

function taskList({tasks, forms}: Office) {
  return [...tasks].map(([task_id, task]) => ({
    task_id,
    operator: task.name,
    level: task.level,
    category: task.category,
    prompts: Object.fromEntries([...forms].map(([mode, form]) => [mode, form.prompt(task)])),
  }))
}
