import type {Executor} from '../../datasets/schema/executor.ts'
import type {OperatorTask} from '../../datasets/schema/task.ts'
import {asInterrupted, PipelineError} from '../../engine/errors.ts'
import {asFileError} from '../../engine/files.ts'
import type {Json} from '../../engine/json.ts'
import type {Log} from '../../engine/log.ts'
import {startService, type Route} from '../../engine/service.ts'
import type {JudgeOptions} from '../judge.ts'
import {openDesk, type Desk} from './desk.ts'
import {kernelgymNames, kernelgymRoutes, resumeEvaluation} from './kernelgym-routes.ts'
import {openMeters, type Meters} from './meters.ts'
import {openNamed, type Named} from './named.ts'
import type {Office} from './office.ts'
import type {Form} from './reading.ts'
import type {RewardRule} from './reward.ts'
import {resumeScore, scoreRoutes} from './score-routes.ts'
import {openRecorder} from './recorder.ts'
import {openStore} from './store.ts'
import {openJudging, type Judging} from './verdicts.ts'
import {watchRoutes, type Watched} from './watch-routes.ts'
import {z} from 'zod'

export interface JudgeServiceOptions extends Pick<JudgeOptions, 'executor' | 'pytorch'> {
  /** By task id. */
  tasks: ReadonlyMap<string, OperatorTask>
  /** How tasks are presented and replies parsed, by mode; `operator` is the default. */
  forms: ReadonlyMap<string, Form>
  rule: RewardRule
  host: string
  port: number
  token: string | undefined
  /** Storage of verdicts and named requests. */
  directory: string
  /** Candidates judged at once. */
  workers: number
  /** Longest queue of candidates. */
  queue: number
  /** Limit for the body of a request. */
  mostBytes: number
  /** Time for a request to arrive completely. */
  requestSeconds: number
  /** Time for running work to finish once the service is closed. */
  drainSeconds: number
  version: string
  /** Receives one line per completion. */
  log: Log
  /** Whether those lines hold the code of candidates. */
  logSources: boolean
  now(): number
}

export interface JudgeService {
  url: string
  /** Named requests of a stopped process that are being judged now. */
  resumed: number
  close(): Promise<void>
}

/** Consecutive candidates that fail for outside reasons before the service reports itself as degraded. */
const failuresOfTrouble = 5

/**
 * Serves the judge over HTTP.
 * @throws PipelineError `output-unwritable` when the address is in use or the store cannot be written
 */
export async function serveJudge(options: JudgeServiceOptions): Promise<JudgeService> {
  const {executor, rule, workers, queue, now, tasks, forms, version} = options
  const store = openStore(options.directory)
  let desk: Desk | undefined
  const meters = openMeters(() => desk!, store)
  const watched = watchTrouble(
    openJudging({...options, executor: timed(executor, meters, now), withCost: rule.speed > 0}),
  )
  desk = openDesk({judging: watched.judging, store, workers, places: queue, now, judged: meters.judged})
  const recorder = openRecorder(meters, options.log, options.logSources)
  const office: Office = {desk, recorder, rule, identity: executor.identity, tasks, forms, now}
  const named = openNamed(store)
  const routes = judgeRoutes(office, named, {meters, workers, trouble: watched.trouble}, version)
  const service = await startService({...options, routes, ...meters}).catch((error: unknown) => {
    store.close()
    throw error
  })
  const resumed = named.resume((name, request) => resume(office, name, request))
  return {
    url: service.url,
    resumed,
    async close() {
      await desk.drain(options.drainSeconds)
      // Unfinished work is judged after the next start.
      named.close()
      desk.close()
      await service.close()
      store.close()
    },
  }
}

/** All that the service answers, its own description included. */
export function judgeRoutes(office: Office, named: Named, watched: Watched, version: string): Route[] {
  const routes = [...scoreRoutes(office, named), ...kernelgymRoutes(office, named), ...watchRoutes(office, watched)]
  return [...routes, described(routes, version)]
}

/** Tasks may no longer exist; then the request ends in a refusal, which is returned to its client. */
async function resume(office: Office, name: string, request: unknown): Promise<Json> {
  if (name.startsWith(kernelgymNames)) return resumeEvaluation(office, request)
  return resumeScore(office, request)
}

function described(routes: readonly Route[], version: string): Route {
  const text = JSON.stringify(openapiOf(routes, version), null, 2)
  return {
    method: 'GET',
    path: '/openapi.json',
    summary: 'This description.',
    open: true,
    replies: {200: {meaning: 'OpenAPI 3.1'}},
    handle: () => ({status: 200, content: {text, type: 'application/json; charset=utf-8'}}),
  }
}

/** Detects consecutive failures for outside reasons. */
function watchTrouble(judging: Judging): {judging: Judging; trouble(): string | null} {
  let [failures, last] = [0, '']
  return {
    trouble: () => (failures >= failuresOfTrouble ? last : null),
    judging: {
      key: judging.key,
      async judge(...asked) {
        try {
          const finding = await judging.judge(...asked)
          failures = 0
          return finding
        } catch (error) {
          const told = asFileError(asInterrupted(error, asked[2]))
          if (!(told instanceof PipelineError))
            [failures, last] = [failures + 1, `The judge is failing: ${String(told)}`]
          else if (told.code !== 'interrupted') [failures, last] = [failures + 1, `${told.message} ${told.fix}`]
          throw error
        }
      },
    },
  }
}

function timed(executor: Executor, meters: Meters, now: () => number): Executor {
  const measure = async <T>(step: 'build' | 'run', work: Promise<T>): Promise<T> => {
    const began = now()
    try {
      return await work
    } finally {
      meters.stepped(step, (now() - began) / 1000)
    }
  }
  return {
    ...executor,
    build: (program, signal) => measure('build', executor.build(program, signal)),
    execute: (build, operatorCase, how, signal) => measure('run', executor.execute(build, operatorCase, how, signal)),
  }
}

/** The OpenAPI 3.1 description of routes, from the schemas that check their bodies. */
export function openapiOf(routes: readonly Route[], version: string): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const route of routes) (paths[route.path] ??= {})[route.method.toLowerCase()] = operation(route)
  return {
    openapi: '3.1.0',
    info: {title: 'The judge of ascend-cot', version, description: 'Verdicts on Ascend C operators, without an NPU.'},
    paths,
    components: {securitySchemes: {token: {type: 'http', scheme: 'bearer'}}},
  }
}

function operation({path, summary, body, replies, open}: Route): Json {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: {type: 'string', minLength: 1},
  }))
  const described = Object.entries(replies).map(([status, {meaning, schema}]) => [
    status,
    {description: meaning, ...(schema && {content: {'application/json': {schema: jsonSchema(schema, 'output')}}})},
  ])
  return {
    summary,
    ...(parameters.length > 0 && {parameters}),
    ...(body && {requestBody: {required: true, content: {'application/json': {schema: jsonSchema(body, 'input')}}}}),
    responses: Object.fromEntries(described) as Json,
    ...(!open && {security: [{}, {token: []}]}),
  }
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const {$schema: _, ...rest} = z.toJSONSchema(schema, {io})
  return rest as unknown as Json
}
