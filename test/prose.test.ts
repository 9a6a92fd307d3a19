import ts from 'typescript'
import {expect, test} from 'vitest'
import {files, textOf, treeOf} from './helpers/house.ts'

// Words that a native writer of technical English would not choose here, and what says the same.

interface Word {
  pattern: RegExp
  say: string
}

const words: readonly Word[] = [
  {pattern: /\bstands? (?:beside|next to)\b/i, say: 'is next to'},
  {pattern: /\bstands? in for\b|\bin the place of\b/i, say: 'replaces'},
  {pattern: /\bstands? (?:for|at|in|behind|before|above|below|between|around|there|alone)\b/i, say: 'is, means'},
  {pattern: /\bas (?:it|they) stands?\b/i, say: 'unchanged'},
  {pattern: /\bmend(?:s|ed|ing)?\b/i, say: 'fix, repair'},
  {pattern: /\bwhere there (?:is|are) none\b/i, say: 'if there is none'},
  {pattern: /\bso many\b/i, say: 'this many, a number of'},
  {pattern: /\b(?:is|are|was|were) told\b/i, say: 'is stated, is described'},
  {pattern: /\b(?:is|are) told apart\b|\btell apart\b/i, say: 'distinguish'},
  {pattern: /\b(?:lies|lie|lay) (?:in|beside|at|below|outside)\b/i, say: 'is in'},
  {pattern: /\b(?:is|are|was|were) left out\b|\bleft out (?:of|where)\b/i, say: 'is omitted, is skipped'},
  {pattern: /\bsays? so (?:itself|of itself)\b/i, say: 'declares it'},
  {pattern: /\b(?:is|are|was) none of\b/i, say: 'is not one of'},
  {pattern: /\bcounted apart\b/i, say: 'counted separately'},
  {pattern: /\blet go\b/i, say: 'released, dropped'},
  {pattern: /\bis away\b/i, say: 'is unreachable'},
  {pattern: /\bby the book\b/i, say: 'according to the documentation'},
  {pattern: /\bfor want of\b/i, say: 'for lack of'},
  {pattern: /\bwithout a word\b/i, say: 'silently'},
  {pattern: /\bto the letter\b/i, say: 'exactly'},
  {pattern: /\bgoes on from\b|\bgo on from\b/i, say: 'resumes from, continues from'},
  {pattern: /\b(?:begins?|starts?) anew\b|\bmade anew\b/i, say: 'starts from scratch'},
  {pattern: /\bcomes? to its end\b/i, say: 'finishes'},
  {pattern: /\bnothing of it\b/i, say: 'none of it'},
  {pattern: /\bhands? over\b|\bhands? on (?:to|what|the)\b/i, say: 'passes'},
  {pattern: /\bin so far as\b|\bso far as it says\b/i, say: 'as far as'},
]

/**
 * Where another wording would change data: sentences of rows and prompts, evidence of drops, and names of mutants are
 * read here in comments only.
 */
const rowWriters =
  /^(?:cpp\/interfaces|pipelines\/(?:ascendcraft|code|correction|documentation|facts|preference|telling))\//

/** Single texts that have to stay. */
const allowed: Record<string, string> = {
  'eval/bench/submission/call-files.ts: lies in': 'a verdict',
  'eval/bench/submission/operator-runs.ts: lies in': 'a verdict',
  'eval/candidates/replies.ts: stands in': 'a field of records',
  'sources/general/general-rows.ts: stands behind': 'evidence of a drop',
  'sources/kernels/file-account.ts: lies in': 'evidence of a drop',
  'datasets/diagnostic-signature.ts: so many': 'a signature in rows of `errors`',
  'pipelines/workspace/craft-proof.ts: Mend': 'a prompt: cached replies are keyed by it',
}

const product = files.filter(
  (file) =>
    /^(?:cpp|engine|pipelines|sources|datasets|trainers|eval)\/.*\.ts$/.test(file) &&
    !file.endsWith('.d.ts') &&
    !file.startsWith('sources/starter/'),
)
const pages = files.filter((file) => /^(?:README|docs\/(?!reference\/).*)\.md$/.test(file))

