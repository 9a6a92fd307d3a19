import {elementBytes} from './offline/element-bytes.ts'
import type {ParameterFact} from './parameter-table.ts'
import type {Facts} from './section-facts.ts'
import {dtypesIn} from './sentences.ts'

/** The types that T may have: a structure's fields and other template parameters have types of their own. */
export function elementTypesOf(page: Facts): string[] {
  return dtypesIn(elementSentences(page).join(' ')).filter((dtype) => elementBytes[dtype])
}

/** "U supports half": another template parameter than T has types of its own. */
const otherTemplate = /(?<![A-Za-z])(?!T\b)[A-Z]\w{0,12}\s*(?:支持的数据类型|支持的?类型|supports)/

/** What a page says of T, or else of its operands, and of data types as a whole. */
export function elementSentences(page: Facts): string[] {
  const meaningOf = (isAsked: (parameter: ParameterFact) => boolean) =>
    page.parameters
      .filter((parameter) => parameter.structure === '' && isAsked(parameter))
      .flatMap((parameter) => parameter.meaning)
  const element = meaningOf(({name}) => name === 'T')
  const operands = meaningOf(({name}) => /^(?:dst|src)/i.test(name)).filter((sentence) =>
    /支持的数据类型|element types?/i.test(sentence),
  )
  const ofAll = (page.said['data-types'] ?? []).filter((sentence) => !otherTemplate.test(sentence))
  return [...(element.length > 0 ? element : operands), ...ofAll]
}
