import {existsSync, readdirSync, readFileSync} from 'node:fs'

/** A kind of source is a folder here with a `source.json`; nothing else lists the kinds. */
interface SourceKind {
  /** Its key under `sources` in the configuration, and the recipe that reads it. */
  name: string
  /** Of `ascend-cot run`, without the dashes. */
  flag: string
  /** What the flag is for. */
  help: string
  /** Recipes whose runs contain samples made from it. */
  samples: string[]
  /** The starter-corpus folder used when none is given. */
  bundled?: string
}

const here = new URL('.', import.meta.url)

export const sourceKinds: readonly SourceKind[] = readdirSync(here)
  .map((folder) => new URL(`${folder}/source.json`, here))
  .filter((file) => existsSync(file))
  .map((file) => JSON.parse(readFileSync(file, 'utf8')) as SourceKind)
  .sort((a, b) => (a.name < b.name ? -1 : 1))
