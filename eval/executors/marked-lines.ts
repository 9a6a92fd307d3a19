import type {Node} from 'web-tree-sitter'
import {applyEdits, type Edit} from '../../cpp/edit.ts'
import {fieldText, lineOf, nodesOf} from '../../cpp/nodes.ts'
import {readCpp} from '../../cpp/parse.ts'
import type {SourceFile} from '../../datasets/schema/operator.ts'
import type {Places} from '../pipe-timeline.ts'

/** Lines of one file, as far as numbers go. */
const linesPerFile = 1 << 20

/**
 * Device files that tell the twin which statement comes next, each on its line as before: a statement before it in a
 * block, else `if (a) twin::AtLine(12), b();`.
 */
export async function markedLines(files: readonly SourceFile[]): Promise<Places & {files: SourceFile[]}> {
  const queues = new Map<string, string>()
  const marked = await Promise.all(
    files.map(async (file, at) => {
      if (/(?:^|\/)op_host\//.test(file.path)) return file
      const edits = await readCpp(file.text, (root) =>
        nodesOf(root, ['expression_statement', 'declaration']).flatMap((node): Edit[] => {
          const calls = nodesOf(node, 'call_expression')
          const alone = node.parent?.type !== 'compound_statement'
          if (calls.length === 0 || (alone && node.type === 'declaration')) return []
          const place = at * linesPerFile + lineOf(node)
          for (const call of calls) noteQueue(call, place, queues)
          return [{start: node.startIndex, end: node.startIndex, text: `twin::AtLine(${place})${alone ? ',' : ';'} `}]
        }),
      )
      return {...file, text: applyEdits(file.text, edits)}
    }),
  )
  return {
    files: marked,
    placeOf(place) {
      const file = files[Math.floor(place / linesPerFile)]
      return place > 0 && file ? {path: file.path, line: place % linesPerFile} : undefined
    },
    queueOf: (place, api) => queues.get(`${place} ${api}`),
  }
}

function noteQueue(call: Node, place: number, queues: Map<string, string>): void {
  const called = call.childForFieldName('function')
  const method = called?.childForFieldName('field')
  if (!called || !method) return
  const name = fieldText(method, 'name') || method.text
  queues.set(`${place} ${name}`, fieldText(called, 'argument'))
}
