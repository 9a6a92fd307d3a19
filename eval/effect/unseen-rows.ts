import {behindOpening} from '../../cpp/code-pieces.ts'
import {byCodeUnit} from '../../engine/code-unit-order.ts'
import type {Random} from '../../engine/random.ts'
import {codeWords} from '../../datasets/contamination/normalize.ts'
import {ngrams} from '../../datasets/contamination/ngrams.ts'
import type {EffectItem} from './effect-item.ts'
import type {EffectRow} from './effect-rows.ts'

/** Tokens that code and training rows may share in one run before it counts as seen. */
const run = 32

/** A row is excluded if more than this share of its runs occurs in training. */
const mostSeen = 0.05

interface HeldOut {
  rows: EffectRow[]
  /** Excluded rows: those of trained operators, and those with too much seen code. */
  left: {sameOperator: number; seen: number}
  /** Share of the kept rows' runs of 32 tokens that occur in training rows. */
  share: number
}

/** The folder of the operator: the parent of its host and kernel side. */
const operatorOf = ({repository, path}: EffectRow) =>
  `${repository} ${path.replace(/\/(?:op_(?:host|kernel)|[^/]+\.\w+).*$/, '')}`

/** Rows with unseen code: another operator, and hardly a run of tokens in common. */
export function heldOut(candidates: readonly EffectRow[], training: readonly EffectRow[]): HeldOut {
  const operators = new Set(training.map(operatorOf))
  const others = candidates.filter((row) => !operators.has(operatorOf(row)))
  const seenRuns = new Set(training.flatMap((row) => runsOf(textOf(row))))
  const rows: EffectRow[] = []
  let [all, met, seen] = [0, 0, 0]
  for (const row of others) {
    const runs = runsOf(row.code.map(({text}) => text).join('\n'))
    const known = runs.filter((one) => seenRuns.has(one)).length
    if (known > mostSeen * runs.length) {
      seen += 1
      continue
    }
    rows.push(row)
    ;[all, met] = [all + runs.length, met + known]
  }
  const sameOperator = candidates.length - others.length
  return {rows, left: {sameOperator, seen}, share: all === 0 ? 0 : met / all}
}

/** Texts that share hardly a run of tokens with measured code. */
export function apartFrom(measured: readonly EffectRow[], texts: readonly string[]): string[] {
  const seen = new Set(measured.flatMap(({code}) => code.flatMap(({text}) => runsOf(text))))
  return texts.filter((text) => {
    const runs = runsOf(text)
    return runs.filter((one) => seen.has(one)).length <= mostSeen * runs.length
  })
}

const textOf = ({messages, answer}: EffectRow) => [...messages.map(({content}) => content), answer].join('\n')
const runsOf = (text: string) => ngrams(codeWords(text), run)

/** One row of every file, the one with the most code, in a seeded order; device and host code separately. */
export function heldOutFiles(rows: readonly EffectRow[], most: number, random: Random): EffectRow[] {
  const coded = rows.filter(({kind, side, code}) => kind === 'kernel' && side !== null && code.length > 0)
  const byFile = new Map<string, EffectRow>()
  for (const row of coded.toSorted((a, b) => byCodeUnit(a.id, b.id))) {
    const file = `${row.repository} ${row.path}`
    const before = byFile.get(file)
    if (!before || lengthOf(row) > lengthOf(before)) byFile.set(file, row)
  }
  const shuffled = random.shuffle([...byFile.values()])
  return (['kernel', 'host'] as const).flatMap((side) => shuffled.filter((row) => row.side === side).slice(0, most))
}

const lengthOf = ({code}: EffectRow) => code.reduce((total, {text}) => total + text.length, 0)

const groups = {kernel: 'device', host: 'host'} as const
const groupOf = ({side}: EffectRow) => groups[side as 'kernel' | 'host']

/** The unchanged code of a file. */
export function codeItems(files: readonly EffectRow[], tokens: number): EffectItem[] {
  return files.map((row) => ({
    id: `code ${row.id}`,
    measure: 'code',
    unit: row.id,
    variant: 'plain',
    group: groupOf(row),
    before: '',
    parts: [codeText(row)],
    most: {last: tokens},
  }))
}

/** A publisher's licence header would be known from any of its other files. */
const codeText = ({code}: EffectRow) => code.map(({text}) => behindOpening(text)).join('\n')

/** Tokens of a request, of reasoning and of the code to be scored. */
const budget = {messages: 256, before: 400, last: 224}

const opening = '```cpp\n'
const thought = (reasoning: string) => (reasoning === '' ? opening : `<think>\n${reasoning}\n</think>\n\n${opening}`)

/** The code of a row after its request, with or without reasoning before it. */
export function reasoningItem(row: EffectRow, variant: string, reasoning: string): EffectItem {
  return {
    id: `reasoning ${variant} ${row.id}`,
    measure: 'reasoning',
    unit: row.id,
    variant,
    group: groupOf(row),
    messages: row.messages,
    before: thought(reasoning),
    parts: [codeText(row)],
    most: budget,
  }
}

/** Device code without reasoning, with the row's own, and with that of the next row. */
export function reasoningItems(rows: readonly EffectRow[]): EffectItem[] {
  const thinking = rows.filter(({side, reasoning}) => side === 'kernel' && reasoning !== '')
  return thinking.flatMap((row, at) => {
    const other = thinking[(at + 1) % thinking.length] as EffectRow
    const pairs = [
      ['none', ''],
      ['own', row.reasoning],
      ...(other === row ? [] : [['other', other.reasoning]]),
    ] as const
    return pairs.map(([variant, reasoning]) => reasoningItem(row, variant as string, reasoning as string))
  })
}

/** The request for which the model writes its own reasoning; `effect.py sample` continues from there. */
export const ownThought = (row: EffectRow): object => ({
  id: row.id,
  messages: row.messages,
  before: '<think>\n',
  stop: '</think>',
  most: {messages: budget.messages},
})
