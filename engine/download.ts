import {open, rename, rm, stat} from 'node:fs/promises'
import {dirname} from 'node:path'
import {PipelineError} from './errors.ts'
import {asOutputError, makeFolder} from './files.ts'
import {withoutQuery} from './retrying-fetch.ts'

interface Download {
  url: string
  headers: Readonly<Record<string, string>>
  fetch: typeof fetch
  /** Where the file goes once it is whole; what has arrived waits beside it under `.part`. */
  path: string
  bytes: number
  /** Whether a file holds the wanted bytes. */
  isWanted: (path: string) => Promise<boolean>
  onBytes?: (received: number) => void
}

/** Of one file; each asks only for what is missing. */
const attempts = 8

/**
 * Fetches a file, and after a broken connection or a killed process goes on where it stopped. The file appears under
 * its name when all bytes are there and are the wanted ones.
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
    // All there and not what was wanted: of another version, or damaged on the way. Nothing of it is of use.
    if (size >= bytes) await rm(part, {force: true})
  }
  throw new PipelineError('endpoint-rejected', `${withoutQuery(request.url)} did not arrive whole.`, {
    fix: 'Run the command again: it goes on where it stopped.',
    scope: 'run',
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
  // A server that knows no ranges sends everything, from the start.
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
    `${withoutQuery(url)} cannot be fetched: the server answered ${status}.`,
    {
      fix: gated
        ? 'Accept the terms on the page of the data set, and set HF_TOKEN to a token of yours.'
        : 'Look at the page of the data set; run the command again later.',
      scope: 'run',
      evidence: {url: withoutQuery(url), status},
    },
  )
}
