import {resolve} from 'node:path'
import pLimit from 'p-limit'
import type {ImageReader} from '../../../datasets/schema/page-image.ts'
import {interrupted, PipelineError} from '../../../engine/errors.ts'
import {libraryVersion, ownModule} from '../../../engine/own-package.ts'
import {isolate} from '../../../engine/worker.ts'
import {bytesOf, sha256Of} from './find-images.ts'
import type {ImageToRead, ReadImage} from './read-image.ts'

interface ImageReaderOptions {
  /** Images processed at once, each in its own thread of about 200 MB. Default 2. */
  lanes?: number
  /** Time for one image. A picture of a screen takes 2 s, a formula a tenth of one. Default 60. */
  seconds?: number
  /** How long threads wait for more work before they end. Default 10. */
  idleSeconds?: number
  /** What runs in a lane; another one in tests. */
  module?: URL
}

/** What shapes a reading: the package and models, and our formula segmentation. */
const fingerprint = [
  ...['tesseract.js', '@tesseract.js-data/eng', '@tesseract.js-data/chi_sim'].map(withVersion),
  '4.0.0_best_int, layout 2',
].join(', ')

function withVersion(name: string): string {
  return `${name} ${libraryVersion(name)}`
}

/**
 * Reads the images below folders of documentation, offline, in threads that start when they are needed and end when
 * they are not. A thread that hangs or dies is replaced.
 */
export function imageReader(roots: readonly string[], options: ImageReaderOptions = {}): ImageReader {
  const {lanes = 2, seconds = 60, idleSeconds = 10, module = ownModule('./read-image', import.meta.url)} = options
  const turns = pLimit(lanes)
  const closing = new AbortController()
  const limits = {seconds, heapMegabytes: 512, idleSeconds}
  const answerTo = async (image: ImageToRead, signal: AbortSignal) => {
    if (signal.aborted) throw interrupted()
    const lane = isolate<ImageToRead, ReadImage>(module, limits, AbortSignal.any([signal, closing.signal]))
    try {
      return await lane.call(image)
    } finally {
      await lane.close()
    }
  }
  return {
    fingerprint,
    async bytes(path, sha256) {
      for (const root of roots) {
        const bytes = await bytesOf(resolve(root), path)
        if (Buffer.isBuffer(bytes) && sha256Of(bytes) === sha256) return bytes
      }
      throw changed(path)
    },
    async read(bytes, kind, signal) {
      try {
        const answer = await unlessAborted(
          turns(() => answerTo({bytes, kind}, signal)),
          signal,
        )
        if (answer.ok) return answer.value
        if (answer.why === 'threw') throw failed(answer.why, answer.detail)
        return {refused: answer.why === 'too-slow' ? 'image-too-slow' : 'image-too-large', detail: answer.detail}
      } catch (error) {
        throw error instanceof PipelineError ? error : failed('crashed', String(error))
      }
    },
    // Idle threads end by themselves.
    close: async () => closing.abort(),
  }
}

/** A stopped run need not wait for earlier images. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(interrupted())
  })
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, {once: true})
  try {
    return await Promise.race([aborted, work])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

function changed(path: string): PipelineError {
  return new PipelineError('input-unreadable', `${path} has changed since its page was read.`, {
    fix: 'Run the recipe again, to read the page and its images again.',
    evidence: {path},
    scope: 'record',
  })
}

function failed(why: string, detail: string): PipelineError {
  return new PipelineError('executor-failed', `Character recognition failed: ${why}, ${detail}.`, {
    fix: 'Run `ascend-cot resume` to retry the page.',
    evidence: {why, detail},
  })
}
