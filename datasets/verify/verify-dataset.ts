import {createHash} from 'node:crypto'
import {createReadStream} from 'node:fs'
import {readFile, stat} from 'node:fs/promises'
import {join} from 'node:path'
import {z} from 'zod'
import {PipelineError} from '../../engine/errors.ts'
import {walk} from '../../engine/files.ts'
import {Manifest, manifestPath} from '../hub/manifest.ts'
import {marksFile} from '../schema/mark.ts'
import type {Artifact} from '../schema/sample.ts'
import {checkParquet} from './check-parquet.ts'
import {cardAgain, releaseAgain, type Problem} from './problem.ts'
import {parse} from 'yaml'
import {canonicalJson} from '../../engine/ids.ts'
import {loadedBytes} from '../parquet/arrow-bytes.ts'
import {datasetInfo} from '../card/card-metadata.ts'
import {configs, Split} from '../schema/export.ts'

interface Verification {
  files: number
  rows: number
  problems: Problem[]
}

/**
 * Compares a data set with its manifest and its card, and reads every row of every Parquet file.
 * @throws PipelineError `input-missing` when the folder has no manifest, `input-invalid` when it cannot be read
 */
export async function verifyDataset(directory: string): Promise<Verification> {
  const {files} = await readManifest(directory)
  const problems: Problem[] = []
  const ids = new Map<string, Set<string>>()
  let rows = 0
  const whole: Artifact[] = []
  for (const artifact of files) {
    const damage = await damageOf(directory, artifact)
    if (damage) problems.push(damage)
    else whole.push(artifact)
    // For an existing file, faults in its rows say more than its hash.
    if (!artifact.path.endsWith('.parquet') || damage?.what === missing || damage?.what === outside) continue
    const group = artifact.kind === 'view' ? artifact.path : (artifact.config ?? '')
    const known = ids.get(group) ?? new Set<string>()
    ids.set(group, known)
    const checked = await checkParquet(join(directory, artifact.path), artifact, known)
    rows += artifact.kind === 'parquet' ? checked.rows : 0
    problems.push(...checked.problems)
  }
  problems.push(...(await foreignFiles(directory, files)))
  const data = files.filter(({kind}) => kind === 'parquet')
  // A card can only be compared with files that can be read.
  const readable = data.every((one) => whole.includes(one) && !problems.some(({file}) => file === one.path))
  if (readable) problems.push(...(await checkCard(directory, data)))
  return {files: files.length, rows, problems}
}

async function readManifest(directory: string): Promise<Manifest> {
  const path = join(directory, manifestPath)
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new PipelineError(
      'input-missing',
      `${directory} is not a data set with a manifest: it has no ${manifestPath}.`,
      {
        fix: 'Give the folder that contains README.md and data/, or write its manifest with `ascend-cot run card`.',
        cause,
        evidence: {path},
      },
    )
  })
  try {
    return Manifest.parse(JSON.parse(text))
  } catch (cause) {
    const why = cause instanceof z.ZodError ? z.prettifyError(cause).split('\n').slice(0, 2).join(' ') : String(cause)
    throw new PipelineError('input-invalid', `${path} is not a manifest: ${why}`, {
      fix: cardAgain,
      cause,
      evidence: {path},
    })
  }
}

const missing = 'is missing'
const outside = 'is outside the data set'

