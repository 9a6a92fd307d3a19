import type {Expression, HostStatement, KernelStatement} from '../ast.ts'
import type {StageKind} from '../primitives.ts'

export type Statement<Kind extends KernelStatement['kind']> = Extract<KernelStatement, {kind: Kind}>

/** Where a statement stands. */
export interface Surroundings {
  stage: StageKind | undefined
  /** Loops around it, those inside its stage included, the outermost first. */
  loops: readonly Statement<'for'>[]
  /** Loops around its stage. */
  outerLoops: number
  /** Conditions under which it runs, those of earlier branches of an `if` included. */
  conditions: readonly Expression[]
}

const outside: Surroundings = {stage: undefined, loops: [], outerLoops: 0, conditions: []}

/** Calls `visit` for each statement of a body, each before those inside it. */
export function visitKernel(
  body: readonly KernelStatement[],
  visit: (statement: KernelStatement, around: Surroundings) => void,
  around: Surroundings = outside,
): void {
  for (const statement of body) {
    visit(statement, around)
    if (statement.kind === 'for') {
      const outerLoops = around.outerLoops + (around.stage ? 0 : 1)
      visitKernel(statement.body, visit, {...around, loops: [...around.loops, statement], outerLoops})
    } else if (statement.kind === 'stage') {
      visitKernel(statement.body, visit, {...around, stage: around.stage ?? statement.stage})
    } else if (statement.kind === 'if') {
      const conditions = [...around.conditions]
      for (const branch of statement.branches) {
        if (branch.condition) conditions.push(branch.condition)
        visitKernel(branch.body, visit, {...around, conditions: [...conditions]})
      }
    }
  }
}

/** Expressions that a statement evaluates itself, without those of statements inside it. */
export function expressionsOf(statement: KernelStatement | HostStatement): Expression[] {
  switch (statement.kind) {
    case 'assign':
      return [statement.value]
    case 'alloc':
    case 'workspace':
      return [statement.size]
    case 'assert':
      return [statement.condition]
    case 'for':
      return [statement.start, statement.stop, statement.step]
    case 'if':
      return statement.branches.flatMap(({condition}) => condition ?? [])
    case 'operation':
      return [...statement.arguments, ...Object.values(statement.named)]
    case 'launch':
      return [statement.cores, ...statement.arguments]
    default:
      return []
  }
}

/** An expression and all within it. */
export function within(expression: Expression): Expression[] {
  return [expression, ...partsOfExpression(expression).flatMap(within)]
}

function partsOfExpression(expression: Expression): Expression[] {
  switch (expression.kind) {
    case 'unary':
      return [expression.operand]
    case 'binary':
      return [expression.left, expression.right]
    case 'choice':
      return [expression.condition, expression.yes, expression.no]
    case 'call':
      return expression.arguments
    case 'shape':
      return [expression.axis]
    case 'slice':
      return [expression.offset]
    default:
      return []
  }
}

/** Names of scalars, tensors and buffers in an expression. */
export function namesWithin(expression: Expression): string[] {
  return within(expression).flatMap((part) => {
    if (part.kind === 'name') return [part.name]
    if (part.kind === 'slice') return [part.buffer]
    return part.kind === 'shape' || part.kind === 'count' ? [part.tensor] : []
  })
}

/** Buffers that `tl.extract` reads in the expressions of a statement. */
export function extractedIn(statement: KernelStatement): string[] {
  return expressionsOf(statement).flatMap((expression) =>
    within(expression).flatMap((part) => {
      const buffer = part.kind === 'call' && part.callee === 'extract' ? part.arguments[0] : undefined
      return buffer?.kind === 'name' ? [buffer.name] : []
    }),
  )
}
