import {existsSync} from 'node:fs'
import {stat} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import {size} from '../../datasets/card/card-sections.ts'
import {walk} from '../../engine/files.ts'
import type {Finding} from './machine-finding.ts'

/** Where replies and what was compiled are kept, how large they are, and how the folder is emptied. */
export async function cacheFinding(cache: string): Promise<Finding> {
  const folder = resolve(cache)
  const [twin, all] = [await bytesIn(join(folder, 'twin')), await bytesIn(folder)]
  const parts = `${size(twin)} compiled, which may be deleted (${join(folder, 'twin')}), ${size(all - twin)} replies`
  const detail = all === 0 ? `${folder}: nothing yet` : `${folder}: ${parts}`
  return {what: 'cache', state: 'good', detail, cost: '', fix: ''}
}

async function bytesIn(folder: string): Promise<number> {
  if (!existsSync(folder)) return 0
  let bytes = 0
  // Another process may take a file away in between.
  for await (const path of walk(folder))
    bytes += await stat(join(folder, path)).then(
      ({size: one}) => one,
      () => 0,
    )
  return bytes
}
