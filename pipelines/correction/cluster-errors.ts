import {join, dirname} from 'node:path'
import type {z} from 'zod'
import {diagnosticSignature, type DiagnosticSignature} from '../../datasets/diagnostic-signature.ts'
import type {JudgedCandidate, Sampler} from '../../datasets/schema/candidate.ts'
import {Failure} from '../../datasets/schema/correction.ts'
import {errorClasses, type ErrorClass} from '../../datasets/schema/error-class.ts'
import {ClusteredError, type ErrorCluster, type FirstError} from '../../datasets/schema/error-cluster.ts'
import {byCodeUnit} from '../../engine/code-unit-order.ts'
import {canonicalJson, contentId, textId} from '../../engine/ids.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import {mkdir, open, rm, type FileHandle} from 'node:fs/promises'

export interface ClusterErrorsOptions {
  /** Names of the interface that candidates are written for: an error about one of them is not one about another. */
  names: readonly string[]
  /** The class of a failure; default: all are unclassified. */
  classify?: (candidate: JudgedCandidate) => {class: ErrorClass} | undefined
  /** Candidates that are kept of a cluster. Default 4. */
  most?: number
}

/** The form on disk, before the size of its cluster is known. */
const Found = ClusteredError.omit({cluster: true})
type Found = z.infer<typeof Found>

interface Group extends Omit<ErrorCluster, 'size'> {
  size: number
  members: DiverseMembers<Stored>
}

const unclassified = () => ({class: 'unclassified' as const})

/**
 * Failures → some of each cause, cluster by cluster, the largest first. They are kept on disk until all have been seen;
 * memory grows with the number of different causes. Drops: `over-limit`; `no-code`, a reply without code.
 */
export default function clusterErrors(options: ClusterErrorsOptions): Stage<Failure, ClusteredError> {
  const {names, classify = unclassified, most = 4} = options
  const known = new Set(names)

  async function* run(items: AsyncIterable<Failure>, context: Context): AsyncIterable<ClusteredError> {
    const file = await RecordFile.at(join(context.directory, 'members.jsonl'), Found)
    try {
      const groups = new Map<string, Group>()
      for await (const candidate of items) {
        if (candidate.unreadable !== undefined) {
          context.drop(candidate, 'no-code')
          continue
        }
        const found = diagnosticSignature(candidate.verdict, {names: known, files: candidate.files})
        const cause = found ?? runSignature(candidate)
        const group = groupOf(groups, cause, classify(candidate)?.class ?? 'unclassified', most)
        await enter(group, {candidate, error: errorOf(cause)}, file, context)
      }
      for (const group of inOrder(groups.values())) yield* keptOf(group, file, context)
    } finally {
      await file.remove()
    }
  }

  return {
    name: 'cluster-errors',
    version: 2,
    options: {names: contentId(names), classified: classify !== unclassified, most},
    input: Failure,
    output: ClusteredError,
    run,
  }
}

function groupOf(
  groups: Map<string, Group>,
  {signature, api}: DiagnosticSignature,
  name: ErrorClass,
  most: number,
): Group {
  const key = canonicalJson([name, api, signature])
  const group = groups.get(key) ?? {signature, api, class: name, size: 0, members: new DiverseMembers(most)}
  groups.set(key, group)
  return group
}

async function enter(group: Group, found: Found, file: RecordFile<Found>, context: Context): Promise<void> {
  const {candidate} = found
  group.size += 1
  const member = {task: taskOf(candidate), fault: faultOf(candidate.sampler), id: codeOf(candidate)}
  if (!group.members.wants(member)) return refuse(candidate, group, context)
  const gone = group.members.add({...member, value: await file.add(found)})
  for (const {value} of gone) refuse((await file.read(value)).candidate, group, context)
}

function refuse(candidate: Failure, {signature}: Group, context: Context): void {
  context.drop(candidate, 'over-limit', signature)
}

/** Of what compiled: the rule with the call that broke it; where no rule was broken, the fault that was planted. */
function runSignature({verdict, sampler, task}: Failure): DiagnosticSignature {
  const place = {file: '', line: 0, column: 0}
  if (verdict.outcome === 'violated') {
    const {rule, api, message} = verdict.violation
    return {signature: `rule ${rule}`, api, message, place, code: ''}
  }
  const fault = sampler.kind === 'mutation' ? faultOf(sampler) : `${faultOf(sampler)} ${task.name}`
  return {signature: `${verdict.outcome}, ${fault}`, api: '', message: '', place, code: ''}
}

const taskOf = ({task: {origin, name}}: Failure) => canonicalJson([origin.repository, origin.path, name])

const codeOf = ({files, prompt}: Failure) => contentId([prompt, files])

function faultOf(sampler: Sampler): string {
  if (sampler.kind === 'model') return `model ${sampler.model}`
  if (sampler.kind !== 'mutation') return sampler.kind
  return ['mutation', sampler.mutation, ...(sampler.more ?? []).map(({mutation}) => mutation)].join(' ')
}

function inOrder(groups: Iterable<Group>): Group[] {
  return [...groups].sort(
    (a, b) =>
      b.size - a.size ||
      errorClasses.indexOf(a.class) - errorClasses.indexOf(b.class) ||
      byCodeUnit(a.api, b.api) ||
      byCodeUnit(a.signature, b.signature),
  )
}

