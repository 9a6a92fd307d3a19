import {existsSync, readdirSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {join, relative, resolve} from 'node:path'
import {z} from 'zod'
import {ApiEntry} from '../../datasets/schema/api-entry.ts'
import {configs} from '../../datasets/schema/export.ts'
import {Artifact} from '../../datasets/schema/sample.ts'
import {PipelineError} from '../../engine/errors.ts'
import {writeWhole} from '../../engine/files.ts'
import {openRun, readRunRecord, type OpenRun, type RunRecord} from '../../engine/run.ts'

const Sequence = z.strictObject({
  recipes: z.array(z.string()),
  /** The user's recipes: their paths relative to the output folder. */
  files: z.record(z.string(), z.string()).default({}),
})

/** Remembers which recipes an output folder was made by, in order, for `resume` and for the report. */
export async function saveSequence(out: string, recipes: readonly {name: string; file?: string}[]): Promise<void> {
  const root = resolve(out)
  const before = await sequenceOf(out)
  const names = recipes.map(({name}) => name)
  const files = recipes.flatMap(({name, file}) => (file === undefined ? [] : [[name, relative(root, file)] as const]))
  const together = {
    recipes: [...before.recipes.filter((recipe) => !names.includes(recipe)), ...names],
    files: {...before.files, ...Object.fromEntries(files)},
  }
  await writeWhole(join(root, 'recipes.json'), `${JSON.stringify(together, null, 2)}\n`)
}

export async function readSequence(out: string): Promise<string[]> {
  return (await sequenceOf(out)).recipes
}

/** The user's recipes behind an output folder: name to path. */
export async function ownRecipes(out: string): Promise<Record<string, string>> {
  const {files} = await sequenceOf(out)
  return Object.fromEntries(Object.entries(files).map(([name, file]) => [name, resolve(out, file)]))
}

async function sequenceOf(out: string): Promise<z.infer<typeof Sequence>> {
  const file = join(resolve(out), 'recipes.json')
  return existsSync(file) ? Sequence.parse(JSON.parse(await readFile(file, 'utf8'))) : {recipes: [], files: {}}
}

export interface FoundRun {
  directory: string
  record: RunRecord
}

/**
 * All runs of an output folder, in the order of their recipes.
 * @throws PipelineError `run-missing` when there are none
 */
export async function findRuns(out: string): Promise<FoundRun[]> {
  const root = resolve(out)
  const sequence = await readSequence(out)
  const names = existsSync(root)
    ? readdirSync(root, {withFileTypes: true})
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name)
    : []
  const rank = (name: string) => (sequence.includes(name) ? sequence.indexOf(name) : sequence.length)
  const runs: FoundRun[] = []
  for (const name of names.sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1))) {
    const record = await readRunRecord(join(root, name))
    if (record) runs.push({directory: join(root, name), record})
  }
  if (runs.length === 0) {
    throw new PipelineError('run-missing', `There is no run in ${root}.`, {
      fix: 'Start one with `ascend-cot run <recipe>`, or give the folder with --out.',
    })
  }
  return runs
}

/** The same, opened for reading; close them afterwards. */
export async function openRuns(out: string): Promise<OpenRun[]> {
  const opened = await Promise.all((await findRuns(out)).map(({directory}) => openRun(directory)))
  return opened.filter((run) => run !== undefined)
}

/** The records of a recipe's finished run, in order; nothing when it has not run. */
export async function* emittedBy<T>(out: string, recipe: string, schema: z.ZodType<T>): AsyncIterable<T> {
  const run = await openRun(join(resolve(out), recipe))
  try {
    if (run?.record.state !== 'finished') return
    for (const {json} of run.emitted()) yield schema.parse(JSON.parse(json))
  } finally {
    run?.close()
  }
}

/** The interfaces that the run `api-index` found; empty without such a run. */
export async function apisOf(out: string): Promise<ApiEntry[]> {
  const entries: ApiEntry[] = []
  for await (const entry of emittedBy(out, 'api-index', ApiEntry)) entries.push(entry)
  return entries
}

/** Whether a run writes a configuration of the data set. */
export function isRelease(recipe: string): boolean {
  return recipe.startsWith('release-')
}

/** The files of the exported data set: Parquet by the release recipes, card and notices by `card`, each named once. */
export async function artifactsOf(out: string): Promise<Artifact[]> {
  const artifacts = new Map<string, Artifact>()
  for (const recipe of [...configs.map((config) => `release-${config}`), 'card']) {
    for await (const artifact of emittedBy(out, recipe, Artifact)) {
      if (recipe !== 'card' || artifact.kind !== 'parquet') artifacts.set(artifact.path, artifact)
    }
  }
  return [...artifacts.values()]
}
