import {basename, dirname, join} from 'node:path'
import type {JobPlan, ModelShape} from '../plan.ts'
import {torchRun} from './accelerate.ts'
import type {CheckpointEntry, Engine, Rendering, Step, Word} from './engine.ts'
import {flagsOf, type Flags, megatronFlags} from './megatron-flags.ts'
import {probeOf} from './python-files.ts'
import {checkMethod, refusal, sectionOf, withFurtherKeys} from './refusal.ts'
import type {Progress} from '../../datasets/schema/job.ts'
import {numberOf} from './progress-lines.ts'

/**
 * MindSpeed-LLM on Megatron's core: rows into token files, weights into its shards, then training. A resumed job runs
 * only the last step.
 */
export const mindspeedLlm: Engine = {
  name: 'mindspeed-llm',
  methods: ['sft', 'dpo'],
  packages: ['mindspeed-llm', 'mindspeed', 'megatron-core', 'torch', 'torch-npu', 'transformers'],
  render: renderMindspeed,
  probe: (python, plan) => probeOf(mindspeedLlm, python, plan),
  progressOf: megatronProgress,
  lastCheckpoint: lastMegatronCheckpoint,
}

/** The Megatron layers that get an adapter; the names are the same for every model. */
const LORA_TARGETS = ['linear_qkv', 'linear_proj', 'linear_fc1', 'linear_fc2']

function renderMindspeed(plan: JobPlan): Rendering {
  checkMethod(mindspeedLlm, plan)
  const target = checkTarget(plan)
  const files = {tokens: join(plan.folder, 'tokens'), weights: join(plan.folder, 'megatron')}
  const flags = withFurtherKeys<Flags[string]>(
    {...megatronFlags(plan, target.shape), ...methodFlags(plan), ...stateFlags(plan, files)},
    plan,
  )
  const steps = [preprocessing(plan, target, files), conversion(plan, target, files)]
  const train = torchRun(plan, [join(target.checkout, 'posttrain_gpt.py'), ...flagsOf(flags)])
  return {
    files: [],
    steps: [...(plan.resume === null ? steps : []), step(plan, target, 'train', train, true)],
  }
}

interface Target {
  checkout: string
  shape: ModelShape
  rows: string
}

/** @throws PipelineError for everything that MindSpeed-LLM needs and this plan lacks */
function checkTarget({spec, model, data}: JobPlan): Target {
  const {checkout} = spec.environment
  const [rows, ...more] = data.files
  if (checkout === undefined)
    throw refusal(
      'MindSpeed-LLM runs from its checkout, and none is given.',
      'Set environment.checkout=<folder> to a MindSpeed-LLM checkout with `megatron` inside.',
    )
  if (spec.hardware.accelerator !== 'ascend')
    throw refusal(
      `MindSpeed-LLM runs on Ascend devices; \`hardware.accelerator\` is ${spec.hardware.accelerator}.`,
      'Set it to `ascend`, or choose another `engine`.',
    )
  if (spec.hyperparameters.precision.value !== 'bf16')
    throw refusal('Its fused attention needs bfloat16; `precision` is fp32.', 'Set `hyperparameters.precision: bf16`.')
  if (!['none', 'distributed-optimizer'].includes(spec.parallel.sharding.value))
    throw refusal(
      `\`parallel.sharding\` is ${spec.parallel.sharding.value}; Megatron's core only shards the optimiser.`,
      'Set it to distributed-optimizer, and spread layers with `parallel.tensor` and `parallel.pipeline`.',
    )
  if (model.adapter !== null)
    throw refusal(
      `The model has an adapter (${model.adapter}), which MindSpeed-LLM cannot convert.`,
      'Merge it into its model first, and set `model.name` to the merged folder.',
    )
  if (!model.path.startsWith('/') || model.shape === null)
    throw refusal(
      `MindSpeed-LLM needs every dimension of the model as a flag, but ${model.path} has no local config.json.`,
      'Download the model and set `model.name` to its folder.',
    )
  if (rows === undefined || more.length > 0)
    throw refusal(
      `It reads its rows from one file, but ${data.files.length} are given.`,
      'Write them as one Parquet file.',
    )
  return {checkout, shape: model.shape, rows}
}

interface Prepared {
  /** Prefix of the token files. */
  tokens: string
  /** Folder of the initial weights in Megatron's shards. */
  weights: string
}

function step(plan: JobPlan, {checkout}: Target, name: string, argv: readonly Word[], everyNode: boolean): Step {
  const environment = {
    PYTHONUNBUFFERED: '1',
    CUDA_DEVICE_MAX_CONNECTIONS: '1',
    HCCL_CONNECT_TIMEOUT: '3600',
    HCCL_EXEC_TIMEOUT: '3600',
    PYTORCH_NPU_ALLOC_CONF: 'expandable_segments:True',
    HF_HUB_OFFLINE: '1',
    ...plan.spec.environment.variables,
  }
  return {name, argv, environment, everyNode, directory: checkout}
}

/** Rows into token files, prompts without loss. `none` keeps existing reasoning, and trains no empty blocks. */
function preprocessing(plan: JobPlan, target: Target, {tokens}: Prepared): Step {
  const pairs = ['--map-keys', '{"prompt":"question","query":"","system":"system"}']
  const argv = [
    plan.spec.environment.python,
    join(target.checkout, 'preprocess_data.py'),
    ...['--input', target.rows],
    ...['--output-prefix', tokens],
    ...['--tokenizer-type', 'PretrainedFromHF', '--tokenizer-not-use-fast'],
    ...['--tokenizer-name-or-path', plan.model.path],
    ...(plan.spec.method === 'dpo'
      ? ['--handler-name', 'AlpacaStylePairwiseHandler', ...pairs]
      : ['--handler-name', 'AlpacaStyleInstructionHandler']),
    ...['--prompt-type', 'qwen3', '--enable-thinking', 'none'],
    // Its default is a folder of the user, which may contain another job's rows under the same name.
    ...['--cache-dir', join(plan.folder, 'cache')],
    ...['--workers', '4', '--log-interval', '1000'],
  ]
  return step(plan, target, 'preprocess', argv, false)
}

