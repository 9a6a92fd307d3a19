// @ts-check
// JavaScript, so that --help names the flag of every kind without starting a TypeScript compiler.
import {existsSync, readdirSync, readFileSync} from 'node:fs'

/**
 * A kind of source is a folder here with a `source.json`; nothing else lists the kinds.
 * @typedef {object} SourceKind
 * @property {string} name its key under `sources` in the configuration, and the recipe that reads it
 * @property {string} flag of `ascend-cot run`, without the dashes
 * @property {string} help what the flag is for
 * @property {string[]} samples recipes whose runs hold samples made of it
 * @property {string} [bundled] the folder of the starter corpus that is read when none is given
 */

const here = new URL('.', import.meta.url)

/** @type {readonly SourceKind[]} */
export const sourceKinds = readdirSync(here)
  .map((folder) => new URL(`${folder}/source.json`, here))
  .filter((file) => existsSync(file))
  .map((file) => /** @type {SourceKind} */ (JSON.parse(readFileSync(file, 'utf8'))))
  .sort((a, b) => (a.name < b.name ? -1 : 1))
