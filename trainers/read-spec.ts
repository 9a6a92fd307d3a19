import {readdir} from 'node:fs/promises'
import {basename, dirname, join, resolve} from 'node:path'
import {fileURLToPath} from 'node:url'
import {z} from 'zod'
import {describeFaults} from '../engine/config-issues.ts'
import {PipelineError} from '../engine/errors.ts'
import {parseScalar, readYaml, setPath} from '../engine/given-values.ts'
import {nearest} from '../engine/nearest.ts'
import {JobSpec} from './spec.ts'

const shippedFolder = fileURLToPath(new URL('specs', import.meta.url))
const isFile = (given: string) => /\.ya?ml$/.test(given)

/** Names of the specs that come with this package. */
export async function shippedSpecs(): Promise<string[]> {
  return (await readdir(shippedFolder))
    .filter(isFile)
    .map((file) => file.replace(/\.ya?ml$/, ''))
    .sort()
}

interface Layer {
  /** The file, or the flag, in messages. */
  said: string
  values: Values
}

/**
 * A specification with everything that it extends and the values set on the command line, each overriding the one
 * before. A plain value is `ours`, whatever it replaces.
 * @param given name of a bundled specification, or path of a YAML file
 * @param set values by path, e.g. `{'hyperparameters.learningRate': '1.0e-5'}`; `null` removes a key
 * @param dataset what a specification without `data.source` trains on: the output folder's data set
 * @throws PipelineError `config-invalid`: every fault with file or flag, key, what was seen and what was expected
 */
export async function readSpec(
  given: string,
  set: Readonly<Record<string, string>> = {},
  dataset = 'runs/dataset',
): Promise<JobSpec> {
  const files = await chainOf(await fileOf(given, undefined))
  const layers = [...files, ...Object.entries(set).map(flagLayer)]
  const own = files.at(-1) as Layer
  const name = own.values['name'] ?? basename(own.said).replace(/\.ya?ml$/, '')
  const values = layers.map((layer) => layer.values).reduce(mergeValues, {data: {source: dataset}})
  const spoken = new Map(layers.flatMap(({said, values}) => leafPaths(values).map((path) => [path, said] as const)))
  const named = {...values, name: set['name'] === undefined ? name : values['name']}
  return checked(named, {what: 'The job', spoken, file: own.said})
}

/**
 * The job that follows one: its values unless `next` overrides them, so that a flag applies to both.
 * @param model the base model: `job:<id>` of the first one
 * @returns undefined when nothing follows
 * @throws PipelineError `config-invalid` for a fault in `next`
 */
export function followingSpec(spec: JobSpec, model: string): JobSpec | undefined {
  const {next, ...first} = spec
  if (next === undefined) return undefined
  const {revision: _, ...base} = first.model
  const {sha256: __, ...data} = first.data
  const values = mergeValues({...first, model: {...base, name: {value: model, source: 'ours'}}, data}, next)
  const named = {...values, name: `${spec.name}-${String(values['method'])}`}
  const spoken = new Map(leafPaths(next).map((path) => [path, `next.${path}`] as const))
  return checked(named, {what: 'The job of `next`', spoken, file: spec.name})
}

function checked(values: Values, told: Omit<Parameters<typeof describeFaults>[1], 'schema'>): JobSpec {
  const result = JobSpec.safeParse(values, {reportInput: true})
  if (result.success) return result.data
  const error = new z.ZodError(result.error.issues.map(atItsKey))
  const {message, fix} = describeFaults(error, {...told, schema: JobSpec})
  throw new PipelineError('config-invalid', message, {fix})
}

/** Values with a source are often written plainly, so messages name their key. */
function atItsKey(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  return issue.path.at(-1) === 'value' ? {...issue, path: issue.path.slice(0, -1)} : issue
}

/** The file and all that it extends, the base first. A job's name and description are not inherited. */
async function chainOf(file: string, below: readonly string[] = []): Promise<Layer[]> {
  if (below.includes(file)) {
    throw new PipelineError('config-invalid', `${[...below, file].join(' extends ')}: a cycle.`, {
      fix: `Remove \`extends\` from one of them.`,
    })
  }
  const {extends: base, ...values} = await readYaml(file, {what: 'job', fix: 'Check its path.'})
  const layer = {said: file, values}
  if (base === undefined) return [layer]
  if (typeof base !== 'string') throw notFound(String(base), await shippedSpecs(), file)
  const under = await chainOf(await fileOf(base, file), [...below, file])
  return [...under.map(({said, values: {name: _, description: __, ...rest}}) => ({said, values: rest})), layer]
}

async function fileOf(given: string, from: string | undefined): Promise<string> {
  if (isFile(given)) return resolve(from === undefined ? '' : dirname(from), given)
  const known = await shippedSpecs()
  if (known.includes(given)) return join(shippedFolder, `${given}.yaml`)
  throw notFound(given, known, from)
}

function notFound(given: string, known: readonly string[], from: string | undefined): PipelineError {
  const guess = nearest(given, known)
  const where = from === undefined ? '' : `, which ${from} extends`
  return new PipelineError('config-invalid', `There is no job ${given}${where}.`, {
    fix:
      guess === undefined
        ? `Give a YAML file, or one of the bundled jobs: ${known.join(', ')}.`
        : `Did you mean ${guess}? Your own file must end with .yaml.`,
  })
}

function flagLayer([path, text]: [string, string]): Layer {
  const said = `--set ${path}=${text}`
  const values: Values = {}
  setPath(values, path, parseScalar(text, said))
  return {said, values}
}

/** A section of a YAML file. */
export type Values = Record<string, unknown>

const isSection = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** With its source; such a value is replaced as a whole. */
const isTagged = (value: unknown) => isSection(value) && Object.hasOwn(value, 'value')

/** Only one of them may be given, so setting one removes the other. */
const exclusive: Readonly<Record<string, string>> = {steps: 'epochs', epochs: 'steps'}

/** Values over those of a base: sections key by key, everything else as a whole; `null` removes a key. */
export function mergeValues(base: Values, over: Values): Values {
  const merged = {...base}
  for (const [key, value] of Object.entries(over)) {
    const before = merged[key]
    const other = exclusive[key]
    if (other !== undefined && value !== null) delete merged[other]
    // Another model has its own licence.
    if (key === 'name' && !('licence' in over)) delete merged['licence']
    if (value === null) delete merged[key]
    else if (isSection(value) && !isTagged(value) && isSection(before) && !isOfOtherKind(before, value))
      merged[key] = mergeValues(before, value)
    else merged[key] = value
  }
  return merged
}

/** Sections distinguished by `kind` share no other key. */
function isOfOtherKind(before: Values, value: Values): boolean {
  const {kind} = value
  return typeof kind === 'string' && typeof before['kind'] === 'string' && before['kind'] !== kind
}

/** Paths of all values that are not sections, with dots between their keys. */
export function leafPaths(values: Values): string[] {
  return Object.entries(values).flatMap(([key, value]) =>
    isSection(value) ? leafPaths(value).map((path) => `${key}.${path}`) : [key],
  )
}
