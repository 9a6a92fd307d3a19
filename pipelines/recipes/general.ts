import {Pipeline} from '../../engine/pipeline.ts'
import generalRows from '../../sources/general/general-rows.ts'
import generalLanguage from '../general/general-language.ts'
import generalLength from '../general/general-length.ts'
import generalPerplexity from '../general/general-perplexity.ts'
import {generalFiles} from '../workspace/general-files.ts'
import type {Workspace} from '../workspace/workspace.ts'

/** External data sets, from the Hub or folders → one form → selected languages → lengths → no loops, no noise. */
export default async (workspace: Workspace) => {
  const {languages, unicode, minTokens, perplexity} = workspace.config.general
  return Pipeline.from('general', await generalFiles(workspace), generalRows())
    .via(generalLanguage({languages, unicode}))
    .via(generalLength({minTokens, maxTokens: workspace.config.export.maxTokens}))
    .via(generalPerplexity(perplexity))
}
