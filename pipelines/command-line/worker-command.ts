import {declared} from './declared.ts'
import {configOf} from './given.ts'
import {flag, named, share} from './option.ts'
import {config, shared} from './usual-options.ts'

/** What schedulers and operators start on other machines. */
export const workerCommand = declared({
  name: 'worker',
  help: 'work for runs that hand out their costly stages: on batches of a queue, or on one share of an array',
  examples: [
    'worker --queue redis://queue.lab:6379',
    'worker --share /shared/runs/candidates/shares/03-judge --index 7',
  ],
  options: {
    config,
    set: shared.set,
    queue: named('<url>', 'Redis whose batches it works on until it is stopped; rediss:// is for TLS'),
    share: named('<folder>', 'folder of shares that `run --workers` filled'),
    index: share('<number>', "number of the share, from 0 (default: the scheduler's own index)"),
    stdin: flag('the process in which a worker of a queue works; it starts it itself'),
  },
  fault(_, {queue, share: folder, stdin}) {
    const given = [queue, folder, stdin || undefined].filter((one) => one !== undefined)
    return given.length === 1 ? undefined : 'Give either --queue <url> or --share <folder>.'
  },
  async run(_, {share: folder, queue, index, stdin, ...options}, world) {
    if (stdin) return (await import('../commands/work-queue.ts')).childWorker(world)
    const own = await configOf(options, world)
    if (queue !== undefined) return (await import('../commands/work-queue.ts')).queueWorker(queue, own, world)
    const {worker} = await import('../commands/work-share.ts')
    return worker({share: folder ?? '', index}, own, world)
  },
})
