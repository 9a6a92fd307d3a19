import {realExecutor} from './real-executor.ts'

/** Builds the twin's precompiled parts once, before the first test needs them; later test processes find them in the cache. */
export default async function precompile(): Promise<void> {
  await realExecutor()
}
