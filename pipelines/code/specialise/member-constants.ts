import type {Node} from 'web-tree-sitter'
import {declaredName, nodesOf} from '../../../cpp/nodes.ts'
import {readCpp} from '../../../cpp/parse.ts'
import {applyEdits, type Edit, withoutLine} from '../../../cpp/edit.ts'

/**
 * The text with tiling constants in place of the members that are set to one, once and in every run of the function
 * that sets them. Whether nothing reads such a member before is for an executor to say.
 */
export async function membersGone(text: string): Promise<string> {
  const edits = await readCpp(text, (root) => {
    const members = heldConstants(root)
    const kept = changedOtherwise(root)
    const own = new Map([...members].filter(([name]) => !kept.has(name)))
    return [...own.values()].map(({statement}) => withoutLine(statement, text)).concat(useEdits(root, own))
  })
  return applyEdits(text, edits)
}

interface Held {
  constant: string
  statement: Node
}

const bareName = (node: Node | null) => (node?.text ?? '').replace(/^this\s*->\s*/, '')

/** Members by name with the constants that they are set to. */
function heldConstants(root: Node): Map<string, Held> {
  const fields = nodesOf(root, 'field_declaration').flatMap((node) =>
    node.childrenForFieldName('declarator').flatMap((one) => (one ? declaredName(one) : [])),
  )
  const found = new Map<string, Held>()
  for (const assignment of nodesOf(root, 'assignment_expression')) {
    const name = bareName(assignment.childForFieldName('left'))
    const constant = (assignment.childForFieldName('right')?.text ?? '').replace(/^static_cast<\w+>\(([^()]*)\)$/, '$1')
    if (!/^TilingDataDef::[\w:.]+$/.test(constant) || fields.filter((one) => one === name).length !== 1) continue
    const statement = assignment.parent
    const isSure =
      statement?.type === 'expression_statement' && statement.parent?.parent?.type === 'function_definition'
    if (isSure && assignment.childForFieldName('operator')?.text === '=') found.set(name, {constant, statement})
  }
  return found
}

/** Names that are set more than once, counted, handed out by address, or that mean something else as well. */
function changedOtherwise(root: Node): ReadonlySet<string> {
  const set = nodesOf(root, 'assignment_expression').map((node) => bareName(node.childForFieldName('left')))
  const counted = nodesOf(root, ['update_expression', 'pointer_expression']).map((node) =>
    bareName(node.childForFieldName('argument')),
  )
  const declared = nodesOf(root, ['parameter_declaration', 'declaration']).flatMap((node) =>
    node.childrenForFieldName('declarator').flatMap((one) => (one ? declaredName(one) : [])),
  )
  const ofOthers = nodesOf(root, 'field_expression').flatMap((node) =>
    node.childForFieldName('argument')?.text === 'this' ? [] : (node.childForFieldName('field')?.text ?? []),
  )
  return new Set([...set.filter((name, at) => set.indexOf(name) !== at), ...counted, ...declared, ...ofOthers])
}

function useEdits(root: Node, members: ReadonlyMap<string, Held>): Edit[] {
  const direct = nodesOf(root, 'identifier')
  const through = nodesOf(root, 'field_expression').filter(
    (node) => node.childForFieldName('argument')?.text === 'this',
  )
  return [...direct, ...through].flatMap((node) => {
    const held = members.get(bareName(node))
    return held ? [{start: node.startIndex, end: node.endIndex, text: held.constant}] : []
  })
}
