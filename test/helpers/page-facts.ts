import type {ParameterFact} from '../../pipelines/documentation/parameter-table.ts'
import {factsOfPage} from '../../pipelines/documentation/section-facts.ts'

/** The facts of a page that says nothing. */
export const none = factsOfPage('')

/** An input that its page tells one thing about. */
export const fact = (name: string, part: Partial<ParameterFact> = {}): ParameterFact => ({
  name,
  names: name.split('、'),
  direction: 'input',
  meaning: ['数据。'],
  choices: [],
  unread: [],
  structure: '',
  ...part,
})
