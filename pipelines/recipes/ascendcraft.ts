import {operatorIdentity} from '../../datasets/contamination/operator-identity.ts'
import {contentId} from '../../engine/ids.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import judge from '../../eval/judge.ts'
import ascendcraftDesigns from '../ascendcraft/factory/ascendcraft-designs.ts'
import ascendcraftOperators from '../ascendcraft/factory/ascendcraft-operators.ts'
import {inputFamilies} from '../ascendcraft/factory/craft-cases.ts'
import {api, heldOutTexts} from '../workspace/held-out.ts'
import type {Workspace} from '../workspace/workspace.ts'

/** Designs drawn by the seed → programs of the tile language → operators and tasks that the judge found correct. */
export default async ({config, executor}: Workspace) => {
  const {concurrency, recheck} = config.executor
  const held = await heldOutTexts(config)
  const recognise = operatorIdentity(held, ['request', 'name', 'formula'], api)
  return Pipeline.from('ascendcraft', [{designs: config.samples.craftedDesigns}], ascendcraftDesigns()).via(
    ascendcraftOperators({
      judge: judge({executor: await executor('runs'), concurrency, recheck, families: inputFamilies}),
      known: (content) => recognise(content)?.reference,
      knownBy: contentId(held),
      concurrency,
    }),
  )
}
