import {strictestLicence} from '../../datasets/gates/licences.ts'
import {RanProject} from '../../datasets/schema/scenario.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {inlineIncludes} from '../../sources/kernels/inline.ts'
import {programOf} from '../../sources/kernels/program.ts'
import {declaredLicence} from '../../sources/licence.ts'
import pairs from '../code/specialise/pairs.ts'
import {recipe} from '../workspace/workspace.ts'

/** Operators that ran → host-kernel pairs, one for each scenario. */
export default recipe({reads: ['scenarios']}, async ({runs, executor}) =>
  Pipeline.from('pairs', runs, fromRun(RanProject)).via(
    pairs({executor: await executor(), program: programOf, inline: inlineIncludes, licence}),
  ),
)

/** The strictest of the licences that the files name, or that their project has. */
function licence(texts: readonly string[], project: string): string {
  return strictestLicence(texts.map((text) => declaredLicence(text) ?? project))
}
