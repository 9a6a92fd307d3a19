import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {DocPage} from '../../datasets/schema/document.ts'
import type {ImageReader} from '../../datasets/schema/page-image.ts'
import {connect} from '../../engine/llm/connect.ts'
import type {LanguageModel} from '../../engine/llm/model.ts'
import {TeacherProfile} from '../../engine/llm/profile.ts'
import {silentLog} from '../../engine/log.ts'
import {normalLatex} from '../../pipelines/documentation/formulas/latex-form.ts'
import {distance} from '../../pipelines/documentation/formulas/match-layout.ts'
import repairImages from '../../pipelines/documentation/repair-images.ts'
import {imageReader} from '../../sources/docs/ocr/image-reader.ts'
import documentationPages from '../../sources/docs/pages.ts'
import {startChatServer, type ChatBody} from '../helpers/chat-server.ts'
import {fontPicture, formulaPicture, textPicture} from '../helpers/formula-picture.ts'
import {runStage} from '../helpers/run-stage.ts'
import {formulaCases, pageOf, type FormulaCase} from './ocr/formula-cases.ts'
import {textCases} from './ocr/text-cases.ts'

/** Heights of an x, in pixels: small print, the figures of pages, and large ones. */
const sizes = [8, 12, 18]

interface Shown {
  formula: FormulaCase
  size: number
  png: Buffer
  file: string
}

/**
 * Formulas that are known, rendered, put into pages and repaired: offline, and with a stand-in for a model that sees,
 * which misbehaves on purpose. The figure that counts is how many of the formulas put into pages are wrong.
 */
export async function benchOcr(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'ascend-cot-ocr-'))
  const images = imageReader([root])
  try {
    const shown = writePages(root)
    const {outputs: pages} = await runStage(documentationPages(), [{root, licence: 'Apache-2.0'}])
    console.log(`${formulaCases.length} formulas, ${shown.length} pictures`)
    console.log('mode             size  pictures  exact  wrong  unresolved  CER of repaired')
    await measure('offline', shown, pages, images)
    await withStandIn(shown, (llm) => measure('vision stand-in', shown, pages, images, llm))
    await measureTexts(images)
    console.log(`peak memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB`)
  } finally {
    await images.close()
    rmSync(root, {recursive: true, force: true})
  }
}

function writePages(root: string): Shown[] {
  mkdirSync(join(root, 'figures'))
  return formulaCases.flatMap((formula, at) =>
    sizes.map((size): Shown => {
      const file = `figures/zh-cn_formulaimage_${String(1000 * size + at).padStart(16, '0')}.png`
      const png = formulaPicture(formula.latex, size)
      writeFileSync(join(root, file), png)
      writeFileSync(join(root, `${formula.title}-${at}-${size}.md`), pageOf(formula, file))
      return {formula, size, png, file}
    }),
  )
}

async function measure(
  mode: string,
  shown: readonly Shown[],
  pages: readonly DocPage[],
  images: ImageReader,
  llm?: LanguageModel,
) {
  const started = performance.now()
  const {outputs} = await runStage(repairImages({images}), pages, llm ? {llm} : {})
  const seconds = (performance.now() - started) / 1000
  const found = new Map(outputs.flatMap((page) => page.images ?? []).map((image) => [image.file, image]))
  const judged = shown.map(({formula, size, file}) => {
    const {latex = '', outcome, reason} = found.get(file) ?? {}
    const [truth, said] = [normalLatex(formula.latex), normalLatex(latex)]
    return {formula, size, truth, said, reason, isIn: outcome === 'repaired', isRight: truth === said}
  })
  const line = (name: string, size: string, some: typeof judged) => {
    const repaired = some.filter(({isIn}) => isIn)
    const errors = repaired.reduce((sum, {truth, said}) => sum + distance(truth, said), 0)
    const length = repaired.reduce((sum, {truth}) => sum + truth.length, 0)
    const wrong = repaired.filter(({isRight}) => !isRight).length
    const cells = [some.length, repaired.length - wrong, wrong, some.length - repaired.length].map(String)
    const [count = '', exact = '', bad = '', open = ''] = cells
    const rate = length === 0 ? '–' : (errors / length).toFixed(4)
    console.log(
      `${name.padEnd(16)} ${size.padStart(4)}  ${count.padStart(8)}  ${exact.padStart(5)}  ${bad.padStart(5)}  ${open.padStart(10)}  ${rate}`,
    )
  }
  for (const size of sizes)
    line(
      mode,
      String(size),
      judged.filter((one) => one.size === size && !one.formula.isOdd),
    )
  line(
    mode,
    'odd',
    judged.filter(({formula}) => formula.isOdd),
  )
  line(mode, 'all', judged)
  const reasons = new Map<string, number>()
  for (const {isIn, reason = ''} of judged) if (!isIn) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  console.log(
    `  unresolved: ${[...reasons]
      .sort((a, b) => b[1] - a[1])
      .map(([why, count]) => `${why} ${count}`)
      .join(', ')}`,
  )
  console.log(`  ${(shown.length / seconds).toFixed(1)} pictures/s`)
  for (const {isIn, isRight, size, formula, said} of judged)
    if (isIn && !isRight) console.log(`  wrong at ${size}: ${formula.title}: ${formula.latex} was taken for ${said}`)
  if (process.env['OCR_DETAIL'] !== undefined)
    for (const one of judged) if (!one.isIn) console.log(`  open at ${one.size}: ${one.formula.latex} (${one.reason})`)
}

