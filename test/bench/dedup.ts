import {execFileSync, spawnSync} from 'node:child_process'
import {appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import dedup from '../../datasets/dedup/dedup.ts'
import {CotSample} from '../../datasets/schema/sample.ts'
import {silentLog} from '../../engine/log.ts'
import {openRun} from '../../engine/run.ts'
import type {Context} from '../../engine/stage.ts'
import {api} from '../../pipelines/workspace/held-out.ts'
import {authorsNames, withNames} from './contamination/disguises.ts'
import {plantedDocuments, type PlantedDocument} from './dedup/planted-documents.ts'

interface Options {
  documents: number
  /** A Python that has datatrove. */
  python?: string | undefined
  /** A folder of finished runs, whose kernels are planted once more under other names. */
  runs?: string | undefined
}

/** Documents per CPU-second, memory, recall and precision on planted copies, beside datatrove on the same set. */
export async function benchDedup({documents, python, runs}: Options): Promise<void> {
  const ours = spawnSync(
    process.execPath,
    ['--import', 'tsx', fileURLToPath(new URL('bench.ts', import.meta.url)), 'dedup-once', String(documents)],
    {encoding: 'utf8', maxBuffer: 1 << 28},
  )
  if (ours.status !== 0) throw new Error(ours.stderr)
  report('ascend-cot', documents, JSON.parse(ours.stdout) as Outcome)
  if (python !== undefined) report('datatrove', documents, runDatatrove(python, documents))
  await benchInterfaces()
  if (runs !== undefined) await benchRenamed(runs)
}

interface Outcome {
  seconds: number
  megabytes: number
  kept: string[]
  scratch?: number
}

function report(name: string, documents: number, {seconds, megabytes, kept, scratch}: Outcome): void {
  const survivors = new Set(kept)
  const byOriginal = new Map<string, {members: number; kept: number}>()
  let near = 0
  let nearKept = 0
  for (const {id, original, kind} of plantedDocuments(documents)) {
    const known = byOriginal.get(original) ?? {members: 0, kept: 0}
    byOriginal.set(original, {members: known.members + 1, kept: known.kept + Number(survivors.has(id))})
    if (kind === 'near') near += 1
  }
  let [copies, removed, lost] = [0, 0, 0]
  for (const {members, kept: stayed} of byOriginal.values()) {
    copies += members - 1
    removed += stayed === 0 ? members - 1 : members - stayed
    nearKept += Math.max(0, stayed - 1)
    lost += Number(stayed === 0)
  }
  const rate = (documents / seconds).toFixed(0)
  console.log(
    `${name}: ${documents} documents, ${seconds.toFixed(1)} s of CPU, ${rate} a second, peak ${megabytes} MB` +
      `${scratch === undefined ? '' : `, ${scratch} MB on disk while it ran`}; ` +
      `recall ${removed} of ${copies} copies (${near} of them near, ${nearKept} kept), ` +
      `${lost} originals lost, precision ${((removed / (removed + lost)) * 100).toFixed(2)} %`,
  )
}

export const sampleOf = ({text}: Pick<PlantedDocument, 'text'>, prompt = 'Explain this.'): CotSample => ({
  kind: 'documentation',
  prompt,
  reasoning: '-',
  answer: text,
  files: [],
  language: 'en',
  origin: {repository: 'planted', revision: '1', path: 'planted', licence: 'Apache-2.0'},
  teacher: {kind: 'offline'},
  stages: {},
})

/** A process of its own: what it prints is an `Outcome`. */
export async function benchDedupOnce(documents: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'ascend-cot-bench-'))
  const started = process.cpuUsage()
  let [made, scratch] = [0, 0]
  async function* samples() {
    for (const document of plantedDocuments(documents)) {
      const before = process.cpuUsage()
      // The id travels where nothing is compared.
      const sample = {...sampleOf(document), origin: {...sampleOf(document).origin, path: document.id}}
      made += spent(before)
      yield sample
    }
  }
  const kept: string[] = []
  for await (const {origin} of dedup({config: 'sft', api}).run(samples(), contextIn(directory))) {
    if (kept.length === 0) scratch = sizeOf(directory)
    kept.push(origin.path)
  }
  const seconds = spent(started) - made
  rmSync(directory, {recursive: true})
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024)
  console.log(JSON.stringify({seconds, megabytes, kept, scratch} satisfies Outcome))
}

const spent = (since: NodeJS.CpuUsage) => {
  const {user, system} = process.cpuUsage(since)
  return (user + system) / 1e6
}

const sizeOf = (directory: string) =>
  Math.round(readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0) / 2 ** 20)

