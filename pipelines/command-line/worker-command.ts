import {declared} from './declared.ts'
import {configOf} from './given.ts'
import {named, required, share} from './option.ts'
import {config, shared} from './usual-options.ts'

/** What schedulers and operators start on other machines. */
export const workerCommand = declared({
  name: 'worker',
  help: 'work on one share of a run that hands out its costly stages; started by a scheduler',
  examples: ['worker --share /shared/runs/candidates/shares/03-judge --index 7', 'worker --share /shared/shares'],
  options: {
    config,
    set: shared.set,
    share: required(named('<folder>', 'folder of shares that `run --workers` filled')),
    index: share('<number>', "number of the share, from 0 (default: the scheduler's own index)"),
  },
  async run(_, {share, index, ...options}, world) {
    const {worker} = await import('../commands/work-share.ts')
    return worker({share, index}, await configOf(options, world), world)
  },
})
