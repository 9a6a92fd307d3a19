import type {Ask} from '../ask.ts'
import type {Draft} from '../draft.ts'
import {check} from './english-check.ts'
import {example, topicCode} from './english-code.ts'
import {constraints, returns} from './english-constraints.ts'
import {forms} from './english-forms.ts'
import {need} from './english-need.ts'
import {parameter} from './english-parameter.ts'
import {topic} from './english-topic.ts'

/** Writes one question in English: the reasoning goes from the question to the facts, from the facts to the answer. */
export function writeEnglish(ask: Ask): Draft {
  switch (ask.kind) {
    case 'need':
      return need(ask)
    case 'forms':
      return forms(ask)
    case 'parameter':
      return parameter(ask)
    case 'check':
      return check(ask)
    case 'constraints':
      return constraints(ask)
    case 'returns':
      return returns(ask)
    case 'example':
      return example(ask)
    case 'topic-code':
      return topicCode(ask)
    case 'topic':
      return topic(ask)
  }
}
