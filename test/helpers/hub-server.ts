import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {onTestFinished} from 'vitest'
import {sendFile} from './hub-download.ts'
import {
  addCommit,
  atRevision,
  entriesBelow,
  headOf,
  newRepository,
  sha256,
  treeEntry,
  type Repository,
  type StoredFile,
} from './hub-repository.ts'

/**
 * How the stand-in misbehaves. `cut`: the connection breaks before anything is done; `cut-after`: when it is done, and
 * the answer is lost; `cut-half`: half of the answer is sent; `stale-etag`: a part is received under another's ETag; a
 * number is answered as a status.
 */
export interface Fault {
  /** Against `METHOD /path?query`. */
  match: RegExp
  times: number
  does: number | 'cut' | 'cut-after' | 'cut-half' | 'stale-etag' | 'hang'
  headers?: Record<string, string>
  body?: string
}

export interface HubOptions {
  token?: string
  faults?: Fault[]
  /** Larger files are uploaded in parts of this size. Default 5,000,000. */
  partBytes?: number
  /** Files above it are large, and Parquet always. Default 10,000. */
  largeBytes?: number
  /** Entries of a listing per page. Default 1,000. */
  pageSize?: number
  /** Namespaces that the token may write to. Default `me`. */
  owners?: string[]
  onRequest?: (line: string) => void
}

export interface HubServer {
  readonly url: string
  readonly repositories: Map<string, Repository>
  /** Large files by SHA-256, whether a commit has them or not. */
  readonly store: Map<string, Buffer>
  readonly requests: string[]
  readonly faults: Fault[]
  /** Headers of every request, to look for what should not be there. */
  readonly headers: IncomingMessage['headers'][]
  close(): Promise<void>
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  url: URL
  body: Buffer
  fault: Fault | undefined
}

/** A server on loopback with the parts of the Hub's interface that publishing, importing and `huggingface_hub` use. */
export async function startHub(options: HubOptions = {}): Promise<HubServer> {
  const hub = {
    repositories: new Map<string, Repository>(),
    store: new Map<string, Buffer>(),
    requests: [] as string[],
    faults: [...(options.faults ?? [])],
    headers: [] as IncomingMessage['headers'][],
    parts: new Map<string, Buffer>(),
    uploads: 0,
    url: '',
    options,
  }
  const server = createServer((request, response) => void serve(request, response))

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const line = `${request.method} ${request.url}`
    hub.requests.push(line)
    hub.headers.push(request.headers)
    options.onRequest?.(line)
    const fault = hub.faults.find(({match, times}) => times > 0 && match.test(line))
    if (fault) fault.times -= 1
    if (fault?.does === 'hang') return undefined
    if (fault?.does === 'cut') return request.socket.destroy()
    const body = await bodyOf(request).catch(() => undefined)
    if (!body) return undefined
    if (typeof fault?.does === 'number') {
      for (const [name, value] of Object.entries(fault.headers ?? {})) response.setHeader(name, value)
      return json(response, {error: fault.body ?? `planted ${fault.does}`}, fault.does)
    }
    return answer(hub, {request, response, url: new URL(request.url ?? '/', hub.url), body, fault})
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  hub.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return Object.assign(hub, {close})
}

/** The same for a test, closed when it ends. */
export async function testHub(options: HubOptions = {}): Promise<HubServer> {
  const hub = await startHub(options)
  onTestFinished(() => hub.close())
  return hub
}

type Hub = Omit<HubServer, 'close'> & {parts: Map<string, Buffer>; uploads: number; options: HubOptions}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

function json(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): ServerResponse {
  response.writeHead(status, {'content-type': 'application/json', 'x-request-id': 'stand-in', ...headers})
  return response.end(JSON.stringify(value))
}

const missing = (response: ServerResponse) =>
  json(response, {error: 'Repository not found'}, 404, {'x-error-code': 'RepoNotFound'})

