import {existsSync} from 'node:fs'
import {basename} from 'node:path'
import type {Evaluation} from '../../preference/attempt.ts'
import type {Config} from '../../core/config.ts'
import {PipelineError} from '../../core/errors.ts'

export interface EvalRequest {
  benchmark: string
  /** A checkout of the benchmark. */
  root: string
  /** Whose code is judged: `answers`, the benchmark's own; `model` or the name of a teacher profile; the path of a file of replies. */
  candidates: string
  /** Glob over task paths and names. */
  tasks: string
  /** No limit on the size of inputs. */
  allCases: boolean
  maxInputMib: number
  /** Only the first rows of each task. */
  cases: number | undefined
  /** Attempts of a model at each task. */
  samples: number
  mode: string
  shape: string
  python: string
  json: boolean
  /** Start although the forecast passes the budget; the budget itself still holds. */
  startAnyway: boolean
}

/** Who wrote the candidates, and where their code comes from. */
export type Author =
  | {kind: 'answers'}
  | {kind: 'model'; profile: string; samples: number; evaluation: Evaluation}
  | {kind: 'file'; path: string; evaluation: Evaluation}

/** @throws PipelineError `config-invalid` when a name of the request is not known */
export function authorOf(request: EvalRequest, config: Config): Author {
  if (request.benchmark !== 'npukernelbench') throw invalid(`There is no benchmark ${request.benchmark}.`, 'Use npukernelbench.')
  if (request.candidates === 'answers') return {kind: 'answers'}
  const evaluation = evaluationOf(request)
  const profile = request.candidates === 'model' ? 'candidates' : request.candidates
  if (config.teachers[profile]) return {kind: 'model', profile, samples: request.samples, evaluation}
  if (request.candidates !== 'model' && existsSync(request.candidates)) return {kind: 'file', path: request.candidates, evaluation}
  const known = Object.keys(config.teachers)
  throw invalid(
    request.candidates === 'model' ? 'No model is configured: there is no teacher profile "candidates".' : `Candidates ${request.candidates} are neither a teacher profile nor a file.`,
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
  if (mode !== 'full' && mode !== 'kernel-only') throw invalid(`--mode ${mode} is not known.`, 'Use --mode kernel-only or --mode full.')
  if (shape !== 'static' && shape !== 'dynamic') throw invalid(`--shape ${shape} is not known.`, 'Use --shape static or --shape dynamic.')
  return {mode, shape, ...(cases === undefined ? {} : {cases})}
}

function invalid(message: string, fix: string): PipelineError {
  return new PipelineError('config-invalid', message, {fix, scope: 'run'})
}
