import {isLevel, type Arithmetic, type Counterfactual, type Decision} from '../../datasets/schema/decision.ts'
import {code, paragraph, type Voice} from '../../datasets/voice.ts'
import {catalogue, type Catalogue} from './catalogue.ts'
import {formatted, said, type Values} from './tell-message.ts'

/** An opening of the catalogue: `task` or `launch`. */
export function tellOpening(which: 'task' | 'launch', values: Values, voice: Voice): string {
  return said(catalogue(voice.language)[which], values, voice)
}

/**
 * A paragraph for each decision of which the catalogue has something to say, in their order.
 * @param kernel the only code that is explained, where that is not the whole operator: other code is not spoken of
 */
export function tellDecisions(decisions: readonly Decision[], voice: Voice, kernel?: string): string[] {
  const words = catalogue(voice.language)
  return onceEach(decisions, kernel)
    .map((one) => paragraph(voice, sentences(one, words, voice, kernel)))
    .filter((text) => text !== '')
}

/** What every kernel with queues, or with fewer shares than cores, would get wrong alike. */
export const ofEvery: ReadonlySet<string> = new Set(['all-cores', 'not-given-back', 'freed-early'])

/** What the code of a host says, and nothing else. */
const ofHost: ReadonlySet<string> = new Set(['cap-power', 'cap-unsaid'])

/** Two queues that nobody gives a block back to are one rule, told once. */
function onceEach(decisions: readonly Decision[], kernel: string | undefined): Decision[] {
  const told = new Set<string>()
  const isFirst = (one: Decision['because'][number]) => {
    if (one.kind !== 'counterfactual' || !ofEvery.has(one.change) || !isShown(one.subject, kernel)) return true
    const isNew = !told.has(one.change)
    told.add(one.change)
    return isNew
  }
  return decisions.map((one) => ({...one, because: one.because.filter(isFirst)}))
}

function sentences(decision: Decision, words: Catalogue, voice: Voice, kernel: string | undefined): string[] {
  const {topic, situation, because} = decision
  const values = {...valuesOf(decision, words, voice), subject: decision.subject}
  const isSeen = isShown(decision.subject, kernel) && (kernel === undefined || !ofHost.has(situation))
  const opening = isSeen ? said(words.topics[topic]?.situations[situation], values, voice) : ''
  const steps = because.filter((one) => one.kind === 'arithmetic')
  const shown = kernel === undefined ? steps : withoutHost(steps, kernel)
  return [
    ...(topic === 'handed-over' && shown.length === 0 ? [] : [opening]),
    arithmeticSentence(shown, decision.values['unit'], words, voice, /[:：]$/.test(opening)),
    ...because
      .filter((one) => one.kind === 'counterfactual')
      .filter(({subject}) => isShown(subject, kernel))
      .map((one) => {
        const seen = {...values, ...observedValues(one, decision, words, voice), subject: one.subject}
        const messages = words.topics[topic]?.changes[one.change]
        return said(messages?.[`${outcomeOf(one)} ${situation}`] ?? messages?.[outcomeOf(one)], seen, voice)
      }),
  ]
}

/**
 * What a host that is not shown computes of values that the kernel names, and what these are computed from; names of
 * that host say nothing, so such a step has none.
 */
function withoutHost(steps: readonly Arithmetic[], kernel: string): Arithmetic[] {
  const needed = new Set<string>()
  const kept: Arithmetic[] = []
  for (const {where: _, ...step} of [...steps].reverse()) {
    const isNamed = hasWord(kernel, step.name)
    // A number alone says nothing without its name.
    const isStep = needed.has(step.name) && /[^\d.]/.test(step.worked ?? '')
    if (step.worked === undefined || !(isNamed || isStep)) continue
    for (const [name] of step.values) needed.add(name)
    kept.unshift(isNamed ? step : {...step, name: ''})
  }
  return kept
}

const isShown = (subject: string, kernel: string | undefined) =>
  kernel === undefined || squeezed(kernel).includes(squeezed(subject))

const hasWord = (text: string, word: string) => text.split(/\W+/).includes(word)
const squeezed = (text: string) => text.replace(/\s+/g, '')

