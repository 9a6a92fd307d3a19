import {z} from 'zod'

/** Where the records of costly stages are worked on. */
export const WorkersOptions = z.strictObject({
  /**
   * Who works: `slurm:64` is a Slurm array with at most 64 tasks at once, `kubernetes:64` an Indexed Job, `folder`
   * waits for tasks that you start, and `redis://host:6379` (with TLS `rediss://`) is a queue for
   * `ascend-cot worker`. Default: this process.
   */
  on: z
    .string()
    .regex(
      /^(?:folder|(?:slurm|kubernetes):[1-9]\d{0,4}|rediss?:\/\/[^@]+)$/,
      'expected slurm:<tasks>, kubernetes:<tasks>, folder or redis://<host> without a password',
    )
    .optional(),
  /** Stages to hand out, by name. Default: all that run several records at once and ask no model. */
  stages: z.array(z.string().min(1)).min(1).optional(),
  /** Records of one task of an array. */
  recordsPerShare: z.int().positive().max(100_000).default(2000),
  /** Records that a worker of a queue takes at once. */
  recordsPerBatch: z.int().positive().max(10_000).default(64),
  /** Seconds that a worker of a queue may be silent before its records are given to another; as the workers have it. */
  silenceSeconds: z.int().min(4).max(3600).default(30),
  /** Of this run among those of a queue; higher ones are worked on first. */
  priority: z.int().min(-100).max(100).default(0),
  /** Environment variable with the password of the queue. */
  passwordVariable: z.string().min(1).default('QUEUE_PASSWORD'),
  /** File with the authority (PEM) of a `rediss://` queue's certificate. Default: those that Node.js trusts. */
  authorityFile: z.string().min(1).optional(),
  /** How a worker is started on another machine, as a shell line. Default: this installation. */
  command: z.string().min(1).optional(),
  /** Slurm partition. */
  partition: z.string().min(1).optional(),
  /** Further options of sbatch, such as `--cpus-per-task=4`. */
  options: z.array(z.string().min(1)).default([]),
  /** Container image of Kubernetes tasks. */
  image: z.string().min(1).optional(),
  /** Kubernetes namespace. */
  namespace: z.string().min(1).default('default'),
  /** Claims of Kubernetes tasks by mount path; one of them holds the output folder. */
  volumes: z.record(z.string(), z.string().min(1)).default({}),
})
export type WorkersOptions = z.infer<typeof WorkersOptions>
