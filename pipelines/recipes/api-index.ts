import documentationPages from '../../sources/docs/pages.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import apiIndex from '../documentation/api-index.ts'
import repairText from '../documentation/repair-text.ts'
import type {Workspace} from '../workspace/workspace.ts'

/** Atlas A2. */
const product = '910b'

/** Pages → the interfaces that they document, for `ascend-cot api` and the configuration `apis`. */
export default async ({config, sources}: Workspace) => {
  // The first pages of a tree are all of one kind.
  const pages = documentationPages({product, order: config.limit === undefined ? 'path' : 'drawn'})
  return Pipeline.from('api-index', await sources('documentation'), pages)
    .via(repairText())
    .via(apiIndex({product}))
}
