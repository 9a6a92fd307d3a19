import {compileClasses, errorClasses, type ErrorClass} from '../../datasets/schema/error-class.ts'
import {judgeRules} from '../../eval/rules.ts'
import {number} from '../../eval/scores/marks.ts'
import {html, type Html} from '../../eval/scores/markup.ts'
import type {ErrorExample, FailureGroup, ReportErrors} from './input.ts'
import {highlighted} from './prose.ts'

/** Per cent of about 4,000 failed kernels: section 5.5 of the AscendKernelGen paper, which does not state macros. */
const paper: Partial<Record<ErrorClass, number>> = {
  'api-signature-and-overload': 51.9,
  'data-type-and-conversion': 19.8,
  'variable-scope-and-lifetime': 16.4,
  'memory-and-object-usage': 8.1,
  'syntax-and-structure': 3.7,
}

const isCompileClass = (name: ErrorClass) => compileClasses.some((one) => one === name)

/** Why candidates failed: by class next to the paper's shares, by rule, and with the original messages. */
export function errorSection({groups, examples}: ReportErrors): Html {
  const [built, run] = [examples.filter((one) => isCompileClass(one.class)), examples.filter(isRunTime)]
  return html`<section id="errors">
<h2>Why candidates fail</h2>
${compileTable(groups)}
${runTimeTable(groups)}
${built.length > 0 && html`<h3>Compiler messages</h3>${byClass(built)}`}
${run.length > 0 && html`<h3>Device and judge messages</h3>${byClass(run)}`}
</section>
`
}

const isRunTime = ({class: name}: ErrorExample) => !isCompileClass(name)

function compileTable(groups: readonly FailureGroup[]): Html {
  const failed = groups.filter(({failures}) => failures.some((one) => isCompileClass(one.class)))
  if (failed.length === 0) return html`<p>Everything that was judged compiled.</p>`
  const shown = compileClasses.filter((name) => name !== 'unclassified' || failed.some((one) => countOf(one, name) > 0))
  const stated = (name: ErrorClass) => (paper[name] === undefined ? '–' : paper[name].toFixed(1))
  const rows = shown.map((name) => [name, stated(name), ...failed.map((one) => share(one, isCompileClass, name))])
  return html`<h3>Code that does not compile, by the class of its first error</h3>
${table(['class', 'paper', ...failed.map(nameOf)], rows, 1)}
<p class="quiet">Percentage of those that did not compile, and their number. Classes and column <i>paper</i>: Appendix C
and Figure 6 of the AscendKernelGen paper, about 4,000 failed kernels of models; its text does not state macros.</p>
`
}

function countOf({failures}: FailureGroup, name: ErrorClass, rule?: string): number {
  const fitting = failures.filter((one) => one.class === name && (rule === undefined || one.rule === rule))
  return fitting.reduce((sum, {count}) => sum + count, 0)
}

function share(group: FailureGroup, counts: (name: ErrorClass) => boolean, name: ErrorClass, rule?: string): Html {
  const all = group.failures.filter((one) => counts(one.class)).reduce((sum, {count}) => sum + count, 0)
  const count = countOf(group, name, rule)
  if (count === 0) return html`<span class="quiet">–</span>`
  return html`${((100 * count) / all).toFixed(1)} <span class="quiet">(${number(count)})</span>`
}

function nameOf({run, author}: FailureGroup): string {
  return run === 'candidates' ? author : `${author}, ${run}`
}

/** Everything that compiled and still failed; for rules and cheats, which one. */
function runTimeTable(groups: readonly FailureGroup[]): Html | undefined {
  const after = (name: ErrorClass) => !isCompileClass(name)
  const failed = groups.filter(({failures}) => failures.some((one) => after(one.class)))
  if (failed.length === 0) return undefined
  const kinds = new Map<string, {class: ErrorClass; rule: string; count: number}>()
  for (const {class: name, rule, count} of failed.flatMap(({failures}) => failures)) {
    if (!after(name)) continue
    const kind = kinds.get(`${name} ${rule}`) ?? {class: name, rule, count: 0}
    kinds.set(`${name} ${rule}`, {...kind, count: kind.count + count})
  }
  const order = [...kinds.values()].sort(
    (a, b) =>
      errorClasses.indexOf(a.class) - errorClasses.indexOf(b.class) || b.count - a.count || (a.rule < b.rule ? -1 : 1),
  )
  const rows = order.map(({class: name, rule}) => [
    name,
    rule,
    ...failed.map((group) => share(group, after, name, rule)),
  ])
  return html`<h3>Code that compiles and fails, by outcome and rule</h3>
${table(['outcome', 'rule', ...failed.map(nameOf)], rows, 2)}
<p class="quiet">Percentage of those that compiled and failed, and their number, including replies without code.</p>
`
}

/** The first `names` columns are words, the others numbers. */
function table(heads: readonly string[], rows: readonly (readonly (Html | string)[])[], names: number): Html {
  const kind = (at: number) => (at < names ? '' : html`class="n"`)
  const head = heads.map((text, at) => html`<th ${kind(at)}>${text}</th>`)
  const line = (cells: readonly (Html | string)[]) =>
    html`<tr>${cells.map((text, at) => html`<td ${kind(at)}>${text}</td>`)}</tr>\n`
  return html`<div class="scroll"><table><tr>${head}</tr>
${rows.map(line)}</table></div>`
}

function byClass(examples: readonly ErrorExample[]): Html[] {
  const groups = new Map<string, ErrorExample[]>()
  for (const example of examples) {
    const name = example.rule === '' ? example.class : `${example.class}: ${example.rule}`
    groups.set(name, [...(groups.get(name) ?? []), example])
  }
  return [...groups].map(([name, kinds]) => {
    const count = kinds.reduce((sum, kind) => sum + kind.count, 0)
    const rule = judgeRules.named(kinds[0]?.rule ?? '')
    const told = kinds.length === 1 ? number(count) : `${number(count)} in the ${kinds.length} most frequent kinds`
    return html`<details>
<summary>${name}<span class="quiet">${told}</span></summary>
${rule && html`<p>${rule.means} Typical cause: ${rule.cause}</p>\n`}${kinds.map(exampleOf)}
</details>
`
  })
}

/** The kind, then one of its candidates: message, place and line. */
function exampleOf({signature, api, count, task, author, outcome, error}: ErrorExample): Html {
  const {message, file, line, code} = error
  const about = [api, `${number(count)} ${count === 1 ? 'candidate' : 'candidates'}`].filter((text) => text !== '')
  const place = file === '' ? outcome : `${file}:${line}`
  return html`<h4>${signature === '' ? outcome : html`<code>${signature}</code>`}
<span class="quiet">${about.join(' · ')}</span></h4>
<p>${message}</p>
<p class="quiet">${task}, by ${author}: ${place}</p>
${code !== '' && html`<pre><code>${highlighted(code.trim())}</code></pre>`}
`
}
