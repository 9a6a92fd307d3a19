import type {Expression, Module} from '../../pipelines/ascendcraft/language/ast.ts'

export interface ShapesGiven {
  shapes: Readonly<Record<string, readonly number[]>>
  attributes: Readonly<Record<string, number | boolean>>
}

/** Shapes of a program's outputs, by their names, from the shapes of its inputs. */
export function outputShapes({host}: Module, given: ShapesGiven): Record<string, number[]> {
  return Object.fromEntries(
    host.parameters.flatMap((one) =>
      one.kind === 'output' ? [[one.name, one.shape.map((axis) => valueOf(axis, given, host.parameters))]] : [],
    ),
  )
}

function valueOf(axis: Expression, given: ShapesGiven, parameters: Module['host']['parameters']): number {
  const of = (one: Expression) => valueOf(one, given, parameters)
  const shape = (tensor: string) => given.shapes[tensor] ?? []
  switch (axis.kind) {
    case 'number':
      return axis.value
    case 'unary':
      return -of(axis.operand)
    case 'name': {
      const parameter = parameters.find(({name}) => name === axis.name)
      return Number(given.attributes[axis.name] ?? (parameter?.kind === 'attribute' ? parameter.default : 0))
    }
    case 'shape':
      return shape(axis.tensor).at(of(axis.axis)) ?? 0
    case 'count':
      return axis.of === 'axes' ? shape(axis.tensor).length : shape(axis.tensor).reduce((all, one) => all * one, 1)
    case 'binary':
      return combine(axis.operator, of(axis.left), of(axis.right))
    case 'call': {
      const [a = 0, b = 1] = axis.arguments.map(of)
      if (axis.callee === 'min') return Math.min(a, b)
      if (axis.callee === 'max') return Math.max(a, b)
      return axis.callee === 'align' ? Math.ceil(a / b) * b : Math.ceil(a / b)
    }
    default:
      throw new TypeError(`outputShapes: ${axis.kind}`)
  }
}

function combine(operator: string, a: number, b: number): number {
  if (operator === '+') return a + b
  if (operator === '-') return a - b
  if (operator === '*') return a * b
  if (operator === '//') return Math.floor(a / b)
  if (operator === '%') return a - Math.floor(a / b) * b
  throw new TypeError(`outputShapes: ${operator}`)
}
