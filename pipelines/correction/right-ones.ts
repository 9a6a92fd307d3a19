import type {LabelledCandidate} from '../../datasets/schema/candidate.ts'
import type {Failure} from '../../datasets/schema/correction.ts'
import type {SourceFile} from '../../datasets/schema/operator.ts'
import {changedLines, changesBetween} from './code-changes.ts'

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
