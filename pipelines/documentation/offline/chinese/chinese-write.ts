import type {Ask} from '../ask.ts'
import type {Draft} from '../draft.ts'
import {check} from './chinese-check.ts'
import {example, topicCode} from './chinese-code.ts'
import {constraints, returns} from './chinese-constraints.ts'
import {forms} from './chinese-forms.ts'
import {need} from './chinese-need.ts'
import {parameter} from './chinese-parameter.ts'
import {topic} from './chinese-topic.ts'

/** Writes one question in Chinese: the reasoning goes from the question to the facts, from the facts to the answer. */
export function writeChinese(ask: Ask): Draft {
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
