import {count} from './card-sections.ts'
import type {ConfigStats} from './stats.ts'
import type {Config} from '../schema/export.ts'
import type {CotSample} from '../schema/sample.ts'
import {o200k} from '../tokens/token-count.ts'

/** The parts a data set can have. */
const parts: readonly {config: Config; kind?: CotSample['kind']; name: string}[] = [
  {config: 'sft', kind: 'documentation', name: 'documentation samples'},
  {config: 'sft', kind: 'kernel', name: 'kernel-level samples'},
  {config: 'sft', kind: 'project', name: 'project-level samples'},
  {config: 'sft', kind: 'evaluated', name: "samples in the benchmark's form"},
  {config: 'sft', kind: 'api-correction', name: 'corrections of code that did not compile'},
  {config: 'sft', kind: 'kernel-correction', name: 'corrections of operators that were wrong'},
  {config: 'sft', kind: 'optimisation', name: 'steps of optimisation'},
  {config: 'sft', kind: 'general', name: 'general chains of thought'},
  {config: 'dpo', name: 'preference pairs'},
  {config: 'apis', name: 'documented interfaces'},
  {config: 'errors', name: 'errors of candidates'},
  {config: 'kto', name: 'unpaired preferences'},
  {config: 'optimisation', name: 'pairs of faster and slower operators'},
]

/**
 * Errors are statistics, unpaired replies repeat those of pairs, and steps are extra: nothing is missing without them.
 */
const beside: ReadonlySet<string> = new Set(['errors', 'kto', 'optimisation'])

function rowsOf({config, kind}: (typeof parts)[number], stats: readonly ConfigStats[]): number {
  const found = stats.find((one) => one.config === config)
  if (!found) return 0
  if (kind === undefined) return found.splits.reduce((sum, {rows}) => sum + rows, 0)
  return (found.tallies['kind'] ?? []).find(([name]) => name === kind)?.[1] ?? 0
}

/** Which parts the export has and which it lacks: a release may cover only some of them. */
export function partsSection(stats: readonly ConfigStats[]): string {
  const counted = parts.map((part) => ({...part, rows: rowsOf(part, stats)}))
  const there = counted
    .filter(({rows}) => rows > 0)
    .map(({name, config, rows}) => `${count(rows)} ${name} (\`${config}\`)`)
  const missing = counted
    .filter(({rows, config, kind}) => rows === 0 && !beside.has(kind ?? config))
    .map(({name}) => name)
  if (there.length === 0) return ''
  const made = `Made of ${inWords(there, 'and')}.`
  return missing.length > 0 ? `${made} It has no ${inWords(missing, 'and no')}.` : made
}

/** What was checked, for the parts that exist. */
export function promise(stats: readonly ConfigStats[]): string {
  const words = {
    sft: 'the column `proof` states for every code answer whether it ran, compiled or was only parsed',
    dpo: 'every preference is based on what an executor observed',
    apis: 'every interface is described in the words of its page',
    errors: 'every error was observed by an executor',
    kto: 'every unpaired label is based on the colour that an executor observed',
    optimisation: 'both sides of every step are correct, and their times are modelled',
  }
  const checked = stats.map(({config}) => words[config])
  if (checked.length === 0) return ''
  const sentences = [...checked, 'each row names its source, and the executor if one judged it']
  return sentences.map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`).join(' ')
}

/** Limits of the parts that exist. */
export function limits(stats: readonly ConfigStats[]): string {
  const who = (...keys: string[]) =>
    new Set(stats.flatMap(({tallies}) => keys.flatMap((key) => (tallies[key] ?? []).map(([name]) => name))))
  const [teachers, rejected] = [who('teacher'), who('rejected_sampler')]
  const samplers = who('chosen_sampler', 'rejected_sampler')
  const lines = [
    ...(teachers.has('offline') ? [offline] : []),
    ...(teachers.has('model') || samplers.has('model') ? [model] : []),
    ...(stats.some(({config}) => config === 'dpo') ? [observed] : []),
    ...(rejected.has('mutation') ? [planted] : []),
    ...(stats.some(({config}) => config === 'apis') ? [index] : []),
    ...(stats.some(({tallies}) => tallies['tokenizer']?.some(([name]) => name === o200k.tokenizer))
      ? [`Token counts under ${o200k.tokenizer} are estimates: the target model has its own vocabulary.`]
      : []),
  ]
  return lines.map((line) => `- ${line}`).join('\n')
}

const offline =
  'Text by the offline teacher is composed from computed facts. It is as correct as the facts, ' +
  'but it has only one style; the column `teacher` marks it.'
const model =
  "Where a model wrote the text, that model's terms of use apply as well, and nobody has checked its reasoning. " +
  'The code was checked; the text was not.'
const observed =
  'The operators and tasks cover a small part of what NPU libraries contain; labels were observed only on the ' +
  "shapes in the tasks' test cases and on a few other sizes of each task."
const planted =
  'Rejected sides by `mutation` contain faults that were planted on purpose; ' +
  "a model's mistakes are distributed differently."

const index =
  'The index of interfaces was extracted from its pages by rules and not checked against headers: what is in a ' +
  'figure, or refers to another page for, is missing in its entry.'

function inWords(items: readonly string[], last: string): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} ${last} ${items.at(-1)}`
}