/** Paths in the order in which they are tried. */
const routes: [method: string, path: RegExp, (hub: Hub, exchange: Exchange, found: string[]) => unknown][] = [
  ['GET', /^\/api\/whoami-v2$/, (_, {response}) => json(response, {type: 'user', name: 'me', auth: {}})],
  ['POST', /^\/api\/repos\/create$/, create],
  ['POST', /^\/api\/(?:datasets|models)\/([^/]+\/[^/]+)\/preupload\/[^/]+$/, preupload],
  ['POST', /^\/api\/(?:datasets|models)\/([^/]+\/[^/]+)\/commit\/[^/]+$/, commit],
  ['POST', /^\/api\/(?:datasets|models)\/([^/]+\/[^/]+)\/paths-info\/([^/]+)$/, pathsInfo],
  ['POST', /^\/(?:datasets\/)?([^/]+\/[^/]+)\.git\/info\/lfs\/objects\/batch$/, batch],
  ['PUT', /^\/storage\/(\w{64})$/, putWhole],
  ['PUT', /^\/storage\/(\w{64})\/(\d+)$/, putPart],
  ['POST', /^\/storage\/(\w{64})\/complete$/, completeParts],
  ['GET', /^\/api\/(?:datasets|models)\/([^/]+\/[^/]+)\/tree\/([^/]+)(?:\/(.*))?$/, tree],
  ['GET', /^\/api\/(?:datasets|models)\/([^/]+\/[^/]+)(?:\/revision\/([^/]+))?$/, info],
  ['GET', /^\/datasets\/([^/]+\/[^/]+)\/resolve\/([^/]+)\/(.+)$/, resolveFile],
  ['GET', /^\/cdn\/(\w{64})$/, (hub, exchange, [id = '']) => sendFile(exchange, hub.store.get(id), `"${id}"`)],
]

function answer(hub: Hub, exchange: Exchange): unknown {
  const {request, response, url} = exchange
  const {token} = hub.options
  const bearer = request.headers.authorization?.replace(/^Bearer /, '')
  if (token !== undefined && bearer !== undefined && bearer !== token)
    return json(response, {error: 'Invalid credentials in Authorization header'}, 401)
  const method = request.method === 'HEAD' ? 'GET' : request.method
  for (const [wanted, path, handle] of routes) {
    const found = path.exec(decodeURIComponent(url.pathname))
    if (wanted !== method || !found) continue
    const writes = method === 'POST' && !/paths-info|storage/.test(url.pathname)
    if (token !== undefined && writes && bearer === undefined) return json(response, {error: 'Unauthorized'}, 401)
    return handle(hub, exchange, found.slice(1))
  }
  return json(response, {error: `no such address: ${request.method} ${url.pathname}`}, 404)
}

function repositoryOf(hub: Hub, {request}: Exchange, name: string): Repository | undefined {
  const repository = hub.repositories.get(name)
  const sees = hub.options.token === undefined || request.headers.authorization !== undefined
  return repository && (!repository.private || sees) ? repository : undefined
}

function create(hub: Hub, {response, body, request, fault}: Exchange): unknown {
  const {name, organization, type, visibility} = JSON.parse(body.toString()) as Record<string, string>
  const full = `${organization}/${name}`
  if (!(hub.options.owners ?? ['me']).includes(organization ?? ''))
    return json(response, {error: `You don't have the rights to create a ${type} under the namespace`}, 403)
  if (hub.repositories.has(full)) return json(response, {error: 'You already created this dataset repo'}, 409)
  hub.repositories.set(full, newRepository(visibility !== 'public'))
  if (fault?.does === 'cut-after') return request.socket.destroy()
  return json(response, {url: `${hub.url}/datasets/${full}`, name: full, id: full})
}

function preupload(hub: Hub, exchange: Exchange, [name = '']: string[]): unknown {
  if (!repositoryOf(hub, exchange, name)) return missing(exchange.response)
  const {files} = JSON.parse(exchange.body.toString()) as {files: {path: string; size: number}[]}
  const large = ({path, size}: {path: string; size: number}) =>
    path.endsWith('.parquet') || size > (hub.options.largeBytes ?? 10_000)
  return json(exchange.response, {
    files: files.map((file) => ({path: file.path, uploadMode: large(file) ? 'lfs' : 'regular', shouldIgnore: false})),
  })
}

