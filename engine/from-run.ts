import type {z} from 'zod'
import {PipelineError} from './errors.ts'
import {FinishedRun, openRun} from './run.ts'
import type {Context, Stage} from './stage.ts'

/**
 * The records that finished runs left behind, in their order: how pipelines branch and join.
 * @param schema of the last stage of every run that is read
 * @throws PipelineError `run-missing` when a run is not there or did not finish, `input-invalid` when its records are
 *   of another kind
 */
export function fromRun<T>(schema: z.ZodType<T>): Stage<FinishedRun, T> {
  return {
    name: 'from-run',
    version: 1,
    readsRuns: true,
    input: FinishedRun,
    output: schema,
    async *run(runs, context) {
      for await (const {directory} of runs) yield* recordsOf(directory, schema, context)
    },
  }
}

async function* recordsOf<T>(directory: string, schema: z.ZodType<T>, {log, expect}: Context): AsyncIterable<T> {
  const run = await openRun(directory)
  if (!run) throw missing(directory, 'it holds no run')
  let count = 0
  try {
    const {state} = run.record
    if (state !== 'finished') throw missing(directory, unfinished[state])
    expect?.(run.record.counts.at(-1)?.written ?? 0)
    for (const {json} of run.emitted()) {
      count += 1
      yield parsed(directory, schema, json)
    }
  } finally {
    run.close()
  }
  log.debug('read a finished run', {directory, records: count})
}

const unfinished = {
  running: 'its run is still in progress',
  stopped: 'its run stopped before the end',
  interrupted: 'its run was interrupted',
} as const

function parsed<T>(directory: string, schema: z.ZodType<T>, json: string): T {
  const result = schema.safeParse(JSON.parse(json))
  if (result.success) return result.data
  const problem = result.error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    .join('; ')
  const what = `The records of ${directory} are not of the type that this recipe reads: ${problem}`
  throw new PipelineError('input-invalid', what, {
    fix: 'Give `fromRun` the schema of those records; if an earlier version wrote them, run that recipe again.',
    evidence: {directory},
  })
}

function missing(directory: string, why: string): PipelineError {
  return new PipelineError('run-missing', `Nothing to read from ${directory}: ${why}.`, {
    fix: 'Run the recipe that writes it first, or finish that run with `ascend-cot resume`.',
    evidence: {directory},
  })
}
