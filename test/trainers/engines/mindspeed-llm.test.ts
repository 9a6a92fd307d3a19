import {describe, expect, test} from 'vitest'
import {mindspeedLlm} from '../../../trainers/engines/mindspeed-llm.ts'
import {planOf, refusalOf, wordsOf} from './plans.ts'

/** What follows a flag. */
const valueOf = (words: readonly string[], flag: string) => words[words.indexOf(flag) + 1]

describe('MindSpeed-LLM', () => {
  const fresh = planOf('mindspeed-llm/dpo-8b')
  const resumed = planOf('mindspeed-llm/dpo-8b-resumed')
  const forgetting = ['--finetune', '--no-load-optim', '--no-load-rng']

  test('a fresh job forgets the state of what it loads; one that goes on does not', () => {
    expect(wordsOf(mindspeedLlm, fresh, 'train')).toEqual(expect.arrayContaining(forgetting))
    const words = wordsOf(mindspeedLlm, resumed, 'train')
    expect(words.filter((word) => [...forgetting, '--enable-hf2mg-convert'].includes(word))).toEqual([])
    expect(valueOf(words, '--load')).toBe(resumed.output)
    expect(mindspeedLlm.render(resumed).steps.map(({name}) => name)).toEqual(['train'])
  })

  test('the reference of a preference loss stays with the initial weights', () => {
    const words = wordsOf(mindspeedLlm, resumed, 'train')
    expect(valueOf(words, '--ref-model')).toBe(
      valueOf(wordsOf(mindspeedLlm, fresh, 'convert'), '--save-dir')?.replace('8b', '8b-resumed'),
    )
    expect(valueOf(words, '--refer-model-iter')).toBe('1')
    expect(words).not.toContain('--ckpt-step')
  })

  test('full fine-tuning goes on from the step that is named, an adapter on top of the initial weights', () => {
    const full = planOf('mindspeed-llm/sft-32b', {plan: {resume: '/jobs/one/output/iter_0000150'}})
    expect(valueOf(wordsOf(mindspeedLlm, full, 'train'), '--ckpt-step')).toBe('150')
    const adapter = planOf('mindspeed-llm/sft-lora-resumed')
    const words = wordsOf(mindspeedLlm, adapter, 'train')
    expect([valueOf(words, '--load'), valueOf(words, '--lora-load')]).toEqual([
      `${adapter.folder}/megatron`,
      adapter.output,
    ])
    const foreign = planOf('mindspeed-llm/sft-32b', {plan: {resume: '/jobs/one/output/checkpoint-150'}})
    expect(refusalOf(mindspeedLlm, foreign).message).toContain('checkpoint-150')
  })

  test('checkpoints are written on the way, not at the end alone', () => {
    const words = wordsOf(mindspeedLlm, fresh, 'train')
    expect([valueOf(words, '--save-interval'), valueOf(words, '--train-iters')]).toEqual(['50', '150'])
  })

  test('the shape is that of the model, tied or not', () => {
    const words = wordsOf(mindspeedLlm, planOf('mindspeed-llm/sft-32b'), 'train')
    expect([valueOf(words, '--num-layers'), valueOf(words, '--ffn-hidden-size')]).toEqual(['64', '25600'])
    expect(words).toContain('--untie-embeddings-and-output-weights')
    const small = wordsOf(mindspeedLlm, planOf('mindspeed-llm/sft-lora-resumed'), 'train')
    expect(small).not.toContain('--untie-embeddings-and-output-weights')
  })

  test('an adapter has the rank and alpha of the specification', () => {
    const words = wordsOf(
      mindspeedLlm,
      planOf('mindspeed-llm/sft-lora-resumed', {spec: {tuning: {rank: 8, alpha: 24}}}),
      'train',
    )
    expect([valueOf(words, '--lora-r'), valueOf(words, '--lora-alpha')]).toEqual(['8', '24'])
  })

  test('rows of each method by their handler, thoughts as they are', () => {
    const pairs = wordsOf(mindspeedLlm, fresh, 'preprocess')
    expect(valueOf(pairs, '--handler-name')).toBe('AlpacaStylePairwiseHandler')
    expect(JSON.parse(valueOf(pairs, '--map-keys') ?? '')).toEqual({prompt: 'question', query: '', system: 'system'})
    const rows = wordsOf(mindspeedLlm, planOf('mindspeed-llm/sft-32b'), 'preprocess')
    expect(valueOf(rows, '--handler-name')).toBe('AlpacaStyleInstructionHandler')
    expect(rows).not.toContain('--map-keys')
    expect([valueOf(rows, '--prompt-type'), valueOf(rows, '--enable-thinking')]).toEqual(['qwen3', 'none'])
    expect(valueOf(rows, '--output-prefix')).toBe(
      valueOf(wordsOf(mindspeedLlm, planOf('mindspeed-llm/sft-32b'), 'train'), '--data-path'),
    )
  })

  test('a flag of the specification joins, one that is set already is refused', () => {
    expect(wordsOf(mindspeedLlm, fresh, 'train')).toContain('--overlap-grad-reduce')
    const clash = planOf('mindspeed-llm/dpo-8b', {spec: {trainer: {'seq-length': 4096}}})
    expect(refusalOf(mindspeedLlm, clash).evidence).toEqual({taken: ['seq-length']})
  })

  const bad: [string, object][] = [
    ['no checkout', {spec: {environment: {checkout: undefined}}}],
    ['no Ascend device', {spec: {hardware: {accelerator: 'nvidia'}}}],
    ['fp32', {spec: {hyperparameters: {precision: 'fp32'}}}],
    ['zero3', {spec: {parallel: {sharding: 'zero3'}}}],
    ['dropout', {spec: {tuning: {kind: 'lora', dropout: 0.1}}}],
    ['adapter', {plan: {model: {adapter: '/jobs/sft/output'}}}],
    ['config.json', {plan: {model: {shape: null}}}],
    ['config.json', {plan: {model: {path: 'Qwen/Qwen3-8B'}}}],
    ['one file', {plan: {data: {files: ['/a.parquet', '/b.parquet']}}}],
  ]
  test.each(bad)('refuses, and says what to do: %s', (_, change) => {
    const error = refusalOf(mindspeedLlm, planOf('mindspeed-llm/dpo-8b', change))
    expect(error).toMatchObject({code: 'config-invalid', scope: 'run'})
    expect(error.fix.length).toBeGreaterThan(20)
  })

  test('the checkpoint is the one that the marker names, if it is there', () => {
    const marker = {path: 'latest_checkpointed_iteration.txt', text: '100\n'}
    const folders = [{path: 'iter_0000050'}, {path: 'iter_0000100/mp_rank_00'}, {path: 'iter_0000150'}]
    expect(mindspeedLlm.lastCheckpoint([...folders, marker])).toBe('iter_0000100')
    expect(mindspeedLlm.lastCheckpoint(folders)).toBeNull()
    expect(mindspeedLlm.lastCheckpoint([marker])).toBeNull()
    expect(mindspeedLlm.lastCheckpoint([...folders, {...marker, text: 'release'}])).toBeNull()
  })
})
