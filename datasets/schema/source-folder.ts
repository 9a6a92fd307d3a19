import {z} from 'zod'

/** A folder to read from. What is not given is found from its version control and its licence file. */
export const SourceFolder = z.strictObject({
  root: z.string().min(1),
  repository: z.string().min(1).optional(),
  revision: z.string().min(1).optional(),
  licence: z.string().min(1).optional(),
  /** A folder around `root` that paths of operators are told from; default: the top of the checkout. */
  top: z.string().min(1).optional(),
})
export type SourceFolder = z.infer<typeof SourceFolder>

/** A folder of tasks in NPUKernelBench's layout: `level<1-3>/<Category>/<Operator>/`, directly or below `tasks/`. */
export const TaskFolder = SourceFolder.extend({
  /** A folder with `<snake_case>/op_host` and `op_kernel`: verified operators for tasks that carry no `answer/0`. */
  operators: z.string().min(1).optional(),
})
export type TaskFolder = z.infer<typeof TaskFolder>
