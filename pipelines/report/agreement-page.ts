import {
  differences,
  type Compared,
  type Difference,
  type DifferenceGroup,
  type Pairing,
  type Share,
} from '../../eval/agreement/compare-findings.ts'
import {failedStep, inWords, type Finding} from '../../eval/agreement/verdict-finding.ts'
import type {Findings} from '../../eval/agreement/read-findings.ts'
import {htmlPage} from '../../eval/scores/document.ts'
import {badge, cell, number} from '../../eval/scores/marks.ts'
import {html, type Html} from '../../eval/scores/markup.ts'

/** Disagreements of a group that are shown; the Parquet file has all. */
const shownOfGroup = 12

/** What each kind of disagreement is called, and why it matters as much as it does. */
const kindWords: {readonly [K in Difference]: {title: string; why: string}} = {
  'right-and-wrong': {
    title: 'One finds it right, the other wrong',
    why: 'A training row that one of them calls right would teach what the other refutes.',
  },
  step: {title: 'Both find it wrong, at different steps', why: 'Both refuse the candidate, for different reasons.'},
  class: {
    title: 'Both find it wrong at the same step, for different causes',
    why: 'The label is the same, but the lesson is not.',
  },
}

/** Two sides and what was found of them, as one HTML file. */
export function agreementPage(a: Findings, b: Findings, compared: Compared): string {
  const body = [
    summary(a, b, compared),
    stepTable(a, b, compared),
    ...errorTable(compared),
    outcomeTable(a, b, compared),
    disagreements(a, b, compared),
    ...[a, b].flatMap(brokenLines),
  ]
  return htmlPage(`Agreement of ${a.name} and ${b.name}`, body)
}

/** `97.5 % (94.1–99.0)`; a dash where there was nothing to take a share of. */
export function shareText(share: Share | undefined): string {
  if (!share) return '–'
  const percent = (value: number) => (100 * value).toFixed(1)
  return `${percent(share.part / share.of)} % (${percent(share.low)}–${percent(share.high)})`
}

const pairsOf = (kind: Difference, groups: readonly DifferenceGroup[]) =>
  groups.filter((group) => group.kind === kind).flatMap(({pairs}) => pairs)

function summary(a: Findings, b: Findings, {pairs, onlyA, onlyB, ambiguous, groups}: Compared): Html {
  const figures: [count: number, what: string][] = [
    [pairs.length, 'candidates judged by both'],
    ...differences.map((kind): [number, string] => [pairsOf(kind, groups).length, kindWords[kind].title.toLowerCase()]),
  ]
  return html`<header>
<h1>Agreement of ${a.name} and ${b.name}</h1>
<ul class="figures">${figures.map(([count, what]) => html`<li><b>${number(count)}</b><span>${what}</span></li>`)}</ul>
<ul>
${side('A', a, onlyA)}
${side('B', b, onlyB)}
${ambiguous > 0 && html`<li>${number(ambiguous)} verdicts of B fit several of A, and are omitted</li>`}
</ul>
</header>
`
}

function side(letter: string, {name, executors, findings, repeated, broken}: Findings, alone: number): Html {
  const judges = executors.map((one) => [one.name, one.compiler, one.soc].filter(Boolean).join(', ')).join('; ')
  const facts = [
    `${number(findings.length)} verdicts`,
    `${number(alone)} of them on candidates that the other did not judge`,
    ...(repeated > 0 ? [`${number(repeated)} given twice`] : []),
    ...(broken.length > 0 ? [`${number(broken.length)} lines that could not be read`] : []),
  ]
  return html`<li><b>${letter}</b> ${name}, by ${judges}: ${facts.join(', ')}</li>`
}

/** The first `names` columns are words, the others numbers. */
function table(heads: readonly string[], rows: readonly (readonly (Html | string | number)[])[], names = 1): Html {
  const kind = (at: number) => (at < names ? '' : html`class="n"`)
  const head = heads.map((text, at) => html`<th ${kind(at)}>${text}</th>`)
  const line = (value: Html | string | number, at: number) => {
    if (typeof value === 'number') return cell(value)
    return html`<td ${kind(at)}>${value}</td>`
  }
  return html`<div class="scroll"><table><tr>${head}</tr>
${rows.map((row) => html`<tr>${row.map(line)}</tr>\n`)}</table></div>`
}

const stepWords = {compile: 'it compiles and links', run: 'it runs', numbers: 'its numbers are right'}

function stepTable(a: Findings, b: Findings, {confusions}: Compared): Html {
  const rows = confusions.map(({step, both, onlyA, onlyB, neither, untold, agree}) => {
    return [stepWords[step], shareText(agree), both, onlyA, onlyB, neither, untold]
  })
  return html`<section id="steps">
<h2>Step by step</h2>
${table(['', 'they agree', 'both', 'only A', 'only B', 'neither', 'unknown'], rows)}
<p class="quiet">Numbers of candidates, according to A (${a.name}) and B (${b.name}). Shares are given with their 95 %
Wilson interval. Unknown: an executor did not reach the step, or does not judge it.</p>
</section>
`
}

