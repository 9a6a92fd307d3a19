import {CraftedOperator} from '../../datasets/schema/crafted-operator.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import judge from '../../eval/judge.ts'
import modelledCost from '../../eval/modelled-cost.ts'
import {inputFamilies} from '../ascendcraft/factory/craft-cases.ts'
import fasterDesigns from '../ascendcraft/search/faster-designs.ts'
import searchRows from '../ascendcraft/search/search-rows.ts'
import {recipe} from '../workspace/workspace.ts'

/** Operators of the factory → searches for faster programs of them → pairs and samples of optimisation. */
export default recipe({reads: ['ascendcraft']}, async ({config, runs, executor}) => {
  const {concurrency, recheck} = config.executor
  const traced = await executor('traces')
  return Pipeline.from('speedups', runs, fromRun(CraftedOperator))
    .via(
      fasterDesigns({
        judge: judge({executor: traced, concurrency, recheck, families: inputFamilies}),
        cost: modelledCost({executor: traced, concurrency}),
        most: config.samples.craftedSteps,
        concurrency,
      }),
    )
    .via(searchRows({mostPairs: config.samples.maxPairsPerChosen}))
})
