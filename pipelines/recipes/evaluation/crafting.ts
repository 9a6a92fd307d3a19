import type {CraftTask} from '../../../datasets/schema/crafted.ts'
import {Pipeline} from '../../../engine/pipeline.ts'
import craft from '../../ascendcraft/generate/craft.ts'

interface Crafting {
  /** Name of the run. */
  name: string
  tasks: readonly CraftTask[]
  craft: Parameters<typeof craft>[0]
}

/** Tasks → operators crafted by a model. */
export default ({name, tasks, craft: asked}: Crafting) => Pipeline.from(name, tasks, craft(asked))
