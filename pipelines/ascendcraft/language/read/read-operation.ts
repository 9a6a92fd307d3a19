import type {Expression, KernelStatement} from '../ast.ts'
import {type PrimitiveName, primitives} from '../primitives.ts'
import {mendOfOperation} from './foreign-names.ts'
import {argumentsOf} from './read-call.ts'
import {readExpression} from './read-expression.ts'
import {signatureOf} from '../signature.ts'
import type {Source} from './source.ts'
import type {SyntaxNode} from './syntax.ts'

/**
 * `tl.name(operands, count=...)`. Operands may also be given by name; in the tree they are positional. Wrong names,
 * missing and surplus operands are faults here, so that every operation of the tree has all of its operands.
 */
export function readOperation(source: Source, call: SyntaxNode): KernelStatement | undefined {
  const callee = source.textOf(call.firstChild!)
  const name = callee.startsWith('tl.') ? callee.slice(3) : callee
  if (!callee.startsWith('tl.') || !(name in primitives)) {
    source.refuse(call, 'operation', `\`${callee}\` is no operation of the language`, mendOfOperation(name))
    return undefined
  }
  const primitive = name as PrimitiveName
  const found = argumentsOf(source, call)
  const operands = primitives[primitive].operands.map((one) => one.name)
  const given: (SyntaxNode | undefined)[] = operands.map(
    (operand, at) => found.positional[at] ?? found.named.get(operand),
  )
  const surplus = found.positional.length > operands.length
  if (surplus || given.includes(undefined)) {
    const message = `\`${source.quote(call)}\` has ${found.positional.length} operands by place, not ${operands.length}`
    source.refuse(call, 'operands', message, `write ${signatureOf(primitive)}`)
    return undefined
  }
  return {
    ...source.placeOf(call),
    kind: 'operation',
    comments: source.commentsAbove(source.placeOf(call).line),
    primitive,
    arguments: given.map((node) => readExpression(source, node!)),
    named: readNamed(source, primitive, {call, operands, ...found}),
  }
}

type Given = ReturnType<typeof argumentsOf> & {call: SyntaxNode; operands: readonly string[]}

function readNamed(source: Source, primitive: PrimitiveName, given: Given): Record<string, Expression> {
  const {call, operands, positional} = given
  const known: readonly string[] = primitives[primitive].named
  const values: Record<string, Expression> = {}
  for (const [name, node] of given.named) {
    const asOperand = operands.indexOf(name)
    if (asOperand >= positional.length) continue
    if (asOperand >= 0 || !known.some((one) => one.replace('?', '') === name)) {
      const message = asOperand >= 0 ? `${name} is given twice` : `tl.${primitive} has no argument ${name}`
      source.refuse(node, 'arguments', message, `write ${signatureOf(primitive)}`)
    } else values[name] = readExpression(source, node)
  }
  for (const name of known.filter((one) => !one.endsWith('?') && !(one in values))) {
    const mend =
      name === 'count' ? 'add count=: the elements that it handles, tails included' : `write ${signatureOf(primitive)}`
    source.refuse(
      call,
      name === 'count' ? 'count-missing' : 'arguments',
      `\`${source.quote(call)}\` has no ${name}=`,
      mend,
    )
  }
  return values
}
