import {spawnSync} from 'node:child_process'
import {mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import dedup from '../../datasets/dedup/dedup.ts'
import dedupDecisions from '../../datasets/dedup/dedup-decisions.ts'
import dedupPairs, {RangeFindings} from '../../datasets/dedup/dedup-pairs.ts'
import dedupSignatures, {HashRange} from '../../datasets/dedup/dedup-signatures.ts'
import type {CotSample} from '../../datasets/schema/sample.ts'
import {textId} from '../../engine/ids.ts'
import type {Stage} from '../../engine/stage.ts'
import {api} from '../../pipelines/workspace/held-out.ts'
import {contextIn, sampleOf} from './dedup.ts'
import {plantedDocuments} from './dedup/planted-documents.ts'

interface Size {
  documents: number
  words: number
}

/** What a process prints. */
interface Cost {
  seconds: number
  cpu: number
  megabytes: number
  disk: number
  copies: string
  dropped: number
}

/**
 * The copies that one process finds beside those of ranges: signatures, every range and the decisions in a process of
 * their own, one after another, so that each peak is seen.
 */
export async function benchRanges({documents, words, ranges}: Size & {ranges: number}) {
  const folder = mkdtempSync(join(tmpdir(), 'ascend-cot-bench-'))
  const size = [folder, String(documents), String(words)]
  try {
    const signatures = again('signatures', ...size, String(ranges))
    show(`signatures, into ${ranges} ranges`, signatures)
    const pairs = Array.from({length: ranges}, (_, range) => again('pairs', ...size, String(ranges), String(range)))
    const most = (of: (cost: Cost) => number) => Math.max(...pairs.map(of))
    const seconds = pairs.reduce((sum, one) => sum + one.seconds, 0)
    show('a range, at most', {
      ...pairs[0]!,
      seconds: most((one) => one.seconds),
      megabytes: most((one) => one.megabytes),
    })
    console.log(`all ranges one after another: ${seconds.toFixed(1)} s`)
    const decided = again('decisions', ...size)
    show('decisions', decided)
    const alone = again('alone', ...size)
    show('one process', alone)
    console.log(decided.copies === alone.copies ? 'the same copies' : 'OTHER COPIES')
    if (decided.copies !== alone.copies) process.exitCode = 1
  } finally {
    rmSync(folder, {recursive: true})
  }
}

function show(what: string, {seconds, cpu, megabytes, disk, dropped}: Cost): void {
  const found = dropped === 0 ? '' : `, ${dropped} copies`
  console.log(
    `${what}: ${seconds.toFixed(1)} s (${cpu.toFixed(1)} of CPU), peak ${megabytes} MB, ${disk} MB on disk${found}`,
  )
}

function again(...args: string[]): Cost {
  const bench = fileURLToPath(new URL('bench.ts', import.meta.url))
  const {stdout, stderr, status} = spawnSync(
    process.execPath,
    ['--import', 'tsx', bench, 'dedup-ranges-once', ...args],
    {encoding: 'utf8'},
  )
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout) as Cost
}

const parts: Record<string, (folder: string, args: number[]) => Promise<unknown>> = {
  async signatures(folder, [documents = 0, words = 0, ranges = 1]) {
    const stage = dedupSignatures({config: 'sft', api, ranges})
    const found = await through(stage, samples(documents, words), join(folder, 'signatures'))
    writeFileSync(join(folder, 'ranges.json'), JSON.stringify(found))
  },
  async pairs(folder, [, , , range = 0]) {
    const ranges = HashRange.array().parse(JSON.parse(readFileSync(join(folder, 'ranges.json'), 'utf8')))
    const found = await through(dedupPairs(), one(ranges[range]!), folder)
    mkdirSync(join(folder, 'found'), {recursive: true})
    writeFileSync(join(folder, 'found', `${range}.json`), JSON.stringify(found))
  },
  async decisions(folder) {
    const found = join(folder, 'found')
    async function* findings() {
      for (const name of readdirSync(found))
        yield* RangeFindings.array().parse(JSON.parse(readFileSync(join(found, name), 'utf8')))
    }
    return copiesOf(dedupDecisions({config: 'sft'}), findings(), join(folder, 'decisions'))
  },
  alone: (folder, [documents = 0, words = 0]) =>
    copiesOf(dedup({config: 'sft', api}), samples(documents, words), join(folder, 'alone')),
}

/** A process of its own: what it prints is a `Cost`. */
export async function benchRangesOnce([part = '', folder = '', ...args]: readonly string[]): Promise<void> {
  const [started, before] = [performance.now(), process.cpuUsage()]
  const found = await parts[part]!(folder, args.map(Number))
  const {user, system} = process.cpuUsage(before)
  const cost: Cost = {
    seconds: (performance.now() - started) / 1000,
    cpu: (user + system) / 1e6,
    megabytes: Math.round(process.resourceUsage().maxRSS / 1024),
    disk: 0,
    copies: '',
    dropped: 0,
    ...(found as Partial<Cost> | undefined),
  }
  console.log(JSON.stringify({...cost, disk: cost.disk === 0 ? sizeOf(folder) : cost.disk}))
}

async function* samples(documents: number, words: number): AsyncIterable<CotSample> {
  for (const document of plantedDocuments(documents, words)) {
    const sample = sampleOf(document)
    yield {...sample, origin: {...sample.origin, path: document.id}}
  }
}

async function* one<T>(value: T): AsyncIterable<T> {
  yield value
}

async function through<In, Out>(stage: Stage<In, Out>, items: AsyncIterable<In>, directory: string): Promise<Out[]> {
  const outputs: Out[] = []
  for await (const output of stage.run(items, contextIn(directory))) outputs.push(output)
  return outputs
}

/** A hash over every copy with the record that it is a copy of. */
async function copiesOf<In>(stage: Stage<In, CotSample>, items: AsyncIterable<In>, directory: string) {
  let [copies, dropped, disk] = ['', 0, 0]
  const lines: string[] = []
  const note = (item: unknown, reason: string, detail?: string) => {
    dropped += 1
    lines.push(`${(item as CotSample).origin.path}\t${reason}\t${detail}`)
    copies = textId(`${copies} ${(item as CotSample).origin.path} ${reason} ${detail}`)
  }
  for await (const _ of stage.run(items, contextIn(directory, note))) if (disk === 0) disk = sizeOf(directory)
  writeFileSync(`${directory}.tsv`, `${lines.join('\n')}\n`)
  return {copies, dropped, disk}
}

const sizeOf = (folder: string): number =>
  Math.round(
    readdirSync(folder, {recursive: true, encoding: 'utf8'})
      .map((name) => statSync(join(folder, name)))
      .reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0) /
      2 ** 20,
  )
