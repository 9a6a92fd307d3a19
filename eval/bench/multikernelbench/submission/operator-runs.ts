import {constants} from 'node:fs'
import {open} from 'node:fs/promises'
import {join} from 'node:path'
import {z} from 'zod'
import type {Build, ExecuteOptions, Executor, RunTrace} from '../../../../datasets/schema/executor.ts'
import type {AttributeValue, OutputSpec} from '../../../../datasets/schema/task.ts'
import {Dtype, dtypeBytes, elementCount} from '../../../../datasets/schema/tensor.ts'
import type {Tensor} from '../../../../datasets/schema/tensor.ts'
import type {ModelRun} from '../submission.ts'
import type {OperatorProject} from './project.ts'

/** What C's `printf` writes where JSON has no number. */
const printed: Readonly<Record<string, number>> = {inf: Infinity, '-inf': -Infinity}

const Argument = z.discriminatedUnion('kind', [
  z.object({kind: z.literal('none')}),
  z.object({kind: z.literal('tensor'), dtype: Dtype, zero: z.boolean(), shape: z.array(z.int().nonnegative())}),
  z.object({kind: z.literal('bool'), value: z.boolean()}),
  z.object({
    kind: z.literal('number'),
    value: z.union([z.number(), z.string().transform((text) => printed[text] ?? NaN)]),
  }),
  z.object({kind: z.literal('string'), value: z.string()}),
  z.object({kind: z.literal('list'), value: z.array(z.number())}),
])
type Argument = z.infer<typeof Argument>

/** What a binding asks for with EXEC_NPU_CMD. */
export const OperatorRequest = z.object({operator: z.string(), arguments: z.array(Argument)})
type OperatorRequest = z.infer<typeof OperatorRequest>

export type Failure = Extract<ModelRun, {outcome: 'failed'}>

/** `outputs`: bytes by the argument that they belong to. */
type OperatorEnd = {ok: true; outputs: [number, Uint8Array][]; trace: RunTrace} | {ok: false; failure: Failure}

/** A submission's operator, built once for each choice of element types that is asked for. */
export class OperatorRuns {
  readonly #executor: Executor
  readonly #project: OperatorProject
  readonly #builds = new Map<string, ReturnType<Executor['build']>>()

  constructor(executor: Executor, project: OperatorProject) {
    this.#executor = executor
    this.#project = project
  }

  /** The first choice of the definition; float32 where it has it. */
  first(): ReturnType<Executor['build']> {
    const {inputs, outputs} = this.#project.definition
    const column = Math.max(0, inputs[0]?.dtypes.indexOf('float32') ?? 0)
    return this.#build(
      Object.fromEntries([...inputs, ...outputs].map(({name, dtypes}) => [name, dtypes[column] ?? 'float32'])),
    )
  }

  #build(dtypes: Record<string, Dtype>, signal?: AbortSignal): ReturnType<Executor['build']> {
    const key = JSON.stringify(dtypes)
    const known = this.#builds.get(key)
    if (known) return known
    const {definition, files} = this.#project
    const building = this.#executor.build({operator: definition.operator, files, dtypes}, signal)
    this.#builds.set(key, building)
    // A build that our own tools failed may be tried again.
    building.catch(() => this.#builds.delete(key))
    return building
  }

  /** Runs one request whose tensors lie in `folder`. */
  async run(request: OperatorRequest, folder: string, how: ExecuteOptions, signal?: AbortSignal): Promise<OperatorEnd> {
    const wired = this.#wire(request)
    if (typeof wired === 'string') return failed('launch-failed', wired)
    const inputs: Tensor[] = []
    for (const {index, ...spec} of wired.inputs) {
      const data = await sentTensor(join(folder, `t${index}.bin`), elementCount(spec.shape) * dtypeBytes[spec.dtype])
      if (!data) return failed('crashed', `the tensor ${spec.name} was not handed over whole`)
      inputs.push({...spec, data})
    }
    const outputs: OutputSpec[] = wired.outputs.map(({index: _, zero, ...spec}) => ({...spec, cleared: zero}))
    const built = await this.#build(wired.dtypes, signal)
    if (!built.ok) return failed('launch-failed', `the operator does not build for ${JSON.stringify(wired.dtypes)}`)
    const operatorCase = {id: 'call', inputs, outputs, attributes: wired.attributes}
    const end = await this.#executor.execute(built.build, operatorCase, how, signal)
    if (end.outcome !== 'ran') return failed(end.outcome, wordsOf(end))
    return {ok: true, trace: end.trace, outputs: end.outputs.map((data, at) => [wired.outputs[at]?.index ?? 0, data])}
  }

  /** Arguments by what the definition calls them: inputs, attributes, outputs; or why they do not fit. */
  #wire({operator, arguments: given}: OperatorRequest) {
    const {definition} = this.#project
    if (operator !== `aclnn${definition.operator}`)
      return `${operator} is not the submission's operator, aclnn${definition.operator}`
    const {inputs, attributes, outputs} = definition
    const wanted = inputs.length + attributes.length + outputs.length
    if (given.length !== wanted) return `${operator} takes ${wanted} arguments, ${given.length} were given`
    const named = given.map((argument, index) => ({argument, index}))
    const firstOutput = inputs.length + attributes.length
    const tensors = (list: typeof inputs, from: number) =>
      list.flatMap(({name}, at) => {
        const {argument, index} = named[from + at] as (typeof named)[number]
        return argument.kind === 'tensor' ? [{name, index, ...withoutKind(argument)}] : []
      })
    const [taken, made] = [tensors(inputs, 0), tensors(outputs, firstOutput)]
    const absent = inputs.find(({name, kind}) => kind === 'required' && !taken.some((one) => one.name === name))
    if (absent) return `${operator}: ${absent.name} is no tensor`
    if (made.length !== outputs.length) return `${operator}: expected ${outputs.length} outputs`
    const values: Record<string, AttributeValue> = {}
    for (const [at, {name}] of attributes.entries()) {
      const argument = given[inputs.length + at]
      if (!argument || !('value' in argument)) return `${operator}: the attribute ${name} is no value`
      values[name] = argument.value
    }
    const dtypes = Object.fromEntries([...taken, ...made].map(({name, dtype}) => [name, dtype]))
    return {inputs: taken.map(({zero: _, ...one}) => one), outputs: made, attributes: values, dtypes}
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

function withoutKind({kind: _, ...rest}: Extract<Argument, {kind: 'tensor'}>) {
  return rest
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

/** The process may have put anything in its place: a link, a pipe that nobody writes to. */
async function sentTensor(path: string, bytes: number): Promise<Uint8Array | undefined> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(path, flags).catch(() => undefined)
  if (!file) return undefined
  try {
    const status = await file.stat()
    return status.isFile() && status.size === bytes ? new Uint8Array(await file.readFile()) : undefined
  } finally {
    await file.close()
  }
}
