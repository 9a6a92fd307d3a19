import {basename} from 'node:path'
import type {HeldOutSources} from '../../datasets/card/card-decontamination.ts'
import type {RunRecord} from '../../engine/run.ts'
import {Config} from './config.ts'

/** What the runs of releases were decontaminated against, from their own configuration: by name, never by path. */
export function heldOutSources(releases: readonly RunRecord[]): HeldOutSources[] {
  return releases.flatMap((record) => {
    // A run of an older version may have keys that no longer exist.
    const config = Config.safeParse(record.config).data
    if (!config) return []
    const {heldOut, benchmarks} = config.sources
    return {
      release: record.recipe,
      heldOut: heldOut?.map(({root}) => nameOf(root)) ?? ['the held-out tasks of the bundled corpus'],
      benchmarks: benchmarks.map(nameOf),
      operatorsBy: config.export.refuseOperatorsBy,
    }
  })
}

/** A folder's own name; of a repository at a commit, owner, name and commit. */
function nameOf(root: string): string {
  return /^https:\/\/[^/]+\/(.+)$/.exec(root)?.[1] ?? basename(root)
}
