import type {Expression, HostStatement, TypeName} from '../language/ast.ts'
import {elementBytes} from '../language/dtypes.ts'
import {camelCase} from './cpp-names.ts'
import type {KernelPlan} from './plan-lowering.ts'

/** Memory in GM that the host requests. */
interface WorkspacePlan {
  name: string
  size: Expression
  elementBytes: number
}

/** Copies are fastest from addresses at multiples of this. */
export const workspaceUnit = 512

/** The workspaces that the kernel uses, in the order of their layout. */
export function workspacesOf({checked, gm}: KernelPlan): WorkspacePlan[] {
  const used = new Set([...gm.values()].filter(({of}) => of === 'workspace').map(({argument}) => argument))
  return checked.module.host.body.flatMap((statement: HostStatement) =>
    statement.kind === 'workspace' && used.has(statement.name)
      ? [{name: statement.name, size: statement.size, elementBytes: bytesOf(statement.type)}]
      : [],
  )
}

function bytesOf(type: TypeName): number {
  if (type.kind !== 'type') throw new TypeError(`lowering: type parameter ${type.name} has no type`)
  return elementBytes[type.type]
}

/** Fields of the tiling structure that say where each workspace but the first begins, in bytes. */
export function workspaceFields(plan: KernelPlan): {name: string; field: string}[] {
  return workspacesOf(plan)
    .slice(1)
    .map(({name}) => ({name, field: `${camelCase(name)}Offset`}))
}
