import {existsSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {basename, join, resolve} from 'node:path'
import {z} from 'zod'
import type {Evaluation} from '../../preference/attempt.ts'
import type {Config} from '../../workspace/config.ts'
import {PipelineError} from '../../../engine/errors.ts'
import {writeWhole} from '../../../engine/files.ts'

/** What an evaluation was asked for; kept in its run directory, so that `resume` needs no flags. */
export const EvalRequest = z.strictObject({
  benchmark: z.string(),
  /** A checkout of the benchmark. */
  root: z.string(),
  /** Whose code is judged: `answers`, the benchmark's own; `model` or the name of a teacher profile; the path of a file of replies. */
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
  mode: z.string(),
  shape: z.string(),
  python: z.string(),
  json: z.boolean(),
  /** Start although the forecast passes the budget; the budget itself still holds. */
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

/** Undefined where the run is none that judged candidates of a benchmark. */
export async function savedRequest(directory: string): Promise<EvalRequest | undefined> {
  const path = join(directory, fileName)
  return existsSync(path) ? EvalRequest.parse(JSON.parse(await readFile(path, 'utf8'))) : undefined
}

/** Who wrote the candidates, and where their code comes from. */
export type Author =
  | {kind: 'answers'}
  | {kind: 'model'; profile: string; samples: number; evaluation: Evaluation}
  | {kind: 'file'; path: string; evaluation: Evaluation}

/** @throws PipelineError `config-invalid` when a name of the request is not known */
export function authorOf(request: EvalRequest, config: Config): Author {
  if (request.benchmark !== 'npukernelbench')
    throw invalid(`There is no benchmark ${request.benchmark}.`, 'Use npukernelbench.')
  if (request.candidates === 'answers') return {kind: 'answers'}
  const evaluation = evaluationOf(request)
  const profile = request.candidates === 'model' ? 'candidates' : request.candidates
  if (config.teachers[profile]) return {kind: 'model', profile, samples: request.samples, evaluation}
  if (request.candidates !== 'model' && existsSync(request.candidates))
    return {kind: 'file', path: request.candidates, evaluation}
  const known = Object.keys(config.teachers)
  throw invalid(
    request.candidates === 'model'
      ? 'No model is configured: there is no teacher profile "candidates".'
      : `Candidates ${request.candidates} are neither a teacher profile nor a file.`,
    `Use --candidates answers, a teacher profile of the configuration (${known.length > 0 ? known.join(', ') : 'there is none; e.g. teachers.candidates: {model: …, baseUrl: …}'}) or a file of replies.`,
  )
}

/** The part of a run directory's name that keeps evaluations apart: by author, mode and shape. */
export function labelOf(author: Author): string {
  if (author.kind === 'answers') return ''
  const name = author.kind === 'model' ? author.profile : basename(author.path).replace(/\.jsonl?$/, '')
  return `-${name.replace(/[^\w.-]+/g, '-')}-${author.evaluation.mode}-${author.evaluation.shape}`
}

function evaluationOf({mode, shape, cases}: EvalRequest): Evaluation {
  if (mode !== 'full' && mode !== 'kernel-only')
    throw invalid(`--mode ${mode} is not known.`, 'Use --mode kernel-only or --mode full.')
  if (shape !== 'static' && shape !== 'dynamic')
    throw invalid(`--shape ${shape} is not known.`, 'Use --shape static or --shape dynamic.')
  return {mode, shape, ...(cases === undefined ? {} : {cases})}
}

function invalid(message: string, fix: string): PipelineError {
  return new PipelineError('config-invalid', message, {fix, scope: 'run'})
}
