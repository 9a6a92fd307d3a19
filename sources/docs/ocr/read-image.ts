import {dirname} from 'node:path'
import {createWorker, OEM, PSM, type Page, type Worker} from 'tesseract.js'
import type {ImageReading, LayoutPiece, RefusedImage} from '../../../datasets/schema/page-image.ts'
import {libraryFile, ownExtension} from '../../../engine/own-package.ts'
import {layoutOf, type Place} from './formula-layout.ts'
import {inkOf, marksOf, pixelsOf, pictureOf, type Mark} from './ink-marks.ts'
import {bracketOf, tallSignOf, type Picture} from './sign-shape.ts'

/** An image to be read. Formulas are taken apart by their layout, other pictures are read as a page of text. */
export interface ImageToRead {
  bytes: Uint8Array
  kind: 'formula' | 'figure'
}

export type ReadImage = RefusedImage | ({refused?: undefined} & ImageReading)

/** Ten times a screen of the usual size. */
const mostPixels = 20_000_000

/** Reads one image. Runs in a worker, so that a picture which takes for ever can be given up. */
export default async function readImage({bytes, kind}: ImageToRead): Promise<ReadImage> {
  const size = sizeOf(bytes)
  if (size === undefined) return {refused: 'image-unreadable', detail: 'neither PNG, JPEG, GIF nor BMP'}
  const {width, height} = size
  if (width * height > mostPixels) return {refused: 'image-too-large', detail: `${width} × ${height} pixels`}
  const pixels = isPng(bytes) ? pixelsOf(bytes) : undefined
  if (isPng(bytes) && !pixels) return {refused: 'image-unreadable', detail: 'its PNG is damaged'}
  if (width < 3 || height < 3) return {...size, text: '', confidence: 0, lines: 0}
  const page = await pageOf(bytes, kind)
  if (typeof page === 'string') return {refused: 'image-unreadable', detail: page}
  const reading = {...size, text: page.text.trim(), confidence: page.confidence / 100, lines: linesOf(page)}
  if (kind !== 'formula' || !pixels) return reading
  const ink = inkOf(pixels)
  const {marks, labels} = marksOf(ink)
  const picture = {width: ink.width, faint: ink.faint, labels}
  // White on black, or a picture: no formula in the documentation has that many marks.
  if (marks.length === 0 || marks.length > 400) return reading
  const layout = await piecesOf(layoutOf(marks), picture)
  return {...reading, layout}
}

const workers = new Map<Language, Promise<Worker>>()
type Language = 'eng' | 'chi_sim'

const models: Readonly<Record<Language, string>> = {
  eng: '@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz',
  chi_sim: '@tesseract.js-data/chi_sim/4.0.0_best_int/chi_sim.traineddata.gz',
}

/** The library's default location of its worker, when not bundled. */
const own = ownExtension === '.js' ? {workerPath: libraryFile('tesseract.js/worker.cjs')} : {}

/** Models come in packages: nothing is downloaded or written. */
function workerFor(language: Language): Promise<Worker> {
  const known = workers.get(language)
  if (known) return known
  const made = createWorker(language, OEM.LSTM_ONLY, {
    ...own,
    langPath: dirname(libraryFile(models[language])),
    cacheMethod: 'none',
    // Without a handler, the package throws its worker's errors where they cannot be caught.
    errorHandler: () => undefined,
  })
  workers.set(language, made)
  return made
}

/** The whole picture as text, or what is wrong with its bytes. */
async function pageOf(bytes: Uint8Array, kind: ImageToRead['kind']): Promise<Page | string> {
  try {
    if (kind === 'formula') return await recognise(bytes, 'eng', PSM.SINGLE_BLOCK)
    // The Chinese model knows Latin letters too, the English one reads them better.
    const chinese = await recognise(bytes, 'chi_sim', PSM.AUTO)
    return shareOfHan(chinese.text) > 0.1 ? chinese : await recognise(bytes, 'eng', PSM.AUTO)
  } catch (error) {
    if (/reading image|read image|pix/i.test(String(error))) return 'its bytes cannot be decoded'
    throw error
  }
}

