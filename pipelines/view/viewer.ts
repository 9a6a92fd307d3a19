import {randomBytes} from 'node:crypto'
import {basename, extname, join} from 'node:path'
import {Mark} from '../../datasets/schema/mark.ts'
import {PipelineError} from '../../engine/errors.ts'
import type {Json} from '../../engine/json.ts'
import {isoTime} from '../../engine/run.ts'
import {Refusal, startService, type Reply, type Route} from '../../engine/service.ts'
import {kernelsOfRecord, kernelsOfRow, type Kernel} from '../commands/kernels-of.ts'
import {addMark, readMarks} from '../workspace/mark-file.ts'
import {sectionsOf} from '../report/overview-sections.ts'
import {overviewInput} from '../report/overview-input.ts'
import {openRuns} from '../workspace/runs.ts'
import {dataFiles, rangeOf, rowsIn} from './data-files.ts'
import type {Seen} from './open-folder.ts'
import type {Folder} from './protocol.ts'
import {pageFiles} from './page-files.ts'
import {dropsOf, recordsOf, runsNow, unknown, wayOfRecord} from './run-board.ts'
import {attemptDetail, attemptKernel, scoreBoard} from './score-board.ts'
import {drawTimelines, type Drawing} from './timelines.ts'

interface ViewerOptions {
  seen: Seen
  /** 0 picks a free port. */
  port: number
  /** Who reads, unless they give another name. */
  reader: string
  now(): number
  drawing: Drawing
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
export async function startViewer({seen, port, reader, now, drawing}: ViewerOptions): Promise<Viewer> {
  const token = randomBytes(16).toString('hex')
  const service = await startService({
    ...{host, port, token, headers, mostBytes: 1 << 16, requestSeconds: 60},
    check: (header, url) => keepToOwnPage(header('host'), header('origin'), new URL(url)),
    routes: [
      ...pageRoutes(),
      ...folderRoutes(seen, reader),
      ...timelineRoutes(seen, drawing),
      ...markRoutes(seen, now),
    ],
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
function pageRoutes(): Route[] {
  return pageFiles().map(({name, text}): Route => {
    const type = types[extname(name)] ?? 'text/plain'
    return {...get(name === 'index.html' ? '/' : `/${name}`, () => ({status: 200, content: {text, type}})), open: true}
  })
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
    get('/api/overview', async () => answer({sections: sectionsOf(await overviewInput(out()))})),
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

/** Drawn when they are asked for: the code is built and run. */
function timelineRoutes({runs, dataset, scores}: Seen, drawing: Drawing): Route[] {
  const draw = (path: string, kernelsOf: (parameter: Parameter) => Promise<readonly Kernel[]>): Route =>
    get(`/api/timelines/${path}/{core}`, async ({parameter}) => {
      const core = Number(parameter('core')) || undefined
      try {
        return answer(await drawTimelines(await kernelsOf(parameter), core, drawing))
      } catch (error) {
        if (error instanceof PipelineError) return answer({kernels: [{title: '', why: error.message}]})
        throw error
      }
    })
  const ofRecord = async (id: string) => {
    const opened = await openRuns(runs ?? refuse('run'))
    try {
      return kernelsOfRecord(id, opened, await drawing.tasks())
    } finally {
      for (const run of opened) run.close()
    }
  }
  return [
    draw('records/{id}', (parameter) => ofRecord(parameter('id'))),
    draw('rows/{id}/{row}', async (parameter) => {
      const file = (await dataFiles(dataset ?? '')).find(({id}) => id === parameter('id')) ?? refuse('such file')
      const at = Number(parameter('row'))
      const [cells = refuse('such row')] = await rowsIn(dataset ?? '', file, at, at + 1)
      const own = kernelsOfRow(cells, await drawing.tasks())
      if (own.length > 0 || runs !== undefined) return own.length > 0 ? own : ofRecord(String(cells['id']))
      throw noCall('The call of this code is in the runs: open their output folder.')
    }),
    draw('scores/{name}/{number}', async (parameter) => {
      const folder = scores.find((one) => basename(one) === parameter('name')) ?? refuse('such score')
      const kernels = await attemptKernel(folder, Number(parameter('number')))
      if (kernels.length > 0) return kernels
      throw noCall('The code of this attempt is no single operator: there is no timeline of it.')
    }),
  ]
}

type Parameter = (name: string) => string

const noCall = (why: string) =>
  new PipelineError('input-invalid', why, {fix: 'Take a row with the code of a whole operator.'})

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
