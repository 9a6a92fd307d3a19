import {readdir, readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {parse} from 'yaml'
import {z} from 'zod'
import {isSystemError, PipelineError} from '../../engine/errors.ts'
import {paperTables} from './paper-tables.ts'

const Name = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'small letters, digits and single dashes')

const Seeds = z
  .array(z.int().nonnegative())
  .min(1)
  .refine((seeds) => new Set(seeds).size === seeds.length, 'duplicate seed')

const Row = z.strictObject({
  /** Its name in the table. */
  name: z.string().min(1),
  /** This row's checkpoint: a job, by the name or file of its specification, or … */
  spec: z.string().min(1).optional(),
  /** … an untrained model, by the name of a teacher profile: the baseline row. */
  profile: z.string().min(1).optional(),
  /** Values of the specification that this row changes, by path: `hyperparameters.schedule: constant`. */
  set: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])).default({}),
  /** Overrides the table's. */
  seeds: Seeds.optional(),
})

/** A table of overrides: each row becomes a job for each seed, and with its scores a row of the paper's tables. */
export const Sweep = z
  .strictObject({
    name: Name,
    description: z.string().default(''),
    shows: z.array(z.enum(paperTables)).min(1),
    /** Of training; the table shows the mean and the spread over seeds. */
    seeds: Seeds.default([42]),
    rows: z.array(Row).min(1),
  })
  .superRefine(({rows}, {addIssue}) => {
    for (const [at, row] of rows.entries()) {
      if ((row.spec === undefined) === (row.profile === undefined))
        addIssue({code: 'custom', path: ['rows', at], message: 'exactly one of `spec` and `profile`'})
      if (row.profile !== undefined && Object.keys(row.set).length > 0)
        addIssue({code: 'custom', path: ['rows', at, 'set'], message: '`set` has no effect on an untrained model'})
    }
    for (const name of repeated(rows.map(({name}) => name)))
      addIssue({code: 'custom', path: ['rows'], message: `duplicate row name ${name}`})
  })
export type Sweep = z.infer<typeof Sweep>

function repeated<T>(values: readonly T[]): T[] {
  return [...new Set(values.filter((value, at) => values.indexOf(value) !== at))]
}

/** A job of a sweep: its specification with the changes of the row and the seed. */
export interface SweepJob {
  row: string
  seed: number
  spec: string
  /** In the syntax of `train --set`. */
  set: Readonly<Record<string, string>>
}

/** Jobs in the order of the table, the seeds of a row one after another. */
export function jobsOf({rows, seeds}: Sweep): SweepJob[] {
  return rows.flatMap(({name, spec, set, seeds: own = seeds}) => {
    if (spec === undefined) return []
    const said = Object.entries(set).map(([path, value]) => [path, typeof value === 'string' ? value : asJson(value)])
    return own.map((seed) => ({
      row: name,
      seed,
      spec,
      set: {...Object.fromEntries(said), 'hyperparameters.seed': String(seed)} as Record<string, string>,
    }))
  })
}

const asJson = (value: unknown) => JSON.stringify(value)

const shippedFolder = fileURLToPath(new URL('../sweeps', import.meta.url))

/** The bundled tables: their paths by name. */
export async function shippedSweeps(): Promise<ReadonlyMap<string, string>> {
  const files = (await readdir(shippedFolder)).filter((file) => file.endsWith('.yaml')).sort()
  return new Map(files.map((file) => [file.replace(/\.yaml$/, ''), join(shippedFolder, file)]))
}

/**
 * @param path a file in YAML
 * @throws PipelineError `input-missing` when it is missing, `config-invalid` with all its faults
 */
export async function readSweep(path: string): Promise<Sweep> {
  const text = await readFile(path, 'utf8').catch(async (error: unknown) => {
    throw isSystemError(error, 'ENOENT') ? await missing(path) : error
  })
  let given: unknown
  try {
    given = parse(text)
  } catch (error) {
    throw invalid(path, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
  }
  const read = Sweep.safeParse(given)
  if (read.success) return read.data
  const faults = read.error.issues.map(({path, message}) => `${path.join('.') || 'the file'}: ${message}`)
  throw invalid(path, faults.join('; '))
}

async function missing(path: string): Promise<PipelineError> {
  const shipped = [...(await shippedSweeps()).keys()].join(', ')
  return new PipelineError('input-missing', `There is no table of jobs at ${path}.`, {
    fix: `Use one of ${shipped}, or give your own YAML file with \`name\`, \`shows\` and \`rows\`.`,
  })
}

function invalid(path: string, what: string): PipelineError {
  return new PipelineError('config-invalid', `${path} is not a table of jobs: ${what}.`, {
    fix: 'Fix these faults; trainers/sweeps has examples.',
  })
}
