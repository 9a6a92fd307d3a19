import type {Expression, HostStatement} from '../language/ast.ts'
import type {CheckedModule} from '../language/checked.ts'
import {vectorCores} from '../language/dtypes.ts'
import {compileScalar, type Scalar, type Scope} from './scalars.ts'
import {Trouble} from './trouble.ts'

/** What the host function is called with. */
interface HostCall {
  shapes: ReadonlyMap<string, readonly number[]>
  attributes: ReadonlyMap<string, number>
}

/** What the host function decided. */
export interface Launch {
  cores: number
  /** Elements of each workspace. */
  workspaces: ReadonlyMap<string, number>
  /** Of each scalar argument of the launch, by the kernel's name for it. */
  scalars: ReadonlyMap<string, number>
  outputs: ReadonlyMap<string, readonly number[]>
}

type Values = Map<string, number>

function outputShapes({module}: CheckedModule, call: HostCall, scope: Scope<Values>): Map<string, number[]> {
  const given: Values = new Map(call.attributes)
  return new Map(
    module.host.parameters.flatMap((one) =>
      one.kind === 'output' ? [[one.name, one.shape.map((size) => compileScalar(size, scope).of(given))] as const] : [],
    ),
  )
}

/** Runs the host function up to its launch. @throws Trouble where an assert fails or the launch is impossible */
export function runHost(checked: CheckedModule, call: HostCall): Launch {
  const shapes = new Map(call.shapes)
  const scope = hostScope(checked, shapes)
  const outputs = outputShapes(checked, call, scope)
  for (const [name, shape] of outputs) shapes.set(name, shape)
  const run: Run = {values: new Map(call.attributes), workspaces: new Map(), launch: undefined, scope}
  runAll(checked.module.host.body, run)
  const launch = run.launch as Extract<HostStatement, {kind: 'launch'}>
  const value = (one: Expression) => compileScalar(one, scope).of(run.values)
  const cores = value(launch.cores)
  if (!Number.isInteger(cores) || cores < 1 || cores > vectorCores) {
    const message = `The kernel is launched on ${cores} cores; the chip has 1 to ${vectorCores}.`
    throw new Trouble(launch, 'core-count', message, `Use max(1, min(${vectorCores}, …)).`)
  }
  const scalars = new Map(
    checked.parameters.flatMap((one) => (one.kind === 'scalar' ? [[one.name, value(one.argument)] as const] : [])),
  )
  return {cores, workspaces: run.workspaces, scalars, outputs}
}

interface Run {
  values: Values
  workspaces: Map<string, number>
  launch: HostStatement | undefined
  scope: Scope<Values>
}

function runAll(statements: readonly HostStatement[], run: Run): void {
  const value = (one: Expression) => compileScalar(one, run.scope).of(run.values)
  for (const one of statements) {
    if (one.kind === 'assign') run.values.set(one.name, value(one.value))
    else if (one.kind === 'workspace') run.workspaces.set(one.name, value(one.size))
    else if (one.kind === 'launch') run.launch = one
    else if (one.kind === 'assert') {
      if (value(one.condition) === 0)
        throw new Trouble(one, 'assert', `The host refuses this call: ${one.message}.`, 'Call it with what it serves.')
    } else {
      const taken = one.branches.find(({condition}) => condition === undefined || value(condition) !== 0)
      if (taken) runAll(taken.body, run)
    }
  }
}

function hostScope({hostScalars}: CheckedModule, shapes: ReadonlyMap<string, readonly number[]>): Scope<Values> {
  const scope: Scope<Values> = {
    round: (value) => value,
    name: (name, at) => ({
      type: hostScalars[name] ?? 'int',
      of(values) {
        const value = values.get(name)
        if (value !== undefined) return value
        throw new Trouble(at, 'unset-scalar', `${name} has no value here.`, 'Assign it before the branch.')
      },
    }),
    other: (expression) => shapeOf(expression, shapes, scope),
  }
  return scope
}

function shapeOf(
  expression: Expression,
  shapes: ReadonlyMap<string, readonly number[]>,
  scope: Scope<Values>,
): Scalar<Values> | undefined {
  if (expression.kind === 'count') {
    const shape = shapes.get(expression.tensor) ?? []
    const count = expression.of === 'axes' ? shape.length : shape.reduce((product, size) => product * size, 1)
    return {type: 'int', of: () => count}
  }
  if (expression.kind !== 'shape') return undefined
  const axis = compileScalar(expression.axis, scope)
  const {tensor} = expression
  return {
    type: 'int',
    of(values) {
      const [shape, asked] = [shapes.get(tensor) ?? [], axis.of(values)]
      const size = shape.at(asked)
      if (size !== undefined) return size
      throw new Trouble(
        expression,
        'axis',
        `${tensor} has ${shape.length} axes, no axis ${asked}.`,
        `Assert ${tensor}.dim() first.`,
      )
    },
  }
}
