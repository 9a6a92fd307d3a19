import {z} from 'zod'
import type {Build, ExecuteOptions, Executor, RunTrace} from '../../../datasets/schema/executor.ts'
import type {AttributeValue, OutputSpec} from '../../../datasets/schema/task.ts'
import {Dtype, type Tensor} from '../../../datasets/schema/tensor.ts'
import type {Failure} from './submission.ts'
import type {DeviceProcess, Elements} from './device-process.ts'
import type {OperatorProject} from './project.ts'

/** What C's `printf` writes if JSON has no number for it. */
const printed: Readonly<Record<string, number>> = {inf: Infinity, '-inf': -Infinity}

const Sizes = z.array(z.int().nonnegative())

/** One argument of EXEC_NPU_CMD, as passed on by the harness's header. */
export const Argument = z.discriminatedUnion('kind', [
  z.object({kind: z.literal('none')}),
  z.object({kind: z.literal('tensor'), dtype: Dtype, place: z.int().nonnegative(), shape: Sizes, strides: Sizes}),
  // A host tensor, whose address is invalid on the device.
  z.object({kind: z.literal('host-tensor')}),
  z.object({
    kind: z.literal('number'),
    type: z
      .enum(['bool', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64'])
      .or(z.enum(['float32', 'float64'])),
    /** Integers as text: JSON's numbers hold 53 bits. */
    value: z.union([z.number(), z.string().transform((text) => printed[text] ?? Number(text))]),
  }),
  z.object({kind: z.literal('string'), value: z.string()}),
  z.object({kind: z.literal('integers'), value: z.array(z.number())}),
  z.object({kind: z.literal('truths'), value: z.array(z.number())}),
  // `at::Scalar`, which becomes an `aclScalar*`.
  z.object({kind: z.literal('scalar')}),
  // Whatever the header passes unchanged: std::string, std::vector.
  z.object({kind: z.literal('object')}),
])
export type Argument = z.infer<typeof Argument>
type NumberArgument = Extract<Argument, {kind: 'number'}>

/** Type of an attribute in the function that is generated for the operator, by its type in the definition. */
const signatures: Readonly<Record<string, string>> = {
  Int: 'int64_t',
  Float: 'double',
  Bool: 'bool',
  String: 'char *',
  ListInt: 'const aclIntArray *',
  ListBool: 'const aclBoolArray *',
  ListFloat: 'const aclFloatArray *',
}

const passed: Readonly<Record<Argument['kind'], string>> = {
  none: 'a null pointer',
  tensor: 'an aclTensor *',
  'host-tensor': 'an aclTensor *',
  number: 'a number',
  string: 'a char *',
  integers: 'an aclIntArray *',
  truths: 'an aclBoolArray *',
  scalar: 'an aclScalar *',
  object: 'an object of C++',
}

/** Registers of the boards' processors (AArch64, AAPCS64) that take integers and pointers; more go over the stack. */
const registers = 8

/**
 * The value that reaches the operator where the harness calls its generated function through a pointer to another type
 * of function: a float read from a register as a double is almost zero, and the upper half of an int64_t is left over
 * from before. @param before integers and pointers among the preceding arguments @returns `why`: the value that arrives
 * is unknown, or there is none
 */
export function arrivingValue(
  attribute: {name: string; type: string},
  argument: Argument,
  before: number,
): {value: AttributeValue} | {why: string} {
  const {name, type} = attribute
  const wanted = signatures[type]
  const refuse = (given: string) => ({
    why: `the attribute ${name} is ${wanted ?? type} in the generated function, ${given} was passed`,
  })
  if (argument.kind !== 'number') {
    const fits = lists[type] === argument.kind
    return fits && 'value' in argument ? {value: argument.value} : refuse(passed[argument.kind])
  }
  if (wanted === 'double') return isFloating(argument) ? {value: asDouble(argument)} : refuse(`${argument.type}`)
  if (isFloating(argument)) return refuse(argument.type)
  if (wanted === 'bool') return {value: (argument.value & 0xff) !== 0}
  if (wanted === 'int64_t') return wholeInteger(argument, before) ?? refuse(`${argument.type} on the stack`)
  return refuse(argument.type)
}

const lists: Readonly<Record<string, Argument['kind']>> = {
  String: 'string',
  ListInt: 'integers',
  ListBool: 'truths',
}

const isFloating = ({type}: NumberArgument) => type === 'float32' || type === 'float64'

/** A float is read as the lower half of a double. */
function asDouble({type, value}: NumberArgument): number {
  if (type === 'float64') return value
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat32(4, value)
  return bits.getFloat64(0)
}

/** A register's upper half is zero after a 32-bit write; on the stack it is unknown. */
function wholeInteger({type, value}: NumberArgument, before: number): {value: number} | undefined {
  if (type === 'int64' || type === 'uint64') return {value}
  if (before >= registers) return undefined
  return {value: value < 0 ? value + 2 ** 32 : value}
}

/** Whether it takes one of the registers for integers and pointers. */
function isIntegral(argument: Argument): boolean {
  return argument.kind !== 'number' || !isFloating(argument)
}

/** A binding's EXEC_NPU_CMD request. */
export const OperatorRequest = z.object({operator: z.string(), arguments: z.array(Argument)})
type OperatorRequest = z.infer<typeof OperatorRequest>

type OperatorEnd = {ok: true; trace: RunTrace} | {ok: false; failure: Failure}

/** Addresses of a call's tensors. */
type Memory = Pick<DeviceProcess, 'read' | 'write'>

/** A submission's operator, built once for each requested choice of element types. */
export class OperatorRuns {
  readonly #executor: Executor
  readonly #project: OperatorProject
  readonly #builds = new Map<string, ReturnType<Executor['build']>>()

  constructor(executor: Executor, project: OperatorProject) {
    this.#executor = executor
    this.#project = project
  }

  first(): ReturnType<Executor['build']> {
    return this.#build(firstDtypes(this.#project))
  }

  #build(dtypes: Record<string, Dtype>, signal?: AbortSignal): ReturnType<Executor['build']> {
    const key = JSON.stringify(dtypes)
    const known = this.#builds.get(key)
    if (known) return known
    const {definition, files} = this.#project
    const building = this.#executor.build({operator: definition.operator, files, dtypes}, signal)
    this.#builds.set(key, building)
    // A build that failed because of our tools may be retried.
    building.catch(() => this.#builds.delete(key))
    return building
  }

  /**
   * Runs one request on tensors in device memory, where it writes its outputs. @throws WrongRequest for tensors
   * elsewhere
   */
  async run(request: OperatorRequest, memory: Memory, how: ExecuteOptions, signal?: AbortSignal): Promise<OperatorEnd> {
    const wired = this.#wire(request)
    if (typeof wired === 'string') return failed('launch-failed', wired)
    const inputs: Tensor[] = []
    for (const {name, at} of wired.inputs) inputs.push({...specOf(name, at), data: await memory.read(at, signal)})
    const outputs: OutputSpec[] = []
    for (const {name, at} of wired.outputs) {
      const before = await memory.read(at, signal)
      outputs.push({...specOf(name, at), cleared: before.every((byte) => byte === 0)})
    }
    const built = await this.#build(wired.dtypes, signal)
    if (!built.ok) return failed('launch-failed', `the operator does not build for ${JSON.stringify(wired.dtypes)}`)
    const operatorCase = {id: 'call', inputs, outputs, attributes: wired.attributes}
    const end = await this.#executor.execute(built.build, operatorCase, how, signal)
    if (end.outcome !== 'ran') return failed(end.outcome, wordsOf(end))
    for (const [index, {at}] of wired.outputs.entries())
      await memory.write(at, end.outputs[index] ?? new Uint8Array(), signal)
    return {ok: true, trace: end.trace}
  }

  /** Arguments by their names in the definition: inputs, attributes, outputs; or why they do not fit. */
  #wire({operator, arguments: given}: OperatorRequest) {
    const {definition} = this.#project
    if (operator !== `aclnn${definition.operator}`)
      return `${operator} is not the submission's operator, aclnn${definition.operator}`
    const {inputs, attributes, outputs} = definition
    const wanted = inputs.length + attributes.length + outputs.length
    if (given.length !== wanted) return `${operator} takes ${wanted} arguments, ${given.length} were given`
    const firstOutput = inputs.length + attributes.length
    const tensors = (list: typeof inputs, from: number) =>
      list.flatMap(({name}, at) => {
        const argument = given[from + at]
        return argument?.kind === 'tensor' ? [{name, at: argument}] : []
      })
    const onHost = [...inputs, ...attributes, ...outputs].find((_, at) => given[at]?.kind === 'host-tensor')
    if (onHost) return `${operator}: ${onHost.name} lies in memory of the host`
    const [taken, made] = [tensors(inputs, 0), tensors(outputs, firstOutput)]
    const absent = inputs.find(({name, kind}) => kind === 'required' && !taken.some((one) => one.name === name))
    if (absent) return `${operator}: ${absent.name} is no tensor`
    if (made.length !== outputs.length) return `${operator}: expected ${outputs.length} outputs`
    const values: Record<string, AttributeValue> = {}
    for (const [at, attribute] of attributes.entries()) {
      const index = inputs.length + at
      const arriving = arrivingValue(
        attribute,
        given[index] as Argument,
        given.slice(0, index).filter(isIntegral).length,
      )
      if ('why' in arriving) return `${operator}: ${arriving.why}`
      values[attribute.name] = arriving.value
    }
    const dtypes = Object.fromEntries([...taken, ...made].map(({name, at}) => [name, at.dtype]))
    return {inputs: taken, outputs: made, attributes: values, dtypes}
  }

  async dispose(): Promise<void> {
    const builds = [...this.#builds.values()]
    this.#builds.clear()
    for (const building of builds) {
      const built: {ok: boolean; build?: Build} = await building.catch(() => ({ok: false}))
      await built.build?.dispose()
    }
  }
}

/** The first choice of the definition; float32 if it has it. */
export function firstDtypes({definition: {inputs, outputs}}: OperatorProject): Record<string, Dtype> {
  const column = Math.max(0, inputs[0]?.dtypes.indexOf('float32') ?? 0)
  return Object.fromEntries([...inputs, ...outputs].map(({name, dtypes}) => [name, dtypes[column] ?? 'float32']))
}

function specOf(name: string, {dtype, shape}: Elements) {
  return {name, dtype, shape: [...shape]}
}

function failed(kind: Failure['kind'], why: string): OperatorEnd {
  return {ok: false, failure: {outcome: 'failed', kind, why}}
}

type NotRan = Exclude<Awaited<ReturnType<Executor['execute']>>, {outcome: 'ran'}>

function wordsOf(end: NotRan): string {
  if (end.outcome === 'violated') return `${end.violation.rule}: ${end.violation.message} ${end.violation.fix}`
  if (end.outcome === 'crashed') return `${end.cause}\n${end.log}`.trim()
  return end.outcome === 'timed-out' ? `no end within ${end.limitSeconds} s` : end.message
}
