import {ApiEntry} from '../../datasets/schema/api-entry.ts'
import {DocPage} from '../../datasets/schema/document.ts'
import {each, type Stage} from '../../engine/stage.ts'
import {documentedApis} from './documented-apis.ts'

interface ApiIndexOptions {
  /** The product line that the pages were read for, by the vendor's marker. */
  product: string
}

/**
 * A page of documentation → the APIs that it documents, each with its prototypes, parameters, element types,
 * constraints, alignment, pipe and examples. Drops: `no-interface`, a page that declares nothing that its title names.
 */
export default function apiIndex({product}: ApiIndexOptions): Stage<DocPage, ApiEntry> {
  return {
    name: 'api-index',
    version: 10,
    options: {product},
    input: DocPage,
    output: ApiEntry,
    run: each((page, context): readonly ApiEntry[] => {
      const entries = documentedApis(page).map((entry) => ({...entry, product, stages: {...context.stages}}))
      return entries.length > 0 ? entries : context.drop({...page, markdown: ''}, 'no-interface', page.origin.path)
    }),
  }
}