function batch(hub: Hub, {response, body}: Exchange): unknown {
  const {objects} = JSON.parse(body.toString()) as {objects: {oid: string; size: number}[]}
  const partBytes = hub.options.partBytes ?? 5_000_000
  const actions = ({oid, size}: {oid: string; size: number}) => {
    if (hub.store.has(oid)) return {}
    const href = `${hub.url}/storage/${oid}`
    // Addresses of storage are signed: nobody should see them in a message.
    if (size <= partBytes) return {actions: {upload: {href: `${href}?signature=secret`}}}
    const count = Math.ceil(size / partBytes)
    // As S3 has it: each begins an upload of its own, and its parts are of no use to another.
    hub.uploads += 1
    const query = `upload=${hub.uploads}&signature=secret`
    const parts = Object.fromEntries(
      Array.from({length: count}, (_, at) => [String(at + 1), `${href}/${at + 1}?${query}`]),
    )
    return {actions: {upload: {href: `${href}/complete?${query}`, header: {chunk_size: String(partBytes), ...parts}}}}
  }
  return json(response, {
    transfer: objects.some(({size}) => size > partBytes) ? 'multipart' : 'basic',
    objects: objects.map((object) => ({...object, authenticated: true, ...actions(object)})),
  })
}

function putWhole(hub: Hub, {response, body, fault, request}: Exchange, [id = '']: string[]): unknown {
  if (sha256(body) !== id) return json(response, {error: 'the bytes are not those that were announced'}, 400)
  hub.store.set(id, body)
  if (fault?.does === 'cut-after') return request.socket.destroy()
  return response.writeHead(200, {etag: `"${id.slice(0, 32)}"`}).end()
}

const partKey = (url: URL, id: string, number: string | number) => `${id}/${url.searchParams.get('upload')}/${number}`

function putPart(hub: Hub, {response, body, fault, url}: Exchange, [id = '', number = '']: string[]): unknown {
  hub.parts.set(partKey(url, id, number), body)
  const etag = fault?.does === 'stale-etag' ? 'of-an-earlier-upload' : sha256(body).slice(0, 32)
  return response.writeHead(200, {etag: `"${etag}"`}).end()
}

function completeParts(hub: Hub, {response, body, url}: Exchange, [id = '']: string[]): unknown {
  const {parts} = JSON.parse(body.toString()) as {parts: {partNumber: number; etag: string}[]}
  const received = parts.map(({partNumber, etag}) => {
    const part = hub.parts.get(partKey(url, id, partNumber))
    return part && etag === `"${sha256(part).slice(0, 32)}"` ? part : undefined
  })
  if (received.includes(undefined)) return json(response, {error: 'InvalidPart'}, 400)
  const whole = Buffer.concat(received as Buffer[])
  if (sha256(whole) !== id) return json(response, {error: 'the parts do not make what was announced'}, 400)
  hub.store.set(id, whole)
  return json(response, {})
}

interface Operation {
  key: 'header' | 'file' | 'lfsFile' | 'deletedFile'
  value: {path: string; content: string; oid: string; summary: string; parentCommit?: string}
}

function commit(hub: Hub, exchange: Exchange, [name = '']: string[]): unknown {
  const {response, body, request, fault} = exchange
  const repository = repositoryOf(hub, exchange, name)
  if (!repository) return missing(response)
  const lines = body.toString().split('\n').filter(Boolean)
  const operations = lines.map((line) => JSON.parse(line) as Operation)
  const header = operations.find(({key}) => key === 'header')?.value
  const head = headOf(repository)
  if (header?.parentCommit !== undefined && header.parentCommit !== head.sha)
    return json(response, {error: 'A commit has happened since. Please refresh and try again.'}, 412)
  const files = new Map<string, StoredFile>(head.files)
  for (const {key, value} of operations) {
    if (key === 'file') files.set(value.path, {bytes: Buffer.from(value.content, 'base64'), large: false})
    if (key === 'deletedFile') files.delete(value.path)
    if (key !== 'lfsFile') continue
    const stored = hub.store.get(value.oid)
    if (!stored) return json(response, {error: `LFS pointer pointed to a file that does not exist: ${value.path}`}, 400)
    files.set(value.path, {bytes: stored, large: true})
  }
  const {sha} = addCommit(repository, header?.summary ?? '', files)
  if (fault?.does === 'cut-after') return request.socket.destroy()
  return json(response, {
    success: true,
    commitOid: sha,
    commitUrl: `${hub.url}/datasets/${name}/commit/${sha}`,
    hookOutput: '',
  })
}