function errorTable({firstErrors: {words, places}}: Compared): Html[] {
  if (!words) return []
  const counts = (share: Share | undefined) => (share ? `${number(share.part)} of ${number(share.of)}` : '–')
  const rows = [
    ['the same words', counts(words), shareText(words)],
    ['the same file and line', counts(places), shareText(places)],
  ]
  const section = html`<section id="errors">
<h2>First errors of the compilers</h2>
${table(['', 'candidates', 'share'], rows)}
<p class="quiet">Candidates that neither compiles, and for which both show an error.</p>
</section>
`
  return [section]
}

function outcomeTable(a: Findings, b: Findings, {outcomes}: Compared): Html {
  const names = (of: 'a' | 'b') => [...new Set(outcomes.map((one) => one[of]))].sort()
  const rows = names('a').map((own) => [
    own,
    ...names('b').map((other) => outcomes.find((one) => one.a === own && one.b === other)?.count ?? 0),
  ])
  return html`<section id="outcomes">
<h2>Outcomes</h2>
${table([`${a.name} ↓ ${b.name} →`, ...names('b')], rows)}
</section>
`
}

function disagreements(a: Findings, b: Findings, {groups}: Compared): Html {
  if (groups.length === 0)
    return html`<section id="disagreements"><h2>Disagreements</h2><p>There are none.</p></section>`
  return html`<section id="disagreements">
<h2>Disagreements</h2>
<p class="quiet">The most important come first. ${shownOfGroup} of each group are shown; agreement.parquet has all.</p>
${differences.map((kind) => ofKind(kind, a, b, groups))}
</section>
`
}

function ofKind(kind: Difference, a: Findings, b: Findings, all: readonly DifferenceGroup[]): Html | undefined {
  const groups = all.filter((group) => group.kind === kind)
  if (groups.length === 0) return undefined
  const {title, why} = kindWords[kind]
  return html`<h3>${title}: ${number(pairsOf(kind, groups).length)}</h3>
<p class="quiet">${why}</p>
${groups.map((group, at) => groupPart(group, [a, b], kind === 'right-and-wrong' || at === 0))}
`
}

const causeOf = ({outcome, class: name, rule}: Finding) => {
  const more = rule || (outcome === 'compile-failed' ? name : '')
  return more === '' ? outcome : `${outcome}: ${more}`
}

function groupPart({pairs}: DifferenceGroup, sides: readonly [Findings, Findings], open: boolean): Html | undefined {
  const [first] = pairs
  if (!first) return undefined
  const causes = html`${sides[0].name} ${badge(causeOf(first.a))} ${sides[1].name} ${badge(causeOf(first.b))}`
  const rest = pairs.length - shownOfGroup
  return html`<details ${open ? 'open' : ''}>
<summary>${causes}<span class="quiet">${number(pairs.length)}</span></summary>
${pairs.slice(0, shownOfGroup).map((pair) => pairPart(pair, sides))}
${rest > 0 && html`<p class="quiet">${number(rest)} more in agreement.parquet</p>`}
</details>
`
}

function pairPart({a, b}: Pairing, sides: readonly [Findings, Findings]): Html {
  const author = a.author || b.author
  return html`<h4>${a.task || b.task || 'unnamed task'} <code>${a.sources.slice(0, 12)}</code></h4>
${author !== '' && html`<p class="quiet">${author}</p>`}
<div class="sides">${[a, b].map((finding, at) => sidePart(finding, sides[at]?.name ?? ''))}</div>
`
}

function sidePart(finding: Finding, name: string): Html {
  const {errors = [], log = '', fix = ''} = finding.evidence
  const others = errors.slice(1).map(({file, line, message}) => `${file}:${line}: ${message}`)
  const more = [...others, log, fix].map((text) => text.trim()).filter((text) => text !== '')
  const isWrong = failedStep(finding) !== undefined
  return html`<div><p ${isWrong ? html`class="trouble"` : ''}>${name} ${inWords(finding)}.</p>
${more.length > 0 && html`<pre class="said">${more.join('\n')}</pre>`}</div>`
}

function brokenLines({name, broken}: Findings): Html[] {
  if (broken.length === 0) return []
  const rows = broken.map(({line, reason}) => [String(line), reason])
  const section = html`<section><details>
<summary>Lines of ${name} that could not be read<span class="quiet">${number(broken.length)}</span></summary>
${table(['line', 'why'], rows, 2)}
</details></section>
`
  return [section]
}
