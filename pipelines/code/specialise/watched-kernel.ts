import type {Node} from 'web-tree-sitter'
import {childrenOf} from '../../../cpp/nodes.ts'
import {readCpp} from '../../../cpp/parse.ts'
import {applyEdits} from '../../../cpp/edit.ts'

/** First and last line, 1-based. */
type Lines = [first: number, last: number]

/** Kernel code that prints the number of each block that it comes to, and the lines of the blocks by their numbers. */
interface WatchedKernel {
  text: string
  blocks: Lines[]
}

/** At the start of each block of a function, a statement that prints its number the first time. */
export async function watchedKernel(text: string): Promise<WatchedKernel> {
  const places = await readCpp(text, (root) =>
    root.descendantsOfType('function_definition').flatMap((node) => (node ? placesIn(node) : [])),
  )
  const edits = places.flatMap(({at, end}, number) => {
    const call = ` twin_watch_came(${number});`
    if (end === undefined) return [{start: at, end: at, text: call}]
    return [
      {start: at, end: at, text: `{${call} `},
      {start: end, end, text: ' }'},
    ]
  })
  return {text: `${printer}${applyEdits(text, edits)}`, blocks: places.map(({lines}) => lines)}
}

/** Not in the text of a program by chance. */
const mark = '\u0002came'

/** The device has no variables that keep their value, except in GM. */
const printer = [
  '#include "kernel_operator.h"',
  'static __gm__ uint8_t twin_watch_known[8192];',
  '__aicore__ inline void twin_watch_came(int place)',
  '{',
  '    if (place >= 8192 || twin_watch_known[place] != 0) return;',
  '    twin_watch_known[place] = 1;',
  String.raw`    AscendC::printf("\2came %d\n", place);`,
  '}',
  '',
].join('\n')

/** Characters. An executor cuts a flood of printing off (the twin after 256 KiB), and with it the numbers of blocks. */
const mostPrinted = 1 << 17

/**
 * Lines of blocks that no core came to, outermost blocks only; undefined where numbers may be missing: when none was
 * printed, and when so much else was printed that the log may have been cut off.
 */
export function idleLines(printed: string, blocks: readonly Lines[]): Lines[] | undefined {
  const came = new Set([...printed.matchAll(new RegExp(`^${mark} (\\d+)$`, 'gm'))].map(([, place]) => Number(place)))
  if (came.size === 0 || printed.length > mostPrinted) return undefined
  const idle = blocks.filter((_, number) => !came.has(number) && number < 8192)
  return idle.filter(
    (one) => !idle.some((other) => other !== one && other[0] <= one[0] && other[1] >= one[1] && !isSame(one, other)),
  )
}

const isSame = (one: Lines, other: Lines) => one[0] === other[0] && one[1] === other[1]

interface Place {
  /** Where the statement goes. */
  at: number
  /** Where a bracket has to close, for a branch of one statement. */
  end?: number
  /** Those that are the block's alone. */
  lines: Lines
}

function placesIn(definition: Node): Place[] {
  const body = definition.childForFieldName('body')
  // A function of constants may not print.
  if (!body || /\bconstexpr\b/.test(definition.text.slice(0, body.startIndex - definition.startIndex))) return []
  return blocksIn(body).filter(({lines: [first, last]}) => first <= last)
}

/** Blocks below a node and itself; those of functions inside of it belong to these. */
function blocksIn(node: Node): Place[] {
  if (node.type === 'lambda_expression') return []
  return [...blockOf(node), ...childrenOf(node).flatMap(blocksIn)]
}

function blockOf(node: Node): Place[] {
  if (node.type === 'compound_statement') return node.parent?.type === 'switch_statement' ? [] : [compound(node)]
  if (node.type === 'case_statement') return caseBlock(node)
  return isOnlyStatement(node) ? onlyStatement(node) : []
}

function compound(node: Node): Place {
  const lines: Lines = [node.startPosition.row + 2, node.endPosition.row]
  return {at: node.startIndex + 1, lines}
}

/** What follows `case value:`; a label without statements has no lines. */
function caseBlock(node: Node): Place[] {
  const colon = node.children.find((child) => child?.type === ':')
  return colon ? [{at: colon.endIndex, lines: [colon.endPosition.row + 2, node.endPosition.row + 1]}] : []
}

function isOnlyStatement({id, type, parent}: Node): boolean {
  if (!/^(?:expression|return|break|continue|for|while)_statement$/.test(type)) return false
  const part = parent?.childForFieldName('body') ?? parent?.childForFieldName('consequence')
  return parent?.type === 'else_clause' || part?.id === id
}

/** On lines of its own; on that of its condition, they are indistinguishable. */
function onlyStatement(node: Node): Place[] {
  const before = node.previousSibling?.endPosition.row ?? node.startPosition.row
  if (before >= node.startPosition.row) return []
  return [{at: node.startIndex, end: node.endIndex, lines: [node.startPosition.row + 1, node.endPosition.row + 1]}]
}
