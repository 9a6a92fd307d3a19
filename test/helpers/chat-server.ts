import {createHash} from 'node:crypto'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import {setTimeout as delay} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'
import {faultsByShare, type Misbehaviour} from './misbehaviour.ts'

export interface ChatBody {
  model: string
  messages: {role: string; content: string}[]
  stream?: boolean
  max_tokens?: number
  [key: string]: unknown
}

export interface ServedRequest {
  /** 0, 1, 2 … in order of arrival. */
  index: number
  /** How often the same body came before. */
  repeat: number
  body: ChatBody
  headers: IncomingMessage['headers']
}

export interface ChatServerOptions {
  port?: number
  /** Least and most milliseconds before an answer, spread by the request's hash. */
  latency?: [number, number]
  script?: (request: ServedRequest) => Misbehaviour | undefined
  /** Words of a plain reply; default: derived from the request's hash. */
  reply?: (body: ChatBody) => {content: string; reasoning: string}
  /** What `GET /models` lists; without it there is no such path. */
  models?: string[]
  /** Off for long benchmarks: then `served` stays empty and only the counts grow. */
  remember?: boolean
}

export interface ChatServerStats {
  requests: number
  /** Whole replies that were sent off. */
  replies: number
  /** Different request bodies. */
  distinct: number
  inFlight: number
  mostInFlight: number
  /** What the endpoint charges for all replies that it began, whether anybody was left to read them. */
  billedTokens: number
  byKind: Record<string, number>
}

export interface ChatServer {
  port: number
  /** Base URL, ending in /v1. */
  url: string
  served: ServedRequest[]
  stats: ChatServerStats
  close(): Promise<void>
}

