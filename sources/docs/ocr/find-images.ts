import {createHash} from 'node:crypto'
import {realpath} from 'node:fs/promises'
import {posix, join, relative, isAbsolute, sep} from 'node:path'
import {imageReferences, type ImageReference} from '../../../datasets/page-images.ts'
import type {ImageOutcome, PageImage} from '../../../datasets/schema/page-image.ts'
import {isSystemError, PipelineError} from '../../../engine/errors.ts'
import {readInput} from '../../../engine/input-files.ts'

/** The largest figure of 1,863 in the vendor's documentation has 1.6 MB. */
const imageBytes = 16 * 2 ** 20

/**
 * The images that a page refers to, each once, with the hash of their bytes: a page whose images arrive later is
 * another record, so decisions made without them are not reused. @param root the documentation folder; nothing outside
 * it is opened
 * @param page the page's path below it
 */
export async function findImages(markdown: string, root: string, page: string): Promise<PageImage[]> {
  const references = new Map<string, ImageReference>()
  for (const reference of imageReferences(markdown))
    if (!references.has(reference.file)) references.set(reference.file, reference)
  // One after another: a page may refer to thousands, and both open files and memory have an end.
  const looks = new Map<string | undefined, Look>()
  const found: PageImage[] = []
  for (const reference of references.values()) {
    const {file} = reference
    const path = pathBelow(page, file)
    const look = looks.get(path) ?? (await lookAt(root, path))
    looks.set(path, look)
    found.push({file, kind: isFormula(reference) ? 'formula' : 'figure', ...look})
  }
  return found
}

/** Pages announce a formula in the line above it: "计算公式如下：". */
const announces = /(?:公式|表达式|formula|equation|defined as)[^。.]{0,24}[:：]?\s*$/i

function isFormula({file, alt, lead, isAlone}: ImageReference): boolean {
  if (/formula|equation/i.test(file)) return true
  if (/^(?:公式|formula|equation)/i.test(alt.trim())) return true
  return isAlone && alt.trim() === '' && !/zh-cn_image|figure|图/.test(posix.basename(file)) && announces.test(lead)
}

/** Undefined for what is no file below the folder. */
function pathBelow(page: string, file: string): string | undefined {
  if (/^[a-z][\w+.-]*:|^\/\//i.test(file)) return undefined
  const path = posix.join(posix.dirname(page), decoded(file.replace(/[?#].*$/, '')))
  return path.startsWith('../') || path.startsWith('/') || file.startsWith('/') ? undefined : path
}

function decoded(file: string): string {
  try {
    return decodeURIComponent(file)
  } catch {
    return file
  }
}

type Look = Pick<PageImage, 'outcome' | 'path' | 'sha256'>

async function lookAt(root: string, path: string | undefined): Promise<Look> {
  if (path === undefined) return {outcome: 'image-elsewhere'}
  const bytes = await bytesOf(root, path)
  return Buffer.isBuffer(bytes) ? {outcome: 'unread', path, sha256: sha256Of(bytes)} : {outcome: bytes}
}

/**
 * The bytes of an image below a folder, or why there are none.
 * @throws PipelineError `input-unreadable` when the disk fails
 */
export async function bytesOf(root: string, path: string): Promise<Buffer | ImageOutcome> {
  const place = await placeOf(root, path)
  if (!place.ok) return place.outcome
  const bytes = await readInput(place.file, imageBytes)
  if (Buffer.isBuffer(bytes)) return isPointer(bytes) ? 'image-is-pointer' : bytes
  return bytes.reason === 'file-too-large' ? 'image-too-large' : 'image-unreadable'
}

/** Links on the way may lead out of the folder. */
async function placeOf(
  root: string,
  path: string,
): Promise<{ok: true; file: string} | {ok: false; outcome: ImageOutcome}> {
  try {
    const file = await realpath(join(root, path))
    const below = relative(await realpath(root), file)
    const isOutside = below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below)
    return isOutside ? {ok: false, outcome: 'image-elsewhere'} : {ok: true, file}
  } catch (error) {
    const hasCode = (codes: readonly string[]) => codes.some((code) => isSystemError(error, code))
    if (hasCode(gone)) return {ok: false, outcome: 'image-missing'}
    if (hasCode(closed)) return {ok: false, outcome: 'image-unreadable'}
    throw new PipelineError('input-unreadable', `The path ${path} cannot be resolved (${String(error)}).`, {
      fix: 'Check the disk, then run `ascend-cot resume`.',
      cause: error,
      evidence: {path},
    })
  }
}

const gone = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']
/** Errors of one path only, that of a name with a NUL among them; any other would hit the next one too. */
const closed = ['EACCES', 'EPERM', 'ELOOP', 'ERR_INVALID_ARG_VALUE']

const isPointer = (bytes: Buffer) =>
  bytes.length < 1024 && bytes.toString('latin1', 0, 42).startsWith('version https://git-lfs.github.com/spec/')

export const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
