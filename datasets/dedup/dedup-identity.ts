import {canonicalJson, contentId, textId} from '../../engine/ids.ts'
import {contentOf, foldedContent, identifiersOf, normalForm, type Content} from '../contamination/normalize.ts'
import type {Config, RecordOf} from '../schema/export.ts'
import type {CotSample} from '../schema/sample.ts'

/** The parts of a record that are compared. */
interface Identity {
  /** Equal for records that only differ in layout, case and comments; reasoning is ignored. */
  exact: string
  /** Records of different groups are never similar, however much they share. */
  group: string
  /** For comparing by similarity; absent if only equal records are copies. */
  near?: {tokens: string[]; names: Iterable<string>; threshold: number}
}

/** Estimated Jaccard similarity of token 5-grams from which a record is a copy, by kind. */
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
  // Names that only differ in case are different interfaces, so the entry is compared verbatim, without its position.
  apis: ({origin: _, kind: __, stages: ___, ...entry}) => plain([contentId(entry)]),
  errors: ({candidate}) => plain([candidate]),
  kto: ({prompt, answer}) => plain([prompt, answer].map(normalForm)),
  optimisation: ({prompt, chosen, rejected}) => plain([prompt, chosen.answer, rejected.answer].map(normalForm)),
}

const plain = (texts: readonly string[]): Identity => ({exact: textId(canonicalJson(texts)), group: ''})

/** Kinds with correct code, where the author's names do not matter; in wrong code they do. */
const foldedKinds: ReadonlySet<string> = new Set<CotSample['kind']>(['kernel', 'project', 'evaluated'])

/**
 * Similar records answer the same question: the words are the same, apart from numbers. A single word distinguishes two
 * interfaces (`And` and `Or`), or two ways to call one, and their pages hardly differ otherwise. So does the answer's
 * first name, if the question does not name its interface.
 */
function ofText({kind, prompt, answer}: CotSample, threshold: number | undefined, api: ReadonlySet<string>): Identity {
  const names = [...new Set(identifiersOf(prompt, api))].sort()
  const told = new Set([...names, ...identifiersOf(answer, api)])
  // Names that only differ in case are different interfaces.
  const exact = textId(canonicalJson([[...told].sort(), normalForm(prompt), normalForm(answer)]))
  const question = contentOf(prompt)
  const asked = new Set(question.words.filter((word) => !/^\d+$/.test(word)))
  const [subject = ''] = identifiersOf(answer, api)
  const group = textId(canonicalJson([kind, names, subject, [...asked].sort()]))
  if (threshold === undefined) return {exact, group}
  return {exact, group, near: {tokens: inOne(question, contentOf(answer)), names: told, threshold}}
}

/** Similar records are requested in the same words, call the same interfaces and differ in little but names. */
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
