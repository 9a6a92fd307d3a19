import {expect, test} from 'vitest'
import {serverCommand, type Serving} from '../../../trainers/serving/server.ts'

const serving: Serving = {
  model: '/jobs/sft/checkpoint-150',
  adapter: null,
  name: 'kernelgen-32b',
  host: '127.0.0.1',
  port: 8000,
  tensorParallel: 8,
  maxLength: 32_768,
  thinking: true,
  seed: 0,
}

const wordsAfter = (argv: readonly string[], flag: string) => argv[argv.indexOf(flag) + 1]

test('vLLM serves a checkpoint under the name that clients ask for', () => {
  const {argv, environment, model} = serverCommand('vllm', '/envs/vllm/bin/python', serving)
  expect(argv.slice(0, 5)).toEqual(['/envs/vllm/bin/python', '-m', 'vllm.entrypoints.cli.main', 'serve', serving.model])
  expect([model, wordsAfter(argv, '--served-model-name')]).toEqual(['kernelgen-32b', 'kernelgen-32b'])
  expect(wordsAfter(argv, '--tensor-parallel-size')).toBe('8')
  expect(wordsAfter(argv, '--max-model-len')).toBe('32768')
  expect(wordsAfter(argv, '--reasoning-parser')).toBe('qwen3')
  // A checkpoint's own generation_config.json would override what an evaluation asks for.
  expect(wordsAfter(argv, '--generation-config')).toBe('vllm')
  expect(environment).toEqual({HF_HUB_OFFLINE: '1'})
})

test('a model of the Hub may be asked for there', () => {
  expect(serverCommand('vllm', 'python3', {...serving, model: 'Qwen/Qwen3-32B'}).environment).toEqual({})
})

test('a model without think blocks has none to tell apart, and a length is the model’s own where none is given', () => {
  const {argv} = serverCommand('vllm', 'python3', {...serving, thinking: false, maxLength: null})
  expect(argv).not.toContain('--reasoning-parser')
  expect(argv).not.toContain('--max-model-len')
})

test('an adapter is served beside its base, whose name is not taken', () => {
  const {argv, model} = serverCommand('vllm', 'python3', {...serving, adapter: '/jobs/lora/checkpoint-9'})
  expect(argv.slice(-3)).toEqual(['--enable-lora', '--lora-modules', 'kernelgen-32b=/jobs/lora/checkpoint-9'])
  expect(argv).not.toContain('--served-model-name')
  expect(model).toBe('kernelgen-32b')
})

test('vllm-ascend starts its workers as processes', () => {
  const ascend = serverCommand('vllm-ascend', 'python3', serving).argv
  expect(wordsAfter(ascend, '--distributed-executor-backend')).toBe('mp')
  expect(serverCommand('vllm', 'python3', serving).argv).not.toContain('--distributed-executor-backend')
})

test('transformers serves one folder under its path, an adapter for its base, on one device', () => {
  const small = {...serving, tensorParallel: 1}
  const {argv, model} = serverCommand('transformers', 'python3', small)
  expect(argv.slice(3)).toEqual([
    ...['serve', serving.model, '--host', '127.0.0.1', '--port', '8000', '--default-seed', '0'],
  ])
  expect(model).toBe(serving.model)
  expect(serverCommand('transformers', 'python3', {...small, adapter: '/jobs/lora'}).model).toBe('/jobs/lora')
  expect(() => serverCommand('transformers', 'python3', serving)).toThrow(/one device, but 8 were requested/)
})
