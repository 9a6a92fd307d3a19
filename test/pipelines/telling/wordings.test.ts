import {IntlMessageFormat} from 'intl-messageformat'
import {describe, expect, test} from 'vitest'
import {decisionTopics} from '../../../datasets/schema/decision.ts'
import {catalogue} from '../../../pipelines/telling/catalogue.ts'

/** Parts of sentences have one form, and what a page requires can be said in one way. */
const parts = new Set([
  'parts writes',
  'parts',
  'optimisation busy',
  'optimisation change',
  'optimisation version',
  'worked-why',
])
const least = 4
/** Six of them make a row of a worked question. */
const leastWorked = 3

type Element = ReturnType<IntlMessageFormat['getAst']>[number]

/** Values that a message speaks of; a list is known by its length as well. */
function holesOf(message: string, language: string): string[] {
  const within = (elements: readonly Element[]): string[] =>
    elements.flatMap((one) => [
      ...(one.type === 0 || one.type === 7 ? [] : ['value' in one ? `${one.value}`.replace(/_count$/, '') : '']),
      ...('options' in one ? Object.values(one.options).flatMap(({value}) => within(value)) : []),
    ])
  return within(new IntlMessageFormat(message, language, {}, {ignoreTag: true}).getAst())
}

const topics = catalogue('en').topics
const told = Object.keys(topics).filter((topic) => !(decisionTopics as readonly string[]).includes(topic))
const situations = told.flatMap((topic) =>
  Object.keys(topics[topic]?.situations ?? {}).map((one) => [topic, one] as const),
)
const wordings = (language: 'en' | 'zh', topic: string, situation: string) =>
  catalogue(language).topics[topic]?.situations[situation] ?? []

describe('what is told beside decisions', () => {
  test('is told in several ways, in each language as many', () => {
    const few = situations.filter(([topic, situation]) => {
      const [en, zh] = [wordings('en', topic, situation).length, wordings('zh', topic, situation).length]
      const fewest = topic.startsWith('worked-') ? leastWorked : least
      return en !== zh || (en < fewest && !parts.has(topic) && !parts.has(`${topic} ${situation}`))
    })
    expect(few).toEqual([])
    expect(situations.length).toBeGreaterThan(300)
  })

  test('is told by the same values in both languages', () => {
    const valuesOf = (language: 'en' | 'zh', topic: string, situation: string) =>
      [...new Set(wordings(language, topic, situation).flatMap((one) => holesOf(one, language)))].sort()
    const other = situations.filter(
      ([topic, situation]) => valuesOf('en', topic, situation).join() !== valuesOf('zh', topic, situation).join(),
    )
    expect(other).toEqual([])
  })

  test('is told in each language with its own marks', () => {
    const all = (language: 'en' | 'zh') => situations.flatMap(([topic, one]) => wordings(language, topic, one))
    // Through it a number would have marks between its digits, and another look than beside it.
    expect([...all('en'), ...all('zh')].filter((one) => one.includes('#'))).toEqual([])
    expect(all('en').filter((one) => /[\u3000-\u9fff，。：；]/.test(one))).toEqual([])
    expect(all('zh').filter((one) => /[\u4e00-\u9fff][,;:?!]|[\u4e00-\u9fff]\.(?!\w)/.test(one))).toEqual([])
  })
})
