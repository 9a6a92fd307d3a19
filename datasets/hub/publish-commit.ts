import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import type {CommitOperation} from '@huggingface/hub'
import {interrupted, PipelineError} from '../../engine/errors.ts'
import {realSleep, type Clock} from '../../engine/llm/clock.ts'
import {
  asHubError,
  hubArguments,
  hubDataset,
  hubFiles,
  isHubError,
  type HubAccess,
  type HubDataset,
  type HubKind,
} from './hub.ts'
import {difference, isNothing, type Difference, type LocalFile} from './publish-diff.ts'

interface PublishRequest {
  hub: HubAccess
  kind: HubKind
  /** `owner/name`. */
  name: string
  directory: string
  files: readonly LocalFile[]
  /** First line of the commit. */
  title: string
  isPublic: boolean
  signal: AbortSignal
  sleep?: Clock['sleep']
  onProgress?: (path: string, share: number) => void
}

/** What exists, and what a commit would change. `there` is undefined if nothing exists. */
export interface PublishPlan {
  there: HubDataset | undefined
  diff: Difference
}

/** Asks the Hub what exists; changes nothing. */
export async function planPublish({
  hub,
  kind,
  name,
  files,
}: Pick<PublishRequest, 'hub' | 'kind' | 'name' | 'files'>): Promise<PublishPlan> {
  const there = await hubDataset(hub, name, 'main', kind)
  return {there, diff: difference(files, there ? await hubFiles(hub, name, there.sha, kind) : [])}
}

/** How often to look for a commit whose answer was lost before sending it again, with doubling pauses. */
const rounds = 4

/**
 * Makes the data set or model on the Hub equal to `files` in one commit, creating it if missing. Large files are
 * uploaded before the commit. Files that the Hub has received are not sent again by any process; this process also
 * resumes partial uploads. @returns the commit with the files @throws PipelineError when the Hub refuses, is
 * unreachable, or was changed by someone else meanwhile
 */
export async function publish(asked: PublishRequest, plan: PublishPlan): Promise<string> {
  const hub = {...asked.hub, fetch: keepingParts(asked.hub.fetch)}
  const request = {...asked, hub}
  const {kind, name, files, signal, sleep = realSleep} = request
  let current: PublishPlan = plan.there ? plan : await created(request)
  const parent = current.there?.sha
  for (let round = 1; !isNothing(current.diff); round += 1) {
    if (signal.aborted) throw interrupted()
    const failure = await commit(request, current).then(
      () => undefined,
      (error: unknown) => ({error}),
    )
    if (failure && !mayPass(failure.error)) throw asHubError(failure.error, hub, `${name} could not be published`)
    current = await planPublish({hub, kind, name, files})
    if (isNothing(current.diff)) break
    if (current.there?.sha !== parent) throw changedMeanwhile(request, current)
    if (round === rounds && failure) throw asHubError(failure.error, hub, `${name} could not be published`)
    await sleep(1000 * 2 ** round, signal)
  }
  return current.there?.sha ?? ''
}

/** Models are at the root of the Hub. */
export const pageOf = ({endpoint}: HubAccess, kind: HubKind, name: string) =>
  `${endpoint}/${kind === 'model' ? '' : 'datasets/'}${name}`

async function created(request: PublishRequest): Promise<PublishPlan> {
  const {hub, kind, name, isPublic} = request
  const {createRepo} = await import('@huggingface/hub')
  const {accessToken = '', ...access} = hubArguments(hub)
  try {
    const visibility = isPublic ? 'public' : 'private'
    await createRepo({...access, accessToken, repo: {type: kind, name}, visibility})
  } catch (error) {
    // It exists after all: created by this request, whose first answer was lost.
    if (!(isHubError(error) && error.statusCode === 409)) throw asHubError(error, hub, `${name} could not be created`)
  }
  const plan = await planPublish(request)
  if (plan.there) return plan
  throw new PipelineError('endpoint-rejected', `${name} was created, but ${hub.endpoint} does not show it.`, {
    fix: 'Run the command again in a minute; it resumes.',
  })
}

