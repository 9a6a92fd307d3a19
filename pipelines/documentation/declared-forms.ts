import {cutComments} from '../../cpp/code-pieces.ts'
import {balanced} from '../../cpp/tokenized.ts'
import {parseBlocks} from '../../datasets/blocks.ts'
import {type Prototype, splitTop, templateHead} from './prototype.ts'
import {roleOf} from './segment.ts'

/**
 * What a page declares besides functions: macros and aliases of its section on prototypes, and types, there or anywhere
 * where the title begins with them. Members of a class stay in the class's text.
 */
export function declaredForms({title, markdown}: {title: string; markdown: string}): Prototype[] {
  const titled = /^[A-Za-z_]\w*/.exec(title)?.[0]
  let isHere = false
  return parseBlocks(markdown).flatMap((block) => {
    if (block.kind === 'heading') isHere = roleOf(block.text) === 'prototype'
    if (block.kind !== 'code' || !['cpp', '', 'text'].includes(block.language)) return []
    const code = cutComments(block.text)
    const types = typesIn(code).filter(({name}) => isHere || name === titled)
    return isHere ? [...macrosIn(code), ...types, ...aliasesIn(code)] : types
  })
}

/** The macros and types that a block of a section on prototypes declares. */
export function formsBeside(code: string): {macros: Prototype[]; types: Prototype[]} {
  const bare = cutComments(code)
  const isNamed = ({name}: Prototype['parameters'][number]) => /^\w+$/.test(name)
  const macros = macrosIn(bare).map((macro) => ({...macro, parameters: macro.parameters.filter(isNamed)}))
  return {macros, types: typesIn(bare).map((type) => ({...type, ...templateHead(type.text)}))}
}

const form = (name: string, text: string, more: Partial<Prototype> = {}): Prototype => ({
  name,
  returns: '',
  templates: [],
  parameters: [],
  text: text.trim(),
  ...more,
})

/** `#define NAME(a, b)`, and calls of macros alone on their lines: `KERNEL_TASK_TYPE(key, value)`. */
function macrosIn(code: string): Prototype[] {
  const lines = code.matchAll(/^[^\S\n]*(#define[^\S\n]+(\w+)|([A-Z][A-Z\d_]{3,}))[^\S\n]*(?:\(([^()\n]*)\))?(.*)$/gm)
  return [...lines].flatMap(([line, , defined, called, list = '', rest = '']) => {
    if (called !== undefined && !/^\s*;?\s*$/.test(rest)) return []
    const text = defined === undefined ? line.replace(/;\s*$/, '') : line.slice(0, line.length - rest.length)
    return [form((defined ?? called)!, text, {parameters: splitTop(list).map(macroParameter)})]
  })
}

/** Some pages write types with the parameters of a macro: `TraceId apid`. */
function macroParameter(source: string): Prototype['parameters'][number] {
  const [, type = '', name = source] = /^([^]*[\s&*])(\w+)$/.exec(source) ?? []
  return {name, type: type.trim()}
}

const template = String.raw`(?:template\s*<[^;{}()]*>\s*)?`
const keyword = String.raw`\b(?:class|struct|union|enum(?:\s+(?:class|struct))?)`
const bases = String.raw`(?:\s*(?:final\b|:[^;{}()]*))?`
const typeHead = new RegExp(String.raw`(${template}${keyword}\s+(\w+)(?:<[^;{}()]*>)?${bases}\s*)([;{])`, 'g')

/** Classes, structures and enumerations at the top level; a body goes with its type. */
function typesIn(code: string): Prototype[] {
  const found: Prototype[] = []
  let end = 0
  for (const match of code.matchAll(typeHead)) {
    const [whole, declared = '', name = '', opener] = match
    if (match.index < end) continue
    const open = match.index + whole.length - 1
    const body = opener === '{' ? (balanced(code, open) ?? code.slice(open + 1)) : ''
    end = opener === '{' ? open + body.length + 2 : open
    found.push(form(name, opener === '{' ? code.slice(match.index, end) : declared))
  }
  return found
}

function aliasesIn(code: string): Prototype[] {
  const aliases = code.matchAll(/^(?:template\s*<[^;{}()]*>\s*)?using\s+(\w+)\s*=[^;{}]*/gm)
  return [...aliases].map(([text, name = '']) => form(name, text))
}
