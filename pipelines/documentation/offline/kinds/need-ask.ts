import type {DocSection} from '../../../../datasets/schema/document.ts'
import {elementSentences} from '../../element-types.ts'
import type {Prototype} from '../../prototype.ts'
import type {ParameterFact} from '../../parameter-table.ts'
import type {Facts} from '../../section-facts.ts'
import {dtypesIn} from '../../sentences.ts'
import {type Base, purposeOf, saysWhatItDoes} from '../ask-base.ts'
import {plainRules} from './constraints-ask.ts'
import {factOf, isPlain} from './forms-ask.ts'
import type {Subject} from '../page-subject.ts'
import {type Operand, operandsOf} from './operands.ts'
import {plainReturns} from './returns-ask.ts'

/**
 * A task, and the interface that does it: what it is for, on what, where it runs, what it gives, what limits it; with
 * everything else of the page that makes no question of its own.
 */
export interface NeedAsk {
  kind: 'need'
  api: string
  /** The task in the page's words, where they do not name the interface. */
  need: string
  sentences: string[]
  operands: Operand[]
  prototypes: Prototype[]
  /** The one plain form, and what the page says of its parameter. */
  plain: {prototype: Prototype; parameters: ParameterFact[]} | undefined
  dtypes: string[]
  pipe: string
  returns: string[]
  limits: string[]
}

const longestText = 1200

export function needAsk(own: Facts, page: Facts, base: Base, section: DocSection): NeedAsk[] {
  const {subject} = base
  // Functions for several purposes have none in common.
  if (subject.kind === 'api' && subject.areSeveral) return []
  const purpose = purposeOf(own)
  // A page may say no more than its title.
  if (purpose.replace(/[。.]$/, '') === section.page) return []
  // Symbols of a formula that is not told.
  const isCut = (own.unread.function ?? []).length > 0
  const isGloss = (sentence: string) =>
    (isCut && /(?:^|：)\$[^$]+\$：|^[A-Za-z_]\w*(?:代表|表示|指)/.test(sentence)) || isLeftOver(sentence, own)
  // A path of the data, not what is done with it.
  const isPath = (sentence: string) => /->|→/.test(sentence)
  const isLongFormula = (sentence: string) => /^\$.{120,}/s.test(sentence)
  // What is left of a list is not the list.
  const cutLists = (own.passages.function ?? []).filter((passage) => passage.isCut && passage.said.length > 1)
  const isLeft = (sentence: string) => cutLists.some(({said}) => said.includes(sentence))
  const others = (own.said.function ?? []).filter(
    (sentence) =>
      sentence !== purpose && !isLongFormula(sentence) && !isGloss(sentence) && !isLeft(sentence) && !isPath(sentence),
  )
  const whole = [purpose, ...others].filter(Boolean)
  const need = needOf(purpose, section.page)
  // What it does is then asked as a whole.
  if (need === '' && (own.unread.function ?? []).length > 0) return []
  // A list that is cut tells one rule of several for all of them.
  const sentences = whole.join('').length <= longestText ? whole : whole.slice(0, 1)
  // Without a sentence that says what it does there is no answer to the question.
  if (!sentences.some(saysWhatItDoes)) return []
  const prototypes = formsOf(subject, page, section.page).map((form) => withToldResult(form, page))
  const names = [...page.prototypes.map(({text}) => text), ...page.parameters.flatMap((parameter) => parameter.names)]
  const ask: NeedAsk = {
    kind: 'need',
    api: base.api,
    need,
    sentences,
    operands: operandsOf(page).filter(({name}) => prototypes.every((form) => takes(form, name))),
    prototypes,
    plain:
      isPlain(page.prototypes) && prototypes.length === 1 && page.parameters.every(({unread}) => unread.length === 0)
        ? {prototype: prototypes[0]!, parameters: page.parameters}
        : undefined,
    dtypes:
      prototypes.some(takesData) && !hasTypeTable(page) && !hasSeveralTypes(page)
        ? plainTypes(elementSentences(page))
        : [],
    pipe: /\bPIPE_\w+/.exec((page.said.pipe ?? []).join(' '))?.[0] ?? '',
    returns: plainReturns(page),
    limits: plainRules(page)
      .filter((rule) => !sentences.includes(rule))
      .filter((rule) => isUnderstood(rule, [...sentences, ...names])),
  }
  return isTelling(ask) ? [ask] : []
}

