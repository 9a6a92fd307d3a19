import type {Statement} from '../../../cpp/syntax.ts'
import type {InferenceFacts} from '../../../datasets/schema/code-facts.ts'
import {lastName} from '../settled-values.ts'
import {isTelling} from './host-view.ts'

/** Where a dimension comes from. */
export type Origin = 'shape' | 'attribute' | 'number'

export class InferenceView {
  readonly facts: InferenceFacts
  readonly statements: readonly Statement[]

  constructor(facts: InferenceFacts) {
    this.facts = facts
    this.statements = facts.functions.flatMap(({statements}) => statements).filter(isTelling)
  }

  valuesOf(name: string): Statement[] {
    return this.statements.filter(({target}) => lastName(target) === name)
  }

  originOf(text: string, depth = 0): Origin | undefined {
    const bare = text.replace(/\bstatic_cast<[\w: ]+>/g, '').replace(/^\(+|\)+$/g, '')
    if (/^-?\d+\w*$/.test(bare) || this.facts.constants.some(([name]) => name === bare)) return 'number'
    if (/->GetDim\(|\.GetDim\(|GetShapeSize/.test(text)) return 'shape'
    if (/Get(?:Int|AttrPointer|ListInt|Bool|Float)\b/.test(text)) return 'attribute'
    const name = /^\*?\s*(\w+)/.exec(bare)?.[1]
    if (name === undefined || depth > 3) return undefined
    const origins = this.valuesOf(name)
      .map((one) => this.originOf(one.text, depth + 1))
      .filter((one) => one !== undefined && one !== 'number')
    return new Set(origins).size === 1 ? origins[0] : undefined
  }
}
