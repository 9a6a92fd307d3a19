import type {IncomingMessage, ServerResponse} from 'node:http'

interface Download {
  request: IncomingMessage
  response: ServerResponse
  fault: {does: unknown} | undefined
}

/** Sends a file, or the range of it that is asked for; a range of a file that has changed since is not a range. */
export function sendFile({request, response, fault}: Download, bytes: Buffer | undefined, etag: string): void {
  if (!bytes) return void response.writeHead(404).end()
  const told = fault?.does === 'stale-etag' ? '"of-an-earlier-file"' : etag
  const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
  const unchanged = request.headers['if-range'] === undefined || request.headers['if-range'] === told
  const [first, last] =
    range && unchanged
      ? [Number(range[1]), range[2] === '' ? bytes.length - 1 : Math.min(Number(range[2]), bytes.length - 1)]
      : [0, bytes.length - 1]
  if (range && unchanged && first >= bytes.length)
    return void response.writeHead(416, {'content-range': `bytes */${bytes.length}`}).end()
  const part = bytes.subarray(first, last + 1)
  response.writeHead(range && unchanged ? 206 : 200, {
    etag: told,
    'content-length': String(part.length),
    'accept-ranges': 'bytes',
    ...(range && unchanged ? {'content-range': `bytes ${first}-${last}/${bytes.length}`} : {}),
  })
  if (request.method === 'HEAD') return void response.end()
  if (fault?.does !== 'cut-half') return void response.end(part)
  response.write(part.subarray(0, Math.floor(part.length / 2)), () => setTimeout(() => request.socket.destroy(), 50))
}
