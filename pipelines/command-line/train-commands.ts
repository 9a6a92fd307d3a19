import {declared, type Declared} from './declared.ts'
import {outOf, trainRooms} from './given.ts'
import {count, flag, settings} from './option.ts'
import {config, json, out, outAndJson} from './usual-options.ts'

const starting = {
  config,
  out,
  set: settings('set any key of the specification, e.g. environment.python=…; repeatable'),
  dryRun: flag('show what would be run and check it; start nothing'),
  detach: flag('start it and return; it goes on'),
  json,
}

/** `sweep`, `train`, and what is done with jobs that were started. */
export const trainCommands: readonly Declared[] = [
  declared({
    name: 'sweep',
    operands: ['<table>'],
    help: "start the jobs of a table, and fill the paper's tables and figures with what was scored",
    inOrder: true,
    options: {
      config,
      out,
      set: settings('set any key of every specification that no row sets, e.g. environment.checkout=…; repeatable'),
      dryRun: flag('plan and check every job of it, tell what it costs; start nothing'),
      json,
    },
    async run([table], {set, dryRun, ...options}, world) {
      const {sweepTable} = await import('../commands/sweep/sweep-table.ts')
      const rooms = await trainRooms({...options, set}, world)
      return sweepTable({table, set, dryRun, ...outAndJson(options, world)}, rooms, world)
    },
  }),
  declared({
    name: 'train',
    operands: ['<spec>'],
    about: {'<spec>': 'name of a shipped specification, or a YAML file (see trainers/specs)'},
    help: 'train a model: plan, check, start and watch a job of an existing trainer',
    more: '\nExit code 2: the check found an error, and nothing was started.',
    inOrder: true,
    options: starting,
    async run([spec], options, world) {
      const [{train}, {readConfig}] = await Promise.all([
        import('../commands/train/following-job.ts'),
        import('../workspace/config.ts'),
      ])
      const {cache} = await readConfig({file: options.config, env: world.env})
      return train({spec, ...options, out: outOf(options, world), cache}, await trainRooms(options, world), world)
    },
  }),
  declared({
    name: 'train status',
    operands: ['[job]'],
    help: 'how all jobs are, or one: its curve, its attempts, what it was made from',
    options: {out, json},
    async run([id = ''], options, world) {
      const {jobStatus} = await import('../commands/train/look-at-jobs.ts')
      return jobStatus({id, ...outAndJson(options, world)}, await trainRooms(options, world), world)
    },
  }),
  declared({
    name: 'train logs',
    operands: ['<job>'],
    help: 'what a job wrote',
    options: {
      out,
      json,
      follow: flag('go on until the job ends'),
      attempt: count('<number>', 'of this attempt (default: the last)'),
    },
    async run([id], {follow, attempt, ...options}, world) {
      const {jobLogs} = await import('../commands/train/look-at-jobs.ts')
      const asked = {id, follow, attempt, ...outAndJson(options, world)}
      return jobLogs(asked, await trainRooms(options, world), world)
    },
  }),
  declared({
    name: 'train cancel',
    operands: ['<job>'],
    help: 'end a job and all that it started; its checkpoints are kept',
    inOrder: true,
    options: {out, json},
    async run([id], options, world) {
      const {cancelJob} = await import('../commands/train/change-job.ts')
      return cancelJob({id, out: outOf(options, world)}, await trainRooms(options, world), world)
    },
  }),
  declared({
    name: 'train resume',
    operands: ['<job>'],
    help: 'go on from the last checkpoint, in a new attempt',
    inOrder: true,
    options: starting,
    async run([id], options, world) {
      const {resumeJob} = await import('../commands/train/change-job.ts')
      return resumeJob({id, ...options, out: outOf(options, world)}, await trainRooms(options, world), world)
    },
  }),
]
