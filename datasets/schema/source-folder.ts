import {z} from 'zod'

/** A folder to read from. Missing values come from its version control and its licence file. */
export const SourceFolder = z.strictObject({
  /** The folder, or `https://host/owner/name@<40 digits>`. */
  root: z.string().min(1),
  /** Repository that records name as their origin. */
  repository: z.string().min(1).optional(),
  /** Commit or release that records name. */
  revision: z.string().min(1).optional(),
  /** SPDX identifier or LicenseRef. Default: from the licence file. */
  licence: z.string().min(1).optional(),
  /** Folder around `root` that paths of operators are relative to. Default: the top of the checkout. */
  top: z.string().min(1).optional(),
})
export type SourceFolder = z.infer<typeof SourceFolder>

/** A folder of tasks in NPUKernelBench's layout: `level<1-3>/<Category>/<Operator>/`, directly or below `tasks/`. */
export const TaskFolder = SourceFolder.extend({
  /** A folder with `<snake_case>/op_host` and `op_kernel`: verified operators for tasks that carry no `answer/0`. */
  operators: z.string().min(1).optional(),
})
export type TaskFolder = z.infer<typeof TaskFolder>
