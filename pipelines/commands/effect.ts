import {counted} from '../../engine/counted.ts'
import {existsSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import {canonicalJson, contentId} from '../../engine/ids.ts'
import {PipelineError} from '../../engine/errors.ts'
import {makeFolder, writeWhole} from '../../engine/files.ts'
import {armsOf} from '../../eval/effect/arms.ts'
import {differenceCharts} from '../../eval/effect/effect-chart.ts'
import {
  armDifferences,
  differencesTable,
  reasoningTable,
  resolutionTable,
  valuesTable,
  type ArmReadings,
} from '../../eval/effect/effect-tables.ts'
import {htmlPage} from '../../eval/scores/document.ts'
import {html} from '../../eval/scores/markup.ts'
import {tablePart, tablesMarkdown} from '../../eval/scores/page.ts'
import {measuredArm, untrained, type MeasuredArm, type Training} from './effect/effect-arm.ts'
import {effectMaterial, type EffectSizes, type Material} from './effect/effect-material.ts'
import {EffectWorker} from './effect/effect-worker.ts'
import {table} from './text-table.ts'
import {workspaceWorld, type World} from './world.ts'

/** Flags of `ascend-cot effect`. */
export interface EffectRequest extends Training, EffectSizes {
  data: string
  on: readonly string[]
  raw: readonly string[]
  /** `smollm2`, a GGUF file, or a folder of transformers. */
  model: string
  /** Comma-separated; undefined: all. */
  arms: string | undefined
  orders: number
  python: string
  dryRun: boolean
  out: string
  cache: string
  seed: string
  json: boolean
}

/**
 * `ascend-cot effect`: trains a small model on the rows of a data set and on parts of them, and reports which measure
 * each part changed. Finished work is kept: the same command continues where it was interrupted.
 */
export async function effect(request: EffectRequest, world: World): Promise<number> {
  const {terminal} = world
  const folder = join(resolve(request.out), 'effect')
  makeFolder(folder)
  const worker = new EffectWorker(request.python, world)
  const model = await modelFolder(request.model, folder, worker, world)
  const {hub, say} = workspaceWorld(world)
  const access = {hub, say, cache: request.cache}
  const wanted = {...request, sizes: request, folder, model}
  const material = await effectMaterial(wanted, access, worker)
  await keepPlan(folder, request, material)
  const known = armsOf({rows: material.training, raw: material.raw})
  const arms = chosenArms(request.arms, known)
  terminal.say(planText(request, material, arms))
  if (request.dryRun) return 0
  const measured = await measureAll({request, material, arms, folder, model, worker}, world)
  const readings = joined(measured, known)
  await writePages(folder, readings, notesOf(request, material, measured))
  const values = valuesTable(readings)
  if (request.json) terminal.print(JSON.stringify({readings: values, folder}))
  else
    terminal.print(
      `${table(values.columns, values.rows, terminal.width, values.names)}\n\n${join(folder, 'effect.html')}`,
    )
  return 0
}

/** Another plan, or other rows, in the same folder would mix incomparable measurements. */
async function keepPlan(folder: string, request: EffectRequest, {training, raw, items}: Material): Promise<void> {
  const {model, tokens, by, window, learningRate, precision, thoughts, seed} = request
  const rows = {training: contentId(training), raw: contentId(raw), items: contentId(items)}
  const plan = {model, tokens, by, window, learningRate, precision, thoughts, seed, ...rows}
  const path = join(folder, 'plan.json')
  const text = `${canonicalJson(plan)}\n`
  if (existsSync(path) && (await readFile(path, 'utf8')) !== text) {
    throw new PipelineError(
      'config-invalid',
      `${path} was made with another plan, or from other rows, than this command uses.`,
      {
        fix: 'Choose another folder with --out, or delete this one. Arms and orders may be added to a plan.',
      },
    )
  }
  if (!request.dryRun) await writeWhole(path, text)
}

async function modelFolder(given: string, folder: string, worker: EffectWorker, {terminal}: World): Promise<string> {
  if (given !== 'smollm2' && !given.endsWith('.gguf')) return existsSync(given) ? resolve(given) : given
  const out = join(folder, 'model')
  if (existsSync(out)) return out
  terminal.say(`unpacking ${given}`)
  await worker.ask('model', {model: given, out})
  return out
}

function chosenArms(asked: string | undefined, known: ReadonlyMap<string, string>): string[] {
  const names = asked?.split(',').map((one) => one.trim()) ?? [...known.keys()]
  const wrong = names.find((name) => name !== untrained && !known.has(name))
  if (wrong === undefined) return [untrained, ...names.filter((name) => name !== untrained)]
  throw new PipelineError('config-invalid', `There is no arm ${wrong} for these rows.`, {
    fix: `Its arms: ${[untrained, ...known.keys()].join(', ')}.`,
  })
}

/** Tokens a second of a model of 135 M parameters on two CPU cores, loading it included. */
const [trainedASecond, readASecond] = [{fp32: 105, bf16: 160}, 790]

function planText(
  {orders, tokens, by, precision}: EffectRequest,
  {items, heldOut, asked}: Material,
  arms: readonly string[],
) {
  const runs = (arms.length - 1) * orders + 1
  const perRead = items.length * 220 + asked.length * 800
  const trained = by === 'tokens' ? tokens : tokens * 3
  const seconds = runs * (perRead / readASecond) + (runs - 1) * (trained / trainedASecond[precision])
  const trainedOn = `${heldOut.sameOperator} of operators that are trained on`
  return [
    `${counted(heldOut.rows, 'row')} are held out (${trainedOn} and ${heldOut.seen} with seen code`,
    `  excluded; ${(100 * heldOut.share).toFixed(2)} % of their runs of 32 tokens occur in training rows)`,
    `${counted(arms.length, 'arm')} (${arms.join(', ')}),`,
    `  ${counted(orders, 'order')}: ${counted(runs, 'model')} to measure, ${counted(items.length, 'text')} each`,
    `about ${Number((seconds / 3600).toPrecision(2))} h with 135 M parameters on two CPU cores`,
  ].join('\n')
}

interface Measuring {
  request: EffectRequest
  material: Material
  arms: readonly string[]
  folder: string
  model: string
  worker: EffectWorker
}

async function measureAll({request, arms, folder, ...given}: Measuring, world: World): Promise<MeasuredArm[]> {
  const {terminal, now} = world
  const jobs = arms.flatMap((arm) =>
    Array.from({length: arm === untrained ? 1 : request.orders}, (_, order) => ({arm, order})),
  )
  const measured: MeasuredArm[] = []
  for (const {arm, order} of jobs) {
    const own = join(folder, 'arms', `${arm}-${order}`)
    const training = request
    const one = await measuredArm({...given, arm, order, folder: own, training, seed: request.seed, now})
    measured.push(one)
    const {trainSeconds, measureSeconds} = one.spent
    const took = `trained ${Math.round(trainSeconds)} s, measured ${Math.round(measureSeconds)} s`
    terminal.say(`${measured.length} of ${jobs.length}: ${arm}, order ${order}: ${took}`)
  }
  return measured
}

function joined(measured: readonly MeasuredArm[], known: ReadonlyMap<string, string>): ArmReadings[] {
  const names = [...new Set(measured.map(({arm}) => arm))]
  return names.map((arm) => {
    const of = measured.filter((one) => one.arm === arm)
    const mean = (pick: (one: MeasuredArm) => number) =>
      Math.round(of.reduce((total, one) => total + pick(one), 0) / of.length)
    return {
      arm,
      says: known.get(arm) ?? 'nothing',
      tokens: mean(({spent}) => spent.tokens),
      answerTokens: mean(({spent}) => spent.answer_tokens),
      orders: of.map(({readings}) => readings),
    }
  })
}

function notesOf(request: EffectRequest, {heldOut}: Material, measured: readonly MeasuredArm[]): string[] {
  const seconds = measured.reduce((total, {spent}) => total + spent.trainSeconds + spent.measureSeconds, 0)
  const from = request.on.length === 0 ? `the test split of ${request.data}` : request.on.join(', ')
  const {model, tokens, by, window, learningRate, precision} = request
  const unit = by === 'tokens' ? 'tokens' : 'tokens of answers'
  return [
    `Model ${model}, ${tokens} ${unit} an arm, windows of ${window}, rate ${learningRate}, ` +
      `${precision}, seed ${request.seed}; ${(seconds / 3600).toFixed(1)} h in all.`,
    `Trained on rows of ${request.data}; measured on ${from}: ${counted(heldOut.rows, 'row')} of other operators, ` +
      `${(100 * heldOut.share).toFixed(2)} % of their runs of 32 tokens occur in training rows.`,
    'Pairs for ranking are held-out code with one planted fault; the faults were not judged.',
  ]
}

async function writePages(folder: string, readings: readonly ArmReadings[], notes: readonly string[]): Promise<void> {
  const held = ['whole', untrained].filter((from) => readings.some(({arm}) => arm === from))
  const tables = [
    valuesTable(readings),
    ...held.map((from) => differencesTable(readings, from)),
    reasoningTable(readings),
    resolutionTable(readings, held[0] ?? untrained),
  ]
  const title = 'What the rows teach'
  await writeWhole(join(folder, 'effect.md'), tablesMarkdown({title, notes, tables}))
  const differences = armDifferences(readings, untrained)
  await writeWhole(join(folder, 'effect.json'), `${JSON.stringify({notes, tables, differences}, null, 1)}\n`)
  const body = [
    html`<header>
<h1>${title}</h1>
<ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>
</header>
`,
    html`<section>${tables.map(tablePart)}</section>
`,
    html`<section><h2>Distance from the untrained model</h2>${differenceCharts(differences)}</section>
`,
  ]
  await writeWhole(join(folder, 'effect.html'), htmlPage(title, body))
}
