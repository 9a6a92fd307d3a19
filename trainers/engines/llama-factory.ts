import {join} from 'node:path'
import {llamaFactoryEntry} from '../../datasets/views/view-forms.ts'
import type {JobPlan} from '../plan.ts'
import {accelerateConfig, accelerateLaunch, torchRun} from './accelerate.ts'
import {baseModel} from './base-model.ts'
import {lastTransformersCheckpoint} from './checkpoints.ts'
import type {Engine, RenderedFile, Rendering} from './engine.ts'
import {jsonProgress, reportedProgress} from './progress-lines.ts'
import {probeOf, pythonFile} from './python-files.ts'
import {checkDataParallel, checkMethod, refusal, sectionOf, withFurtherKeys} from './refusal.ts'
import {
  type Arguments,
  loraArguments,
  revisionArgument,
  transformersArguments,
  transformersEnvironment,
  transformersPackages,
} from './transformers-arguments.ts'
import {yamlText} from './yaml-text.ts'

/**
 * LLaMA-Factory, through the function behind `llamafactory-cli train`: the command itself expects `torchrun` on the
 * path, and reports steps only in a file.
 */
export const llamaFactory: Engine = {
  name: 'llama-factory',
  methods: ['sft', 'dpo'],
  packages: ['llamafactory', ...transformersPackages],
  render: renderLlamaFactory,
  probe: (python, plan) => probeOf(llamaFactory, python, plan),
  progressOf: (line) => reportedProgress(line) ?? jsonProgress(line),
  lastCheckpoint: lastTransformersCheckpoint,
}

function renderLlamaFactory(plan: JobPlan): Rendering {
  checkMethod(llamaFactory, plan)
  checkDataParallel(plan)
  checkPrecision(plan)
  const {method} = plan.spec
  const rendered = join(plan.folder, 'rendered')
  const base = baseModel(plan)
  const entry = pythonFile('train_with_llamafactory.py')
  const program = [join(rendered, entry.path), join(rendered, `${method}.yaml`)]
  const sharded = plan.spec.parallel.sharding.value === 'fsdp2'
  return {
    files: [
      {path: `${method}.yaml`, text: yamlText(withFurtherKeys(llamaFactoryArguments(plan, base.path, rendered), plan))},
      {path: 'dataset_info.json', text: jsonText(datasetInfo(plan))},
      ...shardingFiles(plan),
      entry,
      pythonFile('progress.py'),
      ...base.files,
    ],
    steps: [
      ...base.steps,
      {
        name: 'train',
        argv: sharded ? accelerateLaunch(plan, join(rendered, 'accelerate.yaml'), program) : torchRun(plan, program),
        environment: transformersEnvironment(plan),
        everyNode: true,
        directory: plan.folder,
      },
    ],
  }
}

/** It loads weights in the checkpoint's type, ignoring `bf16: false`. */
function checkPrecision({spec}: JobPlan): void {
  if (spec.hyperparameters.precision.value === 'bf16' || spec.hardware.accelerator === 'cpu') return
  throw refusal(
    '`hyperparameters.precision` is fp32, which LLaMA-Factory ignores for a model stored as bfloat16.',
    'Set `precision: bf16`, or `engine: trl`.',
  )
}

function llamaFactoryArguments(plan: JobPlan, model: string, rendered: string): Arguments {
  const {spec, data} = plan
  const {thinking} = spec.model
  const sharding = spec.parallel.sharding.value
  return {
    stage: spec.method,
    do_train: true,
    model_name_or_path: model,
    ...revisionArgument(plan, model),
    finetuning_type: spec.tuning.kind.value,
    ...loraArguments(plan, {lora_target: 'all'}),
    dataset_dir: rendered,
    dataset: data.files.map((_, at) => datasetName(at)).join(','),
    template: thinking.value ? 'qwen3' : 'qwen3_nothink',
    // `true` trains rows without reasoning to skip it, `false` removes the reasoning from all rows.
    ...(thinking.value ? {enable_thinking: null} : {}),
    cutoff_len: spec.hyperparameters.maxLength.value,
    packing: false,
    ...(spec.method === 'dpo' ? preference(plan) : {train_on_prompt: false}),
    ...transformersArguments(plan),
    disable_gradient_checkpointing: !spec.hyperparameters.gradientCheckpointing.value,
    ...(sharding.startsWith('zero') ? {deepspeed: join(rendered, 'deepspeed.json')} : {}),
    // `true`, as in all their examples, starts over and deletes the log.
    overwrite_output_dir: false,
    save_only_model: false,
  }
}

function preference({spec}: JobPlan): Arguments {
  const dpo = sectionOf(spec, 'dpo')
  return {pref_beta: dpo.beta.value, pref_loss: dpo.loss.value, pref_ftx: dpo.likelihoodWeight.value}
}

const datasetName = (at: number) => `ascend_cot_${at}`

/** Rows in the form of the view `llama-factory`; an absolute path is used as is. */
function datasetInfo({spec, data}: JobPlan): object {
  return Object.fromEntries(
    data.files.map((file, at) => [datasetName(at), llamaFactoryEntry(file, spec.method === 'dpo')]),
  )
}

function shardingFiles(plan: JobPlan): RenderedFile[] {
  const sharding = plan.spec.parallel.sharding.value
  if (sharding === 'fsdp2') return [{path: 'accelerate.yaml', text: yamlText(accelerateConfig(plan))}]
  if (!sharding.startsWith('zero')) return []
  return [{path: 'deepspeed.json', text: jsonText(deepSpeed(sharding === 'zero3'))}]
}

/** Batch sizes, clipping and precision follow the Trainer's arguments. */
function deepSpeed(parameters: boolean): object {
  const weights = {
    stage3_prefetch_bucket_size: 'auto',
    stage3_param_persistence_threshold: 'auto',
    stage3_gather_16bit_weights_on_model_save: true,
  }
  return {
    train_batch_size: 'auto',
    train_micro_batch_size_per_gpu: 'auto',
    gradient_accumulation_steps: 'auto',
    gradient_clipping: 'auto',
    zero_allow_untested_optimizer: true,
    bf16: {enabled: 'auto'},
    zero_optimization: {
      stage: parameters ? 3 : 2,
      overlap_comm: false,
      contiguous_gradients: true,
      reduce_bucket_size: 'auto',
      ...(parameters ? weights : {}),
    },
  }
}

const jsonText = (value: object) => `${JSON.stringify(value, null, 2)}\n`
