import type {Expression} from '../ast.ts'

/** An expression as it would be written, for messages. */
export function spell(expression: Expression): string {
  switch (expression.kind) {
    case 'number':
      return spellNumber(expression.value, expression.isFloat)
    case 'boolean':
      return expression.value ? 'True' : 'False'
    case 'text':
      return JSON.stringify(expression.value)
    case 'name':
      return expression.name
    case 'type':
      return expression.type.kind === 'type' ? `tl.${expression.type.type}` : expression.type.name
    case 'unary':
      return expression.operator === '-' ? `-${inner(expression.operand)}` : `not ${inner(expression.operand)}`
    case 'binary':
      return `${inner(expression.left)} ${expression.operator} ${inner(expression.right)}`
    case 'choice':
      return `${inner(expression.yes)} if ${inner(expression.condition)} else ${inner(expression.no)}`
    case 'call': {
      const isBare = ['min', 'max', 'abs', 'float', 'int'].includes(expression.callee)
      return `${isBare ? '' : 'tl.'}${expression.callee}(${expression.arguments.map(spell).join(', ')})`
    }
    case 'shape':
      return `${expression.tensor}.shape[${spell(expression.axis)}]`
    case 'count':
      return `${expression.tensor}.${expression.of === 'elements' ? 'numel' : 'dim'}()`
    case 'slice':
      return `${expression.buffer}[${spell(expression.offset)}]`
  }
}

function spellNumber(value: number, isFloat: boolean): string {
  if (!Number.isFinite(value)) return `float("${value > 0 ? 'inf' : '-inf'}")`
  return isFloat && Number.isInteger(value) ? value.toFixed(1) : String(value)
}

function inner(expression: Expression): string {
  const text = spell(expression)
  return expression.kind === 'binary' || expression.kind === 'choice' ? `(${text})` : text
}
