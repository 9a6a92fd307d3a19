import type {Random} from '../../../../engine/random.ts'
import type {Prototype} from '../../prototype.ts'
import type {ParameterFact} from '../../parameter-table.ts'
import {memoryOf} from '../text.ts'
import type {Facts} from '../../section-facts.ts'
import {weight} from '../../sentences.ts'
import {type Base, hasWord, isToldBy, mentioning} from '../ask-base.ts'
import {saysReserved} from './forms-ask.ts'

/** One parameter of which the page says much. */
export interface ParameterAsk {
  kind: 'parameter'
  api: string
  parameter: ParameterFact
  /** The value that is asked for, of those that the page lists; undefined where it lists none. */
  choice: ParameterFact['choices'][number] | undefined
  uses: ParameterUse[]
  /** Where it is a template parameter: its kind and its default, '' where it has none. */
  template: {type: string; defaultValue: string} | undefined
  constraints: string[]
}

interface ParameterUse {
  prototype: Prototype
  /** 1-based. */
  position: number
  of: number
  type: string
}

const mostParameters = 2

export function parameterAsks(own: Facts, page: Facts, base: Base, random: Random): ParameterAsk[] {
  return mostTelling(own.parameters, page).flatMap((parameter) => parameterAsk(parameter, page, base, random))
}

function mostTelling(parameters: readonly ParameterFact[], page: Facts): ParameterFact[] {
  return parameters
    .map((parameter, index) => ({parameter, index, score: tellingScore(parameter)}))
    .filter(({parameter}) => isTelling(parameter, page) && isSaidOnce(parameter, page) && !isStructure(parameter, page))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, mostParameters)
    .map(({parameter}) => parameter)
}

/** Tables of several forms may have a parameter of the same name each. */
function isSaidOnce({names, structure}: ParameterFact, {parameters}: Facts): boolean {
  const like = parameters.filter(
    (each) => each.structure === structure && each.names.some((name) => names.includes(name)),
  )
  return like.length === 1
}

/** The values that a rule names: taking one of them brings the rule with it. */
export function bound(choices: ParameterFact['choices'], constraints: readonly string[]): string[] {
  const named = choices.map(({name}) => name).filter((name) => !/^(?:true|false|\d+)$/.test(name))
  return named.filter((name) => constraints.some((text) => hasWord(text, name)))
}

/** Enumerators, numbers and truth values; names that begin small are members of what is passed. */
function areValues(choices: ParameterFact['choices']): boolean {
  return choices.length > 1 && choices.every(({name}) => /^(?:true|false|\d+|[A-Z]\w*)$/.test(name))
}

function askedValue(choices: ParameterFact['choices'], random: Random): ParameterAsk['choice'] {
  const usable = choices.filter(({text}) => !saysReserved(text))
  return areValues(choices) && usable.length > 0 ? random.pick(usable) : undefined
}

/** What a description lists of a structure are its members, not values of the parameter. */
function isStructure({names, structure}: ParameterFact, {prototypes}: Facts): boolean {
  const types = prototypes.flatMap(({parameters}) => parameters).filter(({name}) => names.includes(name))
  return structure === '' && types.some(({type}) => /(?:Params?|Info|Config|Tiling\w*)\s*[&*]*$/.test(type))
}

