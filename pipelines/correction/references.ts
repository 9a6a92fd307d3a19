import {LabelledCandidate} from '../../datasets/schema/candidate.ts'
import {Failure} from '../../datasets/schema/correction.ts'
import {best} from '../../datasets/schema/label.ts'
import {byRequest} from '../../datasets/task-groups.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import type {SourceFile} from '../../datasets/schema/operator.ts'
import {diffLines} from 'diff'

/**
 * Labelled candidates → those that failed, each with the correct candidate of its request that is nearest to it.
 * Drops: `no-green`, no candidate of the request is correct.
 */
export default function references(): Stage<LabelledCandidate, Failure> {
  return {
    name: 'references',
    version: 1,
    input: LabelledCandidate,
    output: Failure,
    async *run(items, context) {
      for await (const group of byRequest(items)) yield* withReferences(group, context)
    },
  }
}

function* withReferences(group: readonly LabelledCandidate[], context: Context): Generator<Failure> {
  // An undetected fault may still be one, so it is not a model answer.
  const right = new RightOnes(group.filter(({label, sampler}) => label === best && sampler.kind !== 'mutation'))
  for (const failed of group.filter(({label}) => label !== best)) {
    const reference = right.nearest(failed)
    if (reference) yield {...failed, reference}
    else context.drop(failed, 'no-green', `${failed.task.name}: no candidate is correct`)
  }
}

interface Right {
  one: LabelledCandidate
  at: number
  lines: ReadonlySet<string>
  paths: ReadonlySet<string>
}

/** The correct candidates of a request, found by the lines that they have: comparing each with each takes too long. */
export class RightOnes {
  readonly #all: readonly Right[]
  readonly #byLine = new Map<string, Right[]>()
  readonly #byRewrites = new Map<string, Right>()

  constructor(right: readonly LabelledCandidate[]) {
    this.#all = right.map((one, at) => {
      return {one, at, lines: new Set(linesOf(one.files)), paths: new Set(one.files.map(({path}) => path))}
    })
    for (const one of this.#all) {
      const rewrites = rewritesOf(one.one)
      if (!this.#byRewrites.has(rewrites)) this.#byRewrites.set(rewrites, one)
      for (const line of one.lines) this.#enter(line, one)
    }
  }

  #enter(line: string, one: Right): void {
    const having = this.#byLine.get(line)
    if (having) having.push(one)
    else this.#byLine.set(line, [one])
  }

  /** The first of those with the fewest changed lines. */
  nearest(failed: LabelledCandidate): Failure['reference'] | undefined {
    // A fault that was planted in a text was planted in the one with the same rewrites.
    const start = this.#byRewrites.get(rewritesOf(failed)) ?? this.#all[0]
    if (!start) return undefined
    const distance = (one: Right) => changedLines(changesBetween(failed.files, one.one.files))
    let first = {right: start, distance: distance(start)}
    const lines = [...new Set(linesOf(failed.files))]
    for (const one of this.#within(lines, failed.files, first.distance)) {
      if (one === start || lacksMore(one, lines, first.distance)) continue
      const found = distance(one)
      if (found < first.distance || (found === first.distance && one.at < first.right.at))
        first = {right: one, distance: found}
    }
    const {task: _, prompt: _prompt, canary: _canary, ...reference} = first.right.one
    return reference
  }

  /** A text that lacks at most `most` of these lines has one of any `most + 1`: the rarest name the fewest texts. */
  #within(lines: readonly string[], files: readonly SourceFile[], most: number): Iterable<Right> {
    const having = lines.map((line) => this.#byLine.get(line) ?? []).sort((a, b) => a.length - b.length)
    if (having.length <= most) return this.#all
    // Lines of a file that a text lacks completely do not count as changed.
    const partial = this.#all.filter(({paths}) => files.some(({path}) => !paths.has(path)))
    return new Set([...partial, ...having.slice(0, most + 1).flat()])
  }
}

/** Lines with their file. */
function linesOf(files: readonly SourceFile[]): string[] {
  return files.flatMap(({path, text}) => text.split('\n').map((line) => `${path}\n${line}`))
}

function rewritesOf({sampler}: LabelledCandidate): string {
  return 'rewrites' in sampler && sampler.rewrites ? sampler.rewrites.join(' ') : ''
}

/** Whether more than `most` lines do not occur in a correct text, and so have to change. */
function lacksMore({lines, paths}: Right, failed: readonly string[], most: number): boolean {
  let lost = 0
  return failed.some((line) => !lines.has(line) && paths.has(line.slice(0, line.indexOf('\n'))) && ++lost > most)
}

/** Lines that differ in one place of a file. */
interface Change {
  path: string
  /** 1-based line of the failed file where the change begins. */
  line: number
  removed: string[]
  added: string[]
}

/** What has to change in the first files so that they become the second; files of the second alone are all added. */
export function changesBetween(failed: readonly SourceFile[], right: readonly SourceFile[]): Change[] {
  const texts = new Map(failed.map(({path, text}) => [path, text]))
  return right.flatMap(({path, text}) => changesIn(path, texts.get(path) ?? '', text))
}

function changesIn(path: string, before: string, after: string): Change[] {
  const changes: Change[] = []
  let line = 1
  let open: Change | undefined
  for (const {value, added, removed} of diffLines(before, after)) {
    const lines = value.replace(/\n$/, '').split('\n')
    if (!added && !removed) open = undefined
    else if (!open) changes.push((open = {path, line, removed: [], added: []}))
    if (open) (added ? open.added : open.removed).push(...lines)
    if (!added) line += lines.length
  }
  return changes
}

/** Lines that are taken out or put in. */
export function changedLines(changes: readonly Change[]): number {
  return changes.reduce((sum, {removed, added}) => sum + Math.max(removed.length, added.length), 0)
}
