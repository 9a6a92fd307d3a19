import {z} from 'zod'
import type {Build, ExecuteOptions, Executor, RunTrace} from '../../../datasets/schema/executor.ts'
import type {AttributeValue, OutputSpec} from '../../../datasets/schema/task.ts'
import type {Dtype, Tensor} from '../../../datasets/schema/tensor.ts'
import type {Failure} from './submission.ts'
import {Argument, arrivingValue, isIntegral} from './aclnn-arguments.ts'
import type {DeviceProcess, Elements} from './device-process.ts'
import type {OperatorProject} from './project.ts'

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
