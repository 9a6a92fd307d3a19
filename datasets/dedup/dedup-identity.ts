import {canonicalJson, contentId, textId} from '../../engine/ids.ts'
import {contentOf, foldedContent, identifiersOf, normalForm, type Content} from '../contamination/normalize.ts'
import type {Config, RecordOf} from '../schema/export.ts'
import type {CotSample} from '../schema/sample.ts'

/** What of a record is compared with that of others. */
interface Identity {
  /** Equal for records that are the same apart from layout, case and comments; the reasoning does not count. */
  exact: string
  /** Records of different groups are never alike, however much they share. */
  group: string
  /** For comparing by similarity; absent where only equal records are copies. */
  near?: {tokens: string[]; names: Iterable<string>; threshold: number}
}

/** Estimated Jaccard similarity of token 5-grams from which a record is a copy, by its kind. */
export type Thresholds = Readonly<Record<string, number>>

export function identityOf<C extends Config>(
  config: C,
  record: RecordOf[C],
  near: Thresholds,
  api: ReadonlySet<string>,
): Identity {
  return identities[config](record, near, api)
}

const identities: {
  readonly [C in Config]: (record: RecordOf[C], near: Thresholds, api: ReadonlySet<string>) => Identity
} = {
  sft: (record, near, api) => (foldedKinds.has(record.kind) ? ofCode : ofText)(record, near[record.kind], api),
  dpo: ({prompt, chosen, rejected}) => plain([prompt, chosen.answer, rejected.answer].map(normalForm)),
  // Names that differ in case alone are different interfaces, so the entry is compared as it stands, places aside.
  apis: ({origin: _, kind: __, stages: ___, ...entry}) => plain([contentId(entry)]),
  errors: ({candidate}) => plain([candidate]),
  kto: ({prompt, answer}) => plain([prompt, answer].map(normalForm)),
  optimisation: ({prompt, chosen, rejected}) => plain([prompt, chosen.answer, rejected.answer].map(normalForm)),
}

const plain = (texts: readonly string[]): Identity => ({exact: textId(canonicalJson(texts)), group: ''})

/** Kinds of which the code is right, so that names of the author's are all the same; those of wrong code are not. */
const foldedKinds: ReadonlySet<string> = new Set<CotSample['kind']>(['kernel', 'project', 'evaluated'])

/**
 * Alike is what answers one question: numbers aside, its words are the same. A word tells two interfaces apart (`And`
 * and `Or`), or two ways to call one, and the pages about both hardly differ in more. So does the first name of the
 * answer, where a question does not say which interface it is about.
 */
function ofText({kind, prompt, answer}: CotSample, threshold: number | undefined, api: ReadonlySet<string>): Identity {
  const names = [...new Set(identifiersOf(prompt, api))].sort()
  const told = new Set([...names, ...identifiersOf(answer, api)])
  // Names that differ in case alone are different interfaces.
  const exact = textId(canonicalJson([[...told].sort(), normalForm(prompt), normalForm(answer)]))
  const question = contentOf(prompt)
  const asked = new Set(question.words.filter((word) => !/^\d+$/.test(word)))
  const [subject = ''] = identifiersOf(answer, api)
  const group = textId(canonicalJson([kind, names, subject, [...asked].sort()]))
  if (threshold === undefined) return {exact, group}
  return {exact, group, near: {tokens: inOne(question, contentOf(answer)), names: told, threshold}}
}

/** Alike is what is asked in the same words, calls the same interfaces and differs in little else than names. */
function ofCode({kind, prompt, answer}: CotSample, threshold: number | undefined, api: ReadonlySet<string>): Identity {
  const [asked, said] = [foldedContent(prompt, api), foldedContent(answer, api)]
  const exact = textId(canonicalJson([kind, inOne(asked).join(' '), inOne(said).join(' ')]))
  const called = [...new Set([...identifiersOf(prompt, api), ...identifiersOf(answer, api)])].filter((one) =>
    api.has(one),
  )
  const group = textId(canonicalJson([kind, asked.words, called.sort()]))
  if (threshold === undefined) return {exact, group}
  return {exact, group, near: {tokens: inOne(asked, said), names: called, threshold}}
}

const inOne = (...contents: readonly Content[]) => contents.flatMap(({words, tokens}) => [...words, ...tokens])
