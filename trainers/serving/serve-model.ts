import {readFile} from 'node:fs/promises'
import {endDetached, remainsOf, startDetached} from '../../engine/detached.ts'
import {interrupted, PipelineError} from '../../engine/errors.ts'
import {httpGet} from '../../engine/http.ts'
import {realSleep} from '../../engine/llm/clock.ts'
import {serverCommand, type ServerName, type Serving} from './server.ts'

interface ServeOptions {
  server: ServerName
  /** Python interpreter of the server's environment. */
  python: string
  serving: Serving
  /** The complete environment, apart from what the server itself needs. */
  env: Readonly<Record<string, string | undefined>>
  /** File for its output. */
  log: string
  /** Time for weights to be read and graphs to be captured; a large model takes minutes. */
  startSeconds: number
  signal: AbortSignal
}

interface ServedModel {
  /** With the version: `http://127.0.0.1:8000/v1`. */
  baseUrl: string
  /** The model name that clients send. */
  model: string
  /** Ends it, and everything that it started. */
  close(): Promise<void>
}

const stepSeconds = 0.5
const patience = 10_000
const limits = {firstSeconds: 5, idleSeconds: 5, wholeSeconds: 10, bytes: 1 << 16}

/**
 * Serves a checkpoint until closed; returns when the server answers.
 * @throws PipelineError `toolchain-missing` without the interpreter, `endpoint-unreachable` when it ends or does not
 *   answer in time, with its last output
 */
export async function serveModel(options: ServeOptions): Promise<ServedModel> {
  const {server, python, serving, env, log} = options
  const {argv, environment, model} = serverCommand(server, python, serving)
  const [program = python, ...words] = argv
  const handle = await startDetached(program, words, {cwd: '/', env: {...env, ...environment}, log})
  const close = async () => void (await endDetached(handle, patience))
  try {
    await ready(handle, options)
  } catch (error) {
    await close()
    throw error
  }
  return {baseUrl: `http://${serving.host}:${serving.port}/v1`, model, close}
}

async function ready(handle: string, {serving, startSeconds, signal, log, server}: ServeOptions): Promise<void> {
  const url = `http://${serving.host}:${serving.port}/health`
  for (let waited = 0; waited < startSeconds; waited += stepSeconds) {
    if (signal.aborted) throw interrupted()
    const answer = await httpGet({url, headers: {}, limits, signal})
    if (answer.kind === 'answered' && answer.status === 200) return
    if (!remainsOf(handle).alive) throw notServed(`${server} has ended`, server, await lastWords(log))
    await realSleep(1000 * stepSeconds)
  }
  throw notServed(`${server} does not answer after ${startSeconds} s`, server, await lastWords(log))
}

async function lastWords(log: string): Promise<string> {
  const text = await readFile(log, 'utf8').catch(() => '')
  return text.trimEnd().split('\n').slice(-5).join('\n')
}

const packages = {vllm: 'vllm', 'vllm-ascend': 'vllm vllm-ascend', transformers: '"transformers[serving]"'}

function notServed(what: string, server: ServerName, words: string): PipelineError {
  return new PipelineError('endpoint-unreachable', `The model is not served: ${what}.\n${words}`, {
    fix: `Install ${packages[server]} into the environment of --python, or choose another --server.`,
  })
}
