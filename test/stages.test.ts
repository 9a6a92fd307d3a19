import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {describe, expect, test} from 'vitest'
import type {ChatReply} from '../engine/llm/model.ts'
import type {Stage} from '../engine/stage.ts'
import {golden} from './helpers/golden.ts'
import {replayModel} from './helpers/replay-llm.ts'
import {runStage} from './helpers/run-stage.ts'
import {realExecutor, usesClang} from './helpers/real-executor.ts'
import {inputsOf, recordsIn, stageCases} from './helpers/stage-inputs.ts'

// A case is a folder: stage.json says which stage and options, in.jsonl goes in, replies.jsonl are the teacher's
// replies in order, out.jsonl and dropped.jsonl are what must come out. Long values that only pass through stand in
// out.jsonl by their place in in.jsonl, so that it shows what the stage does. Where `after` names a stage, what goes in
// goes through that first.
const root = stageCases

for (const stageName of folders(root)) {
  describe(stageName, () => {
    for (const caseName of folders(join(root, stageName))) {
      test(caseName.replaceAll('-', ' '), () => runCase(`${stageName}/${caseName}`), 60_000)
    }
  })
}

async function runCase(name: string): Promise<void> {
  const folder = join(root, name)
  const {
    file,
    options = {},
    after,
  } = JSON.parse(readFileSync(join(folder, 'stage.json'), 'utf8')) as {
    file: string
    options?: Record<string, unknown>
    after?: string
  }
  const compiles = options['executor'] === 'twin'
  if (compiles) options['executor'] = await realExecutor()
  const replies = existsSync(join(folder, 'replies.jsonl'))
    ? (recordsIn(join(folder, 'replies.jsonl')) as Partial<ChatReply>[])
    : undefined
  const model = replies && replayModel(replies)
  const given = inputsOf(name)
  const items = after === undefined ? given : (await runStage(await stageOf(after), given)).outputs
  const {outputs, dropped} = await runStage(await stageOf(file, options), items, model ? {llm: model} : {})
  if (model && replies) expect(model.requests.length, 'every recorded reply is asked for').toBe(replies.length)
  const places = placesIn(given)
  const shown = (values: readonly unknown[]) => asLines(values.map((one) => withPlaces(one, places)))
  const [outFile, came] = [join(folder, 'out.jsonl'), shown(outputs.map(withoutFingerprints))]
  // A file in full, as `try --record` writes it, says the same.
  if (!existsSync(outFile) || shown(recordsIn(outFile)) !== came) golden(outFile, came)
  golden(join(folder, 'dropped.jsonl'), asLines(compiles && !usesClang ? dropped.map(asClangSaysIt) : dropped))
}

async function stageOf(file: string, options: unknown = {}): Promise<Stage<unknown, unknown>> {
  const module = (await import(pathToFileURL(file).href)) as {default: (options: unknown) => Stage<unknown, unknown>}
  return module.default(options)
}

/** g++ adds the types to a name in quotes: 'Add(LocalTensor<float>&)' for 'Add'. */
function asClangSaysIt<T extends {detail: string}>(drop: T): T {
  return {...drop, detail: drop.detail.replace(/'(\w+)[<(][^']*'/g, "'$1'")}
}

/** Which compiler gave a verdict differs from machine to machine; that it gave one does not. */
function withoutFingerprints(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner: unknown) => (key === 'fingerprint' || key === 'compiler' ? `<${key}>` : inner)),
  )
}

const isLong = (json: string) => json.length > 120

/** Where each long value of the input stands: its JSON → `<in.jsonl 1: task.answer>`. */
function placesIn(given: readonly unknown[]): Map<string, string> {
  const places = new Map<string, string>()
  const note = (value: unknown, place: string) => {
    const json = JSON.stringify(value)
    if (!isLong(json)) return
    if (!places.has(json)) places.set(json, `<${place}>`)
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) note(inner, `${place}${place.endsWith(':') ? ' ' : '.'}${key}`)
  }
  for (const [at, one] of given.entries()) note(withoutFingerprints(one), `in.jsonl ${at + 1}:`)
  return places
}

function withPlaces(value: unknown, places: ReadonlyMap<string, string>): unknown {
  const json = JSON.stringify(value)
  if (json === undefined || !isLong(json)) return value
  const place = places.get(json)
  if (place !== undefined) return place
  if (Array.isArray(value)) return value.map((one) => withPlaces(one, places))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withPlaces(inner, places)]))
}

function asLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('')
}

function folders(path: string): string[] {
  return existsSync(path)
    ? readdirSync(path, {withFileTypes: true})
        .filter((entry) => entry.isDirectory())
        .map((entry) => entry.name)
        .sort()
    : []
}