/** A chat-completions endpoint on loopback that misbehaves on request. `GET /stats` answers with the counts. */
export async function startChatServer(options: ChatServerOptions = {}): Promise<ChatServer> {
  const served: ServedRequest[] = []
  const stats: ChatServerStats = {
    requests: 0,
    replies: 0,
    distinct: 0,
    inFlight: 0,
    mostInFlight: 0,
    billedTokens: 0,
    byKind: {},
  }
  const repeats = new Map<string, number>()

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/stats') return sendJson(response, stats)
    if (options.models && request.url?.endsWith('/v1/models')) {
      return sendJson(response, {data: options.models.map((id) => ({id}))})
    }
    if (!request.url?.endsWith('/v1/chat/completions'))
      return sendJson(response, {error: {message: `no such path: ${request.url}`}}, 404)
    const text = await readBody(request)
    const body = JSON.parse(text) as ChatBody
    const hash = createHash('sha256').update(text).digest()
    const id = hash.toString('base64')
    const repeat = repeats.get(id) ?? 0
    repeats.set(id, repeat + 1)
    const arrived: ServedRequest = {index: stats.requests, repeat, body, headers: request.headers}
    stats.requests += 1
    stats.distinct = repeats.size
    stats.inFlight += 1
    stats.mostInFlight = Math.max(stats.mostInFlight, stats.inFlight)
    let open = true
    const over = () => {
      if (open) stats.inFlight -= 1
      open = false
    }
    // The asker may have read all, and send its next request, before the connection is free again.
    response.once('finish', over).once('close', over)
    if (options.remember !== false) served.push(arrived)
    const fault = options.script?.(arrived)
    stats.byKind[kindName(fault)] = (stats.byKind[kindName(fault)] ?? 0) + 1
    const words = () => options.reply?.(body) ?? wordsFrom(hash)
    if (fault?.kind !== 'status') stats.billedTokens += billedFor(body, fault, words)
    if (options.latency) await delay(spread(hash, options.latency))
    await misbehave(response, body, fault, words, () => {
      stats.replies += 1
    })
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => sendJson(response, {error: {message: String(error)}}, 500))
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const {port} = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}/v1`,
    served,
    stats,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function kindName(fault: Misbehaviour | undefined): string {
  if (fault === undefined) return 'reply'
  return fault.kind === 'status' ? String(fault.status) : fault.kind
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

function sendJson(response: ServerResponse, value: unknown, status = 200, headers: Record<string, string> = {}): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'x-request-id': 'request-of-the-test-server',
    ...headers,
  })
  response.end(JSON.stringify(value))
}

interface Completion {
  content: string
  reasoning: string
  reasoningField: string
  finishReason: string
  usage: unknown
  /** What a second choice says. */
  other?: string
}

async function misbehave(
  response: ServerResponse,
  body: ChatBody,
  fault: Misbehaviour | undefined,
  words: () => {content: string; reasoning: string},
  whole: () => void,
): Promise<void> {
  const streamed = body.stream === true && fault?.kind !== 'no-stream'
  const completion = completionOf(body, fault, words)
  const pieces = streamed ? streamOf(body, completion) : [documentOf(body, completion)]
  const type = {'content-type': streamed ? 'text/event-stream' : 'application/json'}
  const half = streamed ? pieces.slice(0, Math.ceil(pieces.length / 2)).join('') : (pieces[0] as string).slice(0, 40)
  switch (fault?.kind) {
    case 'status':
      return sendJson(
        response,
        fault.body ?? {error: {message: `the script says ${fault.status}`}},
        fault.status,
        fault.headers,
      )
    case 'hang':
      return
    case 'stall':
      return void response.writeHead(200, type).write(half)
    case 'cut':
      return void response.writeHead(200, type).write(half, () => setImmediate(() => response.destroy()))
    case 'interrupted':
      return void response
        .writeHead(200, type)
        .write(`${half}data: [DONE]\n\n`, () => setTimeout(() => response.destroy(), 50))
    case 'early-end':
      return void response.writeHead(200, type).end(half)
    case 'invalid-json':
      return void response
        .writeHead(200, type)
        .end(streamed ? 'data: {"choices": [{"delta": {"content": \n\n' : '{"choices": [')
    case 'error-in-stream':
      return void response.writeHead(200, type).end(`${half}data: ${JSON.stringify({error: fault.body})}\n\n`)
    case 'page':
      return void response
        .writeHead(fault.status ?? 200, fault.type === '' ? {} : {'content-type': fault.type ?? 'text/html'})
        .end(fault.text)
    case 'drip':
      return drip(response, fault, () => response.writeHead(200, type).write(half))
    case 'bytes':
      return void response.writeHead(200, type).end(withBytes(pieces.join(''), fault.bytes), whole)
    case 'slow':
      await delay(fault.milliseconds)
      break
    case 'keep-alive':
      await keepAlive(response.writeHead(200, type), fault.milliseconds)
      break
    default:
      break
  }
  if (!response.headersSent) response.writeHead(200, type)
  response.end(pieces.join(''), whole)
}

type Drip = Extract<Misbehaviour, {kind: 'drip'}>

function drip(response: ServerResponse, {milliseconds, from = 'body'}: Drip, begin: () => void): void {
  if (from === 'body') begin()
  else response.socket?.write('HTTP/1.1 200 OK\r\nx-slow: ')
  const timer = setInterval(() => (from === 'body' ? response : response.socket)?.write(' '), milliseconds)
  response.once('close', () => clearInterval(timer))
}

function withBytes(text: string, bytes: number[]): Buffer {
  const [first = '', ...rest] = text.split('?')
  return Buffer.concat([Buffer.from(first), ...rest.flatMap((part) => [Buffer.from(bytes), Buffer.from(part)])])
}

async function keepAlive(response: ServerResponse, milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 10) {
    response.write(': keep-alive\n\n')
    await delay(10)
  }
}

/** The server's own tokenizer: four characters each. */
const tokensOf = (text: string) => Math.ceil(text.length / 4)

function completionOf(
  body: ChatBody,
  fault: Misbehaviour | undefined,
  words: () => {content: string; reasoning: string},
): Completion {
  const said = fault?.kind === 'words' ? {content: fault.content, reasoning: fault.reasoning ?? ''} : words()
  const room = (body.max_tokens ?? Infinity) * 4
  const reasoning = said.reasoning.slice(0, room)
  const content = said.content.slice(0, room - reasoning.length)
  const short = reasoning.length + content.length < said.reasoning.length + said.content.length
  const worded = fault?.kind === 'words' ? fault : undefined
  const finishReason = short ? 'length' : (worded?.finishReason ?? 'stop')
  const reasoningField = worded?.reasoningField ?? 'reasoning_content'
  const told = {prompt_tokens: promptTokens(body), completion_tokens: tokensOf(reasoning + content)}
  const other = fault?.kind === 'two-choices' ? {other: fault.other} : {}
  return {content, reasoning, reasoningField, finishReason, usage: usageFor(fault, told), ...other}
}

function usageFor(fault: Misbehaviour | undefined, told: unknown): unknown {
  if (fault?.kind === 'usage') return fault.usage
  return fault?.kind === 'no-usage' ? undefined : told
}

const promptTokens = ({messages}: ChatBody) => tokensOf(messages.map(({content}) => content).join(''))

type Words = () => {content: string; reasoning: string}

function billedFor(body: ChatBody, fault: Misbehaviour | undefined, words: Words): number {
  const {content, reasoning} = completionOf(body, fault, words)
  return promptTokens(body) + tokensOf(reasoning + content)
}

function documentOf(
  body: ChatBody,
  {content, reasoning, reasoningField, finishReason, usage, other}: Completion,
): string {
  const message = {role: 'assistant', content, ...(reasoning === '' ? {} : {[reasoningField]: reasoning})}
  const second =
    other === undefined ? [] : [{index: 1, message: {role: 'assistant', content: other}, finish_reason: 'length'}]
  const choices = [...second, {index: 0, message, finish_reason: finishReason}]
  return JSON.stringify({
    id: 'reply',
    object: 'chat.completion',
    created: 0,
    model: `${body.model}-0001`,
    choices,
    usage,
  })
}

function streamOf(
  body: ChatBody,
  {content, reasoning, reasoningField, finishReason, usage, other}: Completion,
): string[] {
  const event = (choices: unknown[], more = {}) =>
    `data: ${JSON.stringify({id: 'reply', object: 'chat.completion.chunk', created: 0, model: `${body.model}-0001`, choices, ...more})}\n\n`
  const delta = (words: Record<string, string>) => event([{index: 0, delta: words, finish_reason: null}])
  const asked = (body['stream_options'] as {include_usage?: boolean} | undefined)?.include_usage === true
  const second = (words: Record<string, string>, finish: string | null) =>
    event([{index: 1, delta: words, finish_reason: finish}])
  const mixed = (pieces: string[]) =>
    pieces.flatMap((piece) => (other === undefined ? [piece] : [second({content: other}, null), piece]))
  return [
    delta({role: 'assistant', content: ''}),
    ...mixed(inPieces(reasoning).map((piece) => delta({[reasoningField]: piece}))),
    ...mixed(inPieces(content).map((piece) => delta({content: piece}))),
    event([{index: 0, delta: {}, finish_reason: finishReason}]),
    ...(other === undefined ? [] : [second({}, 'length')]),
    ...(asked && usage ? [event([], {usage})] : []),
    'data: [DONE]\n\n',
  ]
}

function inPieces(text: string): string[] {
  const length = Math.max(16, Math.ceil(text.length / 4))
  return Array.from({length: Math.ceil(text.length / length)}, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  )
}

const vocabulary =
  'tile queue buffer block align copy enqueue vector mask repeat stride cast reduce tail core tiling'.split(' ')

/** The same request always gets the same words. */
function wordsFrom(hash: Buffer): {content: string; reasoning: string} {
  const words = [...hash].map((byte) => vocabulary[byte % vocabulary.length])
  const name = hash.toString('hex', 0, 6)
  return {reasoning: `First ${words.slice(0, 16).join(' ')}.`, content: `Answer ${name}: ${words.slice(16).join(' ')}.`}
}

function spread(hash: Buffer, [least, most]: [number, number]): number {
  return least + (hash.readUInt32LE(4) / 2 ** 32) * (most - least)
}

/**
 * `node --import tsx test/helpers/chat-server.ts --port 0 --latency 50-150 --faults 429:0.05,500:0.01`: prints
 * `{"port": …, "url": …}`.
 */
async function main(): Promise<void> {
  const {values} = parseArgs({
    options: {
      port: {type: 'string', default: '0'},
      latency: {type: 'string', default: '0-0'},
      faults: {type: 'string', default: ''},
      seed: {type: 'string', default: ''},
    },
  })
  const [least = 0, most = least] = values.latency.split('-').map(Number)
  const {port, url} = await startChatServer({
    port: Number(values.port),
    script: faultsByShare(values.faults, values.seed),
    remember: false,
    ...(most > 0 ? {latency: [least, most]} : {}),
  })
  console.log(JSON.stringify({port, url}))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