async function commit(request: PublishRequest, {there, diff}: PublishPlan): Promise<void> {
  const {hub, kind, name, directory, title, signal, onProgress} = request
  const {commitIter} = await import('@huggingface/hub')
  const operations: CommitOperation[] = [
    ...[...diff.added, ...diff.changed].map(({path}) => ({
      operation: 'addOrUpdate' as const,
      path,
      content: pathToFileURL(join(directory, path)),
    })),
    ...diff.removed.map(({path}) => ({operation: 'delete' as const, path})),
  ]
  const {accessToken = '', ...access} = hubArguments(hub)
  const steps = commitIter({
    ...access,
    accessToken,
    repo: {type: kind, name},
    title,
    operations,
    ...(there ? {parentCommit: there.sha} : {}),
    abortSignal: signal,
  })
  for await (const step of steps) {
    if (step.event === 'fileProgress' && step.state === 'uploading') onProgress?.(step.path, step.progress)
  }
}

/** Whether a later attempt may succeed: a broken upload, an answer that never came, a Hub in trouble. */
function mayPass(error: unknown): boolean {
  if (error instanceof PipelineError) return error.code === 'endpoint-unreachable'
  if (!isHubError(error)) return error instanceof Error && error.name !== 'TypeError'
  // Storage answers 400 for an unexpected part of an upload, and 403 for an expired address.
  return error.statusCode >= 500 || error.statusCode === 408 || error.statusCode === 429 || ofStorage(error.url)
}

/** Uploads go to addresses outside the Hub's API. */
const ofStorage = (url: string) => !/\/api\/|\/info\/lfs\/objects\/batch$/.test(new URL(url).pathname)

function changedMeanwhile({kind, name, hub}: PublishRequest, {there}: PublishPlan): PipelineError {
  const what = there ? `has a new commit, ${there.sha.slice(0, 8)}, without these files` : 'is gone'
  const who = 'someone else changed it meanwhile, or the files here were written during the upload'
  return new PipelineError('endpoint-rejected', `${name} ${what}: ${who}.`, {
    fix: `Check ${pageOf(hub, kind, name)}/commits/main, then run the command again.`,
  })
}

interface Batch {
  objects: {oid: string; actions?: {upload?: Upload}}[]
}

/** The addresses for the parts of a large file, by number, and for reporting that all have been sent. */
interface Upload {
  href: string
  header?: Record<string, string>
}

/**
 * A `fetch` that resumes a failed multipart upload with the missing parts. On every request, the Hub starts a new
 * upload of the file, which does not include earlier parts: so the first upload's addresses are reused until they are
 * refused as expired. They are only kept in memory, since anyone who has them may write there without a token, and
 * storage does not report which parts it has: another process starts over.
 */
export function keepingParts(send: typeof fetch): typeof fetch {
  const uploads = new Map<string, Upload>()
  /** By address: the file whose upload it belongs to. */
  const owners = new Map<string, string>()
  const received = new Map<string, string>()

  function forget(oid: string): void {
    const {href = '', header = {}} = uploads.get(oid) ?? {}
    for (const address of [href, ...Object.values(header)]) {
      owners.delete(address)
      received.delete(address)
    }
    uploads.delete(oid)
  }

  function kept(oid: string, upload: Upload): Upload {
    const before = uploads.get(oid)
    if (before) return before
    uploads.set(oid, upload)
    for (const address of [upload.href, ...partsOf(upload)]) owners.set(address, oid)
    return upload
  }

  async function batch(answer: Response): Promise<Response> {
    if (!answer.ok) return answer
    const told = (await answer.clone().json()) as Batch
    for (const {oid, actions} of told.objects)
      if (actions?.upload && partsOf(actions.upload).length > 0) actions.upload = kept(oid, actions.upload)
    const {status, headers, url} = answer
    return Object.defineProperty(new Response(JSON.stringify(told), {status, headers}), 'url', {value: url})
  }

  return async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (/\/info\/lfs\/objects\/batch$/.test(url)) return batch(await send(input, init))
    const owner = owners.get(url)
    const etag = received.get(url)
    if (etag !== undefined) return new Response(null, {headers: {etag}})
    const answer = await send(input, init)
    if (owner === undefined) return answer
    const tag = answer.headers.get('etag')
    if (answer.ok && tag !== null && init?.method === 'PUT') received.set(url, tag)
    // Refused permanently, not for lack of a connection: a part was damaged, or the addresses have expired.
    if (!answer.ok && answer.status < 500 && answer.status !== 408 && answer.status !== 429) forget(owner)
    return answer
  }
}

const partsOf = ({header = {}}: Upload) =>
  Object.entries(header).flatMap(([name, address]) => (/^\d+$/.test(name) ? [address] : []))
