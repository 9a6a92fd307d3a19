import type {LabelledCandidate} from '../../datasets/schema/candidate.ts'
import {errorClasses} from '../../datasets/schema/error-class.ts'
import {classifyCandidate} from '../../eval/taxonomy.ts'
import {errorEntry} from '../correction/error-entries.ts'
import {api} from '../workspace/held-out.ts'
import type {ErrorExample, FailureGroup, ReportErrors, ReportInput} from './input.ts'

/** How many kinds of failure are shown per class and rule, most frequent first. */
const kindsOfAClass = 4

/** Counts failures as candidates are streamed; memory grows with the number of different ones. */
export class ErrorTally {
  readonly #names = new Set(api)
  readonly #groups = new Map<string, FailureGroup>()
  readonly #kinds = new Map<string, ErrorExample>()

  add(candidate: LabelledCandidate): void {
    const failure = classifyCandidate(candidate)
    if (!failure) return
    const author = candidate.sampler.kind === 'model' ? candidate.sampler.model : candidate.sampler.kind
    const group = this.#groups.get(author) ?? {run: 'candidates', author, failures: []}
    this.#groups.set(author, group)
    const counted = group.failures.find((one) => one.class === failure.class && one.rule === failure.rule)
    if (counted) counted.count += 1
    else group.failures.push({...failure, count: 1})
    this.#addKind(candidate, failure, author)
  }

  #addKind(candidate: LabelledCandidate, failure: Pick<ErrorExample, 'class' | 'rule'>, author: string): void {
    const {signature, api, error, task, outcome} = errorEntry(candidate, failure, this.#names)
    const key = JSON.stringify([failure.class, failure.rule, signature, api])
    const known = this.#kinds.get(key)
    if (known) known.count += 1
    else this.#kinds.set(key, {...failure, signature, api, count: 1, outcome, task, author, error})
  }

  /** The counts, including the failures that evaluations counted themselves. */
  result(scores: ReportInput['scores']): ReportErrors | undefined {
    const groups = [...this.#groups.values(), ...scores.flatMap(groupsOf)]
    if (groups.length === 0) return undefined
    return {groups, examples: mostFrequent([...this.#kinds.values()])}
  }
}

/** The failures of an evaluation, by model. */
function groupsOf({run, lines}: ReportInput['scores'][number]): FailureGroup[] {
  const groups = new Map<string, FailureGroup>()
  for (const line of lines) {
    if (line.kind !== 'failures' || line.scope.by !== 'all') continue
    const group = groups.get(line.author) ?? {run, author: line.author, failures: []}
    groups.set(line.author, group)
    group.failures.push({class: line.class, rule: line.rule, count: line.count})
  }
  return [...groups.values()]
}

function mostFrequent(kinds: readonly ErrorExample[]): ErrorExample[] {
  const rank = (kind: ErrorExample) => errorClasses.indexOf(kind.class)
  const order = (a: ErrorExample, b: ErrorExample) =>
    rank(a) - rank(b) || b.count - a.count || (textOf(a) < textOf(b) ? -1 : 1)
  const seen = new Map<string, number>()
  return [...kinds].sort(order).filter((kind) => {
    const before = seen.get(groupKey(kind)) ?? 0
    seen.set(groupKey(kind), before + 1)
    return before < kindsOfAClass
  })
}

const groupKey = (kind: ErrorExample) => `${kind.class} ${kind.rule}`
const textOf = ({rule, signature, api}: ErrorExample) => JSON.stringify([rule, signature, api])
