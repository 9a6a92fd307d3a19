import {decode, encode} from '../../../datasets/dtype.ts'
import {elementCount, type Tensor} from '../../../datasets/schema/tensor.ts'
import type {KernelStatement, Place} from '../language/ast.ts'
import type {CheckedModule, KernelParameter} from '../language/checked.ts'
import {blockBytes, elementBytes, roundUp, ubBytes, ubReserved} from '../language/dtypes.ts'
import type {Fault} from '../language/program-fault.ts'
import {primitiveOf} from '../language/primitives.ts'
import {type Launch, runHost} from './run-host.ts'
import {compileKernel} from './kernel.ts'
import {type KernelNames, kernelNames} from './kernel-scope.ts'
import type {Core, CoreMeters, OperationCounts, Runnable} from './kernel-state.ts'
import {type Global, globalOf, type Local} from './core-memory.ts'
import {Trouble} from './trouble.ts'

/** A call of an operator. */
interface InterpretedCall {
  /** In the order of the host's input tensors. */
  inputs: readonly Tensor[]
  /** By name; those that are not given have their defaults. */
  attributes?: Readonly<Record<string, number | boolean>>
}

interface InterpretOptions {
  /** The order in which cores run between meetings. Correct kernels do not depend on it. */
  order?: 'forward' | 'reverse'
  /** Statements that all cores together may run. Default 20 million. */
  maximumSteps?: number
}

/** What a run did. */
interface Meters {
  /** Of each core. */
  cores: readonly CoreMeters[]
  operations: OperationCounts
  /** Bytes of UB that the buffers of one core take, all their copies counted. */
  ubPeakBytes: number
}

type Interpreted = {ok: true; outputs: Tensor[]; meters: Meters} | {ok: false; fault: Fault & {core?: number}}

/**
 * Runs a program's host function and its kernel on all cores, over real tensors. Elements have the precision of their
 * types after every operation. Silent errors of the device are faults here: unwritten elements, bounds, alignment,
 * unordered access of cores to GM. @throws TypeError when inputs are not those that the program declares
 */
export function interpret(checked: CheckedModule, call: InterpretedCall, options: InterpretOptions = {}): Interpreted {
  let running: number | undefined
  try {
    const launch = runHost(checked, {shapes: shapesOf(checked, call), attributes: attributesOf(checked, call)})
    const globals = openGlobals(checked, call, launch)
    const cores = openCores(checked, launch, globals, options.maximumSteps ?? 20_000_000)
    const names = kernelNames(checked)
    for (const core of cores) setParameters(core.scalars, core.defined, launch, names)
    const operations: OperationCounts = {}
    runCores(
      compileKernel(checked, names, operations),
      options.order === 'reverse' ? cores.toReversed() : cores,
      (core) => {
        running = core
      },
    )
    running = undefined
    const meters = {cores: cores.map(({meters: own}) => own), operations, ubPeakBytes: ubOf(checked, launch)}
    return {ok: true, outputs: takeOutputs(checked, launch, globals), meters}
  } catch (error) {
    if (!(error instanceof Trouble)) throw error
    return {ok: false, fault: running === undefined ? error.fault : {...error.fault, core: running}}
  }
}

function shapesOf({module}: CheckedModule, {inputs}: InterpretedCall): Map<string, readonly number[]> {
  const tensors = module.host.parameters.filter(({kind}) => kind === 'tensor')
  if (tensors.length !== inputs.length)
    throw new TypeError(`${module.host.name} has ${tensors.length} input tensors, and ${inputs.length} are given`)
  return new Map(tensors.map(({name}, index) => [name, inputs[index]!.shape]))
}

function attributesOf({module}: CheckedModule, {attributes = {}}: InterpretedCall): Map<string, number> {
  return new Map(
    module.host.parameters.flatMap((one) =>
      one.kind === 'attribute' ? [[one.name, attributeOf(one, attributes[one.name] ?? one.default)] as const] : [],
    ),
  )
}

/** Attributes reach the host as float32. */
function attributeOf({type}: {type: 'float' | 'int' | 'bool'}, value: number | boolean): number {
  return type === 'float' ? Math.fround(Number(value)) : Number(value)
}

type GmParameter = Extract<KernelParameter, {kind: 'gm'}>

const gmParameters = ({parameters}: CheckedModule) => parameters.filter((one): one is GmParameter => one.kind === 'gm')

/** In the order of the kernel's parameters; two parameters of one tensor share it. */
function openGlobals(checked: CheckedModule, {inputs}: InterpretedCall, launch: Launch): Global[] {
  const names = checked.module.host.parameters.filter(({kind}) => kind === 'tensor').map(({name}) => name)
  const open = new Map<string, Global>()
  return gmParameters(checked).map((parameter) => {
    const {argument, of} = parameter
    const known = open.get(argument)
    if (known) return known
    const input = of === 'input' ? inputs[names.indexOf(argument)] : undefined
    const size = launch.workspaces.get(argument) ?? elementCount(launch.outputs.get(argument) ?? [])
    const values = input && decode(input.data, input.dtype)
    const global = globalOf(parameter, values?.length ?? size, values)
    open.set(argument, global)
    return global
  })
}

