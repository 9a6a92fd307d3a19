import {decodeEntities} from '../entities.ts'
import {splitListings} from '../listings.ts'
import {cppForm, looksLikePython, pythonForm, type CodeForm} from './normalize-statements.ts'

/** A block of code, statement by statement. */
export interface CodeBlock {
  form: CodeForm
  isPython: boolean
}

/**
 * A text's blocks of code, and the remaining text, since code need not be fenced; pages have their entities decoded.
 * @param as `code` for a source file; otherwise code is recognised by fences and appearance
 */
export function codeForms(text: string, as: 'text' | 'code', api?: ReadonlySet<string>): CodeBlock[] {
  return blocksOf(text, as).map((block) => {
    const isPython = looksLikePython(block)
    return {form: isPython ? pythonForm(block) : cppForm(block, api), isPython}
  })
}

function blocksOf(text: string, as: 'text' | 'code'): string[] {
  if (as === 'code') return [text]
  const {prose, code} = splitListings(text)
  const blocks = code.map((listing) => listing.text)
  return [...blocks, ...(/[;=]|\bdef\b/.test(prose) ? [prose] : [])].map((block) => decodeEntities(block))
}
