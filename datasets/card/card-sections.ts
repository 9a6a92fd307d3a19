import {columns} from '../parquet/columns.ts'
import {foreignText} from './foreign-text.ts'
import {licences} from '../gates/licences.ts'
import type {Config} from '../schema/export.ts'
import {labels, meaningOf} from '../schema/label.ts'
import {combined, type ConfigStats} from './stats.ts'

/** What one stage of a run dropped. */
export interface DropCount {
  recipe: string
  stage: string
  reasons: Readonly<Record<string, number>>
}

const sections: {readonly [C in Config]: {title: string; body(stats: ConfigStats): string}} = {
  sft: {title: 'Supervised fine-tuning (`sft`)', body: samples},
  dpo: {title: 'Preferences (`dpo`)', body: pairs},
  apis: {title: 'Index of interfaces (`apis`)', body: interfaces},
  errors: {title: 'Errors of candidates (`errors`)', body: errors},
  kto: {title: 'Unpaired preferences (`kto`)', body: unpaired},
  optimisation: {title: 'Faster over slower (`optimisation`)', body: steps},
}

export function overview(stats: readonly ConfigStats[]): string {
  if (stats.length === 0) return 'This export has no rows.'
  return table(
    ['configuration', 'split', 'rows', 'files', 'size'],
    stats.flatMap(({config, splits}) =>
      splits.map(({split, rows, files, bytes}) => [config, split, count(rows), count(files), size(bytes)]),
    ),
  )
}

export function configSections(stats: readonly ConfigStats[]): string {
  return stats
    .map((stats) => `## ${sections[stats.config].title}\n\n${sections[stats.config].body(stats)}\n`)
    .join('\n')
}

function samples({tallies}: ConfigStats): string {
  const rows = (tallies['kind+teacher+model'] ?? []).map(([key, rows]) => {
    const [kind = '', teacher = '', model = ''] = key.split(combined)
    return [kind, teacher === 'offline' ? 'offline (computed facts, no model)' : foreignText(model), count(rows)]
  })
  return [
    [
      'Each row has one question, a chain of thought and an answer. `prompt` and `completion` are ready for trainers',
      '(one turn each, reasoning in one `<think>` block); the other columns give provenance and verdict, and where the',
      'code is in the answer.',
    ].join(' '),
    table(['kind', 'teacher', 'rows'], rows),
    ...kernelLevel(tallies['side+role+asks+proof'] ?? []),
    ...callOrigins(tallies['contract'] ?? []),
    ...formulaChecks(tallies['formula'] ?? []),
    ...otherPrograms(tallies['counterfactuals'] ?? []),
  ].join('\n\n')
}

type Tally = ConfigStats['tallies'][string]

function kernelLevel(tally: Tally): string[] {
  // Rows of other kinds only have the proof.
  const own = tally.map(([key, rows]) => [key.split(combined), rows] as const).filter(([{length}]) => length > 1)
  if (own.length === 0) return []
  const rows = own.map(([key, rows]) => [...key, count(rows)])
  return ['Kernel-level rows, by where the code runs and what is requested:', table([...kernelColumns, 'rows'], rows)]
}

const kernelColumns = ['side', 'role', 'asks', 'proof']

/** Calls that people wrote or described are realistic; randomly drawn ones may not be. */
function callOrigins(tally: Tally): string[] {
  if (tally.length === 0) return []
  const list = tally.map(([name, rows]) => `\`${name}\` ${count(rows)}`).join(', ')
  return [`Calls that code was run with, by origin (column \`contract\`): ${list}.`]
}

/** Code that runs may still compute wrong values. */
function formulaChecks(tally: Tally): string[] {
  const all = tally.reduce((sum, [, rows]) => sum + rows, 0)
  if (all === 0) return []
  const right = tally.find(([name]) => name === 'agrees')?.[1] ?? 0
  const share = `${count(right)} of ${count(all)} (${((100 * right) / all).toFixed(0)} %)`
  return [`Rows whose outputs match the operator's formula (column \`formula\`): ${share}.`]
}

