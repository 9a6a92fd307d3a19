import {readFile, writeFile} from 'node:fs/promises'
import {request} from 'node:http'
import {join} from 'node:path'
import {gzipSync} from 'node:zlib'
import {describe, expect, test} from 'vitest'
import {marksFile} from '../../../datasets/schema/mark.ts'
import type {DataFile, Folder} from '../../../pipelines/view/protocol.ts'
import {whatIsIn} from '../../../pipelines/view/open-folder.ts'
import {pageFiles} from '../../../pipelines/view/page-files.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {viewed, writeDataset} from '../../helpers/viewed.ts'

async function dataset() {
  const folder = await temporaryFolder()
  await writeDataset(folder)
  const {origin, port, searchParams} = new URL(await viewed(folder))
  const token = searchParams.get('token') ?? ''
  const ask = (path: string, headers: Record<string, string> = {}, body?: object) =>
    fetch(origin + path, {
      headers: {authorization: `Bearer ${token}`, ...(body && {'content-type': 'application/json'}), ...headers},
      ...(body && {method: 'POST', body: JSON.stringify(body)}),
    })
  const first = async () => ((await (await ask('/api/folder')).json()) as Folder).files[0] as DataFile
  return {folder, origin, port, token, ask, first}
}

/** `fetch` does not let a program choose these. */
function withHeaders(port: string, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({host: '127.0.0.1', port, path, headers}, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end()
  })
}

describe('the viewer', () => {
  test('tells nothing without its token', async () => {
    const {origin, first, token} = await dataset()
    const {id} = await first()
    for (const path of ['/api/folder', `/api/files/${id}`, '/api/marks', '/api/runs']) {
      expect((await fetch(origin + path)).status, path).toBe(401)
      const wrong = {authorization: `Bearer ${token.slice(1)}0`}
      expect((await fetch(origin + path, {headers: wrong})).status, path).toBe(401)
    }
  })

  test('refuses other hosts and origins, token or not', async () => {
    const {port, token} = await dataset()
    const bearer = {authorization: `Bearer ${token}`}
    const path = '/api/folder'
    expect(await withHeaders(port, path, {...bearer, host: `127.0.0.1:${port}`})).toBe(200)
    expect(await withHeaders(port, path, {...bearer, host: `localhost:${port}`})).toBe(200)
    expect(await withHeaders(port, path, {...bearer, host: `rebound.example:${port}`})).toBe(403)
    expect(await withHeaders(port, '/', {host: 'rebound.example'})).toBe(403)
    const own = {...bearer, host: `127.0.0.1:${port}`}
    expect(await withHeaders(port, path, {...own, origin: `http://127.0.0.1:${port}`})).toBe(200)
    expect(await withHeaders(port, path, {...own, origin: 'https://other.example'})).toBe(403)
    expect(await withHeaders(port, path, {...own, origin: 'null'})).toBe(403)
  })

  test('lets its page run only its own scripts, and ask nobody else', async () => {
    const {origin} = await dataset()
    const page = await fetch(`${origin}/`)
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await page.text()).not.toMatch(/https?:\/\/|<script>/)
  })

  test('gives parts of its files and nothing else', async () => {
    const {folder, ask, first} = await dataset()
    const {id, path, bytes} = await first()
    const whole = await readFile(join(folder, path))
    const range = async (asked: string) => ask(`/api/files/${id}`, {range: asked})
    const tail = await range(`bytes=${bytes - 8}-${bytes - 1}`)
    expect(tail.status).toBe(206)
    expect(tail.headers.get('content-range')).toBe(`bytes ${bytes - 8}-${bytes - 1}/${bytes}`)
    expect(Buffer.from(await tail.arrayBuffer())).toEqual(whole.subarray(-8))
    expect((await (await range(`bytes=0-${bytes + 100}`)).arrayBuffer()).byteLength).toBe(bytes)
    for (const asked of ['', 'bytes=5-2', `bytes=${bytes}-${bytes + 1}`, 'bytes=0-', 'bytes=-5', 'bytes=0-1,3-4'])
      expect((await range(asked)).status, asked).toBe(416)
    await writeFile(join(folder, 'secret.txt'), 'secret')
    for (const name of ['nothing', '..%2f..%2fsecret.txt', '%2e%2e%2fsecret.txt', encodeURIComponent(path)])
      expect((await ask(`/api/files/${name}`, {range: 'bytes=0-1'})).status, name).toBe(404)
    for (const name of ['/../secret.txt', '/secret.txt', '/page.js/../../../secret.txt'])
      expect((await ask(name)).status, name).toBe(404)
  })

  test('keeps marks beside the data, and refuses what is none', async () => {
    const {folder, ask, first} = await dataset()
    const {path} = await first()
    const mark = {id: 'a1', config: 'sft', path, row: 3, mark: 'false', note: 'line 4 is wrong', reader: 'ann'}
    expect((await ask('/api/marks', {}, mark)).status).toBe(200)
    expect((await ask('/api/marks', {}, {...mark, mark: 'nice'})).status).toBe(422)
    expect((await ask('/api/marks', {}, {...mark, reader: ''})).status).toBe(422)
    expect((await ask('/api/marks', {origin: 'https://other.example'}, mark)).status).toBe(403)
    const lines = (await readFile(join(folder, marksFile), 'utf8')).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual([{...mark, at: '1970-01-01T00:00:00.000Z'}])
    const other = {...mark, mark: 'sound', note: '', reader: 'bob'}
    expect((await ask('/api/marks', {}, other)).status).toBe(200)
    const {marks} = (await (await ask('/api/marks')).json()) as {marks: object[]}
    expect(marks).toEqual([mark, other].map((one) => ({...one, at: '1970-01-01T00:00:00.000Z'})))
  })

  test('has a page that is small, with its worker and its highlighter', () => {
    const packed = pageFiles().map(({text}) => gzipSync(text).length)
    expect(packed.length).toBe(4)
    expect(packed.reduce((sum, one) => sum + one)).toBeLessThan(100_000)
  })

  test('says what a folder without anything to see lacks', async () => {
    const folder = await temporaryFolder()
    expect(() => whatIsIn(folder)).toThrow('There is nothing to look at')
  })
})