async function recognise(bytes: Uint8Array, language: Language, mode: PSM): Promise<Page> {
  const made = workerFor(language)
  try {
    const worker = await made
    // Without a resolution, recognition guesses one and prints a message.
    await worker.setParameters({tessedit_pageseg_mode: mode, user_defined_dpi: '150'})
    const {data} = await worker.recognize(Buffer.from(bytes), {}, {text: true, blocks: true})
    return data
  } catch (error) {
    // A failed one may fail forever.
    workers.delete(language)
    await made.then((worker) => worker.terminate()).catch(() => undefined)
    throw error
  }
}

function shareOfHan(text: string): number {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return letters === 0 ? 0 : (text.match(/\p{Script=Han}/gu)?.length ?? 0) / letters
}

function linesOf({blocks}: Page): number {
  const lines = (blocks ?? []).flatMap(({paragraphs}) => paragraphs.flatMap((paragraph) => paragraph.lines))
  return lines.filter(({words}) => words.length > 1).length
}

async function piecesOf(places: readonly Place[], picture: Picture): Promise<LayoutPiece[]> {
  const pieces: LayoutPiece[] = []
  const within = (row: readonly Place[]) => piecesOf(row, picture)
  for (const place of places) {
    if (place.kind === 'run') pieces.push(await runOf(place.marks, picture))
    else if (place.kind === 'root') pieces.push({kind: 'root', inside: await within(place.inside)})
    else if (place.kind === 'fraction' || place.kind === 'big') {
      const around = {above: await within(place.above), below: await within(place.below)}
      if (place.kind === 'fraction') pieces.push({kind: 'fraction', ...around})
      else pieces.push({kind: 'big', sign: tallSignOf(place.sign, picture), ...around})
    } else pieces.push({kind: place.kind, row: await within(place.row)})
  }
  return pieces
}

/** A row of marks alone in a picture is what recognition is made for. */
async function runOf(marks: readonly (readonly Mark[])[], picture: Picture): Promise<LayoutPiece> {
  const mode = marks.length === 1 ? PSM.SINGLE_CHAR : PSM.SINGLE_LINE
  const data = await recognise(pictureOf(marks.flat(), picture.labels, picture.width), 'eng', mode)
  const counts = {marks: marks.length, parts: marks.flat().length}
  const brackets = marks.map((one) => bracketOf(one, picture) ?? '').join('')
  return {kind: 'run', text: data.text.trim(), ...counts, brackets, confidence: data.confidence / 100}
}

const isPng = (bytes: Uint8Array) => startsWith(bytes, '\x89PNG\r\n\x1a\n')

const startsWith = (bytes: Uint8Array, text: string) =>
  Buffer.from(bytes.subarray(0, text.length)).toString('latin1') === text

/** Width and height by the header, before anything is decoded: a small file may hold a picture of any size. */
function sizeOf(bytes: Uint8Array): {width: number; height: number} | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (isPng(bytes) && view.length >= 24) return {width: view.readUInt32BE(16), height: view.readUInt32BE(20)}
  if (startsWith(bytes, 'GIF8') && view.length >= 10) return {width: view.readUInt16LE(6), height: view.readUInt16LE(8)}
  if (startsWith(bytes, 'BM') && view.length >= 26)
    return {width: Math.abs(view.readInt32LE(18)), height: Math.abs(view.readInt32LE(22))}
  return startsWith(bytes, '\xff\xd8\xff') ? jpegSize(view) : undefined
}

/** In the first frame header; segments before it are passed over. */
function jpegSize(view: Buffer): {width: number; height: number} | undefined {
  for (let at = 2; at + 9 < view.length; ) {
    if (view[at] !== 0xff) return undefined
    const marker = view[at + 1] as number
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return {height: view.readUInt16BE(at + 5), width: view.readUInt16BE(at + 7)}
    at += 2 + view.readUInt16BE(at + 2)
  }
  return undefined
}
