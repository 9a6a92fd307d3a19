import {describe, expect, test} from 'vitest'
import type {Engine} from '../../../trainers/engines/engine.ts'
import {llamaFactory} from '../../../trainers/engines/llama-factory.ts'
import {mindspeedLlm} from '../../../trainers/engines/mindspeed-llm.ts'
import {msSwift} from '../../../trainers/engines/ms-swift.ts'
import {trl} from '../../../trainers/engines/trl.ts'
import {companions, keysOf, planOf, refusalOf, wordsOf} from './plans.ts'

// What trainers do without a word, and what is rendered against it.

const onTransformers: [Engine, string][] = [
  [trl, 'trl/sft-full-two-nodes'],
  [llamaFactory, 'llama-factory/sft-full'],
  [msSwift, 'ms-swift/sft-full'],
]

for (const [engine, path] of onTransformers) {
  describe(engine.name, () => {
    const plan = planOf(path)
    const hyper = (values: object) => planOf(path, {spec: {hyperparameters: values}})

    test('warm-up is a count of steps, as the share has another name in every version', () => {
      const keys = keysOf(engine, plan)
      expect(keys['warmup_steps']).toBe(4)
      expect(keys).not.toHaveProperty('warmup_ratio')
    })

    test('a constant rate keeps its warm-up', () => {
      expect(keysOf(engine, hyper({schedule: 'constant'}))['lr_scheduler_type']).toBe('constant_with_warmup')
      const none = planOf(path, {
        spec: {hyperparameters: {schedule: 'constant', warmupRatio: 0}},
        plan: {arithmetic: {warmupSteps: 0}},
      })
      expect(keysOf(engine, none)['lr_scheduler_type']).toBe('constant')
    })

    test('a cosine ends where it is said to end', () => {
      const keys = keysOf(engine, plan)
      expect(keys['lr_scheduler_type']).toBe('cosine_with_min_lr')
      expect(keys['lr_scheduler_kwargs']).toEqual({min_lr: 1.25e-7})
      expect(keysOf(engine, hyper({minLearningRate: 0}))['lr_scheduler_type']).toBe('cosine')
      expect(refusalOf(engine, hyper({schedule: 'linear'}))).toMatchObject({code: 'config-invalid'})
    })

    test('the length is always set, and batch, clipping and decay are what is asked', () => {
      const keys = keysOf(engine, plan)
      expect(keys[engine === llamaFactory ? 'cutoff_len' : 'max_length']).toBe(16384)
      expect(keys).toMatchObject({
        per_device_train_batch_size: 1,
        gradient_accumulation_steps: 8,
        max_steps: 400,
        max_grad_norm: 1,
        weight_decay: 0.1,
        adam_beta2: 0.95,
        seed: 42,
      })
    })

    test('a loss that is no number is logged as it is', () => {
      expect(keysOf(engine, plan)['logging_nan_inf_filter']).toBe(false)
    })

    test('a job that goes on says from where, with everything that it needs to', () => {
      const resumed = planOf(path, {plan: {resume: '/jobs/one/output/checkpoint-50'}})
      expect(keysOf(engine, resumed)['resume_from_checkpoint']).toBe('/jobs/one/output/checkpoint-50')
      expect(keysOf(engine, plan)).not.toHaveProperty('resume_from_checkpoint')
      expect(keysOf(engine, resumed)['save_only_model'] ?? false).toBe(false)
    })

    test('nothing is sent anywhere, and nothing is fetched unless it has to be', () => {
      const environment = engine.render(plan).steps.at(-1)?.environment
      expect(environment).toMatchObject({WANDB_MODE: 'offline', HF_HUB_OFFLINE: '1', PYTHONUNBUFFERED: '1'})
      const named = planOf(path, {plan: {model: {path: 'Qwen/Qwen3-8B'}}})
      expect(engine.render(named).steps.at(-1)?.environment).not.toHaveProperty('HF_HUB_OFFLINE')
      expect(keysOf(engine, plan)['report_to']).toMatch(/^(none|tensorboard)$/)
      expect(keysOf(engine, plan)).not.toHaveProperty('push_to_hub')
    })

    test('what the specification says of the environment wins', () => {
      const told = planOf(path, {spec: {environment: {variables: {WANDB_MODE: 'disabled', MINE: '1'}}}})
      expect(engine.render(told).steps.at(-1)?.environment).toMatchObject({WANDB_MODE: 'disabled', MINE: '1'})
    })

    test('a further key joins, unless it would replace what the plan counts on', () => {
      const further = planOf(path, {spec: {trainer: {save_safetensors: true}}})
      expect(keysOf(engine, further)['save_safetensors']).toBe(true)
      const clash = refusalOf(engine, planOf(path, {spec: {trainer: {learning_rate: 1e-4, neftune_noise_alpha: 5}}}))
      expect(clash.message).toContain('learning_rate')
      expect(clash.evidence).toEqual({taken: ['learning_rate']})
    })

    test('layers are not spread, which nobody is left to believe', () => {
      for (const axis of ['tensor', 'pipeline', 'context'])
        expect(refusalOf(engine, planOf(path, {spec: {parallel: {[axis]: 2}}})).evidence).toEqual({axis, degree: 2})
      const sharding = {parallel: {sharding: 'distributed-optimizer'}}
      expect(refusalOf(engine, planOf(path, {spec: sharding})).message).toContain('distributed-optimizer')
    })

    test('an adapter of an earlier job is merged first, before every node trains', () => {
      const {steps, files} = engine.render(planOf(path, {plan: {model: {adapter: '/jobs/sft/output'}}}))
      expect(steps.map(({name, everyNode}) => [name, everyNode])).toEqual([
        ['merge-adapter', false],
        ['train', true],
      ])
      expect(files.map(({path: file}) => file)).toContain('python/merge_adapter.py')
      const adapted = planOf(path, {plan: {model: {adapter: '/jobs/sft/output'}}})
      const keys = keysOf(engine, adapted)
      expect(keys['model_name_or_path'] ?? keys['model']).toBe(`${adapted.folder}/merged`)
    })

    test('the newest whole checkpoint is gone on from', () => {
      const entries = ['checkpoint-50', 'checkpoint-100', 'checkpoint-150'].map((name) => ({path: name}))
      const whole = [{path: 'checkpoint-50/trainer_state.json'}, {path: 'checkpoint-100/trainer_state.json'}]
      const half = [{path: 'checkpoint-150/model.safetensors'}, {path: 'runs/checkpoint-900/trainer_state.json'}]
      expect(engine.lastCheckpoint([...entries, ...whole, ...half])).toBe('checkpoint-100')
      expect(engine.lastCheckpoint(entries)).toBeNull()
      expect(engine.lastCheckpoint([])).toBeNull()
    })

    test('its probe asks the named interpreter for versions and keys', () => {
      const [python, flag, program, name, method, ...packages] = engine.probe('/opt/bin/python', plan)
      expect([python, flag, name, method]).toEqual(['/opt/bin/python', '-c', engine.name, 'sft'])
      expect(program).toContain('metadata.version')
      expect(packages).toEqual(engine.packages)
    })
  })
}

