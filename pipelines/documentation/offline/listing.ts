import {cutComments} from '../../../cpp/code-pieces.ts'

/**
 * Listings with parts left out cannot be compiled and teach nothing; very long ones are whole programs of another kind.
 */
export function isWholeCode(code: string): boolean {
  const hasGaps =
    /^\s*(?:\/\/\s*)?(?:\.{3}|…+)/m.test(code) ||
    /\/\/[^\n]*省略(?:无关|宏|部分|其[他它])|<<<|\.\.\.\s*;|[(,]\s*\.\.\.\s*[,)]/.test(code)
  return code.length >= 20 && code.length <= 6000 && !hasGaps
}

const apiCall = /(?:AscendC::|\.|->|\b)([A-Z][A-Za-z0-9_]{2,})\s*(?:<[^;(){}=]*>)?\s*\(/g

/** `void Compute(…) {`, `Kernel(…) : a_(a) {`, `class Kernel`: names of the listing's own. */
const definitions = [
  /(?:^|[;{}:])\s*(?:[\w:<>,*&]+\s+)*?[\w:<>,*&]+[\s&*]+(?:\w+::)*(\w+)\s*\([^;{}]*\)\s*(?:const\s*)?\{/gm,
  /\b(?:class|struct)\s+(\w+)/g,
]

/** The functions and classes that a listing defines. */
export function definedIn(code: string): Set<string> {
  return new Set(definitions.flatMap((pattern) => [...code.matchAll(pattern)].map((match) => match[1]!)))
}

/** The interfaces that a listing calls, in order, each once; what it defines itself is none. */
export function apisIn(code: string): string[] {
  const bare = cutComments(code)
  const own = definedIn(bare)
  const calls = [...bare.matchAll(apiCall)].map((match) => match[1]!)
  return [...new Set(calls)].filter((name) => !own.has(name))
}
