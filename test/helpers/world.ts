import type {World} from '../../pipelines/commands/world.ts'
import {closedHub} from './closed-hub.ts'
import {testCache} from './test-cache.ts'

export interface RecordedWorld extends World {
  printed: string[]
  said: string[]
}

/** A terminal that remembers, an environment that is given, a clock that stands still; the cache is the tests' own. */
export function recordedWorld(env: Record<string, string> = {}): RecordedWorld {
  const printed: string[] = []
  const said: string[] = []
  return {
    printed,
    said,
    env: {ASCEND_COT_CACHE: testCache, HF_ENDPOINT: closedHub, ...env},
    signal: new AbortController().signal,
    interrupted: {says: '', inOrder: false},
    now: () => 0,
    terminal: {
      display: undefined,
      width: undefined,
      print: (text) => printed.push(text),
      say: (text) => said.push(text),
    },
  }
}