async function damageOf(directory: string, {path, bytes, sha256, kind}: Artifact): Promise<Problem | undefined> {
  const fix = kind === 'parquet' ? releaseAgain : cardAgain
  if (path.startsWith('/') || path.split('/').includes('..'))
    return {file: path, what: outside, fix: 'Use a manifest written by `ascend-cot run card`.'}
  const found = await stat(join(directory, path)).catch(() => undefined)
  if (!found?.isFile()) return {file: path, what: missing, fix}
  if (found.size !== bytes) return {file: path, what: `has ${found.size} bytes, the manifest says ${bytes}`, fix}
  const digest = await digestOf(join(directory, path))
  if (digest !== sha256)
    return {file: path, what: `has the SHA-256 ${digest.slice(0, 12)}…, the manifest says ${sha256.slice(0, 12)}…`, fix}
  return undefined
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** Files that git and the Hub's client keep next to their downloads. */
const kept = /^(?:\.git|\.cache|\.huggingface)\/|^\.gitattributes$|^\.gitignore$/

async function foreignFiles(directory: string, files: readonly Artifact[]): Promise<Problem[]> {
  const known = new Set([manifestPath, ...files.map(({path}) => path)])
  const problems: Problem[] = []
  for await (const file of walk(directory)) {
    if (known.has(file) || kept.test(file) || file === marksFile) continue
    problems.push({file, what: 'is not in the manifest', fix: 'Remove it, or run `ascend-cot run card` again.'})
  }
  return problems
}

const CardHead = z.object({
  dataset_info: z.array(
    z.object({
      config_name: z.string(),
      features: z.unknown(),
      splits: z.array(z.object({name: z.string(), num_bytes: z.number(), num_examples: z.number()})),
      download_size: z.number(),
      dataset_size: z.number(),
    }),
  ),
})

const file = 'README.md'

/** Compares the card's YAML head, which `load_dataset` and the viewer trust, with the files. */
async function checkCard(directory: string, data: readonly Artifact[]): Promise<Problem[]> {
  const problem = (what: string): Problem => ({file, what, fix: cardAgain})
  const text = await readFile(join(directory, file), 'utf8').catch(() => undefined)
  if (text === undefined) return [problem('is missing')]
  const head = headOf(text)
  if (typeof head === 'string') return [problem(head)]
  const expected = datasetInfo(splitsOf(data), await loadedBytes(directory, data))
  const named = head.dataset_info.map(({config_name}) => config_name)
  const unknown = named.filter((name) => !expected.some(({config_name}) => config_name === name))
  return [
    ...unknown.map((name) => problem(`lists the configuration ${name}, which has no file`)),
    ...expected.flatMap((info) => {
      const told = head.dataset_info.find(({config_name}) => config_name === info.config_name)
      if (!told) return [problem(`does not list the configuration ${info.config_name}`)]
      return differences(told, info).map((what) => problem(`${info.config_name}: ${what}`))
    }),
  ]
}

function headOf(text: string): z.infer<typeof CardHead> | string {
  const [, yaml] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? []
  if (yaml === undefined) return 'has no YAML head'
  try {
    const {data, error} = CardHead.safeParse(parse(yaml))
    return (
      data ?? `has a head without a valid dataset_info: ${error.issues[0]?.path.join('.')} ${error.issues[0]?.message}`
    )
  } catch (error) {
    return `has a head that is not YAML: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`
  }
}

type Told = z.infer<typeof CardHead>['dataset_info'][number]

function differences(told: Told, found: ReturnType<typeof datasetInfo>[number]): string[] {
  const numbers = (of: Told | typeof found) => ({
    ...Object.fromEntries(
      of.splits.flatMap(({name, num_examples, num_bytes}) => [
        [`rows of ${name}`, num_examples],
        [`num_bytes of ${name}`, num_bytes],
      ]),
    ),
    download_size: of.download_size,
    dataset_size: of.dataset_size,
  })
  const [said, counted]: Record<string, number>[] = [numbers(told), numbers(found)]
  const names = [...new Set([...Object.keys(said ?? {}), ...Object.keys(counted ?? {})])]
  return [
    ...names
      .filter((name) => said?.[name] !== counted?.[name])
      .map((name) => `says ${name} ${said?.[name] ?? 'nothing'}, the files say ${counted?.[name] ?? 'nothing'}`),
    ...(canonicalJson(told.features) === canonicalJson(found.features)
      ? []
      : ['lists features that differ from the columns']),
  ]
}

function splitsOf(data: readonly Artifact[]) {
  return configs
    .map((config) => ({
      config,
      splits: Split.options
        .map((split) => ({split, own: data.filter((one) => one.config === config && one.split === split)}))
        .filter(({own}) => own.length > 0)
        .map(({split, own}) => ({
          split,
          files: own.length,
          rows: own.reduce((sum, {rows}) => sum + rows, 0),
          bytes: own.reduce((sum, {bytes}) => sum + bytes, 0),
        })),
    }))
    .filter(({splits}) => splits.length > 0)
}
