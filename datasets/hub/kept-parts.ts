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