describe('weights', () => {
  const typeOf = (spec: object) => keysOf(trl, planOf('trl/sft-full-two-nodes', {spec: {...spec}}))['dtype']

  test('that are trained at tiny rates are float32, unless somebody keeps a copy of them', () => {
    expect(typeOf({parallel: {sharding: 'none'}})).toBe('float32')
    expect(typeOf({parallel: {sharding: 'fsdp2'}})).toBe('float32')
    expect(typeOf({parallel: {sharding: 'zero3'}})).toBe('bfloat16')
    expect(typeOf({parallel: {sharding: 'none'}, tuning: {kind: 'lora'}})).toBe('bfloat16')
    expect(typeOf({hyperparameters: {precision: 'fp32'}})).toBe('float32')
  })

  test('in float32 do not turn float16 on in ms-swift', () => {
    const keys = keysOf(msSwift, planOf('ms-swift/sft-full', {spec: {parallel: {sharding: 'none'}}}))
    expect(keys).toMatchObject({torch_dtype: 'float32', bf16: true, fp16: false})
  })

  test('are not promised in float32 by LLaMA-Factory', () => {
    const plan = planOf('llama-factory/sft-full', {spec: {hyperparameters: {precision: 'fp32'}}})
    expect(refusalOf(llamaFactory, plan).fix).toContain('bf16')
  })
})