function openCores(checked: CheckedModule, launch: Launch, globals: readonly Global[], steps: number): Core[] {
  const sizes = bufferSizes(checked, launch)
  const slots = Object.keys(checked.scalars).length
  const budget = {left: steps}
  return Array.from({length: launch.cores}, (_, core) => ({
    core,
    cores: launch.cores,
    meetings: 0,
    scalars: new Float64Array(slots).fill(Number.NaN),
    defined: new Uint8Array(slots),
    locals: checked.buffers.map(({name, type}, index) => openLocal(name, type, sizes[index] as number)),
    globals,
    meters: {loadedBytes: 0, storedBytes: 0},
    budget,
  }))
}

function openLocal(name: string, type: Local['type'], size: number): Local {
  // A buffer holds whole blocks, but only what was asked for may be touched.
  return {name, type, values: new Float64Array(size), written: new Uint8Array(size)}
}

function bufferSizes(checked: CheckedModule, launch: Launch): number[] {
  const names = kernelNames(checked)
  const slots = Object.keys(checked.scalars).length
  const core = {
    scalars: new Float64Array(slots).fill(Number.NaN),
    defined: new Uint8Array(slots),
    core: 0,
    cores: launch.cores,
  } as Core
  setParameters(core.scalars, core.defined, launch, names)
  const sizes = checked.buffers.map((buffer) => {
    const size = names.scalar(buffer.size).of(core)
    if (Number.isInteger(size) && size >= 1) return size
    throw new Trouble(buffer, 'buffer-size', `${buffer.name} has ${size} elements.`, 'Allocate at least 1 element.')
  })
  const total = checked.buffers.reduce((sum, {type, depth}, at) => sum + bytesOf(sizes[at]!, type, depth), 0)
  const room = ubBytes - ubReserved - ubTakenBy(checked.module.kernel.body)
  if (total <= room) return sizes
  const last = checked.buffers.at(-1)!
  const message =
    `The buffers take ${total} bytes of UB, those of loads and stores as often as they exist; ` + `there are ${room}.`
  throw new Trouble(last, 'ub-overflow', message, 'Make the tiles smaller, or give depth=1 to a buffer.')
}

/** What operations of the library keep of UB for themselves. */
function ubTakenBy(statements: readonly KernelStatement[]): number {
  const taken = statements.map((one): number => {
    if (one.kind === 'operation') return primitiveOf(one.primitive).ubTaken ?? 0
    if (one.kind === 'if') return Math.max(...one.branches.map(({body}) => ubTakenBy(body)))
    return one.kind === 'for' || one.kind === 'stage' ? ubTakenBy(one.body) : 0
  })
  return Math.max(0, ...taken)
}

const bytesOf = (size: number, type: Local['type'], depth: number) =>
  roundUp(size * elementBytes[type], blockBytes) * depth

function ubOf(checked: CheckedModule, launch: Launch): number {
  const sizes = bufferSizes(checked, launch)
  return checked.buffers.reduce((sum, {type, depth}, at) => sum + bytesOf(sizes[at]!, type, depth), 0)
}

function setParameters(scalars: Float64Array, defined: Uint8Array, launch: Launch, names: KernelNames): void {
  for (const [name, value] of launch.scalars) {
    const slot = names.slot(name)
    scalars[slot] = Number.isInteger(value) ? value : Math.fround(value)
    defined[slot] = 1
  }
}

/** Each core up to the next meeting, in turn. */
function runCores(kernel: Runnable, cores: readonly Core[], begins: (core: number) => void): void {
  const {steps} = kernel
  if (!steps) {
    for (const core of cores) {
      begins(core.core)
      kernel.run(core)
    }
    return
  }
  const running = cores.map((core) => ({core, program: steps(core)}))
  for (let isOver = false; !isOver; ) {
    const ends = running.map(({core, program}) => {
      begins(core.core)
      const step = program.next()
      return step.done ? undefined : step.value
    })
    isOver = ends.every((end) => end === undefined)
    if (!isOver && ends.includes(undefined)) throw missedMeeting(cores, ends)
    for (const core of cores) core.meetings += 1
  }
}

function missedMeeting(cores: readonly Core[], ends: readonly (Place | undefined)[]): Trouble {
  const absent = cores[ends.indexOf(undefined)]!.core
  const place = ends.find((end) => end !== undefined) as Place
  const message = `Core ${absent} ends while others wait for it at this tl.sync_all().`
  return new Trouble(place, 'sync-missed', message, 'Let every core reach each tl.sync_all() equally often.')
}

function takeOutputs({module, parameters}: CheckedModule, launch: Launch, globals: readonly Global[]): Tensor[] {
  const used = gmParameters({parameters} as CheckedModule)
  return module.host.parameters.flatMap((one) => {
    if (one.kind !== 'output' || one.type.kind !== 'type') return []
    const shape = [...(launch.outputs.get(one.name) ?? [])]
    const global = globals[used.findIndex(({argument}) => argument === one.name)]
    const hole = global ? global.written.indexOf(0) : 0
    if (!global || hole >= 0) {
      const message = `Element ${hole} of the output ${one.name} was never written.`
      throw new Trouble(one, 'output-unwritten', message, 'Let the loops of all cores cover the whole output.')
    }
    return [{name: one.name, dtype: one.type.type, shape, data: encode(global.values, one.type.type)}]
  })
}
