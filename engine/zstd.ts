import {init} from '@bokuweb/zstd-wasm'

let ready: Promise<void> | undefined

/**
 * Initialises `@bokuweb/zstd-wasm`, once per process. A second `init` replaces the library's memory under its current
 * users, whose output is then no longer zstd.
 */
export function zstdReady(): Promise<void> {
  ready ??= init()
  return ready
}
