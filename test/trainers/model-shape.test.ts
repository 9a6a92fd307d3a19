import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {readShape} from '../../trainers/find-model.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

async function shapeOf(config: object | string) {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'config.json'), typeof config === 'string' ? config : JSON.stringify(config))
  return readShape(folder)
}

// Qwen/Qwen3-0.6B, Qwen3-8B and Qwen3-30B-A3B as their config.json files have them.
const small = {
  architectures: ['Qwen3ForCausalLM'],
  head_dim: 128,
  hidden_size: 1024,
  intermediate_size: 3072,
  num_attention_heads: 16,
  num_hidden_layers: 28,
  num_key_value_heads: 8,
  rope_theta: 1_000_000,
  tie_word_embeddings: true,
  vocab_size: 151_936,
  max_position_embeddings: 40_960,
}
const middle = {
  ...small,
  hidden_size: 4096,
  intermediate_size: 12_288,
  num_attention_heads: 32,
  num_hidden_layers: 36,
  tie_word_embeddings: false,
}
const mixture = {
  ...small,
  architectures: ['Qwen3MoeForCausalLM'],
  hidden_size: 2048,
  intermediate_size: 6144,
  num_attention_heads: 32,
  num_hidden_layers: 48,
  num_key_value_heads: 4,
  tie_word_embeddings: false,
  num_experts: 128,
  num_experts_per_tok: 8,
  moe_intermediate_size: 768,
}

describe('the shape of a model', () => {
  // The counts that the model cards round: 0.6, 8.2 and 30.5 billion.
  test.each([
    ['Qwen3-0.6B', small, 596_049_920],
    ['Qwen3-8B', middle, 8_190_735_360],
    ['Qwen3-30B-A3B', mixture, 30_532_122_624],
  ])('%s has all its weights', async (_, config, parameters) => {
    expect((await shapeOf(config))?.parameters).toBe(parameters)
  })

  test('is what its config.json says', async () => {
    expect(await shapeOf(mixture)).toEqual({
      architecture: 'Qwen3MoeForCausalLM',
      layers: 48,
      hidden: 2048,
      feedForward: 6144,
      heads: 32,
      keyValueHeads: 4,
      headSize: 128,
      vocabulary: 151_936,
      tiedEmbeddings: false,
      context: 40_960,
      ropeTheta: 1_000_000,
      experts: 128,
      expertsPerToken: 8,
      expertFeedForward: 768,
      parameters: 30_532_122_624,
    })
  })

  test('follows transformers where a key is left out', async () => {
    const least = {
      architectures: ['A', 'B'],
      num_hidden_layers: 1,
      hidden_size: 65,
      num_attention_heads: 4,
      vocab_size: 10,
    }
    expect(await shapeOf({...least, head_dim: null, num_experts: null, rope_parameters: null})).toMatchObject({
      architecture: 'A',
      feedForward: 0,
      keyValueHeads: 4,
      headSize: 16,
      tiedEmbeddings: true,
      ropeTheta: 10_000,
      context: null,
      experts: 0,
      expertsPerToken: 0,
      expertFeedForward: 0,
    })
    expect(await shapeOf({...least, rope_parameters: {rope_theta: 7}})).toMatchObject({ropeTheta: 7})
    const stretched = {rope_type: 'yarn', factor: 4, original_max_position_embeddings: 32_768}
    expect(await shapeOf({...small, rope_scaling: stretched})).toMatchObject({context: 131_072})
    expect(await shapeOf({...small, rope_parameters: stretched})).toMatchObject({context: 131_072})
    expect(await shapeOf({...least, rope_theta: 5, rope_parameters: {rope_theta: 7}})).toMatchObject({ropeTheta: 5})
  })
})

describe('a folder', () => {
  test('without config.json has none', async () => {
    expect(await readShape(await temporaryFolder())).toBeNull()
  })

  test('that cannot be read is an error of the system', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'config.json'))
    await expect(readShape(folder)).rejects.toMatchObject({code: 'EISDIR'})
  })

  test.each<[object | string, string]>([
    ['{', 'file: '],
    ['[]', 'file: '],
    [{...small, hidden_size: 0}, 'hidden_size: '],
    [{...small, architectures: []}, 'architectures: '],
    [{...small, num_experts: -1, vocab_size: 'x'}, 'vocab_size: .*; num_experts: '],
    [{...small, rope_parameters: {rope_theta: 0}}, 'rope_parameters.rope_theta: '],
  ])('with %j describes no model', async (config, problem) => {
    await expect(shapeOf(config)).rejects.toMatchObject({
      code: 'input-invalid',
      scope: 'run',
      message: expect.stringMatching(
        new RegExp(`config.json does not describe a language model: ${problem}`),
      ) as string,
    })
  })
})