/** Evidence for why code is as it is. */
function otherPrograms(tally: Tally): string[] {
  const all = tally.reduce((sum, [, rows]) => sum + rows, 0)
  if (all === 0) return []
  const runs = tally.reduce((sum, [number, rows]) => sum + Number(number) * rows, 0)
  const several = tally.reduce((sum, [number, rows]) => sum + (Number(number) >= 2 ? rows : 0), 0)
  return [
    `Reasoning of ${count(all)} rows derives decisions (column \`decisions\`); ${count(several)} of them ` +
      `(${((100 * several) / all).toFixed(0)} %) have at least two whose alternatives ran on the row's own call, ` +
      `${count(runs)} programs in all.`,
  ]
}

function pairs({tallies}: ConfigStats): string {
  const rows = (tallies['chosen_label+rejected_label'] ?? []).map(([key, rows]) => [
    ...key.split(combined),
    count(rows),
  ])
  const samplers = (['chosen', 'rejected'] as const).map((side) => {
    const authors = (tallies[`${side}_sampler`] ?? []).map(([name, rows]) => `${foreignText(name)} ${count(rows)}`)
    return `${side}: ${authors.join(', ')}`
  })
  return [
    [
      'Each row has two answers to one task. Labels were observed, never assumed:',
      `${labelTexts(tallies).join(', ')}.`,
    ].join(' '),
    table(['chosen', 'rejected', 'pairs'], rows),
    `Authors of the sides: ${samplers.join('; ')}. Tasks: ${count((tallies['task'] ?? []).length)}.`,
  ].join('\n\n')
}

function interfaces({tallies}: ConfigStats): string {
  const rows = (tallies['kind+licence'] ?? []).map(([key, rows]) => {
    const [kind = '', ...licence] = key.split(combined)
    return [kind, foreignText(licence.join(combined)), count(rows)]
  })
  const products = (tallies['product'] ?? []).map(([product]) => `\`${product}\``).join(', ')
  return [
    [
      'Each row is one interface as documented on one page: prototypes, parameters, element types, constraints,',
      'alignment, pipe, examples, and its replacement if deprecated. Extracted from the pages by rules, without a',
      `model; from pages on several products, what applies to ${products}. It is a reference, not training`,
      'text: all of it is in one split, including pages of the test split of `sft`.',
    ].join(' '),
    table(['kind', 'licence', 'interfaces'], rows),
  ].join('\n\n')
}

function errors({tallies}: ConfigStats): string {
  const authors = (tallies['sampler'] ?? []).map(([name, rows]) => `${foreignText(name)} ${count(rows)}`).join(', ')
  return [
    [
      'Each row is one failed candidate, as observed by an executor: its class, the first message and its place,',
      'and, if it was not built, a signature that is the same for the same fault under other names. It is a table',
      'for statistics, not training text.',
    ].join(' '),
    table(
      ['class', 'candidates'],
      (tallies['class'] ?? []).map(([name, rows]) => [name, count(rows)]),
    ),
    `Authors of the candidates: ${authors}. Tasks: ${count((tallies['task'] ?? []).length)}.`,
  ].join('\n\n')
}

function unpaired({tallies}: ConfigStats): string {
  const rowsWith = (name: string) => count((tallies['label'] ?? []).find(([value]) => value === name)?.[1] ?? 0)
  return [
    [
      'Each row is one reply and whether it is desirable, for trainers that do not use pairs (KTO, BCO):',
      `\`label\` is true for ${rowsWith('true')} and false for ${rowsWith('false')}, by the observed colour.`,
      'The replies are those of the `dpo` pairs, each once, in the same split.',
    ].join(' '),
    table(
      ['colour', 'replies'],
      (tallies['colour'] ?? []).map(([name, rows]) => [name, count(rows)]),
    ),
    `Tasks: ${count((tallies['task'] ?? []).length)}.`,
  ].join('\n\n')
}

