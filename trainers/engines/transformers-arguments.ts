import {join} from 'node:path'
import type {JobPlan} from '../plan.ts'
import type {Word} from './engine.ts'
import {refusal} from './refusal.ts'

type Argument = string | number | boolean | null | readonly unknown[] | Readonly<Record<string, unknown>>
export type Arguments = Record<string, Argument>

/** The packages that every transformers-based trainer needs. */
export const transformersPackages = [
  'transformers',
  'trl',
  'accelerate',
  'datasets',
  'peft',
  'torch',
  'torch-npu',
  'deepspeed',
  'tensorboard',
] as const

/**
 * Arguments of transformers' Trainer under the names that TRL, LLaMA-Factory and ms-swift share. Warm-up is given in
 * steps: `warmup_ratio` was removed in transformers 5.18, while all versions accept integer `warmup_steps`.
 */
export function transformersArguments(plan: JobPlan): Arguments {
  const {spec, arithmetic} = plan
  const h = spec.hyperparameters
  return {
    output_dir: plan.output,
    max_steps: arithmetic.steps,
    per_device_train_batch_size: h.microBatch.value,
    gradient_accumulation_steps: arithmetic.accumulation,
    learning_rate: h.learningRate.value,
    ...schedule(plan),
    warmup_steps: arithmetic.warmupSteps,
    weight_decay: h.weightDecay.value,
    max_grad_norm: h.gradientClip.value,
    adam_beta1: h.adamBeta1.value,
    adam_beta2: h.adamBeta2.value,
    bf16: h.precision.value === 'bf16',
    ...(spec.hardware.accelerator === 'cpu' ? {use_cpu: true} : {}),
    seed: h.seed.value,
    data_seed: h.seed.value,
    logging_steps: 1,
    // By default, a loss that is not a number is logged as the mean of the others.
    logging_nan_inf_filter: false,
    save_strategy: 'steps',
    save_steps: spec.checkpoints.every,
    save_total_limit: spec.checkpoints.keep,
    report_to: plan.versions['tensorboard'] === undefined ? 'none' : 'tensorboard',
    // Rows are tokenised by one process while the others wait; half an hour is not enough for long ones.
    ddp_timeout: 18_000,
    ...(plan.resume === null ? {} : {resume_from_checkpoint: plan.resume}),
  }
}

/** Keys of an adapter that LLaMA-Factory and ms-swift share. @param targets the layers, under the trainer's own key */
export function loraArguments({spec: {tuning}}: JobPlan, targets: Arguments): Arguments {
  if (tuning.kind.value === 'full') return {}
  const {rank, alpha, dropout} = tuning
  return {lora_rank: rank.value, lora_alpha: alpha.value, lora_dropout: dropout.value, ...targets}
}

/** A merged model has no revision. */
export function revisionArgument({spec, model: {path}}: JobPlan, model: string): Arguments {
  const {revision} = spec.model
  return revision === undefined || model !== path ? {} : {model_revision: revision}
}

/** transformers 6 drops the old name; 5 knows both. */
export function recomputation({spec: {hyperparameters}, versions}: JobPlan): Arguments {
  const name = Number.parseInt(versions['transformers'] ?? '', 10) >= 6 ? 'activation' : 'gradient'
  if (!hyperparameters.gradientCheckpointing.value) return {[`${name}_checkpointing`]: false}
  return {[`${name}_checkpointing`]: true, [`${name}_checkpointing_kwargs`]: {use_reentrant: false}}
}

/** transformers' plain `constant` has no warm-up, and its plain `cosine` ends at zero. */
function schedule({spec: {hyperparameters: h}, arithmetic}: JobPlan): Arguments {
  const least = h.minLearningRate.value
  switch (h.schedule.value) {
    case 'constant':
      return {lr_scheduler_type: arithmetic.warmupSteps > 0 ? 'constant_with_warmup' : 'constant'}
    case 'cosine':
      if (least === 0) return {lr_scheduler_type: 'cosine'}
      return {lr_scheduler_type: 'cosine_with_min_lr', lr_scheduler_kwargs: {min_lr: least}}
    case 'linear':
      if (least > 0)
        throw refusal(
          `The linear schedule should end at ${least}, but transformers' ends at zero.`,
          'Remove `hyperparameters.minLearningRate`, or set `schedule: cosine`.',
        )
      return {lr_scheduler_type: 'linear'}
  }
}

/**
 * The type that weights are loaded in. bfloat16 holds three digits: at a learning rate of 1e-6 updates to a weight are
 * rounded away, so trained weights are float32 unless DeepSpeed keeps a float32 copy of its own.
 */
export function weightType({spec: {tuning, parallel, hyperparameters}}: JobPlan): 'float32' | 'bfloat16' {
  if (hyperparameters.precision.value === 'fp32') return 'float32'
  if (tuning.kind.value === 'lora' || parallel.sharding.value.startsWith('zero')) return 'bfloat16'
  return 'float32'
}

/**
 * Environment variables for every transformers-based trainer, plus a trainer's `own`; those of the specification
 * override them.
 */
export function transformersEnvironment(
  {spec, folder, model}: JobPlan,
  own: Readonly<Record<string, Word>> = {},
): Record<string, Word> {
  return {
    PYTHONUNBUFFERED: '1',
    TOKENIZERS_PARALLELISM: 'false',
    WANDB_MODE: 'offline',
    TENSORBOARD_LOGGING_DIR: join(folder, 'tensorboard'),
    // A model given by name must be downloaded.
    ...(model.path.startsWith('/') ? {HF_HUB_OFFLINE: '1'} : {}),
    ...(spec.hardware.accelerator === 'ascend' ? {PYTORCH_NPU_ALLOC_CONF: 'expandable_segments:True'} : {}),
    ...own,
    ...spec.environment.variables,
  }
}
