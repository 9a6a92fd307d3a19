import type {Draft} from '../draft.ts'
import {bound, type ParameterAsk} from '../kinds/parameter-ask.ts'
import {blocks, bulletList, distinctTypes, ifAny, lines, memoryOf, ticked, typeLimit} from '../text.ts'
import {clause, directions, list, stopped} from './english-words.ts'

export function parameter(ask: ParameterAsk): Draft {
  return {question: question(ask), reasoning: reasoning(ask), answer: answer(ask)}
}

function subject({api, parameter: {name, structure}}: ParameterAsk): string {
  return structure === '' ? `parameter ${name} of ${api}` : `member ${name} of ${structure}, which ${api} uses`
}

function question(ask: ParameterAsk): string {
  const {choice, constraints, uses, parameter: fact} = ask
  if (choice) return `In Ascend C, what does it mean to set ${subject(ask)} to ${choice.name}, and what else may it be?`
  if (fact.direction === 'output') return `In Ascend C, what is written to the ${subject(ask)}, and how is it used?`
  if (constraints.length > 0) return `Which restrictions bind the value of ${subject(ask)}, in Ascend C?`
  const [type, ...others] = distinctTypes(uses)
  if (memoryOf(uses.map((use) => use.type)) !== '')
    return `In Ascend C, what is passed as ${subject(ask)}, and what does it have to be like?`
  if (type !== undefined && others.length === 0)
    return `In Ascend C, ${subject(ask)} is ${ticked(type)}: what does it control, and how is it set?`
  return `In Ascend C, how is the ${subject(ask)} set?`
}

function template({template: found, parameter: {name}}: ParameterAsk): string {
  if (!found) return ''
  const unless = found.defaultValue === '' ? '' : `; left out, it is ${found.defaultValue}`
  return `${name} is a template parameter (${ticked(found.type)}), fixed when the code is compiled${unless}.`
}

function reasoning(ask: ParameterAsk): string {
  const {parameter: fact, choice, constraints} = ask
  const values = fact.choices.map(({name}) => name)
  return lines(
    usage(ask),
    template(ask),
    fact.direction === '' ? '' : direction(fact.direction),
    choice ? `It may be ${list(values)}; ${choice.name} is asked for and has to be told from the others.` : '',
    ifAny(bound(fact.choices, constraints), (names) => `Restrictions of their own go with ${list(names)}.`),
  )
}

function direction(of: 'input' | 'output' | 'both'): string {
  return {
    input: 'It is an input: the caller gives it.',
    output: 'It is an output: the interface writes it, and the caller has to provide the place.',
    both: 'It is an input and an output: the interface overwrites what is passed.',
  }[of]
}

function usage({uses, parameter: {name, choices}}: ParameterAsk): string {
  const [first] = uses
  if (!first) return ''
  const where =
    uses.length === 1
      ? `${name} is parameter ${first.position} of ${first.of}`
      : `${name} occurs in ${uses.length} forms`
  const types = distinctTypes(uses)
  const typed =
    types.length === 1
      ? `of type ${ticked(first.type)}`
      : `and its type differs between forms: ${list(types.map(ticked))}`
  return `${where}, ${typed}.${choices.length > 0 ? '' : typeMeaning(types)}`
}

function typeMeaning(types: readonly string[]): string {
  const limit = typeLimit(types)
  if (limit) return ` An unsigned integer of ${limit.bits} bits holds ${limit.max} at most, so a larger value is cut.`
  return {
    local: ' It stands for a tensor in on-chip memory, which must have been allocated.',
    global: ' It stands for data in Global Memory.',
    either: ' The form decides whether it lies in on-chip memory or in Global Memory.',
    '': '',
  }[memoryOf(types)]
}

function answer({parameter: fact, choice, constraints}: ParameterAsk): string {
  const [first = '', ...more] = fact.meaning
  const way = fact.direction === '' ? '' : ` (${directions[fact.direction]})`
  const others = fact.choices.filter(({name}) => name !== choice?.name)
  return blocks(
    choice ? `${choice.name}: ${stopped(clause(choice.text))}` : '',
    `${fact.name}${way}: ${stopped(clause(first))}`,
    bulletList(more),
    ifAny(others, (each) => {
      const told = bulletList(each.map(({name, text}) => `${name}: ${clause(text)}`))
      return `${choice ? 'The other values' : 'Its values'}:\n${told}`
    }),
    ifAny(constraints, (each) => `Also observe:\n${bulletList(each)}`),
  )
}
