import {asyncBufferFromFile, parquetReadObjects} from 'hyparquet'
import {compressors} from 'hyparquet-compressors'
import {readdirSync, readFileSync, rmSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {z} from 'zod'
import dedup, {signedOf} from '../../../datasets/dedup/dedup.ts'
import dedupDecisions from '../../../datasets/dedup/dedup-decisions.ts'
import dedupPairs, {Words, wordsIn} from '../../../datasets/dedup/dedup-pairs.ts'
import dedupSignatures from '../../../datasets/dedup/dedup-signatures.ts'
import {meetings, rangeWriter} from '../../../datasets/dedup/hash-ranges.ts'
import signatureExport from '../../../datasets/dedup/signature-export.ts'
import {CotSample} from '../../../datasets/schema/sample.ts'
import {fingerprintOf} from '../../../engine/elsewhere/fingerprint.ts'
import type {FindHands} from '../../../engine/elsewhere/hands.ts'
import {shareHands} from '../../../engine/elsewhere/share-hands.ts'
import {contentId} from '../../../engine/ids.ts'
import {PipelineError} from '../../../engine/errors.ts'
import {silentLog} from '../../../engine/log.ts'
import {Pipeline} from '../../../engine/pipeline.ts'
import {randomFrom} from '../../../engine/random.ts'
import {openRun} from '../../../engine/run.ts'
import {runPipeline} from '../../../engine/runner.ts'
import {each, type Stage} from '../../../engine/stage.ts'
import {ascendCot} from '../../helpers/command.ts'
import {arrayOf, type Task} from '../../helpers/task-array.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {collect, kernelSample, kernelText, recordingContext, sample, stream} from '../rows.ts'

/** Pages and kernels in families: equal ones, chains of small edits, of unlike worth, under two questions. */
function generated(count: number): CotSample[] {
  const random = randomFrom('generated rows')
  const draw = (below: number) => random.integer(0, below - 1)
  const families = Array.from({length: count / 12}, () => Array.from({length: 120}, () => `word${draw(900)}`))
  return Array.from({length: count}, (_, at) => {
    const family = families[draw(families.length)]!
    // Later copies are made of earlier ones.
    if (draw(3) > 0) family[draw(family.length)] = `edit${draw(900)}`
    const worth: Partial<CotSample> = {
      ...(draw(3) === 0 && {proof: 'ran'}),
      ...(draw(3) === 0 && {teacher: {kind: 'model', model: 'm'}}),
      reasoning: 'r'.repeat(1 + draw(4) * 30),
      origin: {...sample().origin, path: `row-${at}`},
    }
    if (draw(6) === 0) {
      const text = kernelText.replace('op.Process();', `op.Process(${draw(count / 30)});`)
      return kernelSample({...worth, files: [{path: 'a.cpp', text}]})
    }
    const prompt = draw(2) === 0 ? 'What is it?' : 'How is it called?'
    return sample({...worth, kind: draw(12) === 0 ? 'general' : 'documentation', prompt, answer: family.join(' ')})
  })
}

const rows = generated(1200)

/** Gives the rows. */
const source: Stage<number, CotSample> = {
  name: 'rows',
  version: 1,
  input: z.int(),
  output: CotSample,
  run: each(() => rows),
}

interface Way {
  ranges?: number
  most?: number
  /** Links of a page, and words of a record. */
  page?: number
  together?: number
  /** What becomes of a task; without one, all is done in this process. */
  task?: Task
  directory?: string
}

async function ranIn({ranges, most, task, directory, page, together}: Way) {
  const folder = directory ?? (await temporaryFolder())
  const from = Pipeline.from('test', [1], source)
  const sizes = {...(most !== undefined && {most}), ...(together !== undefined && {together})}
  const pairs = () => dedupPairs(sizes)
  const pipeline =
    ranges === undefined
      ? from.via(dedup({config: 'sft'}))
      : from
          .via(dedupSignatures({config: 'sft', ranges}))
          .via(pairs())
          .via(dedupDecisions({config: 'sft', ...(page !== undefined && {page})}))
  const submitted: (readonly number[])[] = []
  const hands: FindHands = (wanted) => {
    if (wanted.stage.name !== 'dedup-pairs' || !task) return undefined
    const array = arrayOf(wanted.folder, task, pairs)
    return {
      async *work(records) {
        const fingerprint = await fingerprintOf(wanted.stage, wanted.key)
        const order = {format: 1 as const, recipe: 'x', config: {}, answers: {}, seed: 's', index: 2, fingerprint}
        yield* shareHands({wanted, order, array, recordsPerShare: 1, now: () => 0, poll: 5}).work(records)
        submitted.push(...array.submitted)
      },
    }
  }
  const signal = new AbortController().signal
  const model = () => undefined
  await runPipeline({pipeline, directory: folder, model, seed: 's', hands, now: () => 0, signal, log: silentLog})
  const run = (await openRun(folder))!
  const kept = [...run.emitted()].map(({json}) => json)
  const dropped = [...run.stage(ranges === undefined ? 'dedup' : 'dedup-decisions')!.dropped()]
  run.close()
  return {kept, dropped, submitted, folder}
}

let known: ReturnType<typeof ranIn> | undefined
const inOneProcess = () => (known ??= ranIn({}))

describe('ranges find the copies that one process finds', () => {
  test('of which there are many of both kinds', async () => {
    const {kept, dropped} = await inOneProcess()
    const reasons = dropped.flatMap(({drops}) => drops.map(({reason}) => reason))
    for (const reason of ['duplicate', 'near-duplicate'])
      expect(reasons.filter((one) => one === reason).length).toBeGreaterThan(100)
    expect(kept.length).toBeGreaterThan(100)
  })

  test.each<Way>([
    {ranges: 1},
    {ranges: 2},
    {ranges: 7},
    {ranges: 64},
    {ranges: 3, most: 1},
    {ranges: 3, most: 4},
    {ranges: 5, most: 10_000},
    // Most records have links on several pages, and ranges several parts.
    {ranges: 5, page: 2},
    {ranges: 5, together: 64, page: 7},
    {ranges: 3, most: 4, together: 2},
  ])('as %o', async (way) => {
    const {kept, dropped} = await ranIn(way)
    const alone = await inOneProcess()
    expect(kept).toEqual(alone.kept)
    expect(dropped).toEqual(alone.dropped)
  })

  test('also when tasks of an array are killed', async () => {
    const task: Task = (share, attempt, run) =>
      share % 3 === 0 && attempt === 1 ? Promise.reject(new Error('killed')) : run()
    const {kept, dropped, submitted, folder} = await ranIn({ranges: 7, task})
    const alone = await inOneProcess()
    expect({kept, dropped}).toEqual({kept: alone.kept, dropped: alone.dropped})
    expect(submitted).toEqual([
      [0, 1, 2, 3, 4, 5, 6],
      [0, 3, 6],
    ])
    expect(
      readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter((name) => /keys|waiting/.test(name)),
    ).toEqual([])
  })

  test('and decide nothing while one is missing', async () => {
    const directory = await temporaryFolder()
    const task: Task = (share, _, run) => (share === 2 ? Promise.reject(new Error('killed')) : run())
    const error: unknown = await ranIn({ranges: 4, task, directory}).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(PipelineError)
    expect((error as PipelineError).message).toBe('Only 3 of 4 hash ranges were compared.')
    const {kept, submitted} = await ranIn({ranges: 4, task: (_, __, run) => run(), directory})
    expect(kept).toEqual((await inOneProcess()).kept)
    expect(submitted).toEqual([[0]])
  })
})

test('a release with ranges through the command line has the files of one without', {timeout: 240_000}, async () => {
  const folder = await temporaryFolder()
  const signal = new AbortController().signal
  const release = async (out: string, ...more: string[]) => {
    const given = {pipeline: Pipeline.from('documentation', [1], source), directory: join(folder, out, 'documentation')}
    await runPipeline({...given, model: () => undefined, seed: 's', now: () => 0, signal, log: silentLog})
    const {code, said} = ascendCot(folder, ['run', 'release-sft', '--out', out, ...more])
    expect(code, said).toBe(0)
    const run = (await openRun(join(folder, out, 'release-sft')))!
    const dropped = [...run.stage(more.length === 0 ? 'dedup' : 'dedup-decisions')!.dropped()]
    run.close()
    const data = join(folder, out, 'dataset/data')
    const names = readdirSync(data, {recursive: true, encoding: 'utf8'}).filter((name) => name.endsWith('.parquet'))
    return {dropped, files: names.sort().map((name) => [name, readFileSync(join(data, name)).toString('base64')])}
  }
  const [alone, ranged] = [await release('near'), await release('far', '--set', 'export.dedupRanges=3')]
  expect(alone.dropped.length).toBeGreaterThan(200)
  expect(alone.files.length).toBeGreaterThan(0)
  expect(ranged).toEqual(alone)
})

test('a range gives records of bounded size, and nothing is decided where a part is missing', async () => {
  const context = {...recordingContext(), directory: await temporaryFolder()}
  const ranges = await collect(dedupSignatures({config: 'sft', ranges: 2}).run(stream(rows), context))
  const found = await collect(dedupPairs({together: 64}).run(stream(ranges), context))
  expect(found.length).toBeGreaterThan(20)
  for (const {equal, alike, crowded} of found)
    for (const text of [equal, alike, crowded]) expect(Buffer.from(text, 'base64').length).toBeLessThanOrEqual(256)
  const missing = found.filter((_, at) => at !== 3)
  await expect(collect(dedupDecisions({config: 'sft'}).run(stream(missing), context))).rejects.toThrow(
    'Only 1 of 2 hash ranges were compared.',
  )
})

/** What ranges say of so many samples, each with an answer of its own. */
async function rangesOf(count: number, answer: (at: number) => string) {
  const context = {...recordingContext(), directory: await temporaryFolder()}
  const samples = Array.from({length: count}, (_, at) =>
    sample({answer: answer(at), origin: {...sample().origin, path: `row-${at}`}}),
  )
  const ranges = await collect(dedupSignatures({config: 'sft', ranges: 3}).run(stream(samples), context))
  return {ranges, found: () => collect(dedupPairs().run(stream(ranges), context))}
}

test.each([
  [100, false],
  [101, true],
])('%i records of a key are left to the last step: %s', async (count, isCrowd) => {
  const found = await (await rangesOf(count, () => 'the same words for each of them')).found()
  const numbersOf = (list: 'alike' | 'crowded') => new Set(found.flatMap((one) => [...wordsIn(one[list])]))
  expect([numbersOf('alike').size, numbersOf('crowded').size]).toEqual(isCrowd ? [0, count] : [count, 0])
})

test('the ranges of other records are others, wherever the records differ', async () => {
  const of = async (changed: number) => {
    const {ranges} = await rangesOf(1500, (at) => (at === changed ? 'b' : 'a'))
    return ranges[0]!.signatures
  }
  expect(new Set([await of(-1), await of(3), await of(1400)]).size).toBe(3)
  expect(await of(3)).toBe(await of(3))
})

test('keys of more records than fit into memory all meet', async () => {
  const folder = await temporaryFolder()
  const row = signedOf(sample(), contentId(sample()), {config: 'sft', near: {}, names: new Set()})
  const writer = rangeWriter(folder, 64)
  for (let number = 0; number < 150_000; number += 1) writer.add(row, number)
  writer.end()
  const met = Array.from({length: 64}, (_, range) => [...meetings(folder, range)]).flat()
  expect(met.map(({numbers}) => [numbers.length, numbers[0], numbers.at(-1)])).toEqual([[150_000, 0, 149_999]])
})

test('a range with too many pairs says so', () => {
  const words = new Words()
  const many = Array.from({length: 2 ** 10}, (_, at) => at)
  for (let added = 0; added < 2 ** 24; added += many.length) words.add(...many)
  expect(() => words.add(1)).toThrow('too many copies')
  expect(wordsIn(words.text(2 ** 10 + 5, 2 ** 10 + 8))).toEqual(new Uint32Array([5, 6, 7]))
})

test('a task that does not see the folder says so', async () => {
  const folder = join(await temporaryFolder(), 'gone')
  rmSync(folder, {recursive: true, force: true})
  const range = {folder, range: 0, ranges: 1, signatures: ''}
  const run = dedupPairs().run(
    (async function* () {
      yield range
    })(),
    {} as never,
  )
  await expect(run[Symbol.asyncIterator]().next()).rejects.toThrow('cannot be read here')
})

test('signatures are exported as they are compared', async () => {
  const records = [rows.find(({kind}) => kind === 'documentation')!, rows.find(({kind}) => kind === 'general')!]
  const context = {...recordingContext(), directory: await temporaryFolder()}
  const [file] = await collect(signatureExport({config: 'sft'}).run(stream(records), context))
  const read = await parquetReadObjects({file: await asyncBufferFromFile(file!.path), compressors})
  const by = {config: 'sft' as const, near: {documentation: 0.75}, names: new Set<string>()}
  for (const [at, record] of records.entries()) {
    const {near, ...row} = signedOf(record, contentId(record), by)
    expect(read[at]).toMatchObject({...row, number: at, threshold: near?.threshold ?? null})
    const {bands, low} = near?.signature ?? {}
    expect(read[at]!['bands'] ?? undefined).toEqual(bands && [...new Int32Array(bands.buffer)])
    expect(read[at]!['low'] ?? undefined).toEqual(low && Buffer.from(low).toString('hex'))
  }
  expect(file).toMatchObject({rows: 2, bytes: statSync(file!.path).size})
})
