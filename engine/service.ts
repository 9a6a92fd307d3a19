import Fastify, {type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest} from 'fastify'
import type {Socket} from 'node:net'
import {Readable} from 'node:stream'
import {createHash, timingSafeEqual} from 'node:crypto'
import type {z} from 'zod'
import {isSystemError, PipelineError} from './errors.ts'
import type {Json} from './json.ts'

/** One thing that a service does for whoever asks over HTTP; it is also what the OpenAPI description is made of. */
export interface Route {
  method: 'GET' | 'POST'
  /** With `{name}` where a part of the path is a parameter. */
  path: string
  summary: string
  /** Of the JSON body; what it does not allow is answered with 422 before `handle` sees it. */
  body?: z.ZodType
  replies: Readonly<Record<number, {meaning: string; schema?: z.ZodType}>>
  /** Answered without a token, so that whoever watches machines need not know it. */
  open?: true
  handle(call: Call): Promise<Reply> | Reply
}

interface Call {
  /** Of the type that the route's `body` has. */
  body: unknown
  /** A parameter of the path. */
  parameter(name: string): string
  /** '' for one that is not there. */
  header(name: string): string
  /** Aborted when whoever asked has gone away before the reply was complete. */
  gone: AbortSignal
}

export interface Reply {
  status: number
  headers?: Readonly<Record<string, string>>
  /** A JSON document; lines of them, one each; or a text of another type. */
  content: {json: Json} | {lines: AsyncIterable<Json>} | {text: string; type: string}
}

/** What a route refuses, in the form that every refusal of a service has. */
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
  /** 0 takes a free one. */
  port: number
  /** What an `Authorization: Bearer` header has to bring; undefined asks for none. */
  token: string | undefined
  /** Of a request's body. */
  mostBytes: number
  /** For the head and body of a request to arrive whole: a client that drips holds a connection no longer. */
  requestSeconds: number
  routes: readonly Route[]
  /** Called for every reply, with the route's own path; `status` 499 where the client left before it. */
  answered(route: string, status: number, seconds: number): void
}

const patience = 3000

interface Service {
  url: string
  /**
   * Takes no more connections, lets what is being answered come to its end, and returns when that is done. Clients who
   * are slower than `patience` in sending or reading are cut off.
   */
  close(): Promise<void>
}

/**
 * Serves routes over HTTP/1.1. Every reply that is none of a route's own is JSON:
 * `{"error": {"code", "message", "fix"}}`.
 * @throws PipelineError `output-unwritable` when the address is taken or may not be listened on
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  const {host, port, mostBytes, requestSeconds, routes} = options
  const app = Fastify({
    bodyLimit: mostBytes,
    requestTimeout: requestSeconds * 1000,
    // Node gives heads 60 s and looks for late ones every 30 s, which would lengthen a shorter limit.
    http: {headersTimeout: requestSeconds * 1000, connectionsCheckingInterval: Math.ceil(requestSeconds * 250)},
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    // Longer than a head may be: a parameter that is too long is for the route to refuse, behind the token.
    routerOptions: {maxParamLength: 1 << 16},
    clientErrorHandler: refuseFragment,
  })
  readBodies(app)
  app.setErrorHandler((error: FastifyError | Refusal, _, reply) => refuse(reply, asRefusal(error, mostBytes)))
  app.setNotFoundHandler((request, reply) => refuse(reply, notFound(request, routes)))
  let closing = false
  // A connection that is kept for a further request would keep a service from closing that has answered its last.
  app.addHook('onSend', async (_, reply) => void (closing && reply.header('connection', 'close')))
  for (const route of routes) addRoute(app, route, options)
  try {
    await app.listen({host, port})
  } catch (error) {
    throw cannotListen(error, host, port)
  }
  const address = app.server.address()
  const taken = typeof address === 'object' ? (address?.port ?? port) : port
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
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
    // Of those who leave before their request is whole; `handler` sees those who leave after it.
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
          header: (name) => [request.headers[name.toLowerCase()] ?? ''].flat().join(', '),
          gone: leaving.signal,
        }),
      )
    },
  })
}

const secondsOf = ({elapsedTime}: FastifyReply) => elapsedTime / 1000

/** Fastify's own reader replaces what is not UTF-8 by U+FFFD, and lets `__proto__` through or not by version. */
function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', {parseAs: 'buffer'}, (_, bytes: Buffer, done) => {
    try {
      done(null, JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(bytes)))
    } catch (error) {
      const why = error instanceof SyntaxError ? error.message : 'it is not UTF-8'
      done(new Refusal(400, 'json-invalid', `The body is not a JSON document: ${why}.`, {fix: 'Send JSON in UTF-8.'}))
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
  return reply.type('application/x-ndjson; charset=utf-8').send(Readable.from(asLines(content.lines)))
}

