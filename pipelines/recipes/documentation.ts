import docPages from '../../sources/docs/pages.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import documentationCot from '../documentation/cot.ts'
import ground from '../documentation/ground.ts'
import relate from '../documentation/relate.ts'
import segment from '../documentation/segment.ts'
import verifyCode from '../documentation/verify-code.ts'
import {bundled, type Workspace} from '../workspace/workspace.ts'

/** Pages → sections → questions with reasoning and answer → grounded in the page → code compiled. */
export default async ({config, executor}: Workspace) => {
  const sections = Pipeline.from(
    'documentation',
    config.sources.documentation ?? [await bundled('docs')],
    docPages(),
  ).via(segment())
  // Passages of other pages are reference for a model; the offline writer keeps to its page.
  const related = config.teachers['documentation'] ? sections.via(relate()) : sections
  return related
    .via(documentationCot())
    .via(ground())
    .via(verifyCode({executor: await executor()}))
}