function steps({tallies}: ConfigStats): string {
  return [
    [
      'Each row has two correct operators for one task; the chosen one is modelled as faster, by the work that',
      "the executor counted and the chip's published rates. Times are modelled, never measured on hardware. They",
      'are separate from `dpo`, where the rejected side is always incorrect. Prompts ask for speed. The chosen side is',
      'the fastest that a search found or the verified answer of the task, never one that was made slower.',
    ].join(' '),
    table(
      ['how the chosen side differs', 'pairs'],
      (tallies['step'] ?? []).map(([name, rows]) => [foreignText(name), count(rows)]),
    ),
    `Tasks: ${count((tallies['task'] ?? []).length)}.`,
  ].join('\n\n')
}

/** What the sides of each label did, with the number of sides. */
function labelTexts(tallies: ConfigStats['tallies']): string[] {
  const seen = (['chosen', 'rejected'] as const).flatMap((side) =>
    (tallies[`${side}_label+${side}_outcome`] ?? []).map(([key, rows]) => ({key: key.split(combined), rows})),
  )
  return labels.map((label) => {
    const {card, deeds} = meaningOf(label)
    const counted = deeds.map(({what, outcomes}, index) => {
      const fitting = seen.filter(({key: [of, outcome]}) => of === label && outcomes.some((one) => one === outcome))
      const sides = count(fitting.reduce((sum, {rows}) => sum + rows, 0))
      return `${index > 0 && index === deeds.length - 1 ? 'or ' : ''}${what} (${sides}${index === 0 ? ' sides' : ''})`
    })
    return `**${label}** ${card.replace('{deeds}', counted.join(', '))}`
  })
}

export function executorSection(stats: readonly ConfigStats[]): string {
  const rows = countedBy(stats, /executor_fingerprint$/)
  if (rows.length === 0) return 'No row contains code.'
  const shown = rows.map(([what = '', value = '', ...rest]) => [what, foreignText(value), ...rest])
  return [table(['rows of', 'executor', 'verdicts'], shown), ...severalExecutors(stats)].join('\n\n')
}

/** Rows of the tallies of some columns: what they are of, value, count. */
function countedBy(stats: readonly ConfigStats[], columns: RegExp): string[][] {
  return stats.flatMap(({config, tallies}) =>
    Object.entries(tallies)
      .filter(([key]) => columns.test(key))
      .flatMap(([key, tally]) => {
        const [side] = /^(?:chosen|rejected)(?=_)/.exec(key) ?? []
        return tally.map(([value, rows]) => [side ? `${config}, ${side}` : config, value, count(rows)])
      }),
  )
}

/** What every executor found, and where one had the last word over another; nothing if there is only one. */
function severalExecutors(stats: readonly ConfigStats[]): string[] {
  const found = countedBy(stats, /(?:^|_)executor\+(?:\w+_)?outcome$/)
  const apart = found.map(([what = '', value = '', rows = '']) => [what, ...split(value), rows])
  if (new Set(apart.map(([, executor]) => executor)).size < 2) return []
  const confirmed = countedBy(stats, /(?:^|_)confirmation$/)
  const mixed = countedBy(stats, /^chosen_executor\+rejected_executor$/)
    .map(([what = '', value = '', rows = '']) => [what.replace(/,.*/, ''), ...split(value), rows])
    .filter(([, chosen, rejected]) => chosen !== rejected)
  return [
    'Verdicts by the executor that had the last word. `cann-compile`, `cann-sim` and `cann-board` are the compiler, ' +
      "the simulator and a board of the vendor's toolkit CANN.",
    table(['rows of', 'executor', 'outcome', 'verdicts'], apart),
    ...(confirmed.length === 0
      ? []
      : [
          'Where a second executor judged what the first found correct, it had the last word:',
          table(['rows of', 'both verdicts', 'rows'], confirmed),
        ]),
    ...(mixed.length === 0
      ? []
      : [
          'Pairs whose sides have their last word from different executors; one executor judged both sides of each:',
          table(['pairs of', 'chosen by', 'rejected by', 'pairs'], mixed),
        ]),
  ]
}

const split = (value: string) => value.split(combined).map(foreignText)

