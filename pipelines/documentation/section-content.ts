import {cutComments} from '../../cpp/code-pieces.ts'
import {parseBlocks} from '../../datasets/blocks.ts'
import {partsAt} from './prototype.ts'

export interface Call {
  name: string
  /** Arguments of this call; -1 where a text only names the function. */
  arity: number
}

/** A text with its listings apart. */
export function contentOf({markdown}: {markdown: string}): {prose: string; code: string} {
  const blocks = parseBlocks(markdown)
  const code = blocks.flatMap((block) => (block.kind === 'code' ? [block.text] : []))
  const prose = blocks.flatMap((block) => (block.kind === 'code' ? [] : [block.source]))
  return {prose: prose.join('\n'), code: code.join('\n')}
}

// A call's template arguments and arguments, in characters: further ones would be read again for every name.
const longestTemplate = 120
const longestArguments = 600

const definition = /\b(?:void|auto|bool|int|\w{1,60}_t)\s{1,4}(?:\w{1,60}::)?(\w{1,60})\s{0,4}\(/g
const call = new RegExp(String.raw`\b([A-Za-z_]\w{1,80})\s{0,4}(?:<[^;(){}]{0,${longestTemplate}}>)?\s{0,4}\(`, 'g')

/** Functions that a listing calls and does not define itself. */
export function callsIn(code: string): Call[] {
  const text = cutComments(code)
  const defined = new Set([...text.matchAll(definition)].map(([, name]) => name))
  return [...text.matchAll(call)].flatMap((match) => {
    const name = match[1]!
    // Examples call the kernel's object `op`; its class is their own.
    if (defined.has(name) || /\b(?:op|kernel)\.$/.test(text.slice(Math.max(0, match.index - 8), match.index))) return []
    const from = match.index + match[0].length - 1
    return [{name, arity: partsAt(text.slice(from, from + longestArguments), 0).length}]
  })
}
