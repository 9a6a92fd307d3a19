import type {KernelStatement} from '../language/ast.ts'
import type {Buffer, CheckedModule, KernelParameter, ScalarType} from '../language/checked.ts'
import type {ElementType} from '../language/dtypes.ts'
import {assertedDivisors, definitionsOf, findFacts, type Facts} from './facts.ts'
import {loadsBehindStores} from './gm-order.ts'
import {findLifetimes, type Lifetimes} from './lifetimes.ts'
import {flat, namesIn, stepsOf, type Stage} from './mentions.ts'
import {expressionsOf} from '../language/check/walk.ts'
import {bareName, camelCase, Names} from './cpp-names.ts'
import {isFresh} from './places.ts'

/** A pointer of the kernel. */
interface GmPlan {
  /** As the program calls it, and the tensor or workspace that the host binds to it. */
  name: string
  argument: string
  of: 'input' | 'output' | 'workspace'
  type: ElementType
  /** The GlobalTensor. */
  member: string
}

export interface BufferPlan extends Buffer {
  /** Queue or plain buffer. */
  member: string
  /** The tensor within a function, and the one that several functions share. */
  local: string
  shared: string
  /** Blocks of a queue. */
  blocks: 1 | 2
}

/** A scalar of the kernel: a member of the class, or a variable of the function that sets it. */
export interface ScalarPlan {
  name: string
  type: ScalarType
  place: 'member' | 'local'
  cpp: string
}

/** All decisions about a kernel that do not depend on how its operations are spelled. */
export interface KernelPlan {
  checked: CheckedModule
  body: readonly KernelStatement[]
  /** Scalars that come from the host, in the order of the launch: fields of the tiling structure. */
  fields: readonly {name: string; field: string; parameter: KernelParameter & {kind: 'scalar'}}[]
  gm: ReadonlyMap<string, GmPlan>
  buffers: ReadonlyMap<string, BufferPlan>
  scalars: ReadonlyMap<string, ScalarPlan>
  lifetimes: Lifetimes
  /** Copyin stages that wait for the core's own stores. */
  behindStores: ReadonlySet<Stage>
  hostFacts: Facts
  facts: Facts
}

/** Events that the queues of one position share. */
const queueEvents = 8

/** Decides what becomes of each name of the kernel. */
export function planKernel(checked: CheckedModule): KernelPlan {
  const body = withoutDead(checked.module.kernel.body)
  const used = new Set(flat(body).flatMap((one) => [...namesIn(expressionsOf(one)), ...assigned(one)]))
  const names = new Names()
  const fields = checked.parameters.flatMap((parameter) => {
    if (parameter.kind !== 'scalar' || !used.has(parameter.name)) return []
    return [{name: parameter.name, field: names.give(camelCase(parameter.name)), parameter}]
  })
  const members = new Names(fields.map(({field}) => `${field}_`))
  const gm = new Map(
    checked.parameters.flatMap((parameter): [string, GmPlan][] => {
      if (parameter.kind !== 'gm' || !used.has(parameter.name)) return []
      const {name, argument, of, type} = parameter
      return [[name, {name, argument, of, type, member: members.give(`${camelCase(bareName(name))}Gm_`)}]]
    }),
  )
  const hostBody = checked.module.host.body
  const hostFacts = findFacts(definitionsOf(hostBody), () => undefined, assertedDivisors(hostBody))
  const arguments_ = new Map(fields.map(({name, parameter}) => [name, parameter.argument]))
  const facts = findFacts(definitionsOf(body), (name) => {
    const argument = arguments_.get(name)
    return argument && hostFacts.of(argument)
  })
  const scalars = planScalars(body, checked, new Map(fields.map(({name, field}) => [name, field])), names, members)
  const isPointer = (name: string) => gm.has(name)
  return {
    checked,
    body,
    fields,
    gm,
    buffers: planBuffers(checked.buffers, names, members),
    scalars,
    lifetimes: findLifetimes(body, checked.buffers),
    behindStores: loadsBehindStores(body, isPointer),
    hostFacts,
    facts,
  }
}

const assigned = (statement: KernelStatement) => (statement.kind === 'assign' ? [statement.name] : [])

/** Without assignments that nothing reads. */
function withoutDead(body: readonly KernelStatement[]): KernelStatement[] {
  const all = flat(body)
  const read = new Set(all.flatMap((one) => namesIn(expressionsOf(one))))
  const dead = all.filter((one) => one.kind === 'assign' && !read.has(one.name))
  if (dead.length === 0) return [...body]
  const keep = (statements: readonly KernelStatement[]): KernelStatement[] =>
    statements
      .filter((one) => !dead.includes(one))
      .map((one) => {
        if (one.kind === 'for' || one.kind === 'stage') return {...one, body: keep(one.body)}
        if (one.kind !== 'if') return one
        return {...one, branches: one.branches.map((branch) => ({...branch, body: keep(branch.body)}))}
      })
  return withoutDead(keep(body))
}

