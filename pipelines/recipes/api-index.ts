import documentationPages from '../../sources/docs/pages.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import apiIndex from '../documentation/api-index.ts'
import type {Workspace} from '../workspace/workspace.ts'

/** Pages → the interfaces that they document, for `ascend-cot api`. */
export default async ({sources}: Workspace) =>
  Pipeline.from('api-index', await sources('documentation'), documentationPages()).via(apiIndex())
