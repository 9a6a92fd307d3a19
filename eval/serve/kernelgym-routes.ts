import {canonicalJson} from '../../engine/ids.ts'
import type {Json} from '../../engine/json.ts'
import {Refusal, type Route} from '../../engine/service.ts'
import {assess, type Assessment} from './assess.ts'
import {
  BatchReply,
  BatchRequest,
  EvaluationReply,
  EvaluationRequest,
  StatusReply,
  type ErrorCode,
} from './kernelgym-wire.ts'
import {nameTaken, type Named} from './named.ts'
import {formOf, makeRoom, taskOf, type Office} from './office.ts'
import {readCompletion} from './reading.ts'
import {Refused} from './score-wire.ts'

/** Prefix that separates this route's request names from others'. */
export const kernelgymNames = 'kernelgym:'

const refusals = {
  409: {meaning: 'The task id was used for another request', schema: Refused},
  422: {meaning: 'Something is unknown or invalid', schema: Refused},
  429: {meaning: 'The queue is full; `Retry-After` says when to ask again', schema: Refused},
  503: {meaning: 'The service is shutting down', schema: Refused},
}

/** `POST /evaluate`, `/evaluate/batch`, `GET /status/{id}`, `/results/{id}`, as in KernelGYM. */
export function kernelgymRoutes(office: Office, named: Named): Route[] {
  return [
    {
      method: 'POST',
      path: '/evaluate',
      summary: 'Judges one kernel like KernelGYM, and waits up to `timeout` for the verdict.',
      body: EvaluationRequest,
      replies: {200: {meaning: 'The verdict', schema: EvaluationReply}, ...refusals},
      async handle({body}) {
        const request = body as EvaluationRequest
        admit(office, named, [request])
        return {status: 200, content: {json: await evaluate(office, named, request)}}
      },
    },
    {
      method: 'POST',
      path: '/evaluate/batch',
      summary: 'Judges up to 100 kernels.',
      body: BatchRequest,
      replies: {200: {meaning: 'All verdicts, in the order of the tasks', schema: BatchReply}, ...refusals},
      async handle({body}) {
        const {batch_id, tasks} = body as BatchRequest
        admit(office, named, tasks)
        const results = await Promise.all(tasks.map((request) => evaluate(office, named, request)))
        const completed = results.filter(({status}) => status === 'completed').length
        const batch_status = completed === results.length ? 'completed' : 'failed'
        const counts = {
          total_tasks: results.length,
          completed_tasks: completed,
          failed_tasks: results.length - completed,
        }
        return {status: 200, content: {json: {batch_id, ...counts, results, batch_status}}}
      },
    },
    {
      method: 'GET',
      path: '/status/{id}',
      summary: 'Progress of a request.',
      replies: {200: {meaning: 'Its status', schema: StatusReply}, 404: {meaning: 'No such request', schema: Refused}},
      handle({parameter}) {
        const found = find(named, parameter('id'))
        const status = found === 'running' ? 'processing' : found.status
        return {status: 200, content: {json: {task_id: parameter('id'), status}}}
      },
    },
    {
      method: 'GET',
      path: '/results/{id}',
      summary: 'The verdict of a request; 202 while pending.',
      replies: {
        200: {meaning: 'The verdict', schema: EvaluationReply},
        202: {meaning: 'Not judged yet', schema: StatusReply},
        404: {meaning: 'No such request', schema: Refused},
      },
      handle({parameter}) {
        const found = find(named, parameter('id'))
        if (found !== 'running') return {status: 200, content: {json: found}}
        return {status: 202, content: {json: {task_id: parameter('id'), status: 'processing'}}}
      },
    },
  ]
}

/** A request accepted before the process was stopped. */
export async function resumeEvaluation(office: Office, request: unknown): Promise<Json> {
  return verdictOn(office, EvaluationRequest.parse(request))
}

function find(named: Named, id: string): EvaluationReply | 'running' {
  const found = named.find(`${kernelgymNames}${id}`)
  if (found === undefined)
    throw new Refusal(404, 'request-unknown', `There is no request ${JSON.stringify(id.slice(0, 100))} here.`, {
      fix: 'Send it to POST /evaluate.',
    })
  return found === 'running' ? found : (found.reply as unknown as EvaluationReply)
}