function runDatatrove(python: string, documents: number): Outcome {
  const directory = mkdtempSync(join(tmpdir(), 'ascend-cot-bench-'))
  try {
    mkdirSync(join(directory, 'in'))
    const file = join(directory, 'in', 'documents.jsonl')
    writeFileSync(file, '')
    for (const {id, text} of plantedDocuments(documents)) appendFileSync(file, `${JSON.stringify({id, text})}\n`)
    const script = fileURLToPath(new URL('dedup/minhash_datatrove.py', import.meta.url))
    const stdout = execFileSync(python, [script, file, join(directory, 'out')], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Outcome
  } finally {
    rmSync(directory, {recursive: true})
  }
}

/** Pages of one form about different interfaces, of which none is a copy of another. */
async function benchInterfaces(): Promise<void> {
  const names = api.filter((name) => /^[A-Z][a-z]\w+$/.test(name)).slice(0, 400)
  const about = (name: string) =>
    sampleOf(
      {
        text:
          `Call ${name} with a destination, a source and a number of elements. Addresses are aligned to 32 bytes, ` +
          'the element types of both are the same, and the number of elements times their size is a multiple of 32. ' +
          `It runs on the vector pipe, so what ${name} reads is copied in before. Source and destination may be ` +
          'one tensor. Nothing is returned. Other overloads take a mask and strides, and repeat at most 255 times.',
      },
      `Which interface does what ${name} does, and what has to be observed?`,
    )
  const without = (name: string) => ({
    ...about(name),
    prompt: 'Which interface does this, and what has to be observed?',
  })
  for (const [what, make] of [
    ['named in the prompt', about],
    ['named in the answer alone', without],
  ] as const) {
    const dropped = await droppedOf(names.map(make))
    console.log(`pages about different interfaces, ${what}: ${dropped.length} of ${names.length} dropped`)
    for (const {item, detail} of dropped.slice(0, 5))
      console.log(`  ${(item as CotSample).answer.slice(0, 30)} ${detail}`)
  }
}

/** Every kernel of finished runs, once more under other names: each is to be dropped, and nothing else. */
async function benchRenamed(runs: string): Promise<void> {
  const samples: CotSample[] = []
  for (const recipe of ['documentation', 'worked', 'kernels', 'projects', 'evaluated', 'corrections']) {
    const run = await openRun(join(runs, recipe))
    for (const {json} of run?.emitted() ?? []) samples.push(CotSample.parse(JSON.parse(json)))
    run?.close()
  }
  const names = new Set(api)
  const copies = samples
    .filter(({kind}) => kind === 'kernel')
    .map((sample) => {
      const [{text = ''} = {}] = sample.files
      const written = authorsNames(text, names).filter((name) => /[a-z][A-Z]|[a-z]_/.test(name))
      return {...sample, prompt: withNames(sample.prompt, written), answer: withNames(sample.answer, written)}
    })
  const own = await droppedOf(samples)
  const both = await droppedOf([...samples, ...copies])
  console.log(`own samples: ${own.length} of ${samples.length} dropped`)
  for (const {reason, detail, item} of own) console.log(`  ${reason} ${detail}: ${(item as CotSample).origin.path}`)
  console.log(`kernels under other names: ${both.length - own.length} of ${copies.length} dropped`)
  const left = copies.filter((copy) => !both.some(({item}) => (item as CotSample).prompt === copy.prompt))
  for (const {origin, prompt} of left.slice(0, 4))
    console.log(`  ${origin.path}: ${prompt.slice(0, 300).replace(/\n/g, ' ')}`)
}

interface Dropped {
  item: unknown
  reason: string
  detail: string | undefined
}

async function droppedOf(samples: readonly CotSample[]): Promise<Dropped[]> {
  const directory = mkdtempSync(join(tmpdir(), 'ascend-cot-bench-'))
  const dropped: Dropped[] = []
  const context = contextIn(directory, (item, reason, detail) => dropped.push({item, reason, detail}))
  async function* all() {
    yield* samples
  }
  for await (const _ of dedup({config: 'sft', api}).run(all(), context));
  rmSync(directory, {recursive: true})
  return dropped
}

export function contextIn(
  directory: string,
  note: (item: unknown, reason: string, detail: string | undefined) => void = () => {},
): Context {
  return {
    llm: undefined,
    drop(item, reason, detail) {
      note(item, reason, detail)
      return []
    },
    log: silentLog,
    stages: {},
    seed: 'bench',
    now: () => 0,
    signal: new AbortController().signal,
    directory,
  }
}
