import {basename, join, resolve} from 'node:path'
import {makeFolder} from '../../engine/files.ts'
import {freePort} from '../../engine/free-port.ts'
import {PipelineError} from '../../engine/errors.ts'
import {readCheckpoint} from '../../trainers/serving/checkpoint.ts'
import {quoted} from '../../trainers/backends/shell.ts'
import {serveModel} from '../../trainers/serving/serve-model.ts'
import {serverCommand, serverNames, type ServerName, type Serving} from '../../trainers/serving/server.ts'
import {jobCheckpoint, namesJob} from './train/job-checkpoint.ts'
import {endInOrder, endOfService, type World} from './world.ts'

/** Flags of `ascend-cot serve`; `eval --candidates job:<id>` serves its model with them too. */
export interface ServeOptions {
  server: string
  python: string
  host: string
  /** 0 picks a free port. */
  port: number
  /** Devices that one copy of the model is spread over. */
  tensor: number
  /** Tokens of prompt and reply together; undefined leaves it to the model. */
  maxLength?: number | undefined
  /** Model name for clients; default: the last part of the checkpoint's path. */
  name?: string | undefined
}

interface ServeRequest extends ServeOptions {
  /** A folder, a model on the Hub, or `job:<id>`. */
  checkpoint: string
  out: string
  /** Print the command, start nothing. */
  dryRun: boolean
  json: boolean
}

/** Time for weights of 30 B to be read from a shared disk, and for graphs to be captured. */
export const startSeconds = 1800

/** `ascend-cot serve <checkpoint>`: an OpenAI-compatible server for it, until it is stopped. */
export async function serveCheckpoint(request: ServeRequest, world: World): Promise<number> {
  const {terminal, env, signal} = world
  const {dryRun, json, out, python} = request
  const server = serverOf(request.server)
  const serving = await servingOf({...request, ...(await asked(request))})
  if (dryRun) {
    const {argv, environment} = serverCommand(server, python, serving)
    terminal.print(json ? JSON.stringify({argv, environment}) : asShell(argv, environment))
    return 0
  }
  const folder = join(resolve(out), 'serve')
  makeFolder(folder)
  const log = join(folder, `${serving.name}.log`)
  terminal.say(`starting ${server}; it writes to ${log}`)
  endInOrder(world)
  const served = await serveModel({server, python, serving, env, log, startSeconds, signal})
  try {
    terminal.print(json ? JSON.stringify({...served, log}) : `serving ${served.model} at ${served.baseUrl}`)
    if (!signal.aborted) await new Promise((done) => signal.addEventListener('abort', done, {once: true}))
  } finally {
    await served.close()
  }
  return endOfService(world)
}

/** For a job, its last checkpoint, under a name unique to that job. */
async function asked({checkpoint: given, name, out}: ServeRequest): Promise<{checkpoint: string; name?: string}> {
  if (!namesJob(given)) return {checkpoint: given}
  const {record, checkpoint} = await jobCheckpoint(given, out)
  return {checkpoint, name: name ?? `${record.id}-${basename(checkpoint)}`}
}

/** @throws PipelineError `config-invalid` when there is no such server */
export function serverOf(name: string): ServerName {
  const known = serverNames.find((one) => one === name)
  if (known) return known
  throw new PipelineError('config-invalid', `There is no server ${name}.`, {
    fix: `Use one of ${serverNames.join(', ')}.`,
  })
}

/** @throws PipelineError `input-missing` when there is no model in the folder */
export async function servingOf({checkpoint, ...options}: ServeOptions & {checkpoint: string}): Promise<Serving> {
  const {model, adapter, thinking} = await readCheckpoint(checkpoint)
  const last = (adapter ?? model).split('/').at(-1) ?? 'model'
  return {
    model,
    adapter,
    thinking,
    name: options.name ?? last,
    host: options.host,
    port: options.port === 0 ? await freePort() : options.port,
    tensorParallel: options.tensor,
    maxLength: options.maxLength ?? null,
    seed: 0,
  }
}

/** One line that a shell splits into these words. */
function asShell(argv: readonly string[], environment: Readonly<Record<string, string>>): string {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${quoted(value)}`)
  return [...variables, ...argv.map(quoted)].join(' ')
}
