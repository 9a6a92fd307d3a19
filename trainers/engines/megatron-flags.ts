import type {JobPlan, ModelShape} from '../plan.ts'
import {floatText} from './yaml-text.ts'

/** By name without dashes; true gives a bare flag, false omits it. */
export type Flags = Record<string, string | number | boolean | readonly (string | number)[]>

export function flagsOf(flags: Readonly<Flags>): string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    if (value === false) return []
    if (value === true) return [`--${name}`]
    return [`--${name}`, ...[value].flat().map(text)]
  })
}

const text = (value: string | number | boolean) =>
  typeof value === 'number' && !Number.isInteger(value) ? floatText(value) : String(value)

/** Everything that does not depend on method and state, as in MindSpeed-LLM's own scripts for Qwen3. */
export function megatronFlags(plan: JobPlan, shape: ModelShape): Flags {
  return {...model(plan, shape), ...experts(shape), ...optimiser(plan), ...parallelism(plan), ...run(plan)}
}

function model({spec, model: {path}}: JobPlan, shape: ModelShape): Flags {
  return {
    'use-mcore-models': true,
    spec: ['mindspeed_llm.tasks.models.spec.qwen3_spec', 'layer_spec'],
    'transformer-impl': 'local',
    'num-layers': shape.layers,
    'hidden-size': shape.hidden,
    'ffn-hidden-size': shape.feedForward,
    'num-attention-heads': shape.heads,
    'group-query-attention': true,
    'num-query-groups': shape.keyValueHeads,
    'kv-channels': shape.headSize,
    'qk-layernorm': true,
    'seq-length': spec.hyperparameters.maxLength.value,
    'max-position-embeddings': spec.hyperparameters.maxLength.value,
    'position-embedding-type': 'rope',
    'rotary-base': shape.ropeTheta,
    'make-vocab-size-divisible-by': 1,
    'padded-vocab-size': shape.vocabulary,
    'untie-embeddings-and-output-weights': !shape.tiedEmbeddings,
    'disable-bias-linear': true,
    normalization: 'RMSNorm',
    'norm-epsilon': 1e-6,
    swiglu: true,
    'attention-softmax-in-fp32': true,
    'no-gradient-accumulation-fusion': true,
    'tokenizer-type': 'PretrainedFromHF',
    'tokenizer-name-or-path': path,
    'tokenizer-not-use-fast': true,
    'prompt-type': 'qwen3',
    'ckpt-format': 'torch',
    'use-flash-attn': true,
    'use-fused-rotary-pos-emb': true,
    'use-rotary-position-embeddings': true,
    'use-fused-swiglu': true,
    'use-fused-rmsnorm': true,
    'no-masked-softmax-fusion': true,
  }
}

function experts(shape: ModelShape): Flags {
  if (shape.experts === 0) return {}
  return {
    'num-experts': shape.experts,
    'moe-router-topk': shape.expertsPerToken,
    'moe-ffn-hidden-size': shape.expertFeedForward,
    'norm-topk-prob': true,
    'moe-grouped-gemm': true,
    'moe-permutation-async-comm': true,
    'moe-token-dispatcher-type': 'alltoall_seq',
    'moe-router-load-balancing-type': 'aux_loss',
    'moe-layer-freq': -1,
    'first-k-dense-replace': -1,
    'moe-aux-loss-coeff': 0.001,
  }
}

function optimiser({spec: {hyperparameters: h}, arithmetic}: JobPlan): Flags {
  return {
    'micro-batch-size': h.microBatch.value,
    'global-batch-size': h.globalBatch.value,
    'train-iters': arithmetic.steps,
    lr: h.learningRate.value,
    'lr-decay-style': h.schedule.value,
    'min-lr': h.schedule.value === 'constant' ? 0 : h.minLearningRate.value,
    'lr-warmup-fraction': h.warmupRatio.value,
    'weight-decay': h.weightDecay.value,
    'clip-grad': h.gradientClip.value,
    'adam-beta1': h.adamBeta1.value,
    'adam-beta2': h.adamBeta2.value,
    'attention-dropout': 0,
    'hidden-dropout': 0,
    'initial-loss-scale': 4096,
    seed: h.seed.value,
    bf16: true,
    ...(h.gradientCheckpointing.value
      ? {'recompute-granularity': 'full', 'recompute-method': 'uniform', 'recompute-num-layers': 1}
      : {}),
  }
}

/** Sequences differ in length, so what is sharded along them is padded to a multiple of the shards. */
function parallelism({spec: {parallel}}: JobPlan): Flags {
  const [tensor, context] = [parallel.tensor.value, parallel.context.value]
  const long: Flags = {
    'context-parallel-size': context,
    'context-parallel-algo': 'ulysses_cp_algo',
    'attention-mask-type': 'general',
    'sequence-parallel': tensor > 1,
    'pad-to-multiple-of': 8 * tensor * context,
  }
  return {
    'tensor-model-parallel-size': tensor,
    'pipeline-model-parallel-size': parallel.pipeline.value,
    'use-distributed-optimizer': parallel.sharding.value === 'distributed-optimizer',
    ...(context > 1 ? long : {}),
    'no-pad-to-seq-lengths': true,
    'distributed-backend': 'nccl',
  }
}

function run({arithmetic}: JobPlan): Flags {
  return {
    split: '100,0,0',
    'log-interval': 1,
    'log-throughput': true,
    'eval-interval': arithmetic.steps,
    'eval-iters': 0,
  }
}
