import type {Ask, AskOf} from './ask.ts'
import {alignedElements, trimStop} from './text.ts'

/** Whether the answer would only repeat the one fact that its reasoning holds. */
export function addsNothing(ask: Ask): boolean {
  switch (ask.kind) {
    case 'parameter':
      return isOneSentence(ask)
    case 'data-types':
      return ask.asked === undefined
    case 'constraints':
      return isOneBareRule(ask)
    case 'purpose':
      return ask.sentences.length + ask.operands.length + ask.constraints.length === 1
    case 'returns':
      return isOneKnownReturn(ask)
    default:
      return false
  }
}

function isOneSentence({parameter: {meaning, choices}, constraints}: AskOf<'parameter'>): boolean {
  return meaning.length + choices.length + constraints.length === 1 && !/[。；;：:]|\.\s/.test(trimStop(meaning[0]!))
}

function isOneBareRule({items, dtypes}: AskOf<'constraints'>): boolean {
  const [item, ...others] = items
  return others.length === 0 && item!.about.length === 0 && alignedElements(item!.text, dtypes).length === 0
}

/** The sentence names every type that the prototypes return. */
function isOneKnownReturn({sentences: [sentence, ...others], prototypes}: AskOf<'returns'>): boolean {
  const types = prototypes.map(({returns}) => returns).filter((type) => type !== '' && type !== 'void')
  return others.length === 0 && types.every((type) => sentence!.includes(type))
}