/** Weights into shards in this job's folder: the trainer's own conversion writes into the model's folder. */
function conversion(plan: JobPlan, target: Target, {weights}: Prepared): Step {
  const {parallel, environment} = plan.spec
  const argv = [
    environment.python,
    join(target.checkout, 'convert_ckpt_v2.py'),
    ...['--load-model-type', 'hf', '--save-model-type', 'mg'],
    ...['--model-type-hf', target.shape.experts > 0 ? 'qwen3-moe' : 'qwen3'],
    ...(target.shape.experts > 0 ? ['--moe-grouped-gemm'] : []),
    ...['--load-dir', plan.model.path, '--save-dir', weights],
    ...['--target-tensor-parallel-size', String(parallel.tensor.value)],
    ...['--target-pipeline-parallel-size', String(parallel.pipeline.value)],
  ]
  return step(plan, target, 'convert', argv, false)
}

function methodFlags({spec}: JobPlan): Flags {
  const {method, tuning} = spec
  const lora: Flags = {
    'lora-r': tuning.rank.value,
    'lora-alpha': tuning.alpha.value,
    'lora-fusion': true,
    'lora-target-modules': LORA_TARGETS,
  }
  if (tuning.kind.value === 'lora' && tuning.dropout.value > 0)
    throw refusal('MindSpeed-LLM does not support dropout in adapters.', 'Leave `tuning.dropout` out.')
  const adapter = tuning.kind.value === 'lora' ? lora : {}
  if (method === 'sft') return {stage: 'sft', 'is-instruction-dataset': true, ...adapter}
  const dpo = sectionOf(spec, 'dpo')
  return {
    stage: 'dpo',
    'is-pairwise-dataset': true,
    'dpo-loss-type': dpo.loss.value,
    'dpo-beta': dpo.beta.value,
    ...(dpo.likelihoodWeight.value > 0 ? {'pref-ftx': dpo.likelihoodWeight.value} : {}),
    ...adapter,
  }
}

/**
 * What is loaded. `finetune`, `no-load-optim` and `no-load-rng` forget step, optimiser and random state, so a resumed
 * job must not set them; the reference of a preference loss stays with the initial weights, iteration 1.
 */
function stateFlags({spec, resume, output}: JobPlan, {tokens, weights}: Prepared): Flags {
  const always: Flags = {'data-path': tokens, save: output, 'save-interval': spec.checkpoints.every}
  if (resume === null) return {...always, load: weights, finetune: true, 'no-load-optim': true, 'no-load-rng': true}
  const [saved, step] = [dirname(resume), iterationOf(resume)]
  const reference: Flags = spec.method === 'dpo' ? {'ref-model': weights, 'refer-model-iter': 1} : {}
  if (spec.tuning.kind.value === 'lora') return {...always, ...reference, load: weights, 'lora-load': saved}
  // A named step applies to everything that is loaded, so with two folders, their markers decide instead.
  return {...always, ...reference, load: saved, ...(spec.method === 'dpo' ? {} : {'ckpt-step': step})}
}

function iterationOf(checkpoint: string): number {
  const [, iteration] = /^iter_(\d{7})$/.exec(basename(checkpoint)) ?? []
  if (iteration === undefined)
    throw refusal(`${checkpoint} is not a checkpoint of Megatron's core.`, 'Give a folder named `iter_<7 digits>`.')
  return Number(iteration)
}

/** The marker is written after the last shard: a folder that it does not name may be incomplete. */
function lastMegatronCheckpoint(entries: readonly CheckpointEntry[]): string | null {
  const marker = entries.find(({path}) => path === 'latest_checkpointed_iteration.txt')
  const iteration = Number(marker?.text?.trim())
  if (!Number.isInteger(iteration) || iteration <= 0) return null
  const folder = `iter_${String(iteration).padStart(7, '0')}`
  return entries.some(({path}) => path === folder || path.startsWith(`${folder}/`)) ? folder : null
}

/**
 * A line of Megatron's log: ` [time] iteration 1/ 150 | consumed samples: 64 | … | lm loss: 6.93E-01 | … |`. Its parts
 * depend on method and flags.
 */
export function megatronProgress(line: string): Progress | null {
  const [, step, total] = /\biteration\s+(\d+)\/\s*(\d+)\s*\|/.exec(line) ?? []
  if (step === undefined) return null
  const parts = line.split('|').slice(1).flatMap(namedPart)
  const values = new Map(parts)
  const named = ['lm loss', 'learning rate', 'grad norm']
  const metrics = parts.flatMap(([name, value]) => (value === null || named.includes(name) ? [] : [[name, value]]))
  return {
    step: Number(step),
    total: Number(total),
    loss: values.get('lm loss') ?? null,
    learningRate: values.get('learning rate') ?? null,
    gradientNorm: values.get('grad norm') ?? null,
    metrics: Object.fromEntries(metrics),
  }
}

function namedPart(part: string): [string, number | null][] {
  const [, name, value] = /^(.*\S)\s*:([^:]*)$/.exec(part) ?? []
  return name === undefined ? [] : [[name.trim(), numberOf(value)]]
}
