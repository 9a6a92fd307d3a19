import {join} from 'node:path'
import type {JobPlan} from '../plan.ts'
import {baseModel} from './base-model.ts'
import {lastTransformersCheckpoint} from './checkpoints.ts'
import type {Engine, Rendering, Word} from './engine.ts'
import {dictionaryProgress, jsonProgress} from './progress-lines.ts'
import {probeOf} from './python-files.ts'
import {checkDataParallel, checkMethod, refusal, sectionOf, withFurtherKeys} from './refusal.ts'
import {
  type Arguments,
  loraArguments,
  revisionArgument,
  recomputation,
  transformersArguments,
  transformersEnvironment,
  transformersPackages,
  weightType,
} from './transformers-arguments.ts'
import {yamlText} from './yaml-text.ts'

/**
 * ms-swift, through the module behind `swift sft` and `swift rlhf`, which starts torchrun according to its variables.
 */
export const msSwift: Engine = {
  name: 'ms-swift',
  methods: ['sft', 'dpo'],
  packages: ['ms-swift', ...transformersPackages],
  render: renderSwift,
  probe: (python, plan) => probeOf(msSwift, python, plan),
  progressOf: (line) => jsonProgress(line) ?? dictionaryProgress(line),
  lastCheckpoint: lastTransformersCheckpoint,
}

function renderSwift(plan: JobPlan): Rendering {
  checkMethod(msSwift, plan)
  checkDataParallel(plan)
  const {spec, folder} = plan
  const base = baseModel(plan)
  const file = `${spec.method}.yaml`
  const command = spec.method === 'sft' ? 'sft' : 'rlhf'
  return {
    files: [{path: file, text: yamlText(withFurtherKeys(swiftArguments(plan, base.path), plan))}, ...base.files],
    steps: [
      ...base.steps,
      {
        name: 'train',
        argv: [spec.environment.python, '-m', 'swift.cli.main', command, join(folder, 'rendered', file)],
        environment: transformersEnvironment(plan, torchRunVariables(plan)),
        everyNode: true,
        directory: folder,
      },
    ],
  }
}

function torchRunVariables({spec: {hardware}, arithmetic}: JobPlan): Record<string, Word> {
  if (arithmetic.world === 1) return {}
  return {
    NPROC_PER_NODE: String(hardware.devicesPerNode),
    NNODES: String(hardware.nodes),
    NODE_RANK: {rendezvous: 'node-rank'},
    MASTER_ADDR: {rendezvous: 'master-address'},
    MASTER_PORT: {rendezvous: 'master-port'},
  }
}

function swiftArguments(plan: JobPlan, model: string): Arguments {
  const {spec, data} = plan
  const sharding = spec.parallel.sharding.value
  return {
    ...(spec.method === 'dpo' ? {rlhf_type: 'dpo', ...preference(plan)} : {}),
    model,
    ...revisionArgument(plan, model),
    // Without it, a name is looked up on ModelScope.
    use_hf: true,
    // A folder of weights does not identify its model or template; a name on the Hub does.
    ...(model.startsWith('/') ? {model_type: modelType(plan)} : {}),
    template: spec.model.thinking.value ? 'qwen3' : 'qwen3_nothinking',
    torch_dtype: weightType(plan),
    // It treats float32 weights as float16, unless both are set.
    fp16: false,
    tuner_type: spec.tuning.kind.value,
    ...loraArguments(plan, {target_modules: ['all-linear']}),
    dataset: data.files,
    split_dataset_ratio: 0,
    max_length: spec.hyperparameters.maxLength.value,
    truncation_strategy: 'delete',
    // A row that is too long or malformed ends the job; otherwise it would be skipped without being counted.
    strict: true,
    packing: false,
    ...transformersArguments(plan),
    ...recomputation(plan),
    ...(sharding.startsWith('zero') ? {deepspeed: sharding} : {}),
    ...(sharding === 'fsdp2' ? {fsdp: 'fsdp2'} : {}),
    // Otherwise checkpoints are put in a folder named by version and time.
    add_version: false,
    save_only_model: false,
    // The progress bar would share a line with the reports.
    disable_tqdm: true,
  }
}

const MODEL_TYPES: Readonly<Record<string, string>> = {Qwen3ForCausalLM: 'qwen3', Qwen3MoeForCausalLM: 'qwen3_moe'}

/** Embedding models and rerankers have the same architecture, so ms-swift requires the type. */
function modelType({model}: JobPlan): string {
  const type = MODEL_TYPES[model.shape?.architecture ?? '']
  if (type !== undefined) return type
  throw refusal(
    `ms-swift needs the model type of ${model.path}; its architecture is ${model.shape?.architecture ?? 'unknown'}.`,
    `Give a folder with a config.json of ${Object.keys(MODEL_TYPES).join(' or ')}, or a model on the Hub.`,
  )
}

function preference({spec}: JobPlan): Arguments {
  const dpo = sectionOf(spec, 'dpo')
  const weight = dpo.likelihoodWeight.value
  return {beta: dpo.beta.value, loss_type: dpo.loss.value, ...(weight > 0 ? {rpo_alpha: weight} : {})}
}
