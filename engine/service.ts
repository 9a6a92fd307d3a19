import Fastify, {type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest} from 'fastify'
import type {Socket} from 'node:net'
import {Readable} from 'node:stream'
import {createHash, timingSafeEqual} from 'node:crypto'
import type {z} from 'zod'
import {isSystemError, PipelineError} from './errors.ts'
import type {Json} from './json.ts'

/** One route of an HTTP service; the OpenAPI description is generated from it. */
export interface Route {
  method: 'GET' | 'POST'
  /** With `{name}` where a part of the path is a parameter. */
  path: string
  summary: string
  /** Of the JSON body; invalid bodies are answered with 422 before `handle` sees them. */
  body?: z.ZodType
  replies: Readonly<Record<number, {meaning: string; schema?: z.ZodType}>>
  /** Answered without a token, so that monitoring does not need one. */
  open?: true
  handle(call: Call): Promise<Reply> | Reply
}

interface Call {
  /** Of the type that the route's `body` has. */
  body: unknown
  /** A parameter of the path. */
  parameter(name: string): string
  /** '' when absent. */
  header(name: string): string
  /** Aborted when the client disconnects before the reply is complete. */
  gone: AbortSignal
}

export interface Reply {
  status: number
  headers?: Readonly<Record<string, string>>
  /** A JSON document; lines of them, one each; or a text or bytes of another type. */
  content:
    | {json: Json}
    | {lines: AsyncIterable<Json>}
    | {text: string; type: string}
    | {bytes: Uint8Array; type: string}
}

/** A request that a route refuses, in the form of all the service's errors. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  readonly code: string
  readonly fix: string
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: string,
    message: string,
    {fix, headers = {}}: {fix: string; headers?: Readonly<Record<string, string>>},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.fix = fix
    this.headers = headers
  }
}

interface ServiceOptions {
  host: string
  /** 0 picks a free port. */
  port: number
  /** The token required in the `Authorization: Bearer` header; undefined requires none. */
  token: string | undefined
  /** Of a request's body. */
  mostBytes: number
  /** Time for a request's head and body to arrive, so that a slow client cannot hold a connection for longer. */
  requestSeconds: number
  routes: readonly Route[]
  /** Of every reply, refusals too. */
  headers?: Readonly<Record<string, string>>
  /** Looks at every request before its route does, by headers and the service's own URL. @throws Refusal */
  check?(header: Call['header'], url: string): void
  /** Called for every reply, with the route's own path; `status` 499 when the client disconnected first. */
  answered(route: string, status: number, seconds: number): void
}

const patience = 3000

interface Service {
  url: string
  /**
   * Accepts no more connections, finishes the requests in progress and returns. Clients that send or read slower than
   * `patience` are disconnected.
   */
  close(): Promise<void>
}

/**
 * Serves routes over HTTP/1.1. Every reply that does not come from a route is JSON: `{"error": {"code", "message",
 * "fix"}}`.
 * @throws PipelineError `output-unwritable` when the address is in use or not permitted
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const {host, port, mostBytes, requestSeconds, routes} = options
  const app = Fastify({
    bodyLimit: mostBytes,
    requestTimeout: requestSeconds * 1000,
    // Node allows heads 60 s and checks every 30 s, which would extend a shorter limit.
    http: {headersTimeout: requestSeconds * 1000, connectionsCheckingInterval: Math.ceil(requestSeconds * 250)},
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    // Above the limit of a head: a parameter that is too long is refused by the route, after the token check.
    routerOptions: {maxParamLength: 1 << 16},
    clientErrorHandler: refuseFragment,
  })
  readBodies(app)
  app.setErrorHandler((error: FastifyError | Refusal, _, reply) => refuse(reply, asRefusal(error, mostBytes)))
  app.setNotFoundHandler((request, reply) => refuse(reply, notFound(request, routes)))
  let closing = false
  // A keep-alive connection would keep the service from closing after its last answer.
  app.addHook('onSend', async (_, reply) => void (closing && reply.header('connection', 'close')))
  const urlOf = () => {
    const address = app.server.address()
    const taken = typeof address === 'object' ? (address?.port ?? port) : port
    return `http://${host.includes(':') ? `[${host}]` : host}:${taken}`
  }
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(options.headers ?? {})
    options.check?.(headerOf(request), urlOf())
  })
  for (const route of routes) addRoute(app, route, options)
  try {
    await app.listen({host, port})
  } catch (error) {
    throw cannotListen(error, host, port)
  }
  return {
    url: urlOf(),
    async close() {
      closing = true
      const late = setTimeout(() => app.server.closeAllConnections(), patience)
      await app.close()
      clearTimeout(late)
    },
  }
}

function addRoute(app: FastifyInstance, route: Route, {token, answered}: ServiceOptions): void {
  const {method, path, body: schema, open} = route
  const left = new WeakSet<FastifyReply['raw']>()
  const whole = new WeakSet<FastifyRequest['raw']>()
  app.route({
    method,
    url: path.replace(/\{(\w+)\}/g, ':$1'),
    onRequest: async (request) => {
      if (!open && token !== undefined && !isToken(request.headers.authorization ?? '', token)) throw unauthorised()
    },
    onResponse: async (_, reply) => void (left.has(reply.raw) || answered(path, reply.statusCode, secondsOf(reply))),
    // Clients that disconnect before their request is complete; `handler` sees those that disconnect later.
    onRequestAbort: async (request) => void (whole.has(request.raw) || answered(path, 499, 0)),
    handler: async (request, reply) => {
      whole.add(request.raw)
      const leaving = new AbortController()
      reply.raw.once('close', () => {
        if (reply.raw.writableFinished) return
        left.add(reply.raw)
        leaving.abort()
        answered(path, 499, secondsOf(reply))
      })
      const parameters = request.params as Record<string, string>
      return send(
        reply,
        await route.handle({
          body: schema ? checked(schema, request.body) : undefined,
          parameter: (name) => parameters[name] ?? '',
          header: headerOf(request),
          gone: leaving.signal,
        }),
      )
    },
  })
}

const headerOf = (request: FastifyRequest) => (name: string) =>
  [request.headers[name.toLowerCase()] ?? ''].flat().join(', ')

const secondsOf = ({elapsedTime}: FastifyReply) => elapsedTime / 1000

/** Fastify's own reader replaces what is not UTF-8 by U+FFFD, and lets `__proto__` through or not by version. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', {parseAs: 'buffer'}, (_, bytes: Buffer, done) => {
    try {
      done(null, JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(bytes)))
    } catch (error) {
      const why = error instanceof SyntaxError ? error.message : 'it is not UTF-8'
      done(
        new Refusal(400, 'json-invalid', `The body is not a JSON document: ${why}.`, {
          fix: 'Send JSON encoded as UTF-8.',
        }),
      )
    }
  })
}

function checked(schema: z.ZodType, body: unknown): unknown {
  const result = schema.safeParse(body)
  if (result.success) return result.data
  const shown = result.error.issues.slice(0, 3)
  const message = shown.map(({path, message}) => `${path.join('.') || 'the body'}: ${message}`).join('; ')
  throw new Refusal(422, 'body-invalid', message, {fix: 'GET /openapi.json describes what is expected.'})
}

function send(reply: FastifyReply, {status, headers = {}, content}: Reply): FastifyReply {
  void reply.status(status).headers(headers)
  if ('json' in content) return reply.type('application/json; charset=utf-8').send(JSON.stringify(content.json))
  if ('text' in content) return reply.type(content.type).send(content.text)
  if ('bytes' in content) return reply.type(content.type).send(content.bytes)
  return reply.type('application/x-ndjson; charset=utf-8').send(Readable.from(asLines(content.lines)))
}

async function* asLines(values: AsyncIterable<Json>): AsyncIterable<string> {
  for await (const value of values) yield `${JSON.stringify(value)}\n`
}

function refuse(reply: FastifyReply, {status, code, message, fix, headers}: Refusal): void {
  void reply.status(status).headers(headers).type('application/json; charset=utf-8')
  void reply.send(JSON.stringify({error: {code, message, fix}}))
}

/** Input that never became a request: too slow, too long a head, or not HTTP. */
function refuseFragment(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const fix = 'Send a complete HTTP/1.1 request with a head below 16 kB.'
  const [status, code, message] = fragments[error.code ?? ''] ?? [
    '400 Bad Request',
    'request-malformed',
    'This is not HTTP.',
  ]
  const body = JSON.stringify({error: {code, message, fix}})
  const type = 'content-type: application/json; charset=utf-8'
  socket.end(`HTTP/1.1 ${status}\r\n${type}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`)
}

