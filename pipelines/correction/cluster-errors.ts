import {join} from 'node:path'
import type {z} from 'zod'
import {diagnosticSignature, type DiagnosticSignature} from '../../datasets/diagnostic-signature.ts'
import type {JudgedCandidate, Sampler} from '../../datasets/schema/candidate.ts'
import {Failure} from '../../datasets/schema/correction.ts'
import {errorClasses, type ErrorClass} from '../../datasets/schema/error-class.ts'
import {ClusteredError, type ErrorCluster, type FirstError} from '../../datasets/schema/error-cluster.ts'
import {byCodeUnit} from '../../engine/code-unit-order.ts'
import {canonicalJson, contentId} from '../../engine/ids.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import {DiverseMembers} from './diverse-members.ts'
import {RecordFile, type Stored} from './record-file.ts'

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