function planBuffers(buffers: readonly Buffer[], names: Names, members: Names): Map<string, BufferPlan> {
  const depths = fittingDepths(buffers)
  return new Map(
    buffers.map((buffer): [string, BufferPlan] => {
      const bare = camelCase(bareName(buffer.name))
      const suffix = buffer.role === 'scratch' ? 'Buf_' : 'Queue_'
      const local = names.give(`${bare}Local`, 'Tensor')
      const plan = {member: members.give(`${bare}${suffix}`), local, shared: members.give(`${local}_`)}
      return [buffer.name, {...buffer, ...plan, blocks: depths.get(buffer.name) ?? buffer.depth}]
    }),
  )
}

/** Each tensor of a queue holds an event of its position: if there are too many, the last queues have one block. */
function fittingDepths(buffers: readonly Buffer[]): Map<string, 1 | 2> {
  const depths = new Map<string, 1 | 2>(buffers.map(({name, depth}) => [name, depth]))
  for (const role of ['in', 'out'] as const) {
    const queues = buffers.filter((one) => one.role === role)
    if (queues.length > queueEvents)
      throw new TypeError(`lowering: ${queues.length} queues where ${queueEvents} events are: put tensors side by side`)
    let events = queues.reduce((sum, {depth}) => sum + depth, 0)
    for (const {name, depth} of queues.toReversed()) {
      if (events <= queueEvents) break
      depths.set(name, 1)
      events -= depth - 1
    }
  }
  return depths
}

/**
 * A scalar that is set where it is read is a variable of its function; one that stages only read is handed to them; one
 * that a stage sets for others is a member.
 */
function planScalars(
  body: readonly KernelStatement[],
  checked: CheckedModule,
  fields: ReadonlyMap<string, string>,
  names: Names,
  members: Names,
): Map<string, ScalarPlan> {
  const stages = flat(body).filter((one): one is Stage => one.kind === 'stage')
  const outside = namesOutside(body)
  const isLocal = (name: string) => {
    const own = (stage: Stage) => isOwn(stage, name)
    const setters = stages.filter((stage) => !loopsOnly(stage, name))
    return outside.has(name) ? setters.length === 0 : stages.filter((stage) => mentions(stage, name)).every(own)
  }
  const plan = (name: string): [string, ScalarPlan] => {
    const type = checked.scalars[name] ?? 'int'
    const field = fields.get(name)
    if (field !== undefined) return [name, {name, type, place: 'member', cpp: `${field}_`}]
    const base = camelCase(name)
    if (isLocal(name)) return [name, {name, type, place: 'local', cpp: names.give(base)}]
    return [name, {name, type, place: 'member', cpp: members.give(`${base}_`)}]
  }
  return new Map([...fields.keys(), ...scalarNames(body)].map(plan))
}

/** What Process() hands to the function of a stage: its own variables that the stage reads. */
export function parametersOf(stage: Stage, {scalars, body}: Pick<KernelPlan, 'scalars' | 'body'>): ScalarPlan[] {
  const inside = flat(stage.body)
  const outside = namesOutside(body)
  const read = new Set(inside.flatMap((one) => namesIn(expressionsOf(one))))
  return [...read].flatMap((name) => {
    const plan = scalars.get(name)
    const handed = plan?.place === 'local' && outside.has(name) && !inside.some((one) => defines(one, name))
    return handed ? [plan] : []
  })
}

/** Whether the stage gives the name its value before it reads it, each time. */
function isOwn(stage: Stage, name: string): boolean {
  const isLoop = flat(stage.body).some((one) => one.kind === 'for' && one.variable === name)
  return (
    (isLoop && loopsOnly(stage, name)) ||
    isFresh(
      stepsOf(stage.body, () => false),
      name,
    )
  )
}

/** Whether the name is there the variable of loops and nothing else, if the stage sets it at all. */
function loopsOnly(stage: Stage, name: string): boolean {
  return !flat(stage.body).some((one) => one.kind === 'assign' && one.name === name)
}

function defines(statement: KernelStatement, name: string): boolean {
  return (
    (statement.kind === 'assign' && statement.name === name) ||
    (statement.kind === 'for' && statement.variable === name)
  )
}

function mentions(stage: Stage, name: string): boolean {
  return flat(stage.body).some((one) => defines(one, name) || namesIn(expressionsOf(one)).includes(name))
}

/** Names outside stages. */
function namesOutside(body: readonly KernelStatement[]): Set<string> {
  const visit = (statements: readonly KernelStatement[]): string[] =>
    statements.flatMap((one) => {
      if (one.kind === 'stage') return []
      const own = one.kind === 'for' ? [one.variable] : assigned(one)
      const inner = one.kind === 'if' ? one.branches.flatMap((branch) => visit(branch.body)) : []
      return [...own, ...namesIn(expressionsOf(one)), ...inner, ...(one.kind === 'for' ? visit(one.body) : [])]
    })
  return new Set(visit(body))
}

/** Scalars that the kernel assigns or counts with, in the order of its text. */
function scalarNames(body: readonly KernelStatement[]): string[] {
  return [...new Set(flat(body).flatMap((one) => (one.kind === 'for' ? [one.variable] : assigned(one))))]
}
