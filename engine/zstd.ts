import {init} from '@bokuweb/zstd-wasm'

let ready: Promise<void> | undefined

/**
 * Initialises `@bokuweb/zstd-wasm`, once a process. A second `init` changes the library's memory under those who use it
 * already, and what they compress from then on is no zstd.
 */
export function zstdReady(): Promise<void> {
  ready ??= init()
  return ready
}
