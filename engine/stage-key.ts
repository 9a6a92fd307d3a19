import {contentId} from './ids.ts'
import type {AnyStage} from './pipeline.ts'

/** Everything besides the input that shaped a stage's outcomes: the key under which they are stored. */
export function stageKey({name, version, options = null}: AnyStage, seed: string, teacher = 'offline'): string {
  return contentId({name, version, options, teacher, seed})
}
