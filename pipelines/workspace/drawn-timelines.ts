import {readdir, readFile} from 'node:fs/promises'
import {basename, join} from 'node:path'
import type {Picture} from '../../datasets/card/card-pictures.ts'
import {isSystemError} from '../../engine/errors.ts'

/** Pictures in `timelines/` of a data set, which `ascend-cot timeline --svg` draws there, for its card. */
export async function drawnTimelines(directory: string): Promise<Picture[]> {
  const names = await readdir(join(directory, 'timelines')).catch((error: unknown) => {
    if (isSystemError(error, 'ENOENT')) return []
    throw error
  })
  return Promise.all(
    names
      .filter((name) => name.endsWith('.svg'))
      .sort()
      .map(async (name) => ({
        path: `timelines/${name}`,
        title: `Modelled timeline: ${basename(name, '.svg')}`,
        svg: await readFile(join(directory, 'timelines', name), 'utf8'),
      })),
  )
}
