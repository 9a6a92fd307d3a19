import type {Token} from './tokens.ts'

/** One branch of a conditional directive: where its tokens begin among those that are kept. */
interface Conditional {
  from: number
  /** Where the second branch begins. */
  second: number | undefined
}

/**
 * Tokens without directives. Where branches of an `#if` open a block that is closed after `#endif`, brackets match only
 * when one of them is read: the first. Balanced branches are kept, since it is unknown here which one is compiled.
 */
export function withoutDirectives(tokens: readonly Token[]): Token[] {
  const kept: Token[] = []
  const conditionals: Conditional[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] as Token
    if (!token.leads || token.text !== '#') {
      kept.push(token)
      continue
    }
    const word = tokens[at + 1]?.text ?? ''
    while (at + 1 < tokens.length && !tokens[at + 1]?.leads) at += 1
    const here = conditionals.at(-1)
    if (word.startsWith('if')) conditionals.push({from: kept.length, second: undefined})
    else if (word.startsWith('el') && here) here.second ??= kept.length
    else if (word === 'endif') {
      const {from, second} = conditionals.pop() ?? {from: 0, second: undefined}
      if (second !== undefined && leavesOpen(kept.slice(from, second))) kept.length = second
    }
  }
  return kept
}

/** Whether there are more braces of one kind than of the other. */
function leavesOpen(tokens: readonly Token[]): boolean {
  const count = (brace: string) => tokens.filter(({text}) => text === brace).length
  return count('{') !== count('}')
}
