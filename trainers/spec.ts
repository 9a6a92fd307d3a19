import {z} from 'zod'
import {Method} from '../datasets/schema/job.ts'

/** Where a value comes from: stated by the paper, derived from other public material, or our choice. */
const ValueSource = z.enum(['paper', 'inferred', 'ours'])

interface Tagged<T> {
  value: T
  source: z.infer<typeof ValueSource>
  /** The table, the file or the reason. */
  note?: string | undefined
}

/** A value with its source; written plainly, it is `ours`. */
function tagged<T extends z.ZodType>(schema: T) {
  const form = z.strictObject({value: schema, source: ValueSource, note: z.string().optional()})
  const withSource = (given: unknown) => (isTagged(given) ? given : {value: given, source: 'ours'})
  return z.preprocess(withSource, form)
}

const isTagged = (given: unknown): boolean => typeof given === 'object' && given !== null && 'value' in given

const ours = <T>(value: T): Tagged<T> => ({value, source: 'ours'})

const count = z.int().positive()
const share = z.number().min(0).max(1)
const rate = z.number().positive().max(1)

const Model = z.strictObject({
  /** A name on the Hub, a folder, or `job:<id>`: the last checkpoint of an earlier job. */
  name: tagged(z.string().min(1)),
  /** A commit on the Hub. */
  revision: z.string().optional(),
  /** Whether its chat template has think blocks; otherwise `<think>` is plain text to it. */
  thinking: tagged(z.boolean()).default(ours(true)),
  /** The Hub's key of the licence that the model is under, such as `apache-2.0`: named by every model made from it. */
  licence: tagged(z.string().min(1)).optional(),
})

const Data = z.strictObject({
  /** A data set's folder, or `hub:<owner>/<name>@<commit>`; default: the one in the output folder, `<out>/dataset`. */
  source: z.string().min(1),
  /** Configuration of the data set: `sft`, `dpo`, `kto`. */
  config: z.string().min(1),
  /** Split of the data set. */
  split: z.string().default('train'),
  /** Kinds of samples to exclude, by the column `kind`: the compositions of Figure 5. */
  without: tagged(z.array(z.string())).default(ours([])),
  /** View of the rows: `no-think` removes the think blocks from replies. */
  view: tagged(z.enum(['no-think'])).optional(),
  /** By hash order of the rows' origins, so that a quarter is a subset of a half. */
  share: tagged(rate).default(ours(1)),
  /** Longer rows are skipped, by the data set's token columns. */
  maxTokens: tagged(count).optional(),
  /** Hash of the training rows; other rows are refused. Recorded for every job. */
  sha256: z.hex().length(64).optional(),
})

const Tuning = z.strictObject({
  /** All weights, or a low-rank adapter. */
  kind: tagged(z.enum(['full', 'lora'])),
  /** Rank of the adapter. */
  rank: tagged(count).default({value: 16, source: 'inferred', note: 'stock LoRA script of MindSpeed-LLM for Qwen3'}),
  /** Scale of the adapter. */
  alpha: tagged(count).default({value: 32, source: 'inferred', note: 'stock LoRA script of MindSpeed-LLM for Qwen3'}),
  /** Dropout of the adapter. */
  dropout: tagged(share).default(ours(0)),
})

const Hyperparameters = z.strictObject({
  /** Peak learning rate. */
  learningRate: tagged(rate),
  /** How the learning rate falls. */
  schedule: tagged(z.enum(['cosine', 'constant', 'linear'])),
  /** Final learning rate of a cosine schedule. */
  minLearningRate: tagged(z.number().min(0).max(1)).default(ours(0)),
  /** Warm-up, as a share of all steps. */
  warmupRatio: tagged(share),
  /** Rows per device and step; a pair counts as one. */
  microBatch: tagged(count),
  /** Rows per optimiser step over all devices. */
  globalBatch: tagged(count),
  /** Optimiser steps; or `epochs`, never both. */
  steps: tagged(count).optional(),
  /** Passes over the data; or `steps`, never both. */
  epochs: tagged(z.number().positive()).optional(),
  /** Weight decay of the optimiser. */
  weightDecay: tagged(share),
  /** Largest norm of the gradient. */
  gradientClip: tagged(z.number().positive()),
  /** First moment of Adam. */
  adamBeta1: tagged(share).default({value: 0.9, source: 'inferred', note: 'stock SFT script of MindSpeed-LLM'}),
  /** Second moment of Adam. */
  adamBeta2: tagged(share).default({value: 0.95, source: 'inferred', note: 'stock SFT script of MindSpeed-LLM'}),
  /** Tokens of prompt and reply together, the template's included. */
  maxLength: tagged(count),
  /** Type of weights and activations. */
  precision: tagged(z.enum(['bf16', 'fp32'])).default(ours('bf16' as const)),
  /** Recomputes activations instead of storing them: less memory, more time. */
  gradientCheckpointing: tagged(z.boolean()).default(ours(true)),
  /** Seed of the order of rows and of the trainer. */
  seed: tagged(z.int().nonnegative()).default({value: 42, source: 'inferred', note: 'stock scripts of MindSpeed-LLM'}),
})