/** "where B is …" or "R(z) = …", of a formula that nobody could read. */
function isLeftOver(sentence: string, {said}: Facts): boolean {
  const symbol =
    /^其中[，,]?\$?([A-Za-zα-ωΑ-Ω][\w{}]*)\$?(?:代表|表示|指|是|为)/.exec(sentence)?.[1] ??
    /^([A-Za-z]\w*\()[^()]*\)\s*=/.exec(sentence)?.[1]
  return symbol !== undefined && !(said.function ?? []).some((one) => one !== sentence && one.includes(symbol))
}

/** Of several forms each may have a type T of its own. */
function hasSeveralTypes({parameters}: Facts): boolean {
  return parameters.some(({name}) => name === 'T') && factOf('T', parameters) === undefined
}

/** Types in a table that is not read would be missing from a list. */
function hasTypeTable({unread}: Facts): boolean {
  return (unread['data-types'] ?? []).length > 0
}

/** The types that are told without exceptions: a flat list of "int32_t with EQ only" would be wrong. */
function plainTypes(sentences: readonly string[]): string[] {
  // "src supports int8_t, idx supports uint8_t" is no list for all of them.
  const lists = sentences.map((sentence) => dtypesIn(sentence).sort().join()).filter(Boolean)
  const differs = sentences.some((sentence) => (sentence.match(/支持/g) ?? []).length > 1) || new Set(lists).size > 1
  return differs || sentences.some((sentence) => /[仅只](?:在|当)?.{0,12}支持|除了|except|only/i.test(sentence))
    ? []
    : dtypesIn(sentences.join(' '))
}

/** Of a type its template parameters, of a macro what it takes; what else its page declares is for other purposes. */
function formsOf(subject: Subject, page: Facts, title: string): Prototype[] {
  if (subject.kind === 'class') return []
  if (subject.kind === 'api' && subject.isType) return page.types.filter(({name}) => title.includes(name))
  const own = ownForms(page, title)
  return own.length > 0 ? own : page.macros.filter(({name}) => title.includes(name))
}

/** A page may declare a function of another interface beside its own. */
function ownForms({prototypes}: Facts, page: string): Prototype[] {
  const own = prototypes.filter(({name}) => page.includes(name))
  return own.length > 0 ? own : prototypes
}

/** Where the page tells nothing of what is returned, the type of a declaration is not said to be it. */
function withToldResult(form: Prototype, {said}: Facts): Prototype {
  return said.returns?.length === 0 && form.returns !== 'void' ? {...form, returns: ''} : form
}

/** Of several forms only what all of them take is what the interface works on. */
function takes({parameters}: Prototype, name: string): boolean {
  return parameters.some((parameter) => parameter.name === name)
}

/** Element types are those of tensors, or of memory. */
function takesData({templates, parameters}: Prototype): boolean {
  return (
    templates.some(({type}) => /^(?:typename|class)\b/.test(type)) ||
    parameters.some(({type}) => /Tensor|__\w+__.*\*/.test(type))
  )
}

/** A rule on a quantity that only a formula or table of the page defines says nothing without it. */
function isUnderstood(rule: string, told: readonly string[]): boolean {
  if (/^(?:这些|以上|these\b)/i.test(rule)) return false
  const named = rule.match(/(?<![\w.])[a-z]+(?:[A-Z]\w*)+(?!\w)/g) ?? []
  return named.every((name) => told.some((text) => text.includes(name)))
}

/** Whether there is more to say than one sentence. */
function isTelling({need, sentences, dtypes, returns, limits, pipe, plain}: NeedAsk): boolean {
  const parts = [sentences.length > 1, dtypes.length > 0, returns.length > 0, limits.length > 0, pipe !== '']
  return parts.some(Boolean) || plain !== undefined || need === ''
}

const itself = /(?:该|本|此)(?:接口|函数|类|API|指令|参数|宏)|\bthis (?:interface|function|API|class)\b/i
const opening = /^(?:(?:主要)?用于|用来|主要是)/

/** The purpose as a task; '' where it speaks of the interface itself, or says too little or too much for a question. */
function needOf(purpose: string, page: string): string {
  const need = purpose.replace(opening, '').replace(/[。.]\s*$/, '')
  const names: string[] = page.match(/[A-Za-z_]\w{2,}/g) ?? []
  const namesItself = itself.test(need) || names.some((name) => need.toLowerCase().includes(name.toLowerCase()))
  return namesItself || need.length < 10 || need.length > 120 ? '' : need
}
