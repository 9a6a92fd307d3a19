import {declared, type Declared} from './declared.ts'
import {outOf, trainRooms} from './given.ts'
import {count, flag, settings} from './option.ts'
import {config, json, out, outAndJson} from './usual-options.ts'

const starting = {
  config,
  out,
  set: settings('set any key of the specification, e.g. environment.python=…; repeatable'),
  dryRun: flag('show and check what would run; start nothing'),
  detach: flag('start the job and return; it keeps running'),
  json,
}

/** `sweep`, `train`, and commands for started jobs. */
export const trainCommands: readonly Declared[] = [
  declared({
    name: 'sweep',
    operands: ['<table>'],
    help: "start the jobs of a table, and fill the paper's tables and figures with the scores",
    inOrder: true,
    examples: ['sweep table-4 --dry-run', 'sweep table-2 --set environment.checkout=/opt/MindSpeed-LLM'],
    options: {
      config,
      out,
      set: settings('set a key in all specifications, unless a row sets it, e.g. environment.checkout=…; repeatable'),
      dryRun: flag('plan and check every job, and show its cost; start nothing'),
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
    about: {'<spec>': 'name of a bundled specification, or a YAML file (see trainers/specs)'},
    help: 'train a model: plan, check, start and watch a job of an existing trainer',
    more: '\nExit code 2: the check found an error, and nothing was started.',
    inOrder: true,
    examples: ['train starter-sft --dry-run', 'train starter-sft --set model.name=models/Qwen3-0.6B --detach'],
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
    help: 'show all jobs, or one with its loss curve, attempts and lineage',
    examples: ['train status', 'train status starter-sft --json'],
    options: {out, json},
    async run([id = ''], options, world) {
      const {jobStatus} = await import('../commands/train/look-at-jobs.ts')
      return jobStatus({id, ...outAndJson(options, world)}, await trainRooms(options, world), world)
    },
  }),
  declared({
    name: 'train logs',
    operands: ['<job>'],
    help: 'print the log of a job',
    examples: ['train logs starter-sft', 'train logs starter-sft --follow'],
    options: {
      out,
      json,
      follow: flag('follow the log until the job ends'),
      attempt: count('<number>', 'attempt to show (default: the last)'),
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
    help: 'stop a job and every process that it started; its checkpoints are kept',
    inOrder: true,
    examples: ['train cancel starter-sft', 'train cancel starter-sft --out all'],
    options: {out, json},
    async run([id], options, world) {
      const {cancelJob} = await import('../commands/train/change-job.ts')
      return cancelJob({id, out: outOf(options, world)}, await trainRooms(options, world), world)
    },
  }),
  declared({
    name: 'train resume',
    operands: ['<job>'],
    help: 'continue from the last checkpoint, in a new attempt',
    inOrder: true,
    examples: ['train resume starter-sft', 'train resume starter-sft --detach'],
    options: starting,
    async run([id], options, world) {
      const {resumeJob} = await import('../commands/train/change-job.ts')
      return resumeJob({id, ...options, out: outOf(options, world)}, await trainRooms(options, world), world)
    },
  }),
]
