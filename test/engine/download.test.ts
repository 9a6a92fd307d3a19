import {mkdir, readFile, stat, writeFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {download} from '../../engine/download.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

const whole = 'abcdefghij'

interface Given {
  /** What has arrived before. */
  had?: string
  answer(range: string | null, asked: number): Response
  bytes?: number
  wanted?: string
}

async function fetched({had, answer, bytes = whole.length, wanted = whole}: Given) {
  const path = join(await temporaryFolder(), 'below', 'file.bin')
  const ranges: (string | null)[] = []
  const received: number[] = []
  const request = {
    url: 'https://hub.example/file.bin?signature=secret',
    headers: {authorization: 'Bearer t'},
    fetch: (async (_: unknown, init: RequestInit) => {
      const headers = new Headers(init.headers)
      expect(headers.get('authorization')).toBe('Bearer t')
      ranges.push(headers.get('range'))
      return answer(headers.get('range'), ranges.length)
    }) as typeof fetch,
    path,
    bytes,
    isWanted: async (file: string) => (await readFile(file, 'utf8')) === wanted,
    onBytes: (count: number) => received.push(count),
  }
  if (had !== undefined) {
    await mkdir(dirname(path))
    await writeFile(`${path}.part`, had)
  }
  const error = await download(request).then(
    () => undefined,
    (thrown: unknown) => thrown as {code: string; message: string; fix: string; evidence: unknown},
  )
  const text = await readFile(path, 'utf8').catch(() => undefined)
  const part = await stat(`${path}.part`).then(
    ({size}) => size,
    () => undefined,
  )
  return {error, text, part, ranges, received}
}

const broken = (piece: string, status: number) =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from(piece))
      },
      pull(controller) {
        controller.error(new Error('reset'))
      },
    }),
    {status},
  )

describe('a file from a server', () => {
  test('is there under its name when it is whole', async () => {
    const {error, text, part, ranges, received} = await fetched({answer: () => new Response(whole)})
    expect([error, text, part, ranges, received]).toEqual([undefined, whole, undefined, [null], [10]])
  })

  test('is gone on with where it stopped, now and in another process', async () => {
    const answer = (range: string | null) =>
      range === null
        ? broken(whole.slice(0, 4), 200)
        : new Response(whole.slice(Number(range.slice(6, -1))), {status: 206})
    expect(await fetched({answer})).toEqual({
      error: undefined,
      text: whole,
      part: undefined,
      ranges: [null, 'bytes=4-'],
      received: [4, 10],
    })
    expect(await fetched({had: 'abc', answer})).toMatchObject({text: whole, ranges: ['bytes=3-'], received: [10]})
  })

  test('begins anew where the server knows no ranges, or not this one', async () => {
    expect(await fetched({had: 'xyz', answer: () => new Response(whole)})).toMatchObject({
      text: whole,
      ranges: ['bytes=3-'],
    })
    const answer = (range: string | null) => (range === null ? new Response(whole) : new Response('', {status: 416}))
    expect(await fetched({had: 'xyz', answer})).toMatchObject({text: whole, ranges: ['bytes=3-', null]})
  })

  test('that is there already is not asked for; one with other bytes is begun anew', async () => {
    expect(await fetched({had: whole, answer: () => new Response('')})).toMatchObject({text: whole, ranges: []})
    expect(await fetched({had: 'ABCDEFGHIJ', answer: () => new Response(whole)})).toMatchObject({
      text: whole,
      ranges: [null],
    })
    expect(await fetched({had: `${whole}more`, answer: () => new Response(whole)})).toMatchObject({
      text: whole,
      ranges: [null],
    })
  })

  test('that is empty is asked for all the same', async () => {
    expect(await fetched({bytes: 0, wanted: '', answer: () => new Response('')})).toMatchObject({
      text: '',
      ranges: [null],
    })
  })

  test('that never arrives whole is given up after eight attempts', async () => {
    const {error, text, part, ranges} = await fetched({answer: () => new Response('abc')})
    expect(ranges).toHaveLength(8)
    expect(text).toBeUndefined()
    expect(part).toBe(3)
    expect(error).toMatchObject({
      code: 'endpoint-rejected',
      scope: 'run',
      message: 'https://hub.example/file.bin could not be downloaded completely.',
      evidence: {bytes: 10, received: 3},
    })
  })

  test.each([
    [401, "Accept the terms on the data set's page, and set HF_TOKEN to your access token."],
    [403, "Accept the terms on the data set's page, and set HF_TOKEN to your access token."],
    [404, "Check the data set's page, then run the command again later."],
    [500, "Check the data set's page, then run the command again later."],
  ])('that is refused with %d is not asked for again', async (status, fix) => {
    const {error, ranges} = await fetched({answer: () => new Response('', {status})})
    expect(ranges).toHaveLength(1)
    expect(error).toMatchObject({
      code: 'endpoint-rejected',
      scope: 'run',
      message: `https://hub.example/file.bin cannot be downloaded: the server answered ${status}.`,
      fix,
      evidence: {url: 'https://hub.example/file.bin', status},
    })
  })
})
