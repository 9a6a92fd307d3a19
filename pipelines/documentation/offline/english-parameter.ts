import type {Random} from '../../../engine/random.ts'
import type {AskOf, ParameterUse} from './ask.ts'
import type {Draft} from './draft.ts'
import {clause, clauses, directions, list, recall} from './english-words.ts'
import {blocks, bulletList, distinctTypes, ifAny, lines, memoryOf, ticked, trimStop, typeLimit} from './text.ts'

export function parameter(ask: AskOf<'parameter'>, random: Random): Draft {
  const {parameter: fact, api} = ask
  const subject =
    fact.structure === ''
      ? `parameter ${fact.name} of ${api}`
      : `member ${fact.name} of ${fact.structure}, which ${api} uses`
  return {
    question: random.pick([
      `In Ascend C, what does the ${subject} mean, and how is it set?`,
      `How should the ${subject} be filled in when writing Ascend C?`,
    ]),
    reasoning: reasoning(ask, subject),
    answer: answer(ask),
  }
}

function reasoning({parameter: fact, api, purpose, uses, constraints}: AskOf<'parameter'>, subject: string): string {
  const [first = '', ...more] = fact.meaning
  return lines(
    `The question is about the ${subject}: what it stands for, and which values are allowed.`,
    recall(purpose, api),
    usage(uses),
    fact.direction === '' ? '' : `By the direction of the data it is ${directions[fact.direction]}.`,
    `It stands for this: ${clause(first)}.`,
    ifAny(choices(fact), (each) => `Its values have these meanings: ${each.map(trimStop).join('; ')}.`),
    ifAny(more, (each) => `On top of that: ${clauses(each)}.`),
    ifAny(constraints, (each) => `The restrictions that concern it: ${clauses(each)}.`),
    'Meaning and limits together give the rule for setting it.',
  )
}

function answer({parameter: fact, constraints}: AskOf<'parameter'>): string {
  const [first = '', ...more] = fact.meaning
  return blocks(
    `${fact.name}: ${trimStop(first)}.`,
    bulletList([...choices(fact), ...more]),
    ifAny(constraints, (each) => `Also observe:\n${bulletList(each)}`),
  )
}

function choices(fact: AskOf<'parameter'>['parameter']): string[] {
  return fact.choices.map(({name, text}) => `${name}: ${text}`)
}

function usage(uses: readonly ParameterUse[]): string {
  const [first] = uses
  if (!first) return ''
  const positions = [...new Set(uses.map((use) => use.position))].join(' or ')
  const where =
    uses.length === 1
      ? `It is parameter ${first.position} of ${first.of}`
      : `It occurs in ${uses.length} forms, at position ${positions}`
  const types = distinctTypes(uses)
  const typed =
    types.length === 1
      ? `of type ${ticked(first.type)}`
      : `and its type differs between forms: ${list(types.map(ticked))}`
  return `${where}, ${typed}.${typeMeaning(types)}`
}

function typeMeaning(types: readonly string[]): string {
  const limit = typeLimit(types)
  if (limit)
    return ` An unsigned integer of ${limit.bits} bits holds ${limit.max} at most, so no larger value can be passed.`
  return {
    local: ' It stands for a tensor in on-chip memory, which must have been allocated.',
    global: ' It stands for data in Global Memory.',
    either: ' The form decides whether it lies in on-chip memory or in Global Memory.',
    '': '',
  }[memoryOf(types)]
}
