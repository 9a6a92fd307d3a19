import {describe, expect, test} from 'vitest'
import {megatronProgress} from '../../../trainers/engines/mindspeed-llm.ts'
import {dictionaryProgress, jsonProgress, numberOf, reportedProgress} from '../../../trainers/engines/progress-lines.ts'

const none = {step: 1, total: 0, loss: null, learningRate: null, gradientNorm: null, metrics: {}}

describe('numbers', () => {
  test.each<[unknown, number | null]>([
    [0, 0],
    ['0', 0],
    [' 1e-6 ', 1e-6],
    ['', null],
    [' ', null],
    ['nan', null],
    [Number.NaN, null],
    [Infinity, null],
    ['Infinity', null],
    ['x', null],
    [true, null],
    [null, null],
    [undefined, null],
  ])('%j is %j', (value, number) => {
    expect(numberOf(value)).toBe(number)
  })
})

describe('lines of JSON', () => {
  test.each<[string, object | null]>([
    ['{"step": 1, "loss": 0.5}', {...none, loss: 0.5}],
    [
      '{"current_steps": 2, "total_steps": 9, "loss": "nan", "lr": 1e-5}',
      {...none, step: 2, total: 9, learningRate: 1e-5},
    ],
    [
      '{"global_step": 3, "max_steps": 8, "loss": 1, "learning_rate": 2, "grad_norm": 3}',
      {
        ...{step: 3, total: 8, loss: 1, learningRate: 2, gradientNorm: 3, metrics: {}},
      },
    ],
    ['{"global_step/max_steps": "4/7", "step": 1, "loss": 1}', {...none, step: 4, total: 7, loss: 1}],
    ['{"global_step/max_steps": "4", "step": 1, "loss": 1}', {...none, loss: 1}],
    ['{"step": 1, "loss": NaN, "a": -Infinity, "b": 2, "c": "x", "d": "3"}', {...none, metrics: {b: 2, d: 3}}],
    ['{"step": 0, "loss": 1}', {...none, step: 0, loss: 1}],
    ['{"step": 1}', null],
    ['{"loss": 1}', null],
    ['{"step": 1, "loss": 1', null],
    ['{"step": "x", "loss": 1}', null],
    [' {"step": 1, "loss": 1}', null],
    ['"step"', null],
  ])('%s', (line, progress) => {
    expect(jsonProgress(line)).toEqual(progress)
  })
})

test('a report of ours stands at the end of its line', () => {
  expect(reportedProgress('[rank0] PROGRESS {"step": 1, "loss": 2} ')).toEqual({...none, loss: 2})
  expect(reportedProgress('PROGRESS {"step": 1, "loss": 2} and more')).toBeNull()
  expect(reportedProgress('NOPROGRESS {"step": 1, "loss": 2}')).toBeNull()
  expect(reportedProgress('PROGRESS {null}')).toBeNull()
})

describe('a dictionary of Python', () => {
  test.each<[string, object | null]>([
    ["{'loss': 0.5, 'step': 1}", {...none, loss: 0.5}],
    ["  3%|▎ | 1/30 {'loss': '0.5', 'step': \"1\", 'epoch': 0.1}", {...none, loss: 0.5, metrics: {epoch: 0.1}}],
    ["{'loss': nan, 'step': 1}", none],
    ["{'loss': 1, 'step': 1} trailing", null],
    ['{"loss": 1}', null],
    ["{'eval_loss': 1, 'step': 1}", null],
  ])('%s', (line, progress) => {
    expect(dictionaryProgress(line)).toEqual(progress)
  })
})

describe('a line of Megatron', () => {
  test('says its step and what stands in its parts', () => {
    const line =
      ' [2026-01-01] iteration   12/ 150 | consumed samples: 64 | elapsed time per iteration (ms): 7.5 | ' +
      'learning rate: 1.000000E-06 | global batch size: 64 | lm loss: 7.5E-01 | loss scale: 1.0 | ' +
      'grad norm: 2.5 | done |'
    expect(megatronProgress(line)).toEqual({
      ...{step: 12, total: 150, loss: 0.75, learningRate: 1e-6, gradientNorm: 2.5},
      metrics: {
        'consumed samples': 64,
        'elapsed time per iteration (ms)': 7.5,
        'global batch size': 64,
        'loss scale': 1,
      },
    })
  })

  test('may lack a loss, and parts that are no numbers say nothing', () => {
    expect(megatronProgress('iteration 1/ 9 | lm loss: nan | state: warm | a:3 | : 4 |')).toEqual({
      ...{step: 1, total: 9, loss: null, learningRate: null, gradientNorm: null, metrics: {a: 3}},
    })
    expect(megatronProgress('iteration 1/ 9 |:4|no colon|')?.metrics).toEqual({})
    expect(megatronProgress('iteration 1 of 9 | lm loss: 1 |')).toBeNull()
    expect(megatronProgress('validation loss at iteration 10: 3')).toBeNull()
  })
})
