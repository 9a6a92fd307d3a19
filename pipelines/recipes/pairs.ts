import {strictestLicence} from '../../datasets/gates/licences.ts'
import {RanProject} from '../../datasets/schema/scenario.ts'
import {decode} from '../../datasets/dtype.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {compareHardened} from '../../eval/compare.ts'
import {modelCost, ratesOf} from '../../eval/cost.ts'
import {inlineIncludes} from '../../sources/kernels/inline.ts'
import {programOf} from '../../sources/kernels/program.ts'
import {declaredLicence} from '../../sources/licence.ts'
import pairs from '../code/specialise/pairs.ts'
import decide from '../facts/decisions/decide.ts'
import {recipe} from '../workspace/workspace.ts'

/** Operators that ran → host-kernel pairs, one for each scenario → reasoning about their code. */
export default recipe({reads: ['scenarios']}, async ({config, runs, executor}) => {
  const judge = await executor('traces')
  const rates = ratesOf(judge.identity.soc)
  return Pipeline.from('pairs', runs, fromRun(RanProject))
    .via(pairs({executor: judge, program: programOf, inline: inlineIncludes, licence}))
    .via(
      decide({
        executor: judge,
        program: programOf,
        most: config.samples.counterfactuals,
        compared: (output, expected, found) => compareHardened(output, decode(expected, output.dtype), found),
        rates: {...rates},
        modelled: (trace) => modelCost(trace, rates)?.microseconds,
      }),
    )
})

/** The strictest of the licences that the files name, or that their project has. */
function licence(texts: readonly string[], project: string): string {
  return strictestLicence(texts.map((text) => declaredLicence(text) ?? project))
}