async function* keptOf(group: Group, file: RecordFile<Found>, context: Context): AsyncIterable<ClusteredError> {
  const {members, ...cluster} = group
  const {kept, left} = members.choose()
  for (const {value} of left) refuse((await file.read(value)).candidate, group, context)
  for (const {value} of kept) yield {...(await file.read(value)), cluster}
}

function errorOf({message, place, code}: DiagnosticSignature): FirstError {
  return {message, ...place, code}
}

/** The position of a record in the file. */
interface Stored {
  from: number
  length: number
}

/** Records on disk, so that memory only has their positions. */
class RecordFile<T> {
  readonly #path: string
  readonly #file: FileHandle
  readonly #schema: z.ZodType<T>
  #end = 0

  private constructor(path: string, file: FileHandle, schema: z.ZodType<T>) {
    this.#path = path
    this.#file = file
    this.#schema = schema
  }

  /** What the file held before is gone. */
  static async at<T>(path: string, schema: z.ZodType<T>): Promise<RecordFile<T>> {
    await mkdir(dirname(path), {recursive: true})
    return new RecordFile(path, await open(path, 'w+'), schema)
  }

  async add(record: T): Promise<Stored> {
    const bytes = Buffer.from(JSON.stringify(record))
    const stored = {from: this.#end, length: bytes.length}
    this.#end += bytes.length
    await this.#file.write(bytes, 0, bytes.length, stored.from)
    return stored
  }

  async read({from, length}: Stored): Promise<T> {
    const bytes = Buffer.alloc(length)
    await this.#file.read(bytes, 0, length, from)
    return this.#schema.parse(JSON.parse(bytes.toString('utf8')))
  }

  /** What was needed is out of it by now. */
  async remove(): Promise<void> {
    await this.#file.close()
    await rm(this.#path)
  }
}

/** What tells members of a group apart. */
interface Member<T> {
  task: string
  /** Who made it and how: the planted fault, the model. */
  fault: string
  /** Equal for equal code. */
  id: string
  value: T
}

/**
 * Some members of a group, over as many tasks and faults as there are: the same ones in whatever order they come.
 * Holds at most `most` of each of `most` faults of each of `most` tasks, those whose hashes are the smallest.
 */
export class DiverseMembers<T> {
  readonly #most: number
  readonly #tasks: Smallest<Smallest<Smallest<Member<T>>>>

  constructor(most: number) {
    this.#most = most
    this.#tasks = new Smallest(most)
  }

  /** Whether a member would be held; what is not may be forgotten at once. */
  wants({task, fault, id}: Omit<Member<T>, 'value'>): boolean {
    if (!this.#tasks.wants(task)) return false
    const faults = this.#tasks.get(task)
    if (!faults) return true
    if (!faults.wants(fault)) return false
    const members = faults.get(fault)
    return !members || (members.wants(id) && members.get(id) === undefined)
  }

  /** Takes a wanted member, and answers with those that it pushes out. */
  add(member: Member<T>): Member<T>[] {
    const out: Member<T>[] = []
    const faults = this.#tasks.getOrAdd(
      member.task,
      () => new Smallest(this.#most),
      (gone) => out.push(...allOf(gone)),
    )
    const members = faults.getOrAdd(
      member.fault,
      () => new Smallest(this.#most),
      (gone) => out.push(...gone.values()),
    )
    members.getOrAdd(
      member.id,
      () => member,
      (gone) => out.push(gone),
    )
    return out
  }

  /** Those that are kept, and those that are left over. Tasks and faults take turns. */
  choose(): {kept: Member<T>[]; left: Member<T>[]} {
    const left = [...this.#tasks.values()].flatMap(allOf)
    const kept: Member<T>[] = []
    const timesOf = (key: 'task' | 'fault', member: Member<T>) => kept.filter((one) => one[key] === member[key]).length
    while (kept.length < this.#most && left.length > 0) {
      const order = left.map((member, at) => [timesOf('task', member), timesOf('fault', member), at] as const)
      const [best] = order.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])
      kept.push(...left.splice(best?.[2] ?? 0, 1))
    }
    return {kept, left}
  }
}

function allOf<T>(faults: Smallest<Smallest<T>>): T[] {
  return [...faults.values()].flatMap((members) => [...members.values()])
}

/** The entries whose keys have the smallest hashes, in that order: no order of arrival favours one of them. */
class Smallest<T> {
  readonly #most: number
  #entries: {key: string; hash: string; value: T}[] = []

  constructor(most: number) {
    this.#most = most
  }

  get(key: string): T | undefined {
    return this.#entries.find((entry) => entry.key === key)?.value
  }

  wants(key: string): boolean {
    const last = this.#entries.at(-1)
    return !last || this.#entries.length < this.#most || byCodeUnit(textId(key), last.hash) <= 0
  }

  getOrAdd(key: string, make: () => T, pushedOut: (value: T) => void): T {
    const known = this.get(key)
    if (known !== undefined) return known
    const value = make()
    const entries = [...this.#entries, {key, hash: textId(key), value}].sort((a, b) => byCodeUnit(a.hash, b.hash))
    this.#entries = entries.slice(0, this.#most)
    for (const gone of entries.slice(this.#most)) pushedOut(gone.value)
    return value
  }

  *values(): Iterable<T> {
    for (const {value} of this.#entries) yield value
  }
}
