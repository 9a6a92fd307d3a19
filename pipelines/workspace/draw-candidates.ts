import {existsSync} from 'node:fs'
import {contaminationIndex} from '../../datasets/contamination/contamination.ts'
import {defaultAllow} from '../../datasets/gates/licence-gate.ts'
import {contradiction} from '../../datasets/gates/licence-words.ts'
import {isAllowed} from '../../datasets/gates/licences.ts'
import {personalDataIn} from '../../datasets/gates/personal-data.ts'
import {secretIn} from '../../datasets/gates/secrets.ts'
import {sourcesId, taskId} from '../../datasets/schema/public-verdict.ts'
import {loadBenchmarks} from '../../eval/bench/load-benchmark.ts'
import {JudgedOfRun} from '../../eval/agreement/read-findings.ts'
import {byCodeUnit} from '../../engine/code-unit-order.ts'
import {textId} from '../../engine/ids.ts'
import {openRun, readRunRecord} from '../../engine/run.ts'
import type {z} from 'zod'
import {savedRequest} from '../commands/evaluation/request.ts'
import {Config, licencesFor} from './config.ts'
import {api, heldOutTexts, idiomTexts} from './held-out.ts'
import {findRuns, type FoundRun} from './runs.ts'
import {bundled} from './workspace.ts'

/** What a set is mixed of, in equal parts as far as there is enough. `repository`: an operator as others wrote it. */
export const drawnKinds = ['right', 'planted', 'repository', 'model'] as const
type DrawnKind = (typeof drawnKinds)[number]

type Judged = z.infer<typeof JudgedOfRun>

/** A candidate that was chosen, with what it is. */
export interface DrawnCandidate {
  task: string
  sources: string
  kind: DrawnKind
  candidate: Judged
}

interface Draw {
  drawn: DrawnCandidate[]
  /** Why others could not be drawn, and how many. */
  leftOut: Record<string, number>
}

/** Where a candidate that may be drawn stands. */
interface Place {
  directory: string
  record: string
  kind: DrawnKind
  outcome: string
  /** Of the seed and the candidate: chance, and the same chance wherever it is asked. */
  order: string
}

/**
 * Candidates of the finished runs of an output folder that may be given away: of no benchmark, under a licence that the
 * data set may be published under, without secrets. Chosen by the seed: as many of each kind, and of a kind as many of
 * each outcome, as there are.
 * @param from further runs, or output folders with runs, such as those over operators of repositories
 * @throws PipelineError `run-missing` where there is no run
 */
export async function drawCandidates(config: Config, count: number, from: readonly string[] = []): Promise<Draw> {
  const found = await Promise.all([ownRuns(config.out, from), ...from.map(runsAt)])
  const runs = found.flat().filter(({record}) => record.state === 'finished')
  const judging = runs.filter(({record}) => record.stages.some(({name}) => name === 'judge'))
  const refuse = await gates(config, runs)
  const leftOut: Record<string, number> = {}
  const places = new Map<string, Place>()
  for (const {directory} of judging) {
    const isBenchmark = (await savedRequest(directory)) !== undefined
    for await (const {id, candidate} of judgedIn(directory)) {
      const key = `${taskId(candidate.task)} ${sourcesId(candidate.files)}`
      const twice = places.has(key) ? 'drawn-from-another-run' : undefined
      const reason = isBenchmark ? 'of-a-benchmark' : (twice ?? (await refuse(candidate)))
      if (reason !== undefined) leftOut[reason] = (leftOut[reason] ?? 0) + 1
      else {
        const {outcome} = candidate.verdict
        const order = textId(`${config.seed} ${key}`)
        places.set(key, {directory, record: id, kind: await kindOf(candidate), outcome, order})
      }
    }
  }
  return {drawn: await readPlaces(chosen([...places.values()], count)), leftOut}
}

async function ownRuns(out: string, from: readonly string[]): Promise<FoundRun[]> {
  return from.length > 0 && !existsSync(out) ? [] : findRuns(out)
}

async function runsAt(folder: string): Promise<FoundRun[]> {
  const record = await readRunRecord(folder)
  return record ? [{directory: folder, record}] : findRuns(folder)
}