/** A type and a unit alone bind no value. */
const bindsValue =
  /∈|范围|必须|需要|应|不能|不超过|大于|小于|倍数|对齐|\[\s*-?\d|\b(?:must|range|multiple|at most|at least|align)/i

/** Values to choose from, or rules with numbers: others are told with all parameters together. */
function isTelling(parameter: ParameterFact, page: Facts): boolean {
  if (parameter.meaning.length === 0 || parameter.unread.length > 0 || parameter.meaning.some(saysReserved))
    return false
  const rules = [...parameter.meaning, ...rulesNaming(parameter, page)].filter((text) => bindsValue.test(text))
  return areValues(parameter.choices) || rules.length > 1
}

function tellingScore({meaning, choices}: ParameterFact): number {
  return Math.max(...meaning.map(weight)) + Math.min(meaning.length + choices.length, 4)
}

function rulesNaming({names, choices}: ParameterFact, {said}: Facts): string[] {
  return mentioning(said.constraints ?? [], [...names, ...choices.map(({name}) => name)])
}

/** The rules that name the parameter, and where there is one, those that bind it by what it is. */
function constraintsOn(parameter: ParameterFact, page: Facts): string[] {
  const named = rulesNaming(parameter, page)
  const {names, direction} = parameter
  const rules = page.said.constraints ?? []
  const isOperand = memoryOf(typesOf(names, page)) !== ''
  return rules.filter(
    (rule) => named.includes(rule) || isOnAll.test(rule) || (isOperand && isOnOperand(rule, direction)),
  )
}

function typesOf(names: readonly string[], {prototypes}: Facts): string[] {
  return prototypes.flatMap(({parameters}) => parameters.filter(({name}) => names.includes(name)).map(({type}) => type))
}

const isOnAll = /(?:所有|其余|全部)(?:的)?(?:参数|[Tt]ensor|张量)|\ball (?:parameters|tensors)\b/

/** A rule on sources binds every tensor that is read, one on all operands every tensor. */
function isOnOperand(rule: string, direction: ParameterFact['direction']): boolean {
  if (/(?<!源|目的)操作数|(?<!source |destination )operands?\b/.test(rule)) return true
  if (direction !== 'output' && /源操作数|source operands?/i.test(rule)) return true
  return direction !== 'input' && direction !== '' && /目的操作数|destination operands?/i.test(rule)
}

function parameterAsk(parameter: ParameterFact, page: Facts, base: Base, random: Random): ParameterAsk[] {
  const uses = usesOf(parameter, page.prototypes)
  // A parameter of several members is named by the first: the table describes them all at once.
  const [api] = ownersOf(
    base,
    uses.map((use) => use.prototype.name),
  )
  if (api === undefined) return []
  const constraints = constraintsOn(parameter, page).filter((rule) => !isToldBy(rule, parameter.meaning))
  const choice = askedValue(parameter.choices, random)
  // Its constraints are asked for: those that are not understood may be on it too.
  if (!choice && constraints.length > 0 && (page.unread.constraints ?? []).length > 0) return []
  const isOwn = ({prototype}: ParameterUse) => base.subject.kind !== 'class' || api.endsWith(`::${prototype.name}`)
  return [
    {
      kind: 'parameter',
      api,
      parameter,
      choice,
      // Several parameters that share a row have several places.
      uses: isOneParameter(parameter, page.prototypes) ? uses.filter(isOwn) : [],
      template: templateOf(parameter, page.prototypes),
      constraints,
    },
  ]
}

function templateOf({names}: ParameterFact, prototypes: readonly Prototype[]): ParameterAsk['template'] {
  const found = prototypes.flatMap(({templates}) => templates).find(({name}) => names.includes(name))
  return found && {type: found.type, defaultValue: found.defaultValue ?? ''}
}

/** The members of a class, qualified, that one of the names belongs to; the API itself where the page is no class's. */
function ownersOf({api, subject}: Base, names: readonly string[]): string[] {
  const first = subject.kind === 'api' ? subject.first : undefined
  // A family is named by its first function, which may not have what is asked for.
  if (first !== undefined && names.length > 0 && !names.includes(first)) return names.slice(0, 1)
  if (subject.kind !== 'class') return [api]
  return subject.members.filter((member) => names.includes(member)).map((member) => `${subject.name}::${member}`)
}

function usesOf(parameter: ParameterFact, prototypes: readonly Prototype[]): ParameterUse[] {
  return prototypes.flatMap((prototype) => {
    const index = prototype.parameters.findIndex((each) => parameter.names.includes(each.name))
    const found = prototype.parameters[index]
    return found ? [{prototype, position: index + 1, of: prototype.parameters.length, type: found.type}] : []
  })
}

/** `mask/mask[]` is one parameter in two forms; `src0、src1` are two in one form. */
function isOneParameter({names}: ParameterFact, prototypes: readonly Prototype[]): boolean {
  return prototypes.every(({parameters}) => parameters.filter(({name}) => names.includes(name)).length <= 1)
}