const Dpo = z.strictObject({
  /** How strongly the trained model is held to the reference model. */
  beta: tagged(z.number().positive()),
  /** Loss of a pair. */
  loss: tagged(z.enum(['sigmoid', 'ipo'])).default(ours('sigmoid' as const)),
  /** Weight of the likelihood of the chosen reply, added to the loss; 0 is the paper's DPO. */
  likelihoodWeight: tagged(z.number().min(0)).default(ours(0)),
  /** Kinds of failures among rejected replies, by the column `strategy`; [] uses all. Table 4. */
  strategies: tagged(z.array(z.string())).default(ours([])),
})

const Kto = z.strictObject({
  /** How strongly the trained model is held to the reference model. */
  beta: tagged(z.number().positive()),
  /** Weight of desirable replies. */
  desirableWeight: tagged(z.number().positive()).default(ours(1)),
  /** Weight of undesirable replies. */
  undesirableWeight: tagged(z.number().positive()).default(ours(1)),
})

const Grpo = z.strictObject({
  /** Address of `ascend-cot serve-judge`. */
  judge: z.url(),
  /** Completions per prompt. */
  generations: tagged(z.int().min(2)),
  /** Longest completion in tokens. */
  maxCompletionLength: tagged(count),
  /** Sampling temperature. */
  temperature: tagged(z.number().positive()).default(ours(1)),
  /** Weight of the divergence from the reference model. */
  beta: tagged(z.number().min(0)).default(ours(0)),
})

const Parallel = z.strictObject({
  /** Devices that share each layer. */
  tensor: tagged(count).default(ours(1)),
  /** Groups of layers, each on its own devices. */
  pipeline: tagged(count).default(ours(1)),
  /** Devices that share one sequence. */
  context: tagged(count).default(ours(1)),
  /** For a mixture of experts; within the data-parallel devices, so that their number does not change. */
  expert: tagged(count).default(ours(1)),
  /** How weights, gradients and optimiser state are sharded over data-parallel devices. */
  sharding: tagged(z.enum(['none', 'zero2', 'zero3', 'fsdp2', 'distributed-optimizer'])).default(ours('none' as const)),
})

const Hardware = z.strictObject({
  /** Kind of the devices. */
  accelerator: z.enum(['ascend', 'nvidia', 'cpu']),
  /** Machines. */
  nodes: count.default(1),
  /** Devices of each machine. */
  devicesPerNode: count.default(1),
  /** Memory of one device in GiB; 0 is unknown. */
  memoryGib: z.number().min(0).default(0),
})

/** The machine's side: where the trainer is installed and how to set up its environment. */
const Environment = z.strictObject({
  /** Python interpreter of the trainer's environment; every trainer needs its own. */
  python: z.string().default('python3'),
  /** Checkout of a trainer that is run from its folder (MindSpeed-LLM). */
  checkout: z.string().optional(),
  /** A shell script to read first, such as CANN's `set_env.sh`. */
  setup: z.array(z.string()).default([]),
  /** Environment variables of the trainer. */
  variables: z.record(z.string().regex(/^[A-Z_][A-Z0-9_]*$/), z.string()).default({}),
})

const Local = z.strictObject({
  /** Which scheduler. */
  kind: z.literal('local'),
})