async function* judgedIn(directory: string): AsyncIterable<{id: string; candidate: Judged}> {
  const run = await openRun(directory)
  try {
    for (const {id, json} of run?.emitted() ?? []) {
      const read = JudgedOfRun.safeParse(JSON.parse(json))
      if (read.success) yield {id, candidate: read.data}
    }
  } finally {
    run?.close()
  }
}

async function kindOf({task, sampler}: Judged): Promise<DrawnKind> {
  if (sampler.kind === 'model') return 'model'
  if (sampler.kind === 'mutation') return 'planted'
  const {repository} = await bundled('tasks')
  return sampler.kind === 'answer' && task.origin.repository !== repository ? 'repository' : 'right'
}

type Gate = (candidate: Judged) => Promise<string | undefined>

/** Why a candidate may not be given away; undefined where it may. */
async function gates(config: Config, runs: readonly FoundRun[]): Promise<Gate> {
  const benchmarks = await benchmarksOf(config, runs)
  const reference = await heldOutTexts({...config, sources: {...config.sources, benchmarks}})
  const index = contaminationIndex(reference, await idiomTexts(), new Set(api))
  const allowed = licencesFor(config, 'kto') ?? defaultAllow
  const names = [...(await loadBenchmarks()).keys()]
  return async ({task, files, verdict, unreadable}) => {
    // Only the tasks of benchmarks are described by a PyTorch module.
    if (task.reference.kind === 'pytorch' || names.some((name) => isFrom(name, task))) return 'of-a-benchmark'
    if (unreadable !== undefined) return 'no-code'
    if (verdict.outcome === 'not-covered') return 'not-covered-here'
    if (!isAllowed(task.origin.licence, allowed)) return 'licence-not-allowed'
    const texts = [task.description, ...files.map(({text}) => text)]
    if (texts.some((text) => contradiction(text, task.origin.licence) !== undefined)) return 'licence-contradicted'
    const said = {name: 'description', text: task.description, as: 'text' as const}
    const {leak} = index.look([said, ...files.map(({path, text}) => ({name: path, text, as: 'code' as const}))])
    if (leak) return 'of-a-benchmark'
    for (const text of texts) if ((await secretIn(text)) ?? personalDataIn(text)) return 'secret-or-personal-data'
    return undefined
  }
}

const isFrom = (benchmark: string, {origin}: Judged['task']) => origin.repository.toLowerCase().includes(benchmark)

/** The checkouts that are configured, that the runs were made with, and that were evaluated here. */
async function benchmarksOf(config: Config, runs: readonly FoundRun[]): Promise<string[]> {
  const roots = new Set(config.sources.benchmarks)
  for (const {directory, record} of runs) {
    const made = Config.safeParse(record.config)
    const request = await savedRequest(directory)
    for (const root of [...(made.data?.sources.benchmarks ?? []), ...(request ? [request.root] : [])])
      if (existsSync(root)) roots.add(root)
  }
  return [...roots]
}

/** Kinds in turn, and of a kind its outcomes in turn. */
function chosen(places: readonly Place[], count: number): Place[] {
  const byKind = drawnKinds.map((kind) => inTurn(groupedBy(places.filter((place) => place.kind === kind))))
  return inTurn(byKind).slice(0, count)
}

function groupedBy(places: readonly Place[]): Place[][] {
  const outcomes = [...new Set(places.map(({outcome}) => outcome))].sort()
  const byOrder = (a: Place, b: Place) => byCodeUnit(a.order, b.order)
  return outcomes.map((outcome) => places.filter((place) => place.outcome === outcome).sort(byOrder))
}

function inTurn<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map(({length}) => length))
  return Array.from({length: longest}, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat()
}

/** In the order of their sources, which tells nothing of what they are. */
async function readPlaces(places: readonly Place[]): Promise<DrawnCandidate[]> {
  const drawn: DrawnCandidate[] = []
  for (const directory of new Set(places.map((place) => place.directory))) {
    const wanted = new Map(places.filter((place) => place.directory === directory).map((one) => [one.record, one]))
    for await (const {id, candidate} of judgedIn(directory)) {
      const place = wanted.get(id)
      if (!place) continue
      // The same record may be in a run twice.
      wanted.delete(id)
      const {task, files} = candidate
      drawn.push({task: taskId(task), sources: sourcesId(files), kind: place.kind, candidate})
    }
  }
  return drawn.sort((a, b) => byCodeUnit(`${a.sources} ${a.task}`, `${b.sources} ${b.task}`))
}
