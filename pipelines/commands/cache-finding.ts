import {existsSync} from 'node:fs'
import {stat} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import {size} from '../../datasets/card/card-sections.ts'
import {walk} from '../../engine/files.ts'
import type {Finding} from './machine-finding.ts'

/** Where replies and compiled files are kept, how large they are, and how to empty the folder. */
export async function cacheFinding(cache: string): Promise<Finding> {
  const folder = resolve(cache)
  const [twin, all] = [await bytesIn(join(folder, 'twin')), await bytesIn(folder)]
  const parts = `compiled ${size(twin)}, safe to delete (${join(folder, 'twin')}); replies ${size(all - twin)}`
  const detail = all === 0 ? `${folder}: nothing yet` : `${folder}: ${parts}`
  return {what: 'cache', state: 'good', detail, cost: '', fix: ''}
}

async function bytesIn(folder: string): Promise<number> {
  if (!existsSync(folder)) return 0
  let bytes = 0
  // Another process may delete a file meanwhile.
  for await (const path of walk(folder))
    bytes += await stat(join(folder, path)).then(
      ({size: one}) => one,
      () => 0,
    )
  return bytes
}
