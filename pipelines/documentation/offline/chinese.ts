import type {Random} from '../../../engine/random.ts'
import type {Ask} from './ask.ts'
import type {Draft} from './draft.ts'
import {example, topic, topicCode} from './chinese-code.ts'
import {constraints, pipe, purpose, returns} from './chinese-interface.ts'
import {parameter} from './chinese-parameter.ts'
import {prototypes} from './chinese-prototypes.ts'
import {dataTypes, multiple, range} from './chinese-values.ts'

/** Writes one question in Chinese: the reasoning goes from the question to the facts, from the facts to the answer. */
export function writeChinese(ask: Ask, random: Random): Draft {
  switch (ask.kind) {
    case 'parameter':
      return parameter(ask, random)
    case 'range':
      return range(ask)
    case 'multiple':
      return multiple(ask)
    case 'data-types':
      return dataTypes(ask)
    case 'constraints':
      return constraints(ask, random)
    case 'prototypes':
      return prototypes(ask)
    case 'example':
      return example(ask, random)
    case 'purpose':
      return purpose(ask, random)
    case 'returns':
      return returns(ask)
    case 'pipe':
      return pipe(ask)
    case 'topic-code':
      return topicCode(ask)
    case 'topic':
      return topic(ask, random)
  }
}
