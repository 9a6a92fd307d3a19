import {elementBytes} from './offline/element-bytes.ts'
import type {Facts, ParameterFact} from './section-facts.ts'
import {dtypesIn} from './sentences.ts'

/** The types that T may have: a structure's fields and other template parameters have types of their own. */
export function elementTypesOf(page: Facts): string[] {
  const meaningOf = (isAsked: (parameter: ParameterFact) => boolean) =>
    page.parameters
      .filter((parameter) => parameter.structure === '' && isAsked(parameter))
      .flatMap((parameter) => parameter.meaning)
  const element = meaningOf(({name}) => name === 'T')
  const operands = meaningOf(({name}) => /^(?:dst|src)/i.test(name)).filter((sentence) =>
    /支持的数据类型|element types?/i.test(sentence),
  )
  const sentences = [...(element.length > 0 ? element : operands), ...(page.said['data-types'] ?? [])]
  return dtypesIn(sentences.join(' ')).filter((dtype) => elementBytes[dtype])
}