function tree(hub: Hub, exchange: Exchange, [name = '', revision = '', below = '']: string[]): unknown {
  const found = repositoryOf(hub, exchange, name)
  const files = found && atRevision(found, revision)?.files
  if (!files) return missing(exchange.response)
  const {url, response} = exchange
  const from = Number(url.searchParams.get('cursor') ?? 0)
  const size = hub.options.pageSize ?? 1000
  const entries = entriesBelow(files, below, url.searchParams.get('recursive')?.toLowerCase() === 'true')
  const next = new URL(url)
  next.searchParams.set('cursor', String(from + size))
  const link = from + size < entries.length ? {link: `<${next.href}>; rel="next"`} : {}
  return json(response, entries.slice(from, from + size), 200, link as Record<string, string>)
}

function pathsInfo(hub: Hub, exchange: Exchange, [name = '', revision = '']: string[]): unknown {
  const found = repositoryOf(hub, exchange, name)
  const files = found && atRevision(found, revision)?.files
  if (!files) return missing(exchange.response)
  const text = exchange.body.toString()
  const paths = text.startsWith('{')
    ? (JSON.parse(text) as {paths: string[]}).paths
    : new URLSearchParams(text).getAll('paths')
  const entries = paths.flatMap((path) => {
    const file = files.get(path)
    if (file) return [treeEntry(path, file)]
    return entriesBelow(files, '', true).filter((entry) => entry.path === path)
  })
  return json(exchange.response, entries)
}

function info(hub: Hub, exchange: Exchange, [name = '', revision = 'main']: string[]): unknown {
  const repository = repositoryOf(hub, exchange, name)
  const commit = repository && atRevision(repository, revision)
  if (!repository || !commit) return missing(exchange.response)
  const card = commit.files.get('README.md')?.bytes.toString() ?? ''
  const licence = /^license:\s*(\S+)/m.exec(card)?.[1]
  return json(exchange.response, {
    _id: 'stand-in',
    id: name,
    sha: commit.sha,
    private: repository.private,
    gated: false,
    disabled: false,
    downloads: 0,
    likes: 0,
    tags: [],
    lastModified: '2026-01-01T00:00:00.000Z',
    cardData: licence === undefined ? {} : {license: licence},
    siblings: [...commit.files.keys()].map((rfilename) => ({rfilename})),
  })
}

function resolveFile(hub: Hub, exchange: Exchange, [name = '', revision = '', path = '']: string[]): unknown {
  const {response, request} = exchange
  const repository = repositoryOf(hub, exchange, name)
  const commit = repository && atRevision(repository, revision)
  const file = commit?.files.get(path)
  if (!commit || !file) return json(response, {error: 'Entry not found'}, 404, {'x-error-code': 'EntryNotFound'})
  response.setHeader('x-repo-commit', commit.sha)
  const {oid} = treeEntry(path, file)
  if (!file.large) return sendFile(exchange, file.bytes, `"${oid}"`)
  const id = sha256(file.bytes)
  hub.store.set(id, file.bytes)
  response.setHeader('x-linked-etag', `"${id}"`)
  response.setHeader('x-linked-size', String(file.bytes.length))
  // Another host, as the Hub's storage is one: its clients follow redirects within a host by themselves.
  const storage = hub.url.replace('127.0.0.1', 'localhost')
  return response
    .writeHead(302, {location: `${storage}/cdn/${id}`})
    .end(request.method === 'HEAD' ? undefined : 'Found')
}
