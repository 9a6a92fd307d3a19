import {describe, expect, test} from 'vitest'
import type {ModelShape} from '../../trainers/plan.ts'
import type {CheckedJob} from '../../trainers/preflight/checked-job.ts'
import {resourceChecks} from '../../trainers/preflight/resources.ts'

const gibibyte = 2 ** 30
/** A billion weights, in a shape whose sums can be done by hand. */
const shape = {
  parameters: 1e9,
  hidden: 1000,
  heads: 10,
  keyValueHeads: 2,
  headSize: 100,
  feedForward: 3000,
  layers: 10,
  experts: 0,
  expertFeedForward: 0,
  vocabulary: 50_000,
} as ModelShape

interface Given {
  shape?: ModelShape | null
  method?: string
  kind?: 'full' | 'lora'
  keep?: number
  freeBytes?: number | null
  memoryBytes?: number
  sharding?: string
  dataParallel?: number
  tensor?: number
  pipeline?: number
  expert?: number
  context?: number
  microBatch?: number
  checkpointing?: boolean
}

function checked(given: Given) {
  const value = <T>(one: T) => ({value: one})
  const job = {
    facts: {freeBytes: given.freeBytes === undefined ? null : given.freeBytes},
    plan: {
      output: '/out',
      model: {path: '/model', shape: given.shape === undefined ? shape : given.shape},
      arithmetic: {dataParallel: given.dataParallel ?? 1},
      spec: {
        method: given.method ?? 'sft',
        tuning: {kind: value(given.kind ?? 'full'), rank: value(8)},
        checkpoints: {keep: given.keep ?? 1},
        hardware: {memoryGib: (given.memoryBytes ?? 0) / gibibyte},
        hyperparameters: {
          maxLength: value(1000),
          microBatch: value(given.microBatch ?? 1),
          gradientCheckpointing: value(given.checkpointing ?? true),
        },
        parallel: {
          tensor: value(given.tensor ?? 1),
          pipeline: value(given.pipeline ?? 1),
          expert: value(given.expert ?? 1),
          context: value(given.context ?? 1),
          sharding: value(given.sharding ?? 'none'),
        },
      },
    },
  }
  return resourceChecks(job as unknown as CheckedJob)
}

const codes = (given: Given) => checked(given).map(({code, severity}) => `${code} ${severity}`)

test('a model whose shape is not known is noted, and nothing is foreseen', () => {
  expect(codes({shape: null, freeBytes: 1, memoryBytes: 1})).toEqual(['shape-unknown note'])
})

describe('the disk', () => {
  test('holds the kept checkpoints and the one being written, fourteen bytes a weight', () => {
    expect(codes({keep: 2, freeBytes: 42e9})).toEqual([])
    expect(codes({keep: 2, freeBytes: 42e9 - 1})).toEqual(['disk-short error'])
    expect(codes({keep: 2, freeBytes: null})).toEqual([])
  })
  test('says how many would fit', () => {
    expect(checked({keep: 5, freeBytes: 42e9})[0]?.fix).toContain('checkpoints.keep=2')
    expect(checked({keep: 5, freeBytes: 28e9})[0]?.fix).toContain('checkpoints.keep=1')
    expect(checked({keep: 5, freeBytes: 28e9 - 1})[0]?.fix).toMatch(/^Free some space, or/)
  })
  test('holds of adapters what stands beside each linear layer', () => {
    // Rank 8 in 10 layers: attention 2·(1000 + 1000) + 2·(1000 + 200), and 3·(1000 + 3000).
    const bytes = 8 * 10 * (4000 + 2400 + 12_000) * 14
    expect(codes({kind: 'lora', freeBytes: 2 * bytes})).toEqual([])
    expect(codes({kind: 'lora', freeBytes: 2 * bytes - 1})).toEqual(['disk-short error'])
    const mixture = {...shape, experts: 4, expertFeedForward: 500}
    const wide = 8 * 10 * (6400 + 3 * (1000 + 2000)) * 14
    expect(codes({kind: 'lora', shape: mixture, freeBytes: 2 * wide})).toEqual([])
    expect(codes({kind: 'lora', shape: mixture, freeBytes: 2 * wide - 1})).toEqual(['disk-short error'])
  })
})

describe('the memory of a device', () => {
  /** Inputs of 10 layers and the logits of 1000 tokens. */
  const activations = 1000 * (10 * 1000 * 2 + 50_000 * 6)
  const needs = (given: Given, bytes: number) => {
    expect(codes({...given, memoryBytes: bytes})).toEqual([])
    expect(codes({...given, memoryBytes: bytes - 1000})).not.toEqual([])
  }

  test('is not looked at where nobody says what a device has', () => {
    expect(codes({memoryBytes: 0})).toEqual([])
  })
  test('is short for certain where the states alone do not fit, and perhaps where activations do not', () => {
    expect(codes({memoryBytes: 18e9 - 1000})).toEqual(['memory-short error'])
    expect(codes({memoryBytes: 18e9})).toEqual(['memory-short warning'])
    needs({}, 18e9 + activations)
  })
  test.each([
    ['none', 18],
    ['distributed-optimizer', 2 + 4 + 12 / 4],
    ['zero2', 2 + 4 / 4 + 12 / 4],
    ['zero3', 18 / 4],
    ['fsdp2', 18 / 4],
  ])('is spread by %s over four devices', (sharding, perWeight) => {
    needs({sharding, dataParallel: 4}, perWeight * 1e9 + activations)
    needs({sharding, dataParallel: 2, context: 2}, perWeight * 1e9 + activations / 2)
  })
  test('holds the reference of a preference, and both its sides', () => {
    needs({method: 'dpo'}, 20e9 + 2 * activations)
    needs({method: 'kto'}, 20e9 + activations)
    needs({method: 'dpo', sharding: 'zero3', dataParallel: 4}, 5e9 + 2 * activations)
  })
  test('holds of adapters the weights alone', () => {
    needs({kind: 'lora'}, 2e9 + activations)
    needs({kind: 'lora', sharding: 'zero3', dataParallel: 4}, 0.5e9 + activations)
  })
  test('is cut by tensor, pipeline and batch', () => {
    needs({tensor: 2}, 9e9 + activations / 2)
    needs({pipeline: 2}, 9e9 + 1000 * (5 * 1000 * 2 + 50_000 * 6))
    needs({microBatch: 3}, 18e9 + 3 * activations)
    needs({checkpointing: false}, 18e9 + 1000 * (10 * 1000 * 2 * 17 + 50_000 * 6))
  })
  test('experts are cut by the wider of tensor and expert', () => {
    // 10 layers of 10 experts: 10 · 10 · 3 · 1000 · 1000 of the billion.
    const mixture = {...shape, experts: 10, expertFeedForward: 1000}
    needs({shape: mixture}, 18e9 + activations)
    needs({shape: mixture, expert: 3}, (0.7e9 + 0.1e9) * 18 + activations)
    needs({shape: mixture, tensor: 2, expert: 3}, (0.35e9 + 0.1e9) * 18 + activations / 2)
    needs({shape: mixture, tensor: 2, pipeline: 2}, (0.175e9 + 0.075e9) * 18 + (1000 / 2) * (5 * 1000 * 2 + 50_000 * 6))
  })
})
