import {randomBytes} from 'node:crypto'
import {existsSync, readdirSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {basename, extname, join} from 'node:path'
import {Mark} from '../../datasets/schema/mark.ts'
import {PipelineError} from '../../engine/errors.ts'
import type {Json} from '../../engine/json.ts'
import {ownExtension, ownRoot} from '../../engine/own-package.ts'
import {isoTime} from '../../engine/run.ts'
import {Refusal, startService, type Reply, type Route} from '../../engine/service.ts'
import {addMark, readMarks} from '../workspace/mark-file.ts'
import {dataFiles, rangeOf} from './data-files.ts'
import type {Seen} from './open-folder.ts'
import type {Folder} from './protocol.ts'
import {dropsOf, recordsOf, runsNow, unknown, wayOfRecord} from './run-board.ts'
import {attemptDetail, scoreBoard} from './score-board.ts'

interface ViewerOptions {
  seen: Seen
  /** 0 picks a free port. */
  port: number
  /** Who reads, unless they give another name. */
  reader: string
  now(): number
}

interface Viewer {
  /** With the token. */
  address: string
  close(): Promise<void>
}

const host = '127.0.0.1'

/** Text of a data set never becomes a program: the page's scripts are its own, and nothing comes from elsewhere. */
const policy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'worker-src': "'self'",
  'style-src': "'self'",
  'connect-src': "'self'",
  'img-src': 'data:',
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
}

const headers = {
  'content-security-policy': Object.entries(policy)
    .map(([name, value]) => `${name} ${value}`)
    .join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

/**
 * Serves a page about a folder, to this machine alone and to whoever knows the token in its address.
 * @throws PipelineError `output-unwritable` when the port is taken
 */
export async function startViewer({seen, port, reader, now}: ViewerOptions): Promise<Viewer> {
  const token = randomBytes(16).toString('hex')
  const service = await startService({
    ...{host, port, token, headers, mostBytes: 1 << 16, requestSeconds: 60},
    check: (header, url) => keepToOwnPage(header('host'), header('origin'), new URL(url)),
    routes: [...(await pageRoutes()), ...folderRoutes(seen, reader), ...markRoutes(seen, now)],
    answered: () => undefined,
  })
  return {address: `${service.url}/?token=${token}`, close: service.close}
}

/**
 * A name that is rebound to this address would give the pages of another site what is served here. The host that they
 * ask for shows them, and the origin that a browser adds.
 */
function keepToOwnPage(asked: string, origin: string, {hostname, port}: URL): void {
  const own = [hostname, 'localhost'].map((name) => `${name}:${port}`)
  if (own.includes(asked) && (origin === '' || own.some((one) => origin === `http://${one}`))) return
  throw new Refusal(403, 'not-own-page', 'This address only serves its own page.', {
    fix: 'Open the address that was printed at the start.',
  })
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/** The built page: needs no token, and tells nothing. */
async function pageRoutes(): Promise<Route[]> {
  const folder = join(ownRoot, ownExtension === '.js' ? '' : 'dist', 'pipelines/view/page')
  const names = existsSync(folder) ? readdirSync(folder) : []
  const routes: Route[] = []
  for (const name of names) {
    const [text, type] = [await readFile(join(folder, name), 'utf8'), types[extname(name)] ?? 'text/plain']
    const path = name === 'index.html' ? '/' : `/${name}`
    routes.push({...get(path, () => ({status: 200, content: {text, type}})), open: true})
  }
  return routes
}

const get = (path: string, handle: Route['handle']): Route => ({method: 'GET', path, summary: '', replies: {}, handle})

const answer = (value: object): Reply => ({status: 200, content: {json: value as Json}})

function folderRoutes(seen: Seen, reader: string): Route[] {
  const {title, runs, dataset, scores} = seen
  const files = async () => (dataset === undefined ? [] : dataFiles(dataset))
  const scoreOf = (name: string) => scores.find((one) => basename(one) === name) ?? refuse(`score ${name}`)
  const out = () => runs ?? refuse('run')
  return [
    get('/api/folder', async () => {
      const names = scores.map((score) => basename(score))
      const folder: Folder = {title, files: await files(), hasRuns: runs !== undefined, scores: names, reader}
      return answer(folder)
    }),
    get('/api/files/{id}', async ({parameter, header}) => {
      const file = (await files()).find(({id}) => id === parameter('id')) ?? refuse('such file')
      return rangeOf(join(dataset ?? '', file.path), file.bytes, header('range'))
    }),
    get('/api/runs', async () => answer(await runsNow(out()))),
    get('/api/runs/{run}/drops/{stage}', async ({parameter}) =>
      answer(await dropsOf(out(), parameter('run'), parameter('stage'))),
    ),
    get('/api/runs/{run}/records/{from}', async ({parameter}) =>
      answer(await recordsOf(out(), parameter('run'), Number(parameter('from')))),
    ),
    get('/api/records/{id}', async ({parameter}) => answer(await wayOfRecord(out(), parameter('id')))),
    get('/api/scores/{name}', async ({parameter}) => answer(await scoreBoard(scoreOf(parameter('name'))))),
    get('/api/scores/{name}/attempts/{number}', async ({parameter}) =>
      answer(await attemptDetail(scoreOf(parameter('name')), Number(parameter('number')))),
    ),
  ]
}

function refuse(what: string): never {
  throw unknown(what)
}

function markRoutes({dataset}: Seen, now: () => number): Route[] {
  const place = () => dataset ?? refuse('data set')
  return [
    get('/api/marks', async () => answer({marks: await readMarks(place())})),
    {
      ...get('/api/marks', async ({body}) => {
        const mark = {...(body as Omit<Mark, 'at'>), at: isoTime(now())}
        await addMark(place(), mark).catch(cannotWrite)
        return answer(mark)
      }),
      method: 'POST',
      body: Mark.omit({at: true}),
    },
  ]
}

/** A read-only data set can be looked at, but not marked. */
function cannotWrite(error: unknown): never {
  if (!(error instanceof PipelineError)) throw error
  throw unknown(`place for the mark: ${error.message}`)
}
