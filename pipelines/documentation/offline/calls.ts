import type {ParameterFact} from '../facts.ts'
import {closing, type Prototype, splitTop} from '../prototype.ts'

export interface CallFact {
  name: string
  prototype: Prototype
  arguments: {name: string; value: string; parameter: ParameterFact | undefined}[]
}

/**
 * The first call in the code that one of the page's prototypes explains: same name, as many arguments as it has parameters
 * (or fewer by its defaults). Values are given as written.
 */
export function argumentsOf(code: string, prototypes: readonly Prototype[], parameters: readonly ParameterFact[]): CallFact | undefined {
  const text = code.replace(/\/\/[^\n]*/g, '')
  for (const call of text.matchAll(/(?<![\w])([A-Za-z_]\w*)\s*(?:<[^;(){}=]*>)?\s*\(/g)) {
    const candidates = prototypes.filter((prototype) => prototype.name === call[1])
    if (candidates.length === 0) continue
    const open = call.index + call[0].length - 1
    const values = splitTop(text.slice(open + 1, closing(text, open)))
    const fitting = candidates.filter((candidate) => {
      const required = candidate.parameters.filter((parameter) => parameter.defaultValue === undefined).length
      return values.length >= required && values.length <= candidate.parameters.length && values.length > 0
    })
    const prototype = bestFit(fitting, values)
    if (!prototype) continue
    return {
      name: prototype.name,
      prototype,
      arguments: values.map((value, index) => {
        const name = prototype.parameters[index]!.name
        return {name, value: value.replace(/\s+/g, ' '), parameter: parameters.find((each) => each.structure === '' && each.names.includes(name))}
      }),
    }
  }
  return undefined
}

/** Among overloads of one length, the one whose parameter names are nearest to the names in the call. */
function bestFit(prototypes: readonly Prototype[], values: readonly string[]): Prototype | undefined {
  const score = (prototype: Prototype) => prototype.parameters.filter((parameter, index) => parameter.name !== '' && (values[index] ?? '').toLowerCase().includes(parameter.name.toLowerCase())).length
  return prototypes.toSorted((a, b) => score(b) - score(a))[0]
}
