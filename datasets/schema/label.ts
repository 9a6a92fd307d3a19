import {z} from 'zod'
import type {Verdict} from './verdict.ts'

type Outcome = Verdict['outcome']

/** Something that candidates of a label did, as counted by card and report. */
export interface Deed {
  what: string
  outcomes: readonly Outcome[]
}

interface Meaning {
  /** What its candidates did, each with a count if there are several. */
  deeds: readonly Deed[]
  /** Sentences of the data set card and of the report; `{deeds}` is replaced by what its candidates did. */
  card: string
  report: string
  /** Its colour on light and dark backgrounds. */
  tones: readonly [light: string, dark: string]
}

/**
 * Paper §4.2.2: green is fully correct, orange runs but is wrong, purple does not compile. Best first: a pair prefers
 * the earlier to the later. Cheats compile but are not correct, so they are orange: next to a green one, they teach
 * that passing is not enough.
 */
const meanings = {
  green: {
    deeds: [{what: 'passed every case', outcomes: ['correct']}],
    card: 'passed every case of the hardened check',
    report: 'every case of the hardened check passed',
    tones: ['#2e8b57', '#57b884'],
  },
  orange: {
    deeds: [
      {what: 'broke a hardware rule', outcomes: ['violated']},
      {
        what: 'crashed, ran out of time or could not be launched',
        outcomes: ['crashed', 'timed-out', 'launch-failed'],
      },
      {what: 'computed wrong numbers', outcomes: ['mismatched']},
      {what: 'bypassed the task', outcomes: ['cheated']},
    ],
    card: 'compiled, but {deeds}',
    report: 'it compiled, but {deeds}',
    tones: ['#c9730a', '#e59a3c'],
  },
  purple: {
    deeds: [{what: 'did not compile or link', outcomes: ['compile-failed', 'link-failed']}],
    card: 'did not compile or link',
    report: 'it did not compile or link',
    tones: ['#7d4fc4', '#b08be6'],
  },
} as const satisfies Record<string, Meaning>

export type Label = keyof typeof meanings
/** Best first. */
export const labels = Object.keys(meanings) as Label[]
export const Label = z.enum(labels)

/** The label of a candidate that may be chosen in a pair. */
export const best: Label = 'green'

export const meaningOf = (label: Label): Meaning => meanings[label]

/** The label that a verdict gives; undefined if nothing was observed that a label could express. */
export function labelOf({outcome}: Pick<Verdict, 'outcome'>): Label | undefined {
  return labels.find((label) => meaningOf(label).deeds.some(({outcomes}) => outcomes.includes(outcome)))
}

/** Whether a pair may prefer the one to the other. */
export function isBetter(one: Label, other: Label): boolean {
  return labels.indexOf(one) < labels.indexOf(other)
}
