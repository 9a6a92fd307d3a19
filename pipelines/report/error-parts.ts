import {compileClasses, errorClasses, type ErrorClass} from '../../datasets/schema/error-class.ts'
import {judgeRules} from '../../eval/rules.ts'
import type {Part} from '../view/protocol.ts'
import type {ErrorExample, FailureGroup, ReportErrors} from './input.ts'

/** Per cent of about 4,000 failed kernels: section 5.5 of the AscendKernelGen paper, which does not state macros. */
const paper: Partial<Record<ErrorClass, string>> = {
  'api-signature-and-overload': '51.9',
  'data-type-and-conversion': '19.8',
  'variable-scope-and-lifetime': '16.4',
  'memory-and-object-usage': '8.1',
  'syntax-and-structure': '3.7',
  'macro-and-preprocessing': '–',
}

const isCompileClass = (name: ErrorClass) => compileClasses.some((one) => one === name)
const isRunTime = (name: ErrorClass) => !isCompileClass(name)

/** Why candidates failed: by class next to the paper's shares, by rule, and with the original messages. */
export const errorParts = ({groups, examples}: ReportErrors): Part[] => [
  ...tableOfKinds(groups, isCompileClass),
  ...tableOfKinds(groups, isRunTime),
  ...byClass(examples),
]

const countOf = ({failures}: FailureGroup, fits: (one: FailureGroup['failures'][number]) => boolean) =>
  failures.reduce((sum, one) => sum + (fits(one) ? one.count : 0), 0)

const nameOf = ({run, author}: FailureGroup) => (run === 'candidates' ? author : `${author}, ${run}`)

/** Failures by class; those of rules and cheats by which one, the most frequent first. */
function tableOfKinds(groups: readonly FailureGroup[], counts: (name: ErrorClass) => boolean): Part[] {
  const failed = groups.filter((group) => countOf(group, (one) => counts(one.class)) > 0)
  if (failed.length === 0) return []
  const kinds = new Map<string, Kind>()
  if (counts === isCompileClass)
    for (const name of Object.keys(paper) as ErrorClass[]) kinds.set(`${name} `, {class: name, rule: '', count: 0})
  for (const {class: name, rule, count} of failed.flatMap(({failures}) => failures)) {
    const known = kinds.get(`${name} ${rule}`)?.count ?? 0
    if (counts(name)) kinds.set(`${name} ${rule}`, {class: name, rule, count: known + count})
  }
  const rank = (kind: Kind) => errorClasses.indexOf(kind.class)
  const order = [...kinds.values()].sort((a, b) => rank(a) - rank(b) || b.count - a.count || (a.rule < b.rule ? -1 : 1))
  const rows = order.map((kind) => {
    const shares = failed.map((group) => share(group, counts, kind))
    return [kind.class, counts === isCompileClass ? (paper[kind.class] ?? '–') : kind.rule, ...shares]
  })
  const columns = failed.map(nameOf)
  if (counts === isCompileClass) {
    const title = 'Code that does not compile, by the class of its first error'
    return [{kind: 'table', title, note: aboutPaper, columns: ['class', 'paper', ...columns], names: 1, rows}]
  }
  const title = 'Code that compiles and fails, by outcome and rule'
  return [{kind: 'table', title, note: aboutRest, columns: ['outcome', 'rule', ...columns], names: 2, rows}]
}

interface Kind {
  class: ErrorClass
  rule: string
  count: number
}

function share(group: FailureGroup, counts: (name: ErrorClass) => boolean, kind: Kind): string {
  const count = countOf(group, (one) => one.class === kind.class && one.rule === kind.rule)
  return count === 0 ? '–' : `${((100 * count) / countOf(group, (one) => counts(one.class))).toFixed(1)} (${count})`
}

const aboutPaper = [
  'Percentage of those that did not compile, and their number. Classes and column “paper”: Appendix C and Figure 6 of',
  'the AscendKernelGen paper, about 4,000 failed kernels of models; its text does not state macros.',
].join(' ')
const aboutRest = 'Percentage of those that compiled and failed, and their number, including replies without code.'

/** A part for each class or rule: what it means, and its most frequent kinds. */
function byClass(examples: readonly ErrorExample[]): Part[] {
  const groups = new Map<string, ErrorExample[]>()
  for (const example of examples) {
    const name = example.rule === '' ? example.class : `${example.class}: ${example.rule}`
    groups.set(name, [...(groups.get(name) ?? []), example])
  }
  return [...groups].map(([name, kinds]): Part => {
    const count = kinds.reduce((sum, kind) => sum + kind.count, 0)
    const rule = judgeRules.named(kinds[0]?.rule ?? '')
    const means = rule ? [`${rule.means} Typical cause: ${rule.cause}`] : []
    return {kind: 'text', title: `${name}, ${count}`, text: [...means, ...kinds.map(exampleText)].join('\n\n')}
  })
}

/** The kind, then one of its candidates: message, place and line. */
function exampleText({signature, api, count, task, author, outcome, error}: ErrorExample): string {
  const {message, file, line, code} = error
  const about = [api, `${count} ${count === 1 ? 'candidate' : 'candidates'}`].filter((text) => text !== '')
  const place = file === '' ? outcome : `${file}:${line}`
  return [
    `**${signature === '' ? outcome : signature}** ${about.join(' · ')}`,
    message,
    `${task}, by ${author}: ${place}`,
    code === '' ? '' : `\`\`\`cpp\n${code.trim()}\n\`\`\``,
  ]
    .filter((text) => text !== '')
    .join('\n\n')
}
