import type {JobSpec} from './spec.ts'

/** A specification resolved for this data and these machines: everything that rendering needs. */
export interface JobPlan {
  /** `<name>-<8 digits of the hash of everything below>`. */
  id: string
  spec: JobSpec
  /** Folder of the job: rendered files, attempts, metrics. Absolute. */
  folder: string
  /** Folder that the trainer writes checkpoints into. Absolute. */
  output: string
  model: PlannedModel
  data: PlannedData
  arithmetic: Arithmetic
  /** Package versions of the trainer's environment; {} if it could not be queried. */
  versions: Readonly<Record<string, string>>
  /** The checkpoint to resume from, resolved to a folder; null starts from scratch. */
  resume: string | null
}

export interface PlannedModel {
  /** A Hub name or an absolute folder. */
  path: string
  /** Of an adapter on top of `path`, if the earlier job trained LoRA; null without. */
  adapter: string | null
  /** From its `config.json`; null if not available. */
  shape: ModelShape | null
}

/** Keys of a `config.json` of Qwen3 that Megatron-based trainers need as flags. */
export interface ModelShape {
  architecture: string
  layers: number
  hidden: number
  feedForward: number
  heads: number
  keyValueHeads: number
  headSize: number
  vocabulary: number
  tiedEmbeddings: boolean
  /** Tokens that it has positions for; null if its config does not say. */
  context: number | null
  ropeTheta: number
  /** 0 if it is dense. */
  experts: number
  expertsPerToken: number
  expertFeedForward: number
  /** Of all weights. */
  parameters: number
}

interface PlannedData {
  /** The Parquet files that hold exactly the rows to train on, in the form of their method. Absolute. */
  files: readonly string[]
  rows: number
  sha256: string
  /** SHA-256 of the data set's `manifest.json`; null without one. */
  manifest: string | null
}

export interface Arithmetic {
  /** Devices in all. */
  world: number
  dataParallel: number
  /** Micro-batches per optimiser step and device. */
  accumulation: number
  steps: number
  warmupSteps: number
  epochs: number
}
