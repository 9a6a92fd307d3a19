import type {Needs} from './scalar-code.ts'
import {printCode, type Code} from './cpp-text.ts'
import {elementNames} from './cpp-elements.ts'
import {pointersOf} from './gm-order.ts'
import {bufferUses, buffersOfStage, flat, type Stage} from './mentions.ts'
import {bareName, Names, pascalCase} from './cpp-names.ts'
import {parametersOf, type BufferPlan, type KernelPlan} from './plan-lowering.ts'
import {stageBody, type Refinement} from './stage-body.ts'
import {typeNames} from './statement-code.ts'

/** One function of the class; several stages that do the same share it. */
export interface StageFunction {
  name: string
  /** What it is for, as the program's comments tell. */
  comments: readonly string[]
  parameters: readonly string[]
  body: Code
}

interface StageFunctions {
  functions: readonly StageFunction[]
  /** The call of a stage's function, without its semicolon. */
  callOf: ReadonlyMap<Stage, string>
}

/** A function for each stage of the kernel, in the order of its text. */
export function stageFunctions(plan: KernelPlan, needs: Needs, refinement: Refinement): StageFunctions {
  const stages = flat(plan.body).filter((one): one is Stage => one.kind === 'stage')
  const written = stages.map((stage) => {
    const handed = parametersOf(stage, plan)
    const parameters = handed.map(({type, cpp}) => `${typeNames[type]} ${cpp}`)
    const body = [...before(stage, plan, needs), ...stageBody(stage, plan, needs, refinement), ...behind(stage, plan)]
    return {
      stage,
      parameters,
      given: handed.map(({cpp}) => cpp),
      body,
      key: [...parameters, ...printCode(body)].join('\n'),
    }
  })
  const kinds = [...new Map(written.map((one) => [one.key, one])).values()]
  const names = stageNames(
    written.filter(({key}, at) => written.findIndex((one) => one.key === key) === at),
    plan,
  )
  const nameOf = (key: string) => names.get(key) ?? ''
  return {
    functions: kinds.map(({key, parameters, body}) => ({
      name: nameOf(key),
      comments: written.find((one) => one.key === key && one.stage.comments.length > 0)?.stage.comments ?? [],
      parameters,
      body,
    })),
    callOf: new Map(written.map(({stage, key, given}) => [stage, `${nameOf(key)}(${given.join(', ')})`])),
  }
}

const baseNames = {copyin: 'CopyIn', compute: 'Compute', copyout: 'CopyOut'} as const

/** `CopyIn`, or by what it moves or computes if there are several. */
function stageNames(written: readonly {stage: Stage; key: string}[], plan: KernelPlan): Map<string, string> {
  const names = new Names()
  return new Map(
    written.map(({stage, key}) => {
      const alone = written.filter((one) => one.stage.stage === stage.stage).length === 1
      const name = alone
        ? baseNames[stage.stage]
        : (verbOf(stage, plan) + subjectOf(stage, plan)).replace(/^(Accumulate)Acc\w*$/, '$1')
      return [key, names.give(name, '')]
    }),
  )
}

/** `Init`: it only fills buffers; `Accumulate`: its last write continues from the previous content. */
function verbOf(stage: Stage, plan: KernelPlan): string {
  const operations = flat(stage.body).flatMap((one) => (one.kind === 'operation' ? [one] : []))
  if (stage.stage !== 'compute') return baseNames[stage.stage]
  const uses = operations.map((one) => bufferUses(one, (name) => plan.buffers.has(name)))
  const reads = flat(stage.body).some((one) =>
    bufferUses(one, (name) => plan.buffers.has(name)).some(({kind}) => kind !== 'out'),
  )
  if (!reads) return 'Init'
  const last = uses.at(-1) ?? []
  const target = last[0]?.buffer
  const first = uses.find((one) => one.some(({buffer}) => buffer === target)) ?? []
  const goesOn = first.some(({buffer, kind}) => buffer === target && (kind === 'in' || kind === 'inout'))
  return goesOn ? 'Accumulate' : 'Compute'
}

/** The tensors that it moves, or the last buffer that it writes. */
function subjectOf(stage: Stage, plan: KernelPlan): string {
  if (stage.stage !== 'compute') {
    const moved = pointersOf(stage, (name) => plan.gm.has(name)).map((name) => pascalCase(bareName(name)))
    return moved.length > 2 ? 'Tensors' : moved.join('And')
  }
  const written = flat(stage.body)
    .flatMap((one) => bufferUses(one, (name) => plan.buffers.has(name)))
    .filter(({kind}) => kind === 'out' || kind === 'inout' || kind === 'mask-out')
  return pascalCase(bareName(written.at(-1)?.buffer ?? 'scalars'))
}

function buffersOf(stage: Stage, plan: KernelPlan) {
  const handling = plan.lifetimes.handling.get(stage)
  return buffersOfStage(stage, (name) => plan.buffers.has(name)).flatMap((name) => {
    const buffer = plan.buffers.get(name)
    const how = handling?.get(name)
    return buffer && how && how !== 'use' ? [{buffer, how}] : []
  })
}

const take = ({type, local, member}: BufferPlan, how: string) => {
  const element = elementNames(type).cpp
  return `LocalTensor<${element}> ${local} = ${member}.${how}<${element}>();`
}

function before(stage: Stage, plan: KernelPlan, needs: Needs): string[] {
  const order = {'take-and-free': 0, fill: 1, 'alloc-and-enque': 1, get: 2, use: 3}
  const lines = buffersOf(stage, plan)
    .sort((one, other) => order[one.how] - order[other.how])
    .map(({buffer, how}) => {
      if (how === 'get') return take(buffer, 'Get')
      return take(buffer, how === 'take-and-free' ? 'DeQue' : 'AllocTensor')
    })
  if (!plan.behindStores.has(stage)) return lines
  const wait = `${needs.helper('Synchronise')}<HardEvent::MTE3_MTE2>();`
  return ['// What this core has stored itself is in GM before it is read.', wait, ...lines]
}

function behind(stage: Stage, plan: KernelPlan): string[] {
  const handled = buffersOf(stage, plan)
  const enqued = handled.filter(({how}) => how === 'fill' || how === 'alloc-and-enque')
  const freed = handled.filter(({how}) => how === 'take-and-free')
  return [
    ...enqued.map(({buffer}) => `${buffer.member}.EnQue(${buffer.local});`),
    ...freed.map(({buffer}) => `${buffer.member}.FreeTensor(${buffer.local});`),
  ]
}