/** By the model, where outputs are right and it knows both times; else what was observed. */
export function outcomeOf(one: Counterfactual): string {
  if (!one.modelled) return one.observed.outcome
  return isLevel(one) ? 'level' : 'slower'
}

/** Numbers, names, lists as text with `<name>_count`, and every number with its unit as `<name>_units`. */
function valuesOf({values}: Decision, words: Catalogue, voice: Voice): Values {
  const given = Object.entries(values).flatMap(([name, value]): [string, string | number][] => {
    if (!Array.isArray(value)) return [[name, value]]
    const texts = value.map(counted)
    const list = name === 'chain' ? texts.join(words.chain) : voice.list(texts)
    return [
      [name, list],
      [`${name}_count`, value.length],
    ]
  })
  return {...Object.fromEntries(given), ...withUnits(values, values['unit'], words, voice)}
}

/** A name or a piece of code, followed by its number of occurrences. */
function counted(text: string): string {
  const [, what = text, times = ''] = /^([^]*?)( ×\d+)$/.exec(text) ?? []
  return `${code(what)}${times}`
}

function withUnits(values: object, unit: unknown, words: Catalogue, voice: Voice): Values {
  if (typeof unit !== 'string') return {}
  const counted = Object.entries(values).flatMap(([name, n]): [string, string][] =>
    typeof n === 'number' ? [[`${name}_units`, formatted(words.unit, {n, unit}, voice)]] : [],
  )
  return Object.fromEntries(counted)
}

function observedValues(one: Counterfactual, {values}: Decision, words: Catalogue, voice: Voice): Values {
  const {observed, modelled} = one
  return {
    ...one.values,
    ...withUnits(one.values, values['unit'], words, voice),
    ...('differ' in observed && differing(observed, voice)),
    // A key of ICU's select has no dash.
    ...(observed.outcome === 'refused' && {rule: observed.rule.replaceAll('-', '_'), api: observed.api}),
    ...(modelled && {
      before_us: short(modelled.before),
      after_us: short(modelled.after),
      ratio: timesOf(modelled.after / modelled.before),
      elements: modelled.elements,
    }),
  }
}

function differing(
  {output, index, seen, expected, at}: Extract<Counterfactual['observed'], {differ: number}>,
  voice: Voice,
): Values {
  const held = at.map(([name, value]) => code(`${name} = ${short(value)}`))
  const where = held.length > 0 ? voice.list(held) : code(`${output}[${index}]`)
  const finite = typeof seen === 'number' ? 'yes' : 'no'
  return {seen: short(seen), finite, expected: short(expected), at: where}
}

/** Two digits, or three where two would round much of the difference away. */
const timesOf = (ratio: number) => short(ratio, ratio >= 1.05 && ratio < 1.5 ? 3 : 2)

/** A number of significant digits, without an unneeded exponent. */
function short(value: number | string, digits = 4): string {
  return typeof value === 'string' ? value : String(Number(value.toPrecision(digits)))
}

function arithmeticSentence(
  steps: readonly Arithmetic[],
  unit: unknown,
  words: Catalogue,
  voice: Voice,
  isOpened: boolean,
): string {
  const {opening, step, nameless, roles, asked, attribute, where: within, fails, between, end} = words.arithmetic
  if (steps.length === 0) return ''
  const texts = steps.map(({name, result, worked, expression, role, isAttribute, where = []}) => {
    const known = isAttribute ? attribute : asked
    const plain = name === '' ? nameless : step
    const values = {name, result: short(result, 9), worked: worked ?? '', expression}
    const isSaid = role !== undefined && (name === '' || role === 'reported')
    const said = {step: formatted(plain, values, voice), unit: unit === 'rows' ? 'rows' : 'elements'}
    const told = isSaid ? formatted(roles[role], said, voice) : said.step
    const conditions = where.map(([condition, holds]) =>
      holds ? code(condition) : formatted(fails, {condition: code(condition)}, voice),
    )
    const branch = conditions.length > 0 ? within.replace('{conditions}', () => voice.list(conditions)) : ''
    return `${worked === undefined ? formatted(known, values, voice) : told}${branch}`
  })
  return `${isOpened ? '' : voice.say(opening, opening)}${texts.join(between)}${end}`
}
