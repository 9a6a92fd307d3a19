import {describe, expect, test} from 'vitest'
import {llamaFactory} from '../../../trainers/engines/llama-factory.ts'
import {mindspeedLlm} from '../../../trainers/engines/mindspeed-llm.ts'
import {msSwift} from '../../../trainers/engines/ms-swift.ts'
import {trl} from '../../../trainers/engines/trl.ts'
import {engines} from './plans.ts'

// Lines as trainers write them, in all their ways of writing numbers.

describe('the reports of our own programs', () => {
  const line =
    'PROGRESS {"step": 3, "total": 150, "loss": 0.6875, "grad_norm": 1.5, "learning_rate": 1e-06, "epoch": 0.02}'

  for (const engine of [trl, llamaFactory])
    test(`${engine.name}: numbers under one name each`, () => {
      expect(engine.progressOf(line)).toEqual({
        step: 3,
        total: 150,
        loss: 0.6875,
        learningRate: 1e-6,
        gradientNorm: 1.5,
        metrics: {epoch: 0.02},
      })
    })

  test('what stands before them on the line does not matter', () => {
    expect(trl.progressOf(`[rank0]: ${line}`)).toMatchObject({step: 3})
  })

  test('a loss that is no number is null', () => {
    expect(trl.progressOf('PROGRESS {"step": 4, "total": 150, "loss": null}')).toMatchObject({step: 4, loss: null})
  })

  test('a report that was cut off is none', () => {
    expect(trl.progressOf(line.slice(0, 40))).toBeNull()
    expect(trl.progressOf('PROGRESS {"step": 3, "total": 150, "lo}')).toBeNull()
  })
})

describe('ms-swift', () => {
  const rest = "'elapsed_time': '5s', 'remaining_time': '30s', 'memory(GiB)': 12.5, 'train_speed(s/it)': 2.5"

  test('a dictionary of Python, with the step as a fraction', () => {
    const line = `{'loss': 2.25, 'grad_norm': 3.5, 'learning_rate': 1e-06, 'token_acc': 0.5, 'global_step/max_steps': '2/14', ${rest}}`
    expect(msSwift.progressOf(line)).toEqual({
      step: 2,
      total: 14,
      loss: 2.25,
      learningRate: 1e-6,
      gradientNorm: 3.5,
      metrics: {token_acc: 0.5, 'memory(GiB)': 12.5, 'train_speed(s/it)': 2.5},
    })
  })

  test('numbers in quotes, as transformers writes them from 5.18 on', () => {
    const line =
      "{'loss': '0.6875', 'learning_rate': '1e-06', 'rewards/margins': '0', 'global_step/max_steps': '1/150'}"
    expect(msSwift.progressOf(line)).toMatchObject({step: 1, loss: 0.6875, metrics: {'rewards/margins': 0}})
  })

  test('a bar of progress before it', () => {
    const line = "Train:   7%|▋         | 1/14 [00:02<00:26]{'loss': 2.5, 'global_step/max_steps': '1/14'}"
    expect(msSwift.progressOf(line)).toMatchObject({step: 1, total: 14, loss: 2.5})
  })

  test('nan and inf are null', () => {
    const line = "{'loss': nan, 'grad_norm': inf, 'learning_rate': 0.0, 'global_step/max_steps': '3/14'}"
    expect(msSwift.progressOf(line)).toMatchObject({step: 3, loss: null, gradientNorm: null, learningRate: 0})
  })

  test('`logging.jsonl`', () => {
    const line = '{"loss": NaN, "grad_norm": -Infinity, "learning_rate": 1e-06, "global_step/max_steps": "3/14"}'
    expect(msSwift.progressOf(line)).toMatchObject({
      step: 3,
      total: 14,
      loss: null,
      gradientNorm: null,
      learningRate: 1e-6,
    })
  })
})

test('LLaMA-Factory: `trainer_log.jsonl`', () => {
  const line =
    '{"current_steps": 10, "total_steps": 150, "loss": 0.69, "accuracy": 0.5, "lr": 5e-07, "epoch": 0.1, "percentage": 6.67, "elapsed_time": "0:00:10", "remaining_time": "0:02:20"}'
  expect(llamaFactory.progressOf(line)).toEqual({
    step: 10,
    total: 150,
    loss: 0.69,
    learningRate: 5e-7,
    gradientNorm: null,
    metrics: {accuracy: 0.5, epoch: 0.1, percentage: 6.67},
  })
})

describe('MindSpeed-LLM', () => {
  const line =
    ' [2026-11-02 10:31:07] iteration        1/     150 | consumed samples:           64 | elapsed time per iteration (ms): 5012.3 | ' +
    'learning rate: 1.000000E-06 | global batch size:    64 | lm loss: 6.875000E-01 | rewards/accuracies: 5.000000E-01 | ' +
    'loss scale: 1.0 | grad norm: 2.345 | number of skipped iterations:   0 | number of nan iterations:   0 |'

  test('a line of an iteration', () => {
    expect(mindspeedLlm.progressOf(line)).toEqual({
      step: 1,
      total: 150,
      loss: 0.6875,
      learningRate: 1e-6,
      gradientNorm: 2.345,
      metrics: {
        'consumed samples': 64,
        'elapsed time per iteration (ms)': 5012.3,
        'global batch size': 64,
        'rewards/accuracies': 0.5,
        'loss scale': 1,
        'number of skipped iterations': 0,
        'number of nan iterations': 0,
      },
    })
  })

  test('a loss that is no number', () => {
    expect(mindspeedLlm.progressOf(line.replace('6.875000E-01', 'nan'))).toMatchObject({step: 1, loss: null})
  })

  test('an iteration that was skipped has no loss', () => {
    const skipped = line.replace(/lm loss[^|]*\| /, '').replace(/grad norm[^|]*\| /, '')
    expect(mindspeedLlm.progressOf(skipped)).toMatchObject({step: 1, loss: null, gradientNorm: null})
  })
})

test('other lines report nothing', () => {
  const lines = [
    '',
    'Loading weights: 100%|██████████| 25/25 [00:00<00:00, 812.00it/s]',
    '{"train_runtime": 12.5, "step": 150, "total": 150}',
    "{'train_runtime': '12.5', 'train_loss': '0.5', 'epoch': '1'}",
    "{'eval_loss': 0.5, 'global_step/max_steps': '10/14'}",
    '[1, 2]',
    'W1121 torch/distributed/run.py:852] {"loss": 1}',
    ' validation loss at iteration 150 | lm loss value: 6.9E-01 | lm loss PPL: 2.0E+00 |',
  ]
  for (const engine of engines) expect(lines.map((line) => engine.progressOf(line))).toEqual(lines.map(() => null))
})
