import {isAbsolute} from 'node:path'
import {PipelineError} from '../../engine/errors.ts'

export const serverNames = ['vllm', 'vllm-ascend', 'transformers'] as const
export type ServerName = (typeof serverNames)[number]

/** What is to be served, and where. */
export interface Serving {
  /** A Hub name, or a folder with `config.json` and weights. */
  model: string
  /** Folder of a LoRA adapter for it; null without one. */
  adapter: string | null
  /** The model name for clients. */
  name: string
  host: string
  port: number
  /** Number of devices to spread one copy of the model over. */
  tensorParallel: number
  /** Tokens of prompt and reply together; null leaves it to the model's configuration. */
  maxLength: number | null
  /** Whether its template has think blocks, which are then separated from the answer. */
  thinking: boolean
  seed: number
}

interface ServerCommand {
  argv: readonly string[]
  environment: Readonly<Record<string, string>>
  /** The model name that clients send. */
  model: string
}

/**
 * The command line of an OpenAI-compatible server for a checkpoint. Pure.
 * @throws PipelineError `config-invalid` when this server cannot do what is required
 */
export function serverCommand(server: ServerName, python: string, serving: Serving): ServerCommand {
  return server === 'transformers' ? transformers(python, serving) : vllm(server, python, serving)
}

/**
 * Each request's sampling settings override vLLM's defaults (`--generation-config vllm`); vllm-ascend is a plug-in with
 * the same command line.
 */
function vllm(server: ServerName, python: string, serving: Serving): ServerCommand {
  const {model, adapter, name, host, port, tensorParallel, maxLength, thinking, seed} = serving
  const lora = adapter === null ? [] : ['--enable-lora', '--lora-modules', `${name}=${adapter}`]
  return {
    argv: [
      python,
      '-m',
      'vllm.entrypoints.cli.main',
      'serve',
      model,
      // Naming the base model would shadow the adapter's name.
      ...(adapter === null ? ['--served-model-name', name] : []),
      '--host',
      host,
      '--port',
      String(port),
      '--tensor-parallel-size',
      String(tensorParallel),
      ...(maxLength === null ? [] : ['--max-model-len', String(maxLength)]),
      '--gpu-memory-utilization',
      '0.9',
      '--enable-prefix-caching',
      '--generation-config',
      'vllm',
      ...(thinking ? ['--reasoning-parser', 'qwen3'] : []),
      '--seed',
      String(seed),
      ...(server === 'vllm-ascend' ? ['--distributed-executor-backend', 'mp'] : []),
      ...lora,
    ],
    environment: offlineFor(model),
    model: name,
  }
}

/** For models that fit one device or a CPU: slow, and one sample per request. */
function transformers(python: string, {model, adapter, host, port, tensorParallel, seed}: Serving): ServerCommand {
  if (tensorParallel > 1)
    throw new PipelineError(
      'config-invalid',
      `transformers serves on one device, but ${tensorParallel} were requested.`,
      {
        fix: 'Serve with --server vllm (or vllm-ascend), or remove --tensor.',
      },
    )
  // A folder with an adapter names its base in adapter_config.json, and PEFT loads both.
  const served = adapter ?? model
  return {
    argv: [
      python,
      '-c',
      'from transformers.cli.transformers import main; main()',
      'serve',
      served,
      '--host',
      host,
      '--port',
      String(port),
      '--default-seed',
      String(seed),
    ],
    environment: offlineFor(model),
    model: served,
  }
}

/** A local folder needs no Hub: a server that queried it would hang without network. */
function offlineFor(model: string): Record<string, string> {
  return isAbsolute(model) ? {HF_HUB_OFFLINE: '1'} : {}
}
