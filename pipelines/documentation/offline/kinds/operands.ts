import type {Prototype} from '../../prototype.ts'
import type {ParameterFact} from '../../parameter-table.ts'
import type {Facts} from '../../section-facts.ts'
import {memoryOf} from '../text.ts'

/** A parameter of the interface: which way its data goes, and where a tensor lies. */
export interface Operand {
  name: string
  direction: ParameterFact['direction']
  memory: ReturnType<typeof memoryOf>
}

/** What goes in and comes out, by the page's table of parameters; members of structures are none. */
export function operandsOf(page: Facts): Operand[] {
  const declared = page.prototypes.flatMap(({parameters}) => parameters)
  const found = page.parameters
    .filter(({direction, structure}) => direction !== '' && structure === '')
    .flatMap(({names, direction}) => names.map((name) => ({name, direction})))
    .flatMap(({name, direction}) => {
      const types = declared.filter((each) => each.name === name).map(({type}) => type)
      return types.length > 0 ? [{name, direction, memory: memoryOf(types)}] : []
    })
  return [...new Map(found.map((operand) => [operand.name, operand])).values()]
}

/** How a template parameter gets its value; `before`: it would follow, but stands before one that must be written. */
export interface TemplateUse {
  name: string
  how: 'deduced' | 'default' | 'written' | 'before'
  defaultValue: string
}

/** `NAME(...)`, a macro that takes as many arguments as it is given. */
export function takesAnyNumber({text}: Prototype): boolean {
  return /\(\s*\.\.\.\s*\)/.test(text)
}

/** A type that occurs in the type of an argument follows from it; others have a default or must be written. */
export function templateUses({templates, parameters}: Prototype): TemplateUse[] {
  const uses = templates
    .filter(({name}) => name !== '')
    .map<TemplateUse>(({name, type, defaultValue = ''}) => {
      const isType = /^(?:typename|class)\b/.test(type)
      const isInArguments = parameters.some((each) => new RegExp(`(?<![\\w:])${name}(?![\\w:])`).test(each.type))
      if (isType && isInArguments) return {name, how: 'deduced', defaultValue}
      return {name, how: defaultValue === '' ? 'written' : 'default', defaultValue}
    })
  const last = uses.findLastIndex(({how}) => how === 'written')
  return uses.map((use, index) => (index < last && use.how !== 'written' ? {...use, how: 'before'} : use))
}

/** Tensors that share one template parameter as their element type. */
export function alikeElements(
  {templates, parameters}: Prototype,
  varied: readonly {name: string; types: readonly string[]}[],
): {template: string; names: string[]}[] {
  return templates.flatMap(({name: template}) => {
    const isOfIt = new RegExp(String.raw`Tensor\s*<\s*${template}\s*>`)
    const isOther = (of: string) =>
      varied.some(({name, types}) => name === of && !types.every((type) => isOfIt.test(type)))
    const names = parameters.filter(({name, type}) => isOfIt.test(type) && !isOther(name)).map(({name}) => name)
    return template !== '' && names.length > 1 ? [{template, names}] : []
  })
}

/** Arguments that a call must give. */
export function requiredCount({parameters}: Prototype): number {
  return parameters.filter(({defaultValue}) => defaultValue === undefined).length
}
