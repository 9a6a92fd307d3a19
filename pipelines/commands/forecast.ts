import {counted} from '../../engine/counted.ts'
import type {Config} from '../workspace/config.ts'
import {PipelineError} from '../../engine/errors.ts'
import {requestBody} from '../../engine/llm/asked.ts'
import {forecastTokens} from '../../engine/llm/forecast-tokens.ts'
import type {ChatRequest, LanguageModel} from '../../engine/llm/model.ts'
import {endpointOf, type TeacherProfile} from '../../engine/llm/profile.ts'
import {silentLog} from '../../engine/log.ts'
import type {AnyStage} from '../../engine/pipeline.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {openRun} from '../../engine/run.ts'
import {runPipeline, type RunRequest} from '../../engine/runner.ts'
import {perRecord, type Context, type PerRecordRun} from '../../engine/stage.ts'
import type {World} from './world.ts'

interface How {
  startAnyway: boolean
  /** Nothing is sent, so no key is needed; shows this many requests as they would be sent. */
  show?: number
  json?: boolean
}

/**
 * Forecasts a recipe's cost before the first request: every stage before a teacher's runs (its outcomes are kept for
 * the run itself), and the requests are built but not sent. The requests of a later teacher are built as if the earlier
 * one were absent, since its replies are unknown.
 * @throws PipelineError `budget-exceeded` when the forecast exceeds the budget and the user did not choose to start
 *   anyway
 */
export async function forecast(
  request: RunRequest,
  config: Config,
  {terminal}: World,
  {startAnyway, show, json = false}: How,
): Promise<void> {
  const {name, origins, stages} = request.pipeline
  const total = {tokens: 0, cost: 0, currency: ''}
  let shown = 0
  for (const [at, stage] of stages.entries()) {
    const profile = stage.teacher === undefined ? undefined : config.teachers[stage.teacher]
    if (!profile || !stage.teacher) continue
    if (show === undefined && !request.model(stage.teacher)) continue
    await runPipeline({...request, model: () => undefined, pipeline: Pipeline.of(name, origins, stages.slice(0, at))})
    const {requests, promptTokens, first} = await countRequests(request, stage, (show ?? 0) - shown)
    const times = stage.requestsPerRecord ?? 1
    const {tokens, cost} = forecastTokens(profile, {requests: requests * times, promptTokens: promptTokens * times})
    const money = profile.price ? moneyOf(cost, profile.price.currency) : ''
    const asked = counted(requests * times, 'request')
    const size = `${asked} to ${profile.model} for ${stage.name}, about ${counted(tokens, 'token')}${money}`
    const isLast = !stages.slice(at + 1).some(({teacher}) => teacher !== undefined && config.teachers[teacher])
    if (requests > 0 || isLast) terminal.say(`${name}: forecast ${size} (minus what is cached)`)
    for (const one of first) {
      shown += 1
      terminal.print(shownRequest({number: shown, stage: stage.name, profile, asked: one, json}))
    }
    total.tokens += tokens
    total.cost += cost
    total.currency = profile.price?.currency ?? total.currency
  }
  if (exceeds(total, config.budget) && !startAnyway) throw tooCostly(total, config.budget)
}

interface Shown {
  number: number
  stage: string
  profile: TeacherProfile
  asked: ChatRequest
  json: boolean
}

function shownRequest({number, stage, profile, asked, json}: Shown): string {
  const [url, body] = [`${endpointOf(profile)}/chat/completions`, requestBody(profile, asked)]
  if (json) return JSON.stringify({stage, url, body})
  return `request ${number} of ${stage}, POST ${url}\n${JSON.stringify(body, null, 2)}\n`
}

const moneyOf = (cost: number, currency: string) => `, about ${cost.toFixed(2)} ${currency}`

interface Cost {
  tokens: number
  cost: number
  /** '' when no teacher has a price. */
  currency: string
}

function exceeds({tokens, cost}: Cost, budget: Config['budget']): boolean {
  return (budget.tokens !== undefined && tokens > budget.tokens) || (budget.cost !== undefined && cost > budget.cost)
}

function tooCostly({tokens, cost, currency}: Cost, budget: Config['budget']): PipelineError {
  const money = currency === '' ? '' : moneyOf(cost, currency)
  return new PipelineError(
    'budget-exceeded',
    `The forecast of ${counted(tokens, 'token')}${money} exceeds the budget (${describe(budget)}). Nothing was sent.`,
    {
      fix:
        'Raise the budget, use fewer records with --limit, or start anyway with --start-anyway; ' +
        'the run then stops when the budget is used up.',
    },
  )
}

class NotSent extends Error {}

interface Counted {
  requests: number
  promptTokens: number
  /** The first requests. */
  first: ChatRequest[]
}

async function countRequests(request: RunRequest, stage: AnyStage, wanted: number): Promise<Counted> {
  const total: Counted = {requests: 0, promptTokens: 0, first: []}
  // The tokenizer's tables are slow to load; only runs with a teacher need them.
  const {countPromptTokens} = await import('../../engine/llm/tokens.ts')
  const counting: LanguageModel = {
    profile: 'forecast',
    model: 'forecast',
    fingerprint: 'forecast',
    async complete(asked: ChatRequest) {
      total.requests += 1
      if (total.first.length < wanted) total.first.push(asked)
      total.promptTokens += countPromptTokens(asked.messages)
      // By then every request that needs no earlier reply has been built; the others are counted by the stage's
      // `requestsPerRecord`.
      await new Promise((resolve) => setImmediate(resolve))
      throw new NotSent()
    },
  }
  const context: Context = {
    llm: counting,
    seed: request.seed,
    now: request.now,
    signal: request.signal,
    log: silentLog,
    stages: {[stage.name]: stage.version},
    directory: request.directory,
    drop: () => [],
  }
  const fn = (stage.run as unknown as PerRecordRun<unknown, unknown>)[perRecord]?.fn
  if (!fn) return total
  const before = await openRun(request.directory)
  try {
    for (const {json} of before?.emitted() ?? []) {
      await Promise.resolve(fn(stage.input.parse(JSON.parse(json)), context)).catch((error: unknown) => {
        if (!(error instanceof NotSent)) throw error
      })
    }
  } finally {
    before?.close()
  }
  return total
}

function describe({tokens, cost}: Config['budget']): string {
  return [tokens === undefined ? '' : `${counted(tokens, 'token')}`, cost === undefined ? '' : `a cost of ${cost}`]
    .filter((part) => part !== '')
    .join(', ')
}
