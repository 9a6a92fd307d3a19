import type {Config} from '../workspace/config.ts'
import {PipelineError} from '../../engine/errors.ts'
import {forecastTokens} from '../../engine/llm/forecast-tokens.ts'
import type {ChatRequest, LanguageModel} from '../../engine/llm/model.ts'
import {silentLog} from '../../engine/log.ts'
import type {AnyStage} from '../../engine/pipeline.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {openRun} from '../../engine/run.ts'
import {runPipeline, type RunRequest} from '../../engine/runner.ts'
import {perRecord, type Context, type PerRecordRun} from '../../engine/stage.ts'
import type {World} from './world.ts'

/**
 * Says what a recipe will cost before the first request: everything before the teacher's stage is run (its outcomes are
 * kept and used by the run itself), the requests are written but not sent.
 * @throws PipelineError `budget-exceeded` when the forecast passes the budget and the user did not say to start anyway
 */
export async function forecast(
  request: RunRequest,
  config: Config,
  {terminal}: World,
  {startAnyway}: {startAnyway: boolean},
): Promise<void> {
  const {stages} = request.pipeline
  const at = stages.findIndex((stage) => stage.teacher !== undefined && request.model(stage.teacher))
  const stage = stages[at]
  if (!stage?.teacher) return
  const profile = config.teachers[stage.teacher]
  if (!profile) return
  await runPipeline({
    ...request,
    pipeline: Pipeline.of(request.pipeline.name, request.pipeline.origins, stages.slice(0, at)),
  })
  const {requests, promptTokens} = await countRequests(request, stage)
  const times = stage.requestsPerRecord ?? 1
  const {tokens, cost} = forecastTokens(profile, {requests: requests * times, promptTokens: promptTokens * times})
  const money = profile.price ? `, about ${cost.toFixed(2)} ${profile.price.currency}` : ''
  const size = `${requests * times} requests to ${profile.model}, about ${tokens} tokens${money}`
  terminal.say(`${request.pipeline.name}: forecast ${size} (minus what is cached)`)
  const over =
    (config.budget.tokens !== undefined && tokens > config.budget.tokens) ||
    (config.budget.cost !== undefined && cost > config.budget.cost)
  if (over && !startAnyway) {
    throw new PipelineError(
      'budget-exceeded',
      `The forecast of ${tokens} tokens${money} exceeds the budget (${describe(config.budget)}). Nothing was sent.`,
      {
        fix:
          'Raise the budget, take fewer records with --limit, or start anyway with --start-anyway; ' +
          'the run then stops when the budget is used up.',
        scope: 'run',
      },
    )
  }
}

class NotSent extends Error {}

async function countRequests(request: RunRequest, stage: AnyStage): Promise<{requests: number; promptTokens: number}> {
  const total = {requests: 0, promptTokens: 0}
  // The tokenizer's tables take a while to load; only runs with a teacher need them.
  const {countPromptTokens} = await import('../../engine/llm/tokens.ts')
  const counting: LanguageModel = {
    profile: 'forecast',
    model: 'forecast',
    fingerprint: 'forecast',
    async complete(asked: ChatRequest) {
      total.requests += 1
      total.promptTokens += countPromptTokens(asked.messages)
      // By then every request is made that waits for no reply; those that do are the stage's `requestsPerRecord`.
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
  return [tokens === undefined ? '' : `${tokens} tokens`, cost === undefined ? '' : `a cost of ${cost}`]
    .filter((part) => part !== '')
    .join(', ')
}