export function licenceSection(stats: readonly ConfigStats[], shipped: readonly string[]): string {
  const totals = new Map<string, number>()
  for (const {tallies} of stats)
    for (const [licence, rows] of tallies['licence'] ?? []) totals.set(licence, (totals.get(licence) ?? 0) + rows)
  const rows = [...totals].map(([id, rows]) => {
    const shown = foreignText(id)
    return [shown, licences[id]?.name ?? shown, count(rows), licences[id]?.duties ?? 'Read its terms before use.']
  })
  const restricted = [...totals.keys()].filter((id) => licences[id]?.hub === undefined)
  const notes = restricted.map((id) =>
    [
      `**${foreignText(id)}**: rows from these sources are published for developing software for Ascend processors,`,
      'the purpose that the licence allows.',
      shipped.includes(id)
        ? `Its text is in \`LICENSES/${fileName(id)}\`.`
        : `Its text is not part of this export: add it as \`LICENSES/${fileName(id)}\` before you pass the data on.`,
    ].join(' '),
  )
  return [table(['licence', 'name', 'rows', 'conditions in brief'], rows), ...notes].join('\n\n')
}

export function dropSection(drops: readonly DropCount[]): string {
  const rows = drops.flatMap(({recipe, stage, reasons}) =>
    Object.entries(reasons).map(([reason, number]) => [...[recipe, stage, reason].map(foreignText), count(number)]),
  )
  return rows.length === 0 ? 'No stage dropped a record.' : table(['recipe', 'stage', 'reason', 'records'], rows)
}

export function columnSection(stats: readonly ConfigStats[]): string {
  return stats
    .map(({config}) => {
      const described = columns[config].map(({name, meaning}) => [`\`${name}\``, meaning])
      return `**${config}**\n\n${table(['column', 'meaning'], described)}`
    })
    .join('\n\n')
}

/** `NOTICES.md`: every source of every row, with the copyright notices of its files. */
export function notices(
  stats: readonly ConfigStats[],
  shipped: readonly string[],
  copyrights: Readonly<Record<string, readonly string[]>> = {},
): string {
  const sources = new Map<string, number>()
  for (const {tallies} of stats)
    for (const [source, rows] of tallies['licence+repository+revision'] ?? [])
      sources.set(source, (sources.get(source) ?? 0) + rows)
  const ids = [...new Set([...sources.keys()].map((source) => source.split(combined)[0] ?? ''))].sort()
  const parts = ids.map((id) => {
    const own = [...sources].filter(([source]) => source.startsWith(`${id}${combined}`))
    const from = own.map(([source, rows]) => [...placeOf(source).map(foreignText), count(rows)])
    const known = licences[id]
    const text = shipped.includes(id) ? `LICENSES/${fileName(id)}` : known?.url
    const heading = `## ${known?.name ?? foreignText(id)} (${foreignText(id)})`
    const rows = table(['source', 'revision', 'rows'], from)
    const repositories = [...new Set(own.map(([source]) => placeOf(source)[0]))].sort()
    const claims = repositories.flatMap((name) => noticeList(name, copyrights[name] ?? []))
    return [heading, known?.duties, text && `Text: ${text}`, rows, ...claims].filter(Boolean).join('\n\n')
  })
  const opening = ['# Notices', 'The rows of this data set are derived from the following sources.']
  return `${[...opening, ...parts].join('\n\n')}\n`
}

function noticeList(repository: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return []
  return [
    `Copyright notices in the files of ${foreignText(repository)}:`,
    lines.map((line) => `- ${foreignText(line)}`).join('\n'),
  ]
}

/** Repository and revision; a folder's name may contain the separator itself. */
function placeOf(source: string): [repository: string, revision: string] {
  const [, ...parts] = source.split(combined)
  return [parts.slice(0, -1).join(combined), parts.at(-1) ?? '']
}

/** The file name of a licence's text; SPDX identifiers are unchanged. */
export function fileName(licence: string): string {
  return `${licence.replace(/[^\w.+-]+/g, '-')}.txt`
}

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const safe = (cell: string) => cell.replace(/(?<!\\)\|/g, '\\|').replaceAll('\n', ' ')
  const line = (cells: readonly string[]) => `| ${cells.map(safe).join(' | ')} |`
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n')
}

/** With separators that do not depend on the machine's locale. */
export function count(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1024 / 1024).toFixed(1)} MiB`
}
