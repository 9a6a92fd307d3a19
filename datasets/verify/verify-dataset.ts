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
import {checkCard} from './check-card.ts'
import {checkParquet} from './check-parquet.ts'
import {cardAgain, releaseAgain, type Problem} from './problem.ts'

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
