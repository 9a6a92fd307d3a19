import type {KernelStatement} from '../language/ast.ts'
import type {ScalarType} from '../language/checked.ts'
import type {Code} from './cpp-text.ts'
import {namesIn} from './mentions.ts'
import type {KernelPlan, ScalarPlan} from './plan-lowering.ts'
import {asReal, scalarCode, type Dialect, type ScalarCode} from './scalar-code.ts'

/** Types of scalars in kernels. */
export const typeNames: Readonly<Record<ScalarType, string>> = {int: 'int64_t', float: 'float', bool: 'bool'}
/** What members and variables hold before the program gives them a value. */
export const zeros: Readonly<Record<ScalarType, string>> = {int: '0', float: '0.0f', bool: 'false'}

/** `const int64_t count = …;` where it declares, `count = …;` elsewhere. */
export function assignment(
  {type, cpp}: Pick<ScalarPlan, 'type' | 'cpp'>,
  value: ScalarCode,
  declares: 'only' | 'first' | undefined,
): string {
  const text = type === 'float' ? asReal(value, 'float').text : value.text
  const head = declares === undefined ? cpp : `${typeNames[type]} ${cpp}`
  return `${declares === 'only' ? 'const ' : ''}${head} = ${text};`
}

/** A declaration in front of the statement that gives the scalar its value. */
export function declaration({type, cpp}: Pick<ScalarPlan, 'type' | 'cpp'>): string {
  return `${typeNames[type]} ${cpp} = ${zeros[type]};`
}

/** `for (…)`. Python looks at the bounds once, before the loop; where the body changes them, so does this. */
export function loopHead(
  {variable, start, stop, step, line, body}: KernelStatement & {kind: 'for'},
  {scalars}: Pick<KernelPlan, 'scalars'>,
  dialect: Dialect,
): string {
  const name = scalars.get(variable)?.cpp ?? variable
  const assigned = new Set(body.flatMap(assignedIn))
  if (namesIn([stop, step]).some((one) => assigned.has(one)))
    throw new TypeError(`lowering: the loop on line ${line} changes its own bounds`)
  const by = scalarCode(step, dialect)
  const next = by.text === '1' ? `++${name}` : `${name} += ${by.text}`
  const [from, to] = [scalarCode(start, dialect).text, scalarCode(stop, dialect).text]
  return `for (int64_t ${name} = ${from}; ${name} < ${to}; ${next})`
}

function assignedIn(statement: KernelStatement): string[] {
  if (statement.kind === 'assign') return [statement.name]
  if (statement.kind === 'if') return statement.branches.flatMap(({body}) => body.flatMap(assignedIn))
  return statement.kind === 'for' || statement.kind === 'stage' ? statement.body.flatMap(assignedIn) : []
}

/** `if (…) { … } else if (…) { … } else { … }`, the last where it does something. */
export function branchLines(branches: readonly {condition: string | undefined; body: Code}[]): Code {
  const told = branches.filter(({condition, body}) => condition !== undefined || body.length > 0)
  const lines = told.flatMap(({condition, body}, at): Code => {
    const head = condition === undefined ? 'else' : `if (${condition})`
    if (at === 0) return [`${head} {`, body]
    return [condition === undefined ? '} else {' : `} else ${head} {`, body]
  })
  return [...lines, '}']
}
