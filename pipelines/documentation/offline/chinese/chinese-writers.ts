import type {Writers} from '../writers.ts'
import {check} from './chinese-check.ts'
import {example, topicCode} from './chinese-code.ts'
import {constraints, returns} from './chinese-constraints.ts'
import {forms} from './chinese-forms.ts'
import {need} from './chinese-need.ts'
import {parameter} from './chinese-parameter.ts'
import {topic} from './chinese-topic.ts'

/** Each kind of question, written in Chinese. */
export const chinese: Writers = {
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
