import {join} from 'node:path'
import type {JobPlan} from '../plan.ts'
import {accelerateConfig, accelerateLaunch} from './accelerate.ts'
import {baseModel} from './base-model.ts'
import {lastTransformersCheckpoint} from './checkpoints.ts'
import type {Companions, Engine, RenderedFile, Rendering} from './engine.ts'
import {dictionaryProgress, reportedProgress} from './progress-lines.ts'
import {probeOf, pythonFile} from './python-files.ts'
import {checkDataParallel, checkMethod, refusal, sectionOf, withFurtherKeys} from './refusal.ts'
import {
  type Arguments,
  revisionArgument,
  recomputation,
  transformersArguments,
  transformersEnvironment,
  transformersPackages,
  weightType,
} from './transformers-arguments.ts'
import {yamlText} from './yaml-text.ts'

/** The first release whose keys are supported; 1.13 and 1.16 were tested. */
const OLDEST = 1

/**
 * TRL: its own scripts under `accelerate launch`, through an entry of ours that reports steps as numbers, refuses
 * unknown keys and makes sure that a resumed job resumes.
 */
export const trl: Engine = {
  name: 'trl',
  methods: ['sft', 'dpo', 'kto', 'grpo'],
  packages: transformersPackages,
  render: renderTrl,
  probe: (python, plan) => probeOf(trl, python, plan),
  progressOf: (line) => reportedProgress(line) ?? dictionaryProgress(line),
  lastCheckpoint: lastTransformersCheckpoint,
}

function renderTrl(plan: JobPlan, companions: Companions = {}): Rendering {
  checkMethod(trl, plan)
  checkDataParallel(plan)
  checkVersion(plan)
  const {method} = plan.spec
  const rendered = join(plan.folder, 'rendered')
  const base = baseModel(plan)
  const judge = method === 'grpo' ? judgeClient(plan, companions) : {files: [], environment: {}}
  const entry = pythonFile('train_with_trl.py')
  const keys = withFurtherKeys(trlArguments(plan, base.path), plan)
  const program = [join(rendered, entry.path), method, '--config', join(rendered, `${method}.yaml`)]
  return {
    files: [
      {path: `${method}.yaml`, text: yamlText(keys)},
      {path: 'accelerate.yaml', text: yamlText(accelerateConfig(plan))},
      entry,
      pythonFile('progress.py'),
      ...base.files,
      ...judge.files,
    ],
    steps: [
      ...base.steps,
      {
        name: 'train',
        argv: accelerateLaunch(plan, join(rendered, 'accelerate.yaml'), program),
        environment: transformersEnvironment(plan, judge.environment),
        everyNode: true,
        directory: plan.folder,
      },
    ],
  }
}

function checkVersion({versions}: JobPlan): void {
  const version = versions['trl']
  if (version === undefined || Number.parseInt(version, 10) >= OLDEST) return
  throw refusal(
    `TRL ${version} is installed; its keys differ from those of TRL ${OLDEST}.0 and later, which are rendered.`,
    'Install TRL 1.13 or newer into `environment.python`.',
    {version},
  )
}

function trlArguments(plan: JobPlan, model: string): Arguments {
  const {spec} = plan
  return {
    model_name_or_path: model,
    ...revisionArgument(plan, model),
    dtype: weightType(plan),
    ...lora(plan),
    datasets: [{path: 'parquet', data_files: plan.data.files, split: 'train', ...columns(spec.method)}],
    ...ofMethod[spec.method](plan),
    ...transformersArguments(plan),
    ...recomputation(plan),
  }
}

/** Columns by name, so that a malformed row ends the job instead of being trained on differently. */
function columns(method: JobPlan['spec']['method']): {columns?: string[]} {
  switch (method) {
    case 'sft':
      return {columns: ['prompt', 'completion']}
    case 'dpo':
      return {columns: ['prompt', 'chosen', 'rejected']}
    case 'kto':
      return {columns: ['prompt', 'completion', 'label']}
    case 'grpo':
      // The judge also reads other columns if they exist.
      return {}
  }
}

function lora({spec: {tuning}}: JobPlan): Arguments {
  if (tuning.kind.value === 'full') return {}
  return {
    use_peft: true,
    lora_r: tuning.rank.value,
    lora_alpha: tuning.alpha.value,
    lora_dropout: tuning.dropout.value,
    lora_target_modules: ['all-linear'],
  }
}

const ofMethod: Record<JobPlan['spec']['method'], (plan: JobPlan) => Arguments> = {
  sft: ({spec}) => ({
    // TRL's default is 1024, and silently truncates the rest.
    max_length: spec.hyperparameters.maxLength.value,
    packing: false,
    completion_only_loss: true,
  }),
  dpo: ({spec}) => {
    const {beta, loss, likelihoodWeight} = sectionOf(spec, 'dpo')
    const weight = likelihoodWeight.value
    return {
      max_length: spec.hyperparameters.maxLength.value,
      beta: beta.value,
      loss_type: weight > 0 ? [loss.value, 'sft'] : [loss.value],
      ...(weight > 0 ? {loss_weights: [1, weight]} : {}),
    }
  },
  kto: ({spec}) => {
    const {beta, desirableWeight, undesirableWeight} = sectionOf(spec, 'kto')
    if (spec.hyperparameters.microBatch.value < 2)
      throw refusal(
        '`hyperparameters.microBatch` is 1; KTO compares the rows of a micro-batch with each other.',
        'Set it to 2 or more.',
      )
    return {
      max_length: spec.hyperparameters.maxLength.value,
      beta: beta.value,
      desirable_weight: desirableWeight.value,
      undesirable_weight: undesirableWeight.value,
    }
  },
  grpo: ({spec}) => {
    const {generations, maxCompletionLength, temperature, beta} = sectionOf(spec, 'grpo')
    const batch = spec.hyperparameters.globalBatch.value
    if (batch % generations.value !== 0)
      throw refusal(
        `A step has ${batch} completions, which do not divide into groups of ${generations.value} per prompt.`,
        'Make `hyperparameters.globalBatch` a multiple of `grpo.generations`.',
        {globalBatch: batch, generations: generations.value},
      )
    return {
      reward_funcs: ['ascend_cot_judge.trl.judge_reward'],
      num_generations: generations.value,
      max_completion_length: maxCompletionLength.value,
      temperature: temperature.value,
      beta: beta.value,
    }
  },
}

/** The package is next to the entry script, where Python looks first. */
function judgeClient({spec}: JobPlan, {judgeClient: files = []}: Companions) {
  if (files.length === 0)
    throw refusal("A reward needs the judge's client, which was not provided.", 'Use `ascend-cot train`.')
  const renderedFiles: RenderedFile[] = files.map(({path, text}) => ({path: `python/${path}`, text}))
  return {files: renderedFiles, environment: {JUDGE_URL: sectionOf(spec, 'grpo').judge}}
}
