import {parseBlocks} from '../../datasets/blocks.ts'
import type {ParameterFact} from './parameter-table.ts'
import type {Prototype} from './prototype.ts'
import {roleOf} from './segment.ts'
import type {Facts} from './section-facts.ts'
import {dtypesIn} from './sentences.ts'

/**
 * The element types of an interface's tensors, from the first of these places that names any: statements about `T` and
 * its operands with the section on data types and its tables, the constraints, the other template parameters, the
 * pointers of the declarations. `b16` means every 16-bit type, as pages write it.
 */
export function documentedTypes(markdown: string, facts: Facts, prototypes: readonly Prototype[]): string[] {
  const places = [
    () => [...elementSentences(facts), ...typeTables(markdown)],
    () =>
      (facts.said.constraints ?? []).filter((text) =>
        /支持的?数据类型|data types? .*support|support.* data type/i.test(text),
      ),
    () => templateSentences(facts, prototypes),
    () => prototypes.flatMap(({parameters}) => parameters.flatMap(({type}) => memoryPointer.exec(type)?.[1] ?? [])),
  ]
  for (const place of places) {
    const found = typesIn(place().join(' '))
    if (found.length > 0) return found
  }
  return []
}

const memoryPointer = /__(?:gm|ubuf|cbuf|ca|cb|cc|fbuf|biasbuf)__\s+(?:const\s+)?(\w+)\s*\*/

function typesIn(text: string): string[] {
  return [...dtypesIn(text), ...new Set(text.match(/(?<!\w)b(?:8|16|32|64)(?!\w)/g) ?? [])]
}

/** Tables of the section on data types: which types go together. */
function typeTables(markdown: string): string[] {
  let isHere = false
  return parseBlocks(markdown).flatMap((block) => {
    if (block.kind === 'heading') isHere = block.level > 2 ? isHere : roleOf(block.text) === 'data-types'
    return isHere && block.kind === 'table' ? [block.source.replace(/<[^>\n]*>/g, ' ')] : []
  })
}

function templateSentences({parameters}: Facts, prototypes: readonly Prototype[]): string[] {
  const types = prototypes.flatMap(({templates}) => templates.filter(({type}) => /^(?:typename|class)$/.test(type)))
  const names = new Set(types.map(({name}) => name))
  return parameters
    .filter((row) => row.structure === '' && row.names.every((name) => names.has(name)))
    .flatMap(({meaning}) => meaning)
}

/** "U supports half": template parameters other than T have their own types. */
const otherTemplate = /(?<![A-Za-z])(?!T\b)[A-Z]\w{0,12}\s*(?:支持的数据类型|支持的?类型|supports)/

/** A page's statements about T, or its operands, and about data types as a whole. */
function elementSentences(page: Facts): string[] {
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
