import type {Source} from './source.ts'
import {childrenOf, type SyntaxNode} from './syntax.ts'

/** A number; one that no scalar of the language can hold exactly enough becomes a fault. */
export function readNumber(source: Source, node: SyntaxNode): {kind: 'number'; value: number; isFloat: boolean} {
  const text = source.textOf(node).replaceAll('_', '')
  const isFloat = !/^0[xob]/i.test(text) && /[.e]/i.test(text)
  const value = Number(text)
  if (Number.isNaN(value) || /^0\d/.test(text)) {
    source.refuse(node, 'number', `\`${text}\` is no integer and no float`, 'write a decimal number, e.g. 8192 or 1e-5')
  } else if (!isFloat && !Number.isSafeInteger(value)) {
    source.refuse(node, 'number', `the integer ${text} is above 2**53`, 'use a smaller number, or a float')
  }
  return {kind: 'number', value: Number.isNaN(value) ? 0 : value, isFloat}
}

const escapes: Record<string, string> = {n: '\n', t: '\t', '\\': '\\', "'": "'", '"': '"', '\n': ''}

/** The characters of a string, or of adjacent strings. */
export function readText(source: Source, node: SyntaxNode): string {
  if (node.name === 'ContinuedString') {
    return childrenOf(node)
      .map((part) => readText(source, part))
      .join('')
  }
  const quoted = /^("""|'''|"|')([\s\S]*)\1$/.exec(source.textOf(node))
  if (!quoted || node.name !== 'String' || (quoted[1]!.length === 1 && /(?<!\\)\n/.test(quoted[2]!))) {
    const mend = 'write a plain string between double quotes, closed on its line'
    source.refuse(node, 'text', `\`${source.quote(node)}\` is no plain string`, mend)
    return ''
  }
  return quoted[2]!.replace(/\\([\s\S])/g, (whole, letter: string) => escapes[letter] ?? whole)
}