const Slurm = z.strictObject({
  kind: z.literal('slurm'),
  /** Partition, as `sbatch --partition`. */
  partition: z.string().optional(),
  /** Account, as `sbatch --account`. */
  account: z.string().optional(),
  /** As for `sbatch --time`: `2-00:00:00`. */
  time: z.string().meta({examples: ['2-00:00:00']}),
  /** Name of the accelerator in `--gres`, which sites choose; undefined requests none. */
  gres: z.string().optional(),
  /** Further `#SBATCH` options, one each, with their dashes. */
  options: z.array(z.string().startsWith('--')).default([]),
})

const Kubernetes = z.strictObject({
  kind: z.literal('kubernetes'),
  /** Kind of resource that the cluster offers. */
  form: z.enum(['volcano', 'ascend-job', 'pytorch-job']).meta({examples: ['pytorch-job']}),
  /** Namespace of the job. */
  namespace: z.string().default('default'),
  /** Container image with the trainer. */
  image: z
    .string()
    .min(1)
    .meta({examples: ['<registry>/<image>:<tag>']}),
  /** Resource name of the accelerator: `huawei.com/Ascend910`, `nvidia.com/gpu`. */
  resource: z.string().optional(),
  /** Labels of the nodes that may be used. */
  nodeSelector: z.record(z.string(), z.string()).default({}),
  /** Claims that hold models, data and output, by the path where they are mounted. */
  volumes: z.record(z.string(), z.string()).default({}),
})

/** What a trained model is measured on: texts about operators that it was not trained on. */
const Measure = z.strictObject({
  /** Data sets of other operators; by default the test split of `data.source`. */
  on: z.array(z.string().min(1)).default([]),
  /** Number of device files, and of host files. */
  files: count.default(24),
  /** Number of pairs of correct and wrong code. */
  pairs: z.int().nonnegative().default(500),
  /** Number of questions about APIs. */
  questions: z.int().nonnegative().default(120),
})
export type Measure = z.infer<typeof Measure>

/**
 * A training job: which model is trained on which data, how, with which trainer, and where. YAML; `extends` names a
 * bundled specification or a file next to it, and inherits its values key by key.
 */
export const JobSpec = z
  .strictObject({
    /** Name of the job; its folder is `<out>/jobs/<name>`. */
    name: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'lower-case letters, digits and single dashes'),
    /** One sentence for people. */
    description: z.string().default(''),
    /** Training method. */
    method: Method,
    /** The trainer. */
    engine: z.enum(['trl', 'mindspeed-llm', 'llama-factory', 'ms-swift']),
    model: Model,
    data: Data,
    tuning: Tuning,
    hyperparameters: Hyperparameters,
    dpo: Dpo.optional(),
    kto: Kto.optional(),
    grpo: Grpo.optional(),
    parallel: Parallel.prefault({}),
    hardware: Hardware,
    environment: Environment.prefault({}),
    /** The scheduler: this machine (`local`), `slurm` or `kubernetes`. */
    backend: z.discriminatedUnion('kind', [Local, Slurm, Kubernetes]).default({kind: 'local'}),
    checkpoints: z
      .strictObject({
        /** Optimiser steps from one checkpoint to the next. */
        every: count.default(50),
        /** Number of newest checkpoints to keep. */
        keep: count.default(3),
      })
      .prefault({}),
    /** Further keys for the trainer under its own names; one that a key above already sets is refused. */
    trainer: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])).default({}),
    /** Findings of the preflight, by code, that do not stop this job. */
    allow: z.array(z.string()).default([]),
    /** Measurements of the final model; without it, nothing is measured. */
    measure: Measure.optional(),
    /** A second job that starts from this one's model: its differing values. */
    next: z.record(z.string(), z.unknown()).optional(),
  })
  .superRefine((spec, {addIssue}) => {
    const {method, hyperparameters} = spec
    if (method !== 'sft' && spec[method] === undefined)
      addIssue({code: 'custom', path: [method], message: `required when \`method\` is ${method}`})
    if ((hyperparameters.steps === undefined) === (hyperparameters.epochs === undefined))
      addIssue({code: 'custom', path: ['hyperparameters', 'steps'], message: 'exactly one of `steps` and `epochs`'})
  })
export type JobSpec = z.infer<typeof JobSpec>