describe('TRL', () => {
  const sft = (spec: object = {}) => planOf('trl/sft-full-two-nodes', {spec: {...spec}})

  test('rows by name, so that none of another form is trained on, and prompts without loss', () => {
    const keys = keysOf(trl, sft())
    expect(keys['datasets']).toMatchObject([{path: 'parquet', split: 'train', columns: ['prompt', 'completion']}])
    expect(keys).toMatchObject({completion_only_loss: true, packing: false})
  })

  test('its own script under our entry, one of its scripts for each method', () => {
    const words = wordsOf(trl, planOf('trl/kto'), 'train')
    const at = words.findIndex((word) => word.endsWith('python/train_with_trl.py'))
    expect(words.slice(1, 3)).toEqual(['-m', 'accelerate.commands.launch'])
    expect(words.slice(at + 1, at + 3)).toEqual(['kto', '--config'])
  })

  test('a dropout that is not asked for is none, where its own default has some', () => {
    expect(keysOf(trl, sft({tuning: {kind: 'lora'}}))).toMatchObject({
      use_peft: true,
      lora_r: 16,
      lora_alpha: 32,
      lora_dropout: 0,
      lora_target_modules: ['all-linear'],
    })
  })

  test('DPO: the likelihood of the chosen reply joins the loss only where it is asked for', () => {
    const dpo = (values: object) => keysOf(trl, planOf('trl/dpo-after-lora-resumed', {spec: {dpo: values}}))
    expect(dpo({likelihoodWeight: 0})).toMatchObject({beta: 0.1, loss_type: ['sigmoid']})
    expect(dpo({likelihoodWeight: 0})).not.toHaveProperty('loss_weights')
    expect(dpo({loss: 'ipo'})).toMatchObject({loss_type: ['ipo', 'sft'], loss_weights: [1, 0.2]})
  })

  test('KTO wants more than one row at a time', () => {
    expect(refusalOf(trl, planOf('trl/kto', {spec: {hyperparameters: {microBatch: 1}}})).fix).toContain('2 or more')
  })

  test('GRPO: rewards come from the judge, whose client goes along', () => {
    const {steps} = trl.render(planOf('trl/grpo'), companions)
    expect(steps.at(-1)?.environment).toMatchObject({JUDGE_URL: 'http://10.0.0.7:8077'})
    expect(keysOf(trl, planOf('trl/grpo'))['reward_funcs']).toEqual(['ascend_cot_judge.trl.judge_reward'])
    expect(refusalOf(trl, planOf('trl/grpo')).message).toContain('client')
  })

  test('GRPO: a step holds whole groups', () => {
    const uneven = planOf('trl/grpo', {spec: {grpo: {generations: 7}}})
    expect(() => trl.render(uneven, companions)).toThrow(/64 completions.*groups of 7/)
  })

  test('recomputation has the name that the installed transformers knows', () => {
    const on = (versions: object) => keysOf(trl, planOf('trl/sft-full-two-nodes', {plan: {versions}}))
    expect(on({transformers: '5.23.0'})).toMatchObject({
      gradient_checkpointing: true,
      gradient_checkpointing_kwargs: {use_reentrant: false},
    })
    expect(on({transformers: '6.0.0'})).toMatchObject({activation_checkpointing: true})
    expect(on({transformers: '6.0.0'})).not.toHaveProperty('gradient_checkpointing')
    const off = {spec: {hyperparameters: {gradientCheckpointing: false}}, plan: {versions: {transformers: '5.0.0'}}}
    expect(keysOf(trl, planOf('trl/sft-full-two-nodes', off))['gradient_checkpointing']).toBe(false)
  })

  test('an older TRL with other keys is refused', () => {
    const old = planOf('trl/kto', {plan: {versions: {trl: '0.24.0'}}})
    expect(refusalOf(trl, old)).toMatchObject({code: 'config-invalid', evidence: {version: '0.24.0'}})
  })

  test('a revision is that of the named model, not of one that was merged', () => {
    const revision = {model: {revision: 'abc'}}
    expect(keysOf(trl, sft(revision))['model_revision']).toBe('abc')
    const merged = planOf('trl/sft-full-two-nodes', {spec: revision, plan: {model: {adapter: '/jobs/sft/output'}}})
    expect(keysOf(trl, merged)).not.toHaveProperty('model_revision')
  })
})

