import type {Variant} from '../../datasets/schema/code-facts.ts'
import type {Node} from 'web-tree-sitter'
import type {Branch} from '../../cpp/syntax.ts'
import {childrenOf, fieldText, squeeze} from '../../cpp/nodes.ts'
import {readCpp} from '../../cpp/parse.ts'
import {armOf, functionDeclarator, splitName} from '../../cpp/read-function.ts'

/** Objects of classes that do the work; pipes, queues and tensors are what they work with. */
const tools =
  /^(?:AscendC::)?(?:TPipe|TQue|TQueBind|TBuf|TBufPool|GlobalTensor|LocalTensor|LocalMemAllocator|TPosition|GM_ADDR)\b/
const workingClass = /^(?:\w+::)*[A-Z]\w*(?:<[^;{}]*>)?$/
const macroCall = /^[A-Z][A-Z\d_]{5,}$/
const noWork = /^(?:GET_TILING_|KERNEL_TASK|REGISTER_|TILING_KEY_IS|ASC?ENDC?_|SET_)/

/** Variants of the entries of a file, in order. */
export function entryVariants(text: string, entries: readonly string[]): Promise<Variant[]> {
  return readCpp(text, (root) => {
    const macros = new Set(
      root.descendantsOfType('preproc_function_def').map((one) => (one ? fieldText(one, 'name') : '')),
    )
    return root.descendantsOfType('function_definition').flatMap((one) => {
      const named = functionDeclarator(one?.childForFieldName('declarator') ?? null)?.childForFieldName('declarator')
      const body = one?.childForFieldName('body')
      if (!named || !body || !entries.includes(splitName(named).name)) return []
      const objects = variantsIn(body, [], (child) => variantText(child, macros))
      return objects.length > 0 ? objects : variantsIn(body, [], calledForm)
    })
  })
}

function variantsIn(node: Node, branches: Branch[], textOf: (node: Node) => string | undefined): Variant[] {
  return childrenOf(node).flatMap((child) => {
    const arm = armOf(child, node)
    const here = arm === undefined ? branches : [...branches, arm]
    const text = textOf(child)
    return text === undefined ? variantsIn(child, here, textOf) : [{text, branches: here}]
  })
}

/** `Run<half>(x, y, &tiling);`: a function's template that does all the work. */
function calledForm(node: Node): string | undefined {
  const call = node.type === 'expression_statement' ? node.namedChild(0) : null
  if (call?.type !== 'call_expression') return undefined
  const name = squeeze(fieldText(call, 'function'))
  return /^(?:\w+::)*[A-Z]\w*<[^;{}()]*>$/.test(name) && !tools.test(name) && !noWork.test(name) ? name : undefined
}

function variantText(node: Node, macros: ReadonlySet<string>): string | undefined {
  if (node.type === 'declaration') {
    const type = fieldText(node, 'type')
    if (noWork.test(type)) return undefined
    // `RUN(float);` looks like a declaration where the argument is a type.
    if (macros.has(type)) return squeeze(node.text.replace(/;$/, ''))
    return workingClass.test(type) && !tools.test(type) && !/Tiling\w*$/.test(type) ? squeeze(type) : undefined
  }
  if (node.type !== 'call_expression') return undefined
  const name = fieldText(node, 'function')
  return macroCall.test(name) && macros.has(name) && !noWork.test(name) ? squeeze(node.text) : undefined
}