interface Piece {
  text: string
  /** Index in the file. */
  start: number
}

/** Comments of a file and, unless they are data, its texts. */
function piecesOf(tree: ts.SourceFile, withTexts: boolean): Piece[] {
  const literals: ts.Node[] = []
  const visit = (node: ts.Node) => {
    if (ts.isStringLiteralLike(node) || isTemplatePart(node) || ts.isRegularExpressionLiteral(node)) literals.push(node)
    ts.forEachChild(node, visit)
  }
  visit(tree)
  const ends = [0, ...literals.map(({end}) => end)]
  const starts = [...literals.map((node) => node.getStart(tree)), tree.end]
  const comments = ends.flatMap((end, at) => commentsIn(tree.text, end, starts[at] ?? tree.end))
  const texts = literals.filter((node) => withTexts && !ts.isRegularExpressionLiteral(node))
  return [...comments, ...texts.map((node) => ({text: node.getText(tree), start: node.getStart(tree)}))]
}

const scanner = ts.createScanner(ts.ScriptTarget.Latest, false)
const commentKinds = [ts.SyntaxKind.SingleLineCommentTrivia, ts.SyntaxKind.MultiLineCommentTrivia]

/** Comments between two literals: there, the scanner needs no help to tell a template or a pattern from an operator. */
function commentsIn(text: string, from: number, to: number): Piece[] {
  const found: Piece[] = []
  scanner.setText(text, from, to - from)
  for (let kind = scanner.scan(); kind !== ts.SyntaxKind.EndOfFileToken; kind = scanner.scan()) {
    if (commentKinds.includes(kind)) found.push({text: scanner.getTokenText(), start: scanner.getTokenStart()})
  }
  return found
}

const isTemplatePart = (node: ts.Node) => ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)

/** `file:line "what it says" → what to say`; a line break within a comment counts as a space. */
function faultsIn(file: string, text: string, {text: piece, start}: Piece): string[] {
  const flat = piece.replaceAll(/\s*\n\s*(?:\*(?!\/)|\/\/|>)?\s*/g, (gap) => ' '.padEnd(gap.length))
  const spaced = flat.replaceAll(/ {2,}/g, ' ')
  return words.flatMap(({pattern, say}) => {
    const found = pattern.exec(spaced)?.[0]
    if (found === undefined || `${file}: ${found}` in allowed) return []
    const near = piece.search(new RegExp(found.split(' ')[0] ?? '', 'i'))
    const line = text.slice(0, start + near).split('\n').length
    return [`${file}:${line} "${found}" → ${say}`]
  })
}

/** A page without its blocks of code, by paragraphs. */
function paragraphsOf(page: string): Piece[] {
  const bare = page.replaceAll(/^```[\s\S]*?^```$/gm, (block) => block.replaceAll(/[^\n]/g, ' '))
  return [...bare.matchAll(/(?:\S[^\n]*\n?)+/g)].map(({0: text, index}) => ({text, start: index}))
}

test.each([
  ["// It stands beside\n// the file.\nconst a = 'fine'", ['x.ts:1 "stands beside" → is next to']],
  [
    'const a = 1\n/** Fine. */\nconst b = `${a} is left out of ${a}`',
    ['x.ts:3 "is left out" → is omitted, is skipped'],
  ],
  ['/** Fixes it; `mends` is a name: mendable. */', ['x.ts:1 "mends" → fix, repair']],
  ["const of = {mend: 'fix it'}", []],
])('the list finds a word in comments and texts, and in no name: %j', (text, expected) => {
  const tree = ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest, true)
  expect(piecesOf(tree, true).flatMap((piece) => faultsIn('x.ts', text, piece))).toEqual(expected)
})

test('comments and texts of the product are plain English', () => {
  const faults = product.flatMap((file) =>
    piecesOf(treeOf(file), !rowWriters.test(file)).flatMap((piece) => faultsIn(file, textOf(file), piece)),
  )
  expect(faults).toEqual([])
})

test('pages are plain English', () => {
  const faults = pages.flatMap((file) =>
    paragraphsOf(textOf(file)).flatMap((piece) => faultsIn(file, textOf(file), piece)),
  )
  expect(faults).toEqual([])
})
