import type {Expression, Place} from '../ast.ts'
import type {Fault} from '../program-fault.ts'
import type {SyntaxNode} from './syntax.ts'

const defaultMend = 'use numbers, names, arithmetic, comparisons, and the functions that the page of the language lists'

/** The text of a program while it is read: places, comments, and the faults found so far. */
export class Source {
  readonly text: string
  readonly lines: string[]
  readonly faults: Fault[] = []
  /** Names for one of several element types. */
  readonly typeNames = new Set<string>()
  private readonly starts: number[] = [0]

  constructor(text: string) {
    this.text = text
    this.lines = text.split('\n')
    for (const line of this.lines) this.starts.push(this.starts.at(-1)! + line.length + 1)
  }

  textOf(node: SyntaxNode): string {
    return this.text.slice(node.from, node.to)
  }

  /** The first line of a node's text, cut to a length that fits a message. */
  quote(node: SyntaxNode): string {
    const line = this.textOf(node).split('\n')[0]!.trim()
    return line.length > 60 ? `${line.slice(0, 57)}...` : line
  }

  lineOf(offset: number): number {
    let low = 0
    let high = this.lines.length - 1
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (this.starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return low + 1
  }

  placeOf(node: SyntaxNode): Place {
    const line = this.lineOf(node.from)
    return {line, column: node.from - this.starts[line - 1]! + 1}
  }

  refuse(at: SyntaxNode | Place, rule: string, message: string, mend: string): void {
    const place = 'line' in at ? at : this.placeOf(at)
    this.faults.push({line: place.line, column: place.column, rule, message, mend})
  }

  /** Records a fault of the rule `expression`, and returns a placeholder expression. */
  refusedExpression(node: SyntaxNode, message: string, mend = defaultMend): Expression {
    this.refuse(node, 'expression', message, mend)
    return {...this.placeOf(node), kind: 'number', value: 0, isFloat: false}
  }

  /** Comment lines directly above a line, without `#`. */
  commentsAbove(line: number): string[] {
    const found: string[] = []
    for (let above = line - 2; above >= 0; above--) {
      const text = this.lines[above]!.trim()
      if (!text.startsWith('#')) break
      found.unshift(text.replace(/^#+ ?/, ''))
    }
    return found
  }
}
