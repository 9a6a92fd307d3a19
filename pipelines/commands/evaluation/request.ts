import {existsSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {basename, join, resolve} from 'node:path'
import {z} from 'zod'
import type {OperatorBenchmark} from '../../../eval/bench/benchmark.ts'
import {modeOf} from '../../../eval/bench/load-benchmark.ts'
import type {Evaluation} from '../../../eval/candidates/attempt.ts'
import type {Config} from '../../workspace/config.ts'
import {PipelineError} from '../../../engine/errors.ts'
import {writeWhole} from '../../../engine/files.ts'
import type {Sampling} from '../../recipes/evaluation/sampling.ts'

/** The request of an evaluation; kept in its run directory, so that `resume` needs no flags. */
export const EvalRequest = z.strictObject({
  benchmark: z.string(),
  /** A checkout of the benchmark. */
  root: z.string(),
  /** Whose code is judged: `answers`, `model` or a profile's name, `job:<id>` of a training job, a file of replies. */
  candidates: z.string(),
  /** Glob over task paths and names. */
  tasks: z.string(),
  /** No limit on the size of inputs. */
  allCases: z.boolean(),
  maxInputMib: z.number().positive(),
  /** Only the first rows of each task. */
  cases: z.int().positive().optional(),
  /** Attempts of a model at each task. */
  samples: z.int().positive(),
  /** Default: the benchmark's first. */
  mode: z.string().optional(),
  shape: z.string(),
  /** Of a benchmark of models: which of its sizes; default all. */
  tiers: z.string().optional(),
  python: z.string(),
  json: z.boolean(),
  /** Start although the forecast exceeds the budget; the budget itself still applies. */
  startAnyway: z.boolean(),
})
export type EvalRequest = z.infer<typeof EvalRequest>

const fileName = 'request.json'

export async function saveRequest(directory: string, request: EvalRequest): Promise<void> {
  await writeWhole(
    join(directory, fileName),
    `${JSON.stringify(EvalRequest.parse({...request, root: resolve(request.root)}), null, 2)}\n`,
  )
}

/** Undefined when the run did not judge candidates of a benchmark. */
export async function savedRequest(directory: string): Promise<EvalRequest | undefined> {
  const path = join(directory, fileName)
  return existsSync(path) ? EvalRequest.parse(JSON.parse(await readFile(path, 'utf8'))) : undefined
}

/** @throws PipelineError `config-invalid` when a name in the request is unknown */
export function samplingOf(
  request: EvalRequest,
  benchmark: Pick<OperatorBenchmark, 'modes'>,
  config: Config,
): Sampling {
  if (request.candidates === 'answers') return {kind: 'answers'}
  const evaluation = evaluationOf(request, benchmark)
  const profile = request.candidates === 'model' ? 'candidates' : request.candidates
  if (config.teachers[profile]) return {kind: 'model', profile, samples: request.samples, evaluation}
  if (request.candidates !== 'model' && existsSync(request.candidates))
    return {kind: 'file', path: request.candidates, evaluation}
  throw noSampler(request.candidates, Object.keys(config.teachers))
}

function noSampler(asked: string, profiles: readonly string[]): PipelineError {
  const known = profiles.length > 0 ? profiles.join(', ') : 'none yet; e.g. teachers.candidates: {model: …, baseUrl: …}'
  return invalid(
    asked === 'model'
      ? 'No model is configured: there is no teacher profile "candidates".'
      : `Candidates ${asked} are neither a teacher profile nor a file.`,
    `Use --candidates answers, a teacher profile of the configuration (${known}) or a file of replies.`,
  )
}

/** The part of a run directory's name that distinguishes evaluations: by sampler, mode and shape. */
export function labelOf(sampling: Sampling): string {
  if (sampling.kind === 'answers') return ''
  const name = sampling.kind === 'model' ? sampling.profile : basename(sampling.path).replace(/\.jsonl?$/, '')
  return `-${name.replace(/[^\w.-]+/g, '-')}-${sampling.evaluation.mode}-${sampling.evaluation.shape}`
}

function evaluationOf({mode, shape, cases}: EvalRequest, benchmark: Pick<OperatorBenchmark, 'modes'>): Evaluation {
  const name = mode ?? Object.keys(benchmark.modes)[0] ?? ''
  modeOf(benchmark, name)
  if (shape !== 'static' && shape !== 'dynamic')
    throw invalid(`Unknown shape: --shape ${shape}.`, 'Use --shape static or --shape dynamic.')
  return {mode: name, shape, ...(cases === undefined ? {} : {cases})}
}

export function invalid(message: string, fix: string): PipelineError {
  return new PipelineError('config-invalid', message, {fix})
}
