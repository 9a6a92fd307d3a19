import type {CheckpointEntry} from './engine.ts'

/**
 * The newest complete checkpoint of transformers' Trainer. It writes `trainer_state.json` after weights, optimiser and
 * random state: a folder without it was being written when its job was killed.
 */
export function lastTransformersCheckpoint(entries: readonly CheckpointEntry[]): string | null {
  const steps = entries.flatMap(({path}) => {
    const [, step] = /^checkpoint-(\d+)\/trainer_state\.json$/.exec(path) ?? []
    return step === undefined ? [] : [Number(step)]
  })
  return steps.length === 0 ? null : `checkpoint-${Math.max(...steps)}`
}
