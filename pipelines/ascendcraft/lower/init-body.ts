import type {KernelStatement} from '../language/ast.ts'
import {elementBytes} from '../language/dtypes.ts'
import type {Code} from './cpp-text.ts'
import {elementNames} from './cpp-elements.ts'
import {kernelDialect} from './kernel-dialect.ts'
import {flat, namesIn} from './mentions.ts'
import {expressionsOf} from '../language/check/walk.ts'
import type {BufferPlan, KernelPlan} from './plan-lowering.ts'
import {scalarCode, type Needs} from './scalar-code.ts'
import {typeNames, zeros} from './statement-code.ts'
import {workspaceFields} from './workspaces.ts'

/** Parameters of Init(): the addresses that the kernel uses, and the tiling data. */
export function initParameters(plan: KernelPlan, operator: string): string {
  const tensors = plan.checked.module.host.parameters.flatMap(({name, kind}) =>
    kind !== 'attribute' && [...plan.gm.values()].some(({argument}) => argument === name) ? [name] : [],
  )
  const hasWorkspace = [...plan.gm.values()].some(({of}) => of === 'workspace')
  return [
    ...[...tensors, ...(hasWorkspace ? ['workspace'] : [])].map((name) => `GM_ADDR ${name}`),
    ...(hasTiling(plan) ? [`const ${operator}TilingData& tiling`] : []),
  ].join(', ')
}

/** Whether Init() takes anything from the tiling data. */
export function hasTiling(plan: KernelPlan): boolean {
  return plan.fields.length + workspaceFields(plan).length > 0
}

/** What Init() does: scalars from the host, tensors in GM, memory of queues and buffers. */
export function initBody(plan: KernelPlan, needs: Needs): Code {
  const kept = keptFields(plan)
  const offsets = new Map(workspaceFields(plan).map(({name, field}) => [name, field]))
  return [
    ...kept.map(({field}) => `${field}_ = tiling.${field};`),
    ...[...plan.gm.values()].map(({member, type, of, argument}) => {
      const offset = offsets.get(argument)
      const address = of === 'workspace' ? 'workspace' : argument
      const at = offset === undefined ? address : `(${address} + tiling.${offset})`
      return `${member}.SetGlobalBuffer((__gm__ ${elementNames(type).cpp}*)${at});`
    }),
    ...[...plan.buffers.values()].map((buffer) => initBuffer(buffer, plan, needs, new Set(kept.map(({name}) => name)))),
  ]
}

/** Fields that more than Init() needs. */
function keptFields(plan: KernelPlan) {
  const read = new Set(
    flat<KernelStatement>(plan.body).flatMap((one) => (one.kind === 'alloc' ? [] : namesIn(expressionsOf(one)))),
  )
  return plan.fields.filter(({name}) => read.has(name))
}

function initBuffer(buffer: BufferPlan, plan: KernelPlan, needs: Needs, kept: ReadonlySet<string>): string {
  const dialect = kernelDialect(plan, needs, () => {
    throw new TypeError('lowering: a size of a buffer depends on an element')
  })
  const fields = new Map(plan.fields.map(({name, field}) => [name, field]))
  const nameOf = (name: string) => (kept.has(name) ? dialect.nameOf(name) : `tiling.${fields.get(name)}`)
  const size = scalarCode(buffer.size, {...dialect, nameOf})
  const elements = size.level < 8 ? `(${size.text})` : size.text
  const bytes = elementBytes[buffer.type] === 1 ? size.text : `${elements} * sizeof(${elementNames(buffer.type).cpp})`
  if (buffer.role === 'scratch') return `pipe_.InitBuffer(${buffer.member}, ${bytes});`
  return `pipe_.InitBuffer(${buffer.member}, ${buffer.blocks === 2 ? 'BUFFER_NUM' : '1'}, ${bytes});`
}

const positions = {in: 'VECIN', out: 'VECOUT'} as const

/** Members of the class. */
export function membersOf(plan: KernelPlan): Code {
  const buffers = [...plan.buffers.values()]
  return [
    'TPipe pipe_;',
    ...buffers.flatMap(({role, member, blocks}) => {
      const depth = blocks === 2 ? 'BUFFER_NUM' : '1'
      return role === 'scratch' ? [] : [`TQue<QuePosition::${positions[role]}, ${depth}> ${member};`]
    }),
    ...buffers.flatMap(({role, member}) => (role === 'scratch' ? [`TBuf<QuePosition::VECCALC> ${member};`] : [])),
    ...buffers.flatMap(({name, shared, type}) =>
      plan.lifetimes.members.has(name) ? [`LocalTensor<${elementNames(type).cpp}> ${shared};`] : [],
    ),
    ...[...plan.gm.values()].map(({member, type}) => `GlobalTensor<${elementNames(type).cpp}> ${member};`),
    ...scalarMembers(plan),
  ]
}

function scalarMembers(plan: KernelPlan): string[] {
  const kept = new Set(keptFields(plan).map(({name}) => name))
  const fields = new Set(plan.fields.map(({name}) => name))
  return [...plan.scalars.values()].flatMap(({name, place, type, cpp}) => {
    const isMember = place === 'member' && (!fields.has(name) || kept.has(name))
    return isMember ? [`${typeNames[type]} ${cpp} = ${zeros[type]};`] : []
  })
}