const fragments: Readonly<Record<string, [string, string, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'request-late', 'The request did not arrive completely in time.'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'head-too-large', "The request's head is too long."],
}

function asRefusal(error: FastifyError | Refusal, mostBytes: number): Refusal {
  if (error instanceof Refusal) return error
  const {statusCode = 500} = error
  if (statusCode === 413)
    return new Refusal(413, 'body-too-large', `The body exceeds ${mostBytes} bytes.`, {
      fix: 'Send fewer items at once.',
    })
  if (statusCode === 415)
    return new Refusal(415, 'not-json', 'The body is not declared as JSON.', {
      fix: 'Send the header `Content-Type: application/json`.',
    })
  if (statusCode < 500)
    return new Refusal(statusCode, 'request-invalid', error.message, {fix: 'GET /openapi.json describes requests.'})
  // What went wrong inside may quote a request or a path: only the service's operator may see it.
  process.emitWarning(error)
  return new Refusal(500, 'internal', 'Internal error; the candidate was not judged.', {
    fix: "Send it again; if it fails again, read the service's terminal output.",
  })
}

function unauthorised(): Refusal {
  return new Refusal(401, 'token-missing', 'This service requires a token; the request has none, or a wrong one.', {
    fix: 'Send `Authorization: Bearer <token>` with the token that the service was started with.',
    headers: {'www-authenticate': 'Bearer'},
  })
}

/** Hashes are compared, so that timing reveals neither length nor a common prefix. */
function isToken(header: string, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  const [, given = ''] = /^Bearer (\S+)$/i.exec(header) ?? []
  return timingSafeEqual(hash(given), hash(token))
}

function notFound(request: FastifyRequest, routes: readonly Route[]): Refusal {
  const path = pathOf(request)
  const methods = routes.filter((route) => asPattern(route.path).test(path)).map(({method}) => method)
  const message = `No such route: ${request.method} ${path}.`
  const fix = 'GET /openapi.json lists the routes.'
  if (methods.length === 0) return new Refusal(404, 'not-found', message, {fix})
  return new Refusal(405, 'method-not-allowed', message, {fix, headers: {allow: methods.join(', ')}})
}

const asPattern = (path: string) => new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)

const pathOf = ({url}: FastifyRequest) => url.replace(/\?.*$/, '').slice(0, 100)

function cannotListen(error: unknown, host: string, port: number): unknown {
  const taken = isSystemError(error, 'EADDRINUSE')
  if (!taken && !isSystemError(error, 'EACCES') && !isSystemError(error, 'EADDRNOTAVAIL')) return error
  const why = taken ? 'another program is listening there' : 'this machine does not allow it'
  return new PipelineError('output-unwritable', `Cannot listen on ${host}, port ${port}: ${why}.`, {
    fix: 'Choose another --port or --host; port 0 picks a free one.',
    cause: error,
  })
}