/** Of ten replies, six are right; one each is prose, no LaTeX, about another operand, or empty. */
function wordsOf(at: number, latex: string): string {
  switch (at % 10) {
    case 6:
      return `The picture shows the formula ${latex}, as one would expect.`
    case 7:
      return `<latex>\\frac{${latex}</latex>`
    case 8:
      return `<latex>${latex.replace(/src1?|x|input/, (name) => (name === 'x' ? 'z' : `${name}9`))}</latex>`
    case 9:
      return ''
    default:
      return `Here it is: <latex>${latex}</latex>`
  }
}

async function withStandIn(shown: readonly Shown[], work: (llm: LanguageModel) => Promise<void>): Promise<void> {
  const places = new Map(shown.map(({png}, at) => [png.toString('base64'), at]))
  const placeOf = (body: ChatBody) => {
    const parts = body.messages.at(-1)?.content as unknown as {image_url?: {url: string}}[]
    const url = parts.find(({image_url: image}) => image)?.image_url?.url ?? ''
    return places.get(url.replace('data:image/png;base64,', '')) as number
  }
  const server = await startChatServer({
    script: ({body, repeat}) => (repeat === 0 && placeOf(body) % 13 === 12 ? {kind: 'status', status: 503} : undefined),
    reply: (body) => {
      const at = placeOf(body)
      return {content: wordsOf(at, shown[at]?.formula.latex ?? ''), reasoning: ''}
    },
    remember: false,
  })
  const profile = TeacherProfile.parse({model: 'stand-in', baseUrl: server.url, maxTokens: 400})
  const teachers = connect(
    {vision: profile},
    {cacheFile: ':memory:', env: {}, now: Date.now, random: () => 0.5, log: silentLog, sleep: () => Promise.resolve()},
  )
  try {
    await work(teachers('vision') as LanguageModel)
  } finally {
    teachers.close()
    await server.close()
  }
}

async function measureTexts(images: ImageReader): Promise<void> {
  const [english = [], chinese = []] = [false, true].map((isChinese) =>
    textCases.filter((lines) => /\p{Script=Han}/u.test(lines.join('')) === isChinese),
  )
  for (const ex of [6, 9, 12])
    await measureText(`English, x of ${ex} px`, english, (lines) => textPicture(lines, ex), images)
  // Without a font for them, Han are empty boxes.
  const blank = fontPicture(['\ue000\ue000\ue000'], 20)
  if (fontPicture(['算子的'], 20).equals(blank)) console.log('text in Chinese: no font for it on this machine')
  else
    for (const size of [14, 20, 28])
      await measureText(`Chinese of ${size} px`, chinese, (lines) => fontPicture(lines, size), images)
}

async function measureText(
  name: string,
  cases: readonly (readonly string[])[],
  draw: (lines: readonly string[]) => Buffer,
  images: ImageReader,
): Promise<void> {
  const started = performance.now()
  let [errors, length] = [0, 0]
  for (const lines of cases) {
    const reading = await images.read(draw(lines), 'figure', new AbortController().signal)
    const [truth = '', said = ''] = [lines.join(''), reading.refused === undefined ? reading.text : ''].map((text) =>
      text.normalize('NFKC').replace(/\s/g, ''),
    )
    errors += distance(truth, said)
    length += truth.length
  }
  const speed = cases.length / ((performance.now() - started) / 1000)
  console.log(`text in ${name}: CER ${(errors / length).toFixed(4)}, ${speed.toFixed(1)} pictures/s`)
}