/** Everything is validated before work starts. Known findings need no place, unless judged again. */
function admit(office: Office, named: Named, requests: readonly EvaluationRequest[]): void {
  for (const {entry_point, workflow} of requests) {
    taskOf(office, entry_point)
    modeOf(office, workflow)
  }
  const names = new Map<string, string>()
  for (const request of requests) {
    const {task_id, force_refresh} = request
    const text = canonicalJson(lasting(request))
    if ((names.get(task_id) ?? text) !== text) throw nameTaken()
    names.set(task_id, text)
    if (!force_refresh) named.check(`${kernelgymNames}${task_id}`, lasting(request))
  }
  const isNew = ({task_id, force_refresh}: EvaluationRequest) =>
    force_refresh || named.find(`${kernelgymNames}${task_id}`) === undefined
  makeRoom(office, requests.filter(isNew).length)
}

/** `kernelbench` is what KernelGYM's own clients send by default. */
function modeOf(office: Office, workflow: string | null | undefined) {
  return formOf(office, !workflow || workflow === 'kernelbench' ? 'operator' : workflow)
}

/** The client's time-out is not part of the request's identity. */
function lasting({timeout: _, ...request}: EvaluationRequest): Json {
  return request as Json
}

/** Waits as long as the request allows; slower work is still judged. */
async function evaluate(office: Office, named: Named, request: EvaluationRequest): Promise<EvaluationReply> {
  const {timeout} = request
  const whole = named.take(
    `${kernelgymNames}${request.task_id}`,
    lasting(request),
    () => verdictOn(office, request),
    request.force_refresh,
  )
  const late = AbortSignal.timeout(timeout * 1000)
  return new Promise((resolve, reject) => {
    late.addEventListener('abort', () => resolve(notYet(request.task_id, timeout)), {once: true})
    whole.then((reply) => resolve(reply as unknown as EvaluationReply), reject)
  })
}

/** One draw of inputs after another; the first that is not correct is the verdict. */
async function verdictOn(office: Office, request: EvaluationRequest) {
  const {task_id, entry_point, kernel_code, workflow, num_correct_trials, priority, force_refresh} = request
  const read = readCompletion(taskOf(office, entry_point), modeOf(office, workflow), kernel_code)
  const since = office.now()
  let [assessment, trials] = [undefined as Assessment | undefined, 0]
  while (trials < num_correct_trials && (assessment === undefined || assessment.label === 'green')) {
    const asking = {seed: String(trials), priority, anew: force_refresh}
    assessment = await assess(office.desk, office.rule, read, asking)
    trials += 1
  }
  if (!assessment) throw new TypeError('the request has no trials')
  const milliseconds = Math.round(office.now() - since)
  office.recorder.assessed(entry_point, read, assessment, milliseconds)
  return replyOf(task_id, assessment, {trials, seconds: milliseconds / 1000, executor: office.identity.name})
}

interface Told {
  trials: number
  seconds: number
  executor: string
}

function replyOf(task_id: string, assessment: Assessment, {trials, seconds, executor}: Told): EvaluationReply & Json {
  const {label, stages, decoy, reward, evidence, cached, metrics} = assessment
  const isKnown = label !== 'infra_error' && label !== 'not_covered'
  const error_code = label === 'green' ? null : codeOf(assessment)
  return {
    task_id,
    status: isKnown ? 'completed' : 'failed',
    compiled: isKnown ? stages.compile === 'passed' : null,
    correctness: isKnown ? label === 'green' : null,
    decoy_kernel: isKnown ? decoy : null,
    speedup: null,
    error_code,
    error_message: error_code === null ? null : messageOf(evidence),
    metadata: {label, reward, stages, evidence, metrics, trials, cached, executor},
    processing_time: seconds,
  }
}

function codeOf({label, evidence}: Assessment): ErrorCode {
  if (label === 'infra_error' || label === 'not_covered') return 'SYSTEM_ERROR'
  if (label === 'invalid') return 'VALIDATION_ERROR'
  if (label === 'purple') return 'COMPILATION_ERROR'
  if (evidence.outcome === 'timed-out') return 'TIMEOUT_ERROR'
  return evidence.outcome === 'mismatched' || evidence.outcome === 'cheated' ? 'CORRECTNESS_ERROR' : 'RUNTIME_ERROR'
}

function messageOf({errors = [], message, wrong, log, outcome}: Assessment['evidence']): string {
  const [first] = errors
  if (first) return `${first.file}:${first.line}: ${first.message}`
  return message ?? wrong ?? log ?? outcome
}

function notYet(task_id: string, seconds: number): EvaluationReply {
  return {
    task_id,
    status: 'timeout',
    compiled: null,
    correctness: null,
    decoy_kernel: null,
    speedup: null,
    error_code: 'SYSTEM_ERROR',
    error_message: `not judged after ${seconds} s; get the verdict later from GET /results/${task_id}`,
    metadata: {},
    processing_time: seconds,
  }
}
