import {existsSync, readdirSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import {z} from 'zod'
import {PipelineError} from '../core/errors.ts'
import {writeWhole} from '../core/files.ts'
import {readRunRecord, type RunRecord} from '../core/run.ts'

const Sequence = z.strictObject({recipes: z.array(z.string())})

/** Remembers which recipes an output folder was made by, in order, for `resume` and for the report. */
export async function saveSequence(out: string, recipes: readonly string[]): Promise<void> {
  const before = await readSequence(out)
  const together = [...before.filter((recipe) => !recipes.includes(recipe)), ...recipes]
  await writeWhole(join(resolve(out), 'recipes.json'), `${JSON.stringify({recipes: together}, null, 2)}\n`)
}

export async function readSequence(out: string): Promise<string[]> {
  const file = join(resolve(out), 'recipes.json')
  if (!existsSync(file)) return []
  return Sequence.parse(JSON.parse(await readFile(file, 'utf8'))).recipes
}

export interface FoundRun {
  directory: string
  record: RunRecord
}

/**
 * All runs of an output folder, in the order of their recipes.
 * @throws PipelineError `run-missing` when there is none
 */
export async function findRuns(out: string): Promise<FoundRun[]> {
  const root = resolve(out)
  const sequence = await readSequence(out)
  const names = existsSync(root) ? readdirSync(root, {withFileTypes: true}).filter((entry) => entry.isDirectory()).map((entry) => entry.name) : []
  const rank = (name: string) => (sequence.includes(name) ? sequence.indexOf(name) : sequence.length)
  const runs: FoundRun[] = []
  for (const name of names.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))) {
    const record = await readRunRecord(join(root, name))
    if (record) runs.push({directory: join(root, name), record})
  }
  if (runs.length === 0) {
    throw new PipelineError('run-missing', `There is no run in ${root}.`, {fix: 'Start one with `ascend-cot run <recipe>`, or name the folder with --out.', scope: 'run'})
  }
  return runs
}
