import type {Random} from '../../engine/random.ts'
import type {ChatMessages} from './effect-item.ts'
import type {EffectRow} from './effect-rows.ts'
import {grouped} from './grouped.ts'

/** A row as used by an arm; without messages, plain text. */
interface ArmRow {
  messages?: ChatMessages
  reasoning: string
  answer: string
}

/** What the rows of an arm are made of. */
export interface ArmSources {
  rows: readonly EffectRow[]
  /** Unchanged device code from the given folders. */
  raw: readonly string[]
  /** Code with planted faults, where possible. */
  spoil(code: string, path: string): string | undefined
  random: Random
}

const whole = ({messages, reasoning, answer}: EffectRow): ArmRow => ({messages, reasoning, answer})
const text = (answer: string): ArmRow => ({reasoning: '', answer})

const codeOf = ({code}: EffectRow) => code.map((one) => one.text).join('\n')

/** Each row gets the reasoning of the next one of its kind. */
function exchanged({rows, random}: ArmSources): ArmRow[] {
  const thinking = rows.filter(({reasoning}) => reasoning !== '')
  return grouped(thinking, ({kind}) => kind).flatMap((group) => {
    const order = random.shuffle(group)
    return order.map((row, at) => ({...whole(row), reasoning: (order[(at + 1) % order.length] as EffectRow).reasoning}))
  })
}

function spoilt({rows, spoil}: ArmSources): ArmRow[] {
  return rows.flatMap(({code}) => code.flatMap(({path, text: right}) => spoil(right, path) ?? []).map(text))
}

const plain: Readonly<Record<string, {says: string; of(sources: ArmSources): ArmRow[]}>> = {
  whole: {says: 'unchanged rows', of: ({rows}) => rows.map(whole)},
  'no-reasoning': {
    says: 'the same rows without their reasoning',
    of: ({rows}) => rows.map((row) => ({...whole(row), reasoning: ''})),
  },
  'code-only': {says: 'only the code of their answers', of: ({rows}) => rows.map(codeOf).filter(Boolean).map(text)},
  raw: {says: 'unchanged device code', of: ({raw}) => raw.map(text)},
  exchanged: {says: 'rows with the reasoning of another row of their kind', of: exchanged},
  doubled: {says: 'every row twice', of: ({rows}) => [...rows, ...rows].map(whole)},
  'wrong-code': {says: 'only their code, with planted faults', of: spoilt},
}

const without = 'without-'

/** Names of the arms that these sources allow, and what each is. */
export function armsOf({rows, raw}: Pick<ArmSources, 'rows' | 'raw'>): ReadonlyMap<string, string> {
  const kinds = [...new Set(rows.map(({kind}) => kind))].sort()
  const left = kinds.length > 1 ? kinds : []
  return new Map([
    ...Object.entries(plain)
      .filter(([name]) => name !== 'raw' || raw.length > 0)
      .map(([name, {says}]) => [name, says] as const),
    ...left.map((kind) => [`${without}${kind}`, `rows except those of kind ${kind}`] as const),
  ])
}

/** Rows of an arm by its name, one of `armsOf`. */
export function armRows(name: string, sources: ArmSources): ArmRow[] {
  const arm = plain[name]
  if (arm) return arm.of(sources)
  return sources.rows.filter(({kind}) => `${without}${kind}` !== name).map(whole)
}