async function* asLines(values: AsyncIterable<Json>): AsyncIterable<string> {
  for await (const value of values) yield `${JSON.stringify(value)}\n`
}

function refuse(reply: FastifyReply, {status, code, message, fix, headers}: Refusal): void {
  void reply.status(status).headers(headers).type('application/json; charset=utf-8')
  void reply.send(JSON.stringify({error: {code, message, fix}}))
}

/** What never became a request: it came too slowly, its head is too long, or it is no HTTP. */
function refuseFragment(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const fix = 'Send a whole request of HTTP/1.1, with a head below 16 kB.'
  const [status, code, message] = fragments[error.code ?? ''] ?? [
    '400 Bad Request',
    'request-malformed',
    'This is no HTTP.',
  ]
  const body = JSON.stringify({error: {code, message, fix}})
  const type = 'content-type: application/json; charset=utf-8'
  socket.end(`HTTP/1.1 ${status}\r\n${type}\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`)
}

const fragments: Readonly<Record<string, [string, string, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'request-late', 'The request did not arrive whole in time.'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'head-too-large', "The request's head is too long."],
}

function asRefusal(error: FastifyError | Refusal, mostBytes: number): Refusal {
  if (error instanceof Refusal) return error
  const {statusCode = 500} = error
  if (statusCode === 413)
    return new Refusal(413, 'body-too-large', `The body holds more than ${mostBytes} bytes.`, {
      fix: 'Send fewer items at once.',
    })
  if (statusCode === 415)
    return new Refusal(415, 'not-json', 'The body is not declared as JSON.', {
      fix: 'Send the header `Content-Type: application/json`.',
    })
  if (statusCode < 500)
    return new Refusal(statusCode, 'request-invalid', error.message, {fix: 'GET /openapi.json describes requests.'})
  // What went wrong inside may quote a request or a path: it is for whoever runs the service.
  process.emitWarning(error)
  return new Refusal(500, 'internal', 'The service failed at this request; that says nothing of the candidate.', {
    fix: 'Send it again; if that does not help, read what the service wrote to its terminal.',
  })
}

function unauthorised(): Refusal {
  return new Refusal(
    401,
    'token-missing',
    'This service asks for a token, and the request brings none that it knows.',
    {
      fix: 'Send `Authorization: Bearer <token>` with the token that the service was started with.',
      headers: {'www-authenticate': 'Bearer'},
    },
  )
}

/** Hashes are compared, so that time tells neither length nor a common beginning. */
function isToken(header: string, token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  const [, given = ''] = /^Bearer (\S+)$/i.exec(header) ?? []
  return timingSafeEqual(hash(given), hash(token))
}

function notFound(request: FastifyRequest, routes: readonly Route[]): Refusal {
  const path = pathOf(request)
  const methods = routes.filter((route) => asPattern(route.path).test(path)).map(({method}) => method)
  const message = `There is no ${request.method} ${path} here.`
  const fix = 'GET /openapi.json lists what there is.'
  if (methods.length === 0) return new Refusal(404, 'not-found', message, {fix})
  return new Refusal(405, 'method-not-allowed', message, {fix, headers: {allow: methods.join(', ')}})
}

const asPattern = (path: string) => new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)

const pathOf = ({url}: FastifyRequest) => url.replace(/\?.*$/, '').slice(0, 100)

function cannotListen(error: unknown, host: string, port: number): unknown {
  const taken = isSystemError(error, 'EADDRINUSE')
  if (!taken && !isSystemError(error, 'EACCES') && !isSystemError(error, 'EADDRNOTAVAIL')) return error
  const why = taken ? 'another program listens there' : 'this machine does not allow it'
  return new PipelineError('output-unwritable', `Nothing can be served at ${host}, port ${port}: ${why}.`, {
    fix: 'Give another --port or --host; port 0 takes a free one.',
    scope: 'run',
    cause: error,
  })
}
