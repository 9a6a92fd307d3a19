import type {KernelStatement} from '../language/ast.ts'
import {block, commentLines, type Code} from './cpp-text.ts'
import {elementNames} from './cpp-elements.ts'
import {kernelDialect} from './kernel-dialect.ts'
import type {QueueAction} from './lifetimes.ts'
import {inputsExtracted, stepsOf, type Stage} from './mentions.ts'
import {placeDeclarations} from './places.ts'
import type {KernelPlan} from './plan-lowering.ts'
import {scalarCode, type Needs} from './scalar-code.ts'
import {assignment, branchLines, declaration, loopHead} from './statement-code.ts'

/** The statements of Process(): the kernel's loops and scalars, and calls of the functions of its stages. */
export function processBody(plan: KernelPlan, needs: Needs, callOf: ReadonlyMap<Stage, string>): Code {
  const dialect = kernelDialect(plan, needs, ({line}) => {
    throw new TypeError(`lowering: an element is read outside of a compute stage on line ${line}`)
  })
  const steps = stepsOf(plan.body, ({kind}) => kind === 'stage')
  const locals = [...plan.scalars.values()].filter(({place}) => place === 'local').map(({name}) => name)
  const places = placeDeclarations(
    steps,
    locals.filter((name) => isAssigned(plan.body, name)),
  )
  const extracted = new Set(inputsExtracted(plan.body, plan.buffers))
  // The scalar unit waits once for what a copy brought; the vector unit does not change it.
  const taken = ({action, buffer}: QueueAction) =>
    action === 'deque' && extracted.has(buffer) ? [`${needs.helper('Synchronise')}<HardEvent::V_S>();`] : []
  const queueCalls = (actions: readonly QueueAction[] = []) => [
    ...actions.map((one) => queueCall(one, plan)),
    ...new Set(actions.flatMap(taken)),
  ]
  const list = (body: readonly KernelStatement[]): Code =>
    body.flatMap((statement) => [
      ...(places.before.get(statement) ?? []).flatMap((name) => declared(name)),
      ...queueCalls(plan.lifetimes.before.get(statement)),
      ...lines(statement),
      ...queueCalls(plan.lifetimes.after.get(statement)),
    ])
  const declared = (name: string) => {
    const scalar = plan.scalars.get(name)
    return scalar ? [declaration(scalar)] : []
  }
  const lines = (statement: KernelStatement): Code => {
    const comments = commentLines(statement.comments)
    switch (statement.kind) {
      case 'assign': {
        const scalar = plan.scalars.get(statement.name)
        if (!scalar) return []
        return [...comments, assignment(scalar, scalarCode(statement.value, dialect), places.declares.get(statement))]
      }
      case 'for':
        return [...comments, ...block(loopHead(statement, plan, dialect), list(statement.body))]
      case 'if': {
        const branches = statement.branches.map(({condition, body}) => ({
          condition: condition && scalarCode(condition, dialect).text,
          body: list(body),
        }))
        return [...comments, ...branchLines(branches)]
      }
      case 'stage':
        return [`${callOf.get(statement)};`]
      case 'sync_all':
        // SyncAll orders cores; what this core's own units have in flight is ordered by the barrier.
        return [...comments, 'PipeBarrier<PIPE_ALL>();', 'SyncAll();']
      default:
        return []
    }
  }
  return list(plan.body)
}

function isAssigned(body: readonly KernelStatement[], name: string): boolean {
  return body.some((one) => {
    if (one.kind === 'assign') return one.name === name
    if (one.kind === 'if') return one.branches.some((branch) => isAssigned(branch.body, name))
    return one.kind === 'for' && isAssigned(one.body, name)
  })
}

function queueCall({action, buffer}: QueueAction, plan: KernelPlan): string {
  const {member, shared, type} = plan.buffers.get(buffer) ?? {member: '', shared: '', type: 'float32' as const}
  const element = elementNames(type).cpp
  switch (action) {
    case 'alloc':
      return `${shared} = ${member}.AllocTensor<${element}>();`
    case 'deque':
      return `${shared} = ${member}.DeQue<${element}>();`
    case 'enque':
      return `${member}.EnQue(${shared});`
    case 'free':
      return `${member}.FreeTensor(${shared});`
  }
}
