import {open, rename, rm, stat} from 'node:fs/promises'
import {dirname} from 'node:path'
import {PipelineError} from './errors.ts'
import {asOutputError, makeFolder} from './files.ts'
import {withoutQuery} from './retrying-fetch.ts'

interface Download {
  url: string
  headers: Readonly<Record<string, string>>
  fetch: typeof fetch
  /** Final path of the complete file; a partial one is next to it as `.part`. */
  path: string
  bytes: number
  /** Whether a file holds the expected bytes. */
  isWanted: (path: string) => Promise<boolean>
  onBytes?: (received: number) => void
}

/** Attempts per file; each requests only the missing bytes. */
const attempts = 8

/**
 * Downloads a file, and resumes after a broken connection or a killed process. The file appears under its name once it
 * is complete and holds the expected bytes.
 * @throws PipelineError `endpoint-rejected` when the server refuses, or sends other bytes than it announced
 */
export async function download(request: Download): Promise<void> {
  const {path, bytes, isWanted} = request
  const part = `${path}.part`
  makeFolder(dirname(path))
  for (let tried = 1; tried <= attempts; tried += 1) {
    await receive(request, part)
    const size = await sizeOf(part)
    if (size === bytes && (await isWanted(part))) return await rename(part, path)
    // Complete but wrong: another version, or damaged in transit. None of it can be reused.
    if (size >= bytes) await rm(part, {force: true})
  }
  throw new PipelineError('endpoint-rejected', `${withoutQuery(request.url)} could not be downloaded completely.`, {
    fix: 'Run the command again; the download resumes where it stopped.',
    evidence: {bytes, received: await sizeOf(part)},
  })
}

async function receive({url, headers, fetch, bytes, onBytes}: Download, part: string): Promise<void> {
  const had = await sizeOf(part)
  if (had >= bytes && bytes > 0) return
  const range: Record<string, string> = had > 0 ? {range: `bytes=${had}-`} : {}
  const response = await fetch(url, {headers: {...headers, ...range}})
  if (response.status === 416) return await rm(part, {force: true})
  if (!response.ok) throw refused(url, response.status)
  // A server without range support sends the whole file again.
  const file = await open(part, response.status === 206 && had > 0 ? 'a' : 'w').catch((error: unknown) => {
    throw asOutputError(error, part)
  })
  let received = response.status === 206 ? had : 0
  try {
    for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      await file.write(piece)
      received += piece.length
      onBytes?.(received)
    }
  } catch (error) {
    const written = asOutputError(error, part)
    if (written !== error) throw written
    // A broken connection: what has arrived is kept.
  } finally {
    await file.close()
  }
}

async function sizeOf(path: string): Promise<number> {
  return await stat(path).then(
    ({size}) => size,
    () => 0,
  )
}

function refused(url: string, status: number): PipelineError {
  const gated = status === 401 || status === 403
  return new PipelineError(
    'endpoint-rejected',
    `${withoutQuery(url)} cannot be downloaded: the server answered ${status}.`,
    {
      fix: gated
        ? "Accept the terms on the data set's page, and set HF_TOKEN to your access token."
        : "Check the data set's page, then run the command again later.",
      evidence: {url: withoutQuery(url), status},
    },
  )
}