describe('LLaMA-Factory', () => {
  const plan = planOf('llama-factory/sft-full')

  test('a finished part of a run is neither deleted nor begun anew', () => {
    expect(keysOf(llamaFactory, plan)['overwrite_output_dir']).toBe(false)
  })

  test('thoughts are kept, and none is trained to be empty', () => {
    expect(keysOf(llamaFactory, plan)).toMatchObject({template: 'qwen3', enable_thinking: null})
    const plain = planOf('llama-factory/sft-full', {spec: {model: {thinking: false}}})
    expect(keysOf(llamaFactory, plain)['template']).toBe('qwen3_nothink')
    expect(keysOf(llamaFactory, plain)).not.toHaveProperty('enable_thinking')
  })

  test('every file of rows is described', () => {
    const many = planOf('llama-factory/dpo-lora-sharded')
    const info = llamaFactory.render(many).files.find(({path}) => path === 'dataset_info.json')
    const described = JSON.parse(info?.text ?? '{}') as Record<string, {file_name: string; ranking?: boolean}>
    expect(Object.values(described).map(({file_name}) => file_name)).toEqual(many.data.files)
    expect(Object.values(described).every(({ranking}) => ranking === true)).toBe(true)
    expect(keysOf(llamaFactory, many)['dataset']).toBe(Object.keys(described).join(','))
  })

  test('methods that are not driven here are refused', () => {
    for (const engine of [llamaFactory, msSwift, mindspeedLlm]) {
      const kto = planOf('trl/kto', {spec: {engine: engine.name}})
      expect(refusalOf(engine, kto)).toMatchObject({
        code: 'config-invalid',
        fix: expect.stringContaining('engine: trl'),
      })
    }
  })
})

describe('ms-swift', () => {
  const plan = planOf('ms-swift/sft-full')

  test('rows that do not fit end the job, models come from the Hub, checkpoints lie where they are looked for', () => {
    expect(keysOf(msSwift, plan)).toMatchObject({strict: true, use_hf: true, add_version: false, disable_tqdm: true})
  })

  test('a folder of weights is told its template', () => {
    expect(keysOf(msSwift, plan)['template']).toBe('qwen3')
    const plain = planOf('ms-swift/sft-full', {spec: {model: {thinking: false}}})
    expect(keysOf(msSwift, plain)['template']).toBe('qwen3_nothinking')
  })

  test('and its model, as rerankers have the same architecture; a name says it by itself', () => {
    expect(keysOf(msSwift, plan)['model_type']).toBe('qwen3')
    const mixture = {model: {shape: {architecture: 'Qwen3MoeForCausalLM'}}}
    expect(keysOf(msSwift, planOf('ms-swift/sft-full', {plan: mixture}))['model_type']).toBe('qwen3_moe')
    const named = planOf('ms-swift/sft-full', {plan: {model: {path: 'Qwen/Qwen3-8B', shape: null}}})
    expect(keysOf(msSwift, named)).not.toHaveProperty('model_type')
    const unknown = planOf('ms-swift/sft-full', {plan: {model: {shape: null}}})
    expect(refusalOf(msSwift, unknown).message).toContain('/models/Qwen3-8B')
  })

  test('several processes meet where the backend says', () => {
    expect(msSwift.render(plan).steps.at(-1)?.environment).toMatchObject({
      NPROC_PER_NODE: '8',
      NNODES: '2',
      NODE_RANK: {rendezvous: 'node-rank'},
      MASTER_ADDR: {rendezvous: 'master-address'},
      MASTER_PORT: {rendezvous: 'master-port'},
    })
  })
})
