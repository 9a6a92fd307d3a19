import type {Random} from '../../../engine/random.ts'
import type {Prototype} from '../prototype.ts'
import type {Facts, ParameterFact} from '../section-facts.ts'
import {weight} from '../sentences.ts'
import type {Ask, ParameterUse} from './ask.ts'
import {type Base, mentioning} from './ask-base.ts'
import {dataTypeAsk} from './data-type-ask.ts'

export function parameterAsks(own: Facts, page: Facts, base: Base, random: Random): Ask[] {
  const asks = mostTelling(own.parameters).flatMap((parameter) => parameterAsk(parameter, page, base))
  if (base.subject.kind === 'class') return asks
  const ranged = own.parameters.flatMap((parameter) => rangeAsk(parameter, base.api, random)).slice(0, 1)
  const constraints = page.said.constraints ?? []
  const typed = own.parameters
    .filter(({name}) => /^[A-Z]\w?$/.test(name))
    .flatMap(({name, meaning}) => dataTypeAsk({lines: meaning, owner: name, api: base.api, constraints}, random))
    .slice(0, 1)
  return [...asks, ...ranged, ...typed]
}

/** The four parameters of which the page says most. */
function mostTelling(parameters: readonly ParameterFact[]): ParameterFact[] {
  return parameters
    .map((parameter, index) => ({parameter, index, score: tellingScore(parameter)}))
    .filter(({parameter, score}) => score >= 3 && parameter.meaning.join('').length >= 12)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, 4)
    .map(({parameter}) => parameter)
}

function tellingScore({meaning, choices}: ParameterFact): number {
  return Math.max(...meaning.map(weight)) + Math.min(meaning.length + choices.length, 4)
}

function parameterAsk(parameter: ParameterFact, page: Facts, base: Base): Ask[] {
  const uses = usesOf(parameter, page.prototypes)
  const users = uses.map((use) => use.prototype.name)
  const [api, ...others] = ownersOf(base, users)
  if (api === undefined) return []
  const names = [...parameter.names, ...parameter.choices.map((choice) => choice.name)]
  return [
    {
      kind: 'parameter',
      api,
      // A parameter of several members is named by the first: the table describes them all at once.
      purpose: others.length === 0 ? base.purpose : '',
      parameter,
      // Several parameters that share a row have several places.
      uses: isOneParameter(parameter, page.prototypes)
        ? uses.filter((use) => base.subject.kind !== 'class' || api.endsWith(`::${use.prototype.name}`))
        : [],
      constraints: mentioning(page.said.constraints ?? [], names).slice(0, 3),
    },
  ]
}

/** The members of a class, qualified, that one of the names belongs to; the API itself where the page is no class's. */
function ownersOf({api, subject}: Base, names: readonly string[]): string[] {
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

// A range that holds on a condition, or for each element, or beside another one, makes a plain yes or no wrong.
const conditionWords = /时|当|开启|每个|个数范围|但|若|如果|仅|模式|\b(?:when|if|each|but|only)\b/i
const closedRange = /\[\s*(-?\d+)\s*[,，]\s*(-?\d+)\s*\]/g

/** "Is this value allowed?" for a parameter with a closed integer range; half of the time a value just outside. */
function rangeAsk(parameter: ParameterFact, api: string, random: Random): Ask[] {
  const [sentence, ...others] = parameter.meaning.filter((each) => /\[\s*-?\d+\s*[,，]/.test(each))
  if (sentence === undefined || others.length > 0 || conditionWords.test(sentence)) return []
  if (!/^[A-Za-z_]\w*$/.test(parameter.name) || parameter.names.length !== 1) return []
  const [range, ...more] = [...sentence.matchAll(closedRange)]
  if (!range || more.length > 0) return []
  const low = Number(range[1])
  const high = Number(range[2])
  if (!(high > low) || high > 2 ** 31) return []
  const value = random.integer(0, 1) === 0 ? high + random.integer(1, 45) : random.integer(low, high)
  return [{kind: 'range', api, parameter, sentence, low, high, value}]
}
