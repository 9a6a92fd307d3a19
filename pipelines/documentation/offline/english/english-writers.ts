import type {Writers} from '../writers.ts'
import {check} from './english-check.ts'
import {example, topicCode} from './english-code.ts'
import {constraints, returns} from './english-constraints.ts'
import {forms} from './english-forms.ts'
import {need} from './english-need.ts'
import {parameter} from './english-parameter.ts'
import {topic} from './english-topic.ts'

/** Each kind of question, written in English. */
export const english: Writers = {
  need,
  forms,
  parameter,
  check,
  constraints,
  returns,
  example,
  'topic-code': topicCode,
  topic,
}
