import type {Random} from '../../engine/random.ts'
import type {Base} from '../../pipelines/documentation/offline/ask-base.ts'
import type {ParameterFact} from '../../pipelines/documentation/parameter-table.ts'
import {factsOfPage} from '../../pipelines/documentation/section-facts.ts'

/** What questions about an interface `Move` begin with. */
export const base: Base = {api: 'Move', subject: {kind: 'api'}, hasNeed: true}

/** The facts of a page that says nothing. */
export const none = factsOfPage('')

/** Chance that always takes the first. */
export const first: Random = {
  unit: () => 0,
  integer: (low) => low,
  pick: (values) => values[0]!,
  shuffle: (values) => [...values],
}

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
