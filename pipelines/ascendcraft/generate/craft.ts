import {Crafted, type CraftSetting, CraftTask} from '../../../datasets/schema/crafted.ts'
import {PipelineError} from '../../../engine/errors.ts'
import {contentId} from '../../../engine/ids.ts'
import {each, type Stage} from '../../../engine/stage.ts'
import {languagePage} from '../language/language-page.ts'
import {craftOperator} from './craft-operator.ts'
import type {CraftExample} from './examples.ts'
import type {Proof} from './proof.ts'
import {craftPrompts} from './prompts.ts'

interface CraftOptions {
  setting: CraftSetting
  /** Worked programs for prompts; never solutions of tasks. */
  examples: readonly CraftExample[]
  proof: Proof
}

/**
 * Task → its operator, with every reply of the model on the way. A task that fails is passed on as well, without files.
 */
export default function craft({setting, examples, proof}: CraftOptions): Stage<CraftTask, Crafted> {
  return {
    name: 'craft',
    version: 3,
    options: {
      setting,
      proof: proof.identity,
      examples: contentId(examples.map((one) => contentId({...one}))),
      prompts: contentId([...craftPrompts, languagePage()]),
    },
    teacher: 'craft',
    requestsPerRecord: mostRequests(setting),
    tally: ({state}) => state,
    input: CraftTask,
    output: Crafted,
    run: each(
      async (task, {llm, signal}) => {
        if (!llm) throw noModel()
        return [await craftOperator(task, {llm, proof, examples, setting}, signal)]
      },
      {concurrency: 4},
    ),
  }
}

/** Requests that one task costs at most. */
function mostRequests({rounds, lowering, without}: CraftSetting): number {
  const each = without.includes('feedback') ? 1 : rounds
  if (without.includes('dsl') || lowering === 'compiler') return each
  if (without.includes('passes')) return 2 * each
  return each * (without.includes('alignment') ? 4 : 5)
}

/** Without a model nothing is crafted: programs cannot be written offline. */
export function noModel(): PipelineError {
  return new PipelineError('config-invalid', 'No model is configured as craft.', {
    fix: 'Add teachers.craft to the configuration, with model and baseUrl.',
  })
}
