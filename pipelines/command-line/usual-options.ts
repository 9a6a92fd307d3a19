import type {World} from '../commands/world.ts'
import {outOf} from './given.ts'
import {flag, named, port, settings} from './option.ts'

// Options that several commands have.

export const config = named('<file>', 'YAML configuration (default: ascend-cot.yaml, if it exists)')
export const out = named('<folder>', 'output folder (default: runs)')
export const json = flag('print results as JSON')
export const startAnyway = flag('start even if the forecast exceeds the budget')

/** Options of every command that reads a configuration. */
export const shared = {
  config,
  out,
  seed: named('<text>', 'seed of all random choices'),
  set: settings('set a configuration key, e.g. budget.tokens=200000; repeatable'),
  json,
}

export const executor = named('<twin|cann>', "what judges: twin, or cann for the vendor's tools (default: twin)")
export const python = (takes: string, help: string) => named(takes, help, 'python3')
export const torch = python('<command>', 'Python interpreter with torch')
export const host = (help: string) => named('<address>', help, '127.0.0.1')
export const portOr = (initial: number) => port('<number>', 'port to listen on; 0 picks a free port', initial)

/** Arguments of a command that reads an output folder. */
export function outAndJson(options: {out?: string; json: boolean}, world: World): {out: string; json: boolean} {
  return {out: outOf(options, world), json: options.json}
}
