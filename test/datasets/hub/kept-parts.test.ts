import {describe, expect, test} from 'vitest'
import {keepingParts} from '../../../datasets/hub/publish-commit.ts'

const batchUrl = 'https://hub.example/d.git/info/lfs/objects/batch'

/** A Hub that gives other addresses each time it is asked, and storage behind it. */
function world(parts = 3) {
  let batches = 0
  const sent: string[] = []
  const answers = new Map<string, Response>()
  const send = (async (input: string | Request, init?: RequestInit) => {
    const url = input instanceof Request ? input.url : String(input)
    sent.push(`${init?.method ?? 'GET'} ${url}`)
    if (url === batchUrl) {
      batches += 1
      const header = Object.fromEntries(
        Array.from({length: parts}, (_, at) => [String(at + 1), `https://s.example/${batches}/${at + 1}`]),
      )
      const upload = {href: `https://s.example/${batches}/done`, header: {chunk_size: '5', ...header}}
      return Response.json({objects: [{oid: 'a', actions: {upload}}, {oid: 'b'}]}, {headers: {'x-told': 'yes'}})
    }
    return answers.get(url)?.clone() ?? new Response('', {headers: {etag: `"${url.slice(-3)}"`}})
  }) as typeof fetch
  const kept = keepingParts(send)
  const addresses = async () => {
    const told = (await (await kept(batchUrl, {method: 'POST'})).json()) as {
      objects: {actions?: {upload: {href: string; header: Record<string, string>}}}[]
    }
    return told.objects[0]?.actions?.upload
  }
  return {kept, sent, answers, addresses, put: (url: string) => kept(url, {method: 'PUT'})}
}

describe('an upload in parts', () => {
  test('keeps the addresses that it was given first', async () => {
    const {addresses} = world()
    const first = await addresses()
    expect(first?.href).toBe('https://s.example/1/done')
    expect(await addresses()).toEqual(first)
  })

  test('sends no part twice, and knows the tag of what was received', async () => {
    const {addresses, put, sent} = world()
    await addresses()
    expect((await put('https://s.example/1/1')).headers.get('etag')).toBe('"1/1"')
    const again = await put('https://s.example/1/1')
    expect([again.status, again.headers.get('etag')]).toEqual([200, '"1/1"'])
    expect(sent.filter((one) => one.startsWith('PUT'))).toEqual(['PUT https://s.example/1/1'])
  })

  test('takes as received only what was put and has a tag', async () => {
    const {addresses, kept, put, sent, answers} = world()
    await addresses()
    await kept('https://s.example/1/1')
    await put('https://s.example/1/1')
    answers.set('https://s.example/1/2', new Response(''))
    await put('https://s.example/1/2')
    await put('https://s.example/1/2')
    await put('https://elsewhere.example/1')
    await put('https://elsewhere.example/1')
    expect(sent.slice(1)).toEqual([
      'GET https://s.example/1/1',
      'PUT https://s.example/1/1',
      'PUT https://s.example/1/2',
      'PUT https://s.example/1/2',
      'PUT https://elsewhere.example/1',
      'PUT https://elsewhere.example/1',
    ])
  })

  test.each([
    [400, true],
    [403, true],
    [404, true],
    [408, false],
    [429, false],
    [499, true],
    [500, false],
    [503, false],
  ])('that is refused with %d begins anew: %s', async (status, anew) => {
    const {addresses, put, answers, sent} = world()
    await addresses()
    await put('https://s.example/1/1')
    answers.set('https://s.example/1/2', new Response('', {status, headers: {etag: '"x"'}}))
    await put('https://s.example/1/2')
    expect((await addresses())?.href).toBe(`https://s.example/${anew ? 2 : 1}/done`)
    await put('https://s.example/1/1')
    expect(sent.filter((one) => one === 'PUT https://s.example/1/1')).toHaveLength(anew ? 2 : 1)
    await put('https://s.example/1/2')
    expect(sent.filter((one) => one === 'PUT https://s.example/1/2')).toHaveLength(2)
  })

  test('whose end is refused begins anew as well', async () => {
    const {addresses, kept, answers} = world()
    await addresses()
    answers.set('https://s.example/1/done', new Response('', {status: 400}))
    await kept('https://s.example/1/done', {method: 'POST'})
    expect((await addresses())?.href).toBe('https://s.example/2/done')
  })
})

test('a file in one piece gets new addresses each time', async () => {
  const {addresses} = world(0)
  expect((await addresses())?.href).toBe('https://s.example/1/done')
  expect((await addresses())?.href).toBe('https://s.example/2/done')
})

test('an answer of the Hub keeps its status, its headers and its address', async () => {
  const answer = Object.defineProperty(Response.json({objects: []}, {status: 201, headers: {'x-told': 'yes'}}), 'url', {
    value: batchUrl,
  })
  const kept = keepingParts((async () => answer) as typeof fetch)
  const seen = await kept(batchUrl)
  expect([seen.status, seen.headers.get('x-told'), seen.url]).toEqual([201, 'yes', batchUrl])
  const refused = keepingParts((async () => new Response('no', {status: 500})) as typeof fetch)
  expect(await (await refused(batchUrl)).text()).toBe('no')
  const other = keepingParts((async () => new Response('other')) as typeof fetch)
  expect(await (await other('https://hub.example/info/lfs/objects/batches')).text()).toBe('other')
})
