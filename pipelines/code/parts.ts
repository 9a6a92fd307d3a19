import type {Node} from 'web-tree-sitter'
import {codeLines} from '../../cpp/code-pieces.ts'
import {matrixApis, movementApis, synchronisationApis, vectorApis} from '../../cpp/interfaces.ts'
import {commentAbove, linesOf, nodesOf, squeeze, withWords} from '../../cpp/nodes.ts'
import {isTooDeep, readCpp} from '../../cpp/parse.ts'
import {functionDeclarator, splitName} from '../../cpp/read-function.ts'
import {CheckedOperatorSource} from '../../datasets/schema/operator.ts'
import {each, type Stage} from '../../engine/stage.ts'

interface PartsOptions {
  /** Functions of one file that are asked for by themselves. Default 8. */
  most?: number
  /** Fewest lines of code in such a function. Default 8. */
  minLines?: number
  /**
   * Longest share of its file's lines of code: a function that is nearly the whole file is requested with it. Default
   * 0.6.
   */
  mostShare?: number
}

/**
 * A checked file, and of device code the functions that do most of its work, each as a separate source with the file
 * minus that function's body. What compiled as a whole compiled with each of its functions.
 */
export default function parts({
  most = 8,
  minLines = 8,
  mostShare = 0.6,
}: PartsOptions = {}): Stage<CheckedOperatorSource, CheckedOperatorSource> {
  return {
    name: 'parts',
    version: 5,
    options: {most, minLines, mostShare},
    input: CheckedOperatorSource,
    output: CheckedOperatorSource,
    run: each(async (source): Promise<readonly CheckedOperatorSource[]> => {
      if (source.role !== 'kernel') return [source]
      const total = codeLines(source.target.text)
      const fits = ({lines}: Working) => lines >= minLines && lines <= total * mostShare
      const found = (await workingFunctions(source.target.text)).filter(fits)
      return [source, ...chosen(found, most).map((one) => partOf(source, one))]
    }),
  }
}

interface Working {
  part: NonNullable<CheckedOperatorSource['part']>
  /** Names of interfaces of the device that it calls. */
  calls: ReadonlySet<string>
  /** Lines of code. */
  lines: number
  /** Characters of the file: of the function, and of its body. */
  start: number
  end: number
  body: readonly [number, number]
  place: [number, number]
}

async function workingFunctions(text: string): Promise<Working[]> {
  try {
    return await readCpp(text, (root) =>
      nodesOf(root, 'function_definition').flatMap((node) => readWorking(node, text)),
    )
  } catch (error) {
    if (isTooDeep(error)) return []
    throw error
  }
}

const isOfDevice = (name: string) =>
  vectorApis.has(name) || movementApis.has(name) || matrixApis.has(name) || synchronisationApis.has(name)

function readWorking(node: Node, text: string): Working[] {
  const body = node.childForFieldName('body')
  const outer = node.parent?.type === 'template_declaration' ? node.parent : node
  const named = functionDeclarator(node.childForFieldName('declarator'))?.childForFieldName('declarator')
  const name = named ? splitName(named).name : undefined
  const start = withWords(outer.startIndex, text)
  const written = text.slice(start, outer.endIndex)
  // A part that opens or closes a branch of the preprocessor cannot be put back by itself.
  if (!body || name === undefined || /\b__global__\b|^[ \t]*#/m.test(written)) return []
  const calls = new Set(calledNames(body).filter(isOfDevice))
  if (calls.size === 0) return []
  const head = squeeze(text.slice(start, body.startIndex))
  return [
    {
      part: {name: ownerOf(node, name), signature: head, comment: commentAbove(outer)},
      calls,
      lines: codeLines(text.slice(body.startIndex, body.endIndex)),
      start,
      end: outer.endIndex,
      body: [body.startIndex, body.endIndex],
      place: linesOf(outer),
    },
  ]
}

function calledNames(body: Node): string[] {
  return nodesOf(body, 'call_expression').flatMap((call) => {
    const callee = call.childForFieldName('function')
    return callee
      ? nodesOf(callee, ['identifier', 'field_identifier'])
          .slice(-1)
          .map((one) => one.text)
      : []
  })
}

/** `Fold::CopyIn`, whether it is written in its class or behind it. */
function ownerOf(node: Node, name: string): string {
  const written = functionDeclarator(node.childForFieldName('declarator'))?.childForFieldName('declarator')
  if (written?.type === 'qualified_identifier') return squeeze(written.text.replace(/<[^]*>/, ''))
  for (let at = node.parent; at; at = at.parent) {
    if (at.type !== 'class_specifier' && at.type !== 'struct_specifier') continue
    return `${squeeze(at.childForFieldName('name')?.text ?? '')}::${name}`
  }
  return name
}

/** Those with the most to say first; of several with the same calls one, as they are written alike. */
function chosen(found: readonly Working[], most: number): Working[] {
  const seen = new Set<string>()
  return [...found]
    .sort((a, b) => b.calls.size - a.calls.size || b.lines - a.lines)
    .filter(({calls}) => {
      const key = [...calls].sort().join()
      return !seen.has(key) && seen.add(key)
    })
    .slice(0, most)
}

const gap = '{\n    // to be written\n}'

function partOf(source: CheckedOperatorSource, {part, start, end, body: [from, to], place}: Working) {
  const {path, text} = source.target
  const indent = /[ \t]*$/.exec(text.slice(0, start))?.[0] ?? ''
  const own = text.slice(start, end).replaceAll(`\n${indent}`, '\n')
  const rest = `${text.slice(0, from)}${gap.replaceAll('\n', `\n${indent}`)}${text.slice(to)}`
  return {
    ...source,
    origin: {...source.origin, lines: place},
    part,
    target: {path, text: `${own}\n`},
    dependencies: [...source.dependencies, {path, text: rest}],
    // It was compiled with its file.
    flattened: '',
  }
}
