import type {DrawnDesign} from '../../../../datasets/schema/crafted-operator.ts'
import ascendcraftDesigns from '../../../../pipelines/ascendcraft/factory/ascendcraft-designs.ts'
import {runStage} from '../../../helpers/run-stage.ts'

/** Designs of a seed, with what was refused on the way. */
export async function drawnDesigns(designs: number, seed = 'test') {
  const {outputs, dropped} = await runStage(ascendcraftDesigns(), [{designs}], {seed})
  return {drawn: outputs as DrawnDesign[], dropped}
}
