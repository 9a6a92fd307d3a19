import {createHash} from 'node:crypto'
import {mkdir, mkdtemp, open, readFile, rm} from 'node:fs/promises'
import {dirname, join, resolve} from 'node:path'
import {z} from 'zod'
import {kernelName, parseOperatorDefinitions, type OperatorDefinition} from '../../datasets/op-def.ts'
import type {Candidate} from '../../datasets/schema/candidate.ts'
import type {OperatorCase, TaskCase} from '../../datasets/schema/task.ts'
import {dtypeBytes, elementCount, type Dtype} from '../../datasets/schema/tensor.ts'
import {PipelineError} from '../../engine/errors.ts'
import type {CaseComparison, CaseSource, OpenCases, PreparedCase} from '../cases.ts'
import {oddBool} from '../compare.ts'
import {startBridge, type Bridge} from './bridge.ts'
import {OperatorCall, type Adaptations} from './call.ts'
import {decode, encode} from './dtype.ts'
import type {InputFamily} from './inputs.ts'
import {wireCall, type Wired} from './wiring.ts'

interface PytorchOptions {
  /** The Python that has torch. Default `python3`. */
  python?: string
  /** Where tensors lie while a case is judged. */
  workDirectory: string
  /** Rows with more bytes of input are skipped. Default 16 MiB; Infinity takes all. */
  maxInputBytes?: number
  /** For one draw of inputs, one run of a reference, one comparison. Default 300, the benchmark's own. */
  timeoutSeconds?: number
  /** Of the benchmark whose tasks are judged. */
  adaptations?: Adaptations
}

export interface PytorchReferences {
  /** What computes, for keys and reports: `torch 2.5.1`. */
  identity: string
  open: OpenCases
  close(): void
}

const mebi = 2 ** 20

/**
 * A benchmark's own references: `prepare_inputs.py` draws, `ModelNew` and `pybind.cpp` say how the operator is called,
 * `Model` and the task's checker say what is right. All of it runs in one Python process beside ours. The families
 * mean: `normal` the task's draw, `uniform` another one, `small` that scaled by 1/16, every other family that with each
 * value moved towards zero by a power of two of its own.
 * @throws PipelineError `toolchain-missing` without Python or torch
 */
export default async function pytorch({
  python = 'python3',
  workDirectory,
  maxInputBytes = 16 * mebi,
  timeoutSeconds = 300,
  adaptations = {},
}: PytorchOptions): Promise<PytorchReferences> {
  const bridge = await startBridge({python, timeoutSeconds})
  await mkdir(workDirectory, {recursive: true})
  return {
    identity: `torch ${bridge.torch}, at most ${maxInputBytes} bytes of input`,
    open: (candidate, rows, skip) =>
      openCases(
        {bridge, workDirectory: resolve(workDirectory), limit: Math.min(maxInputBytes, 2 ** 48), adaptations},
        candidate,
        rows,
        skip,
      ),
    close: () => bridge.close(),
  }
}

interface Judging {
  bridge: Bridge
  workDirectory: string
  limit: number
  adaptations: Adaptations
}

const Described = z.object({call: OperatorCall})

async function openCases(
  judging: Judging,
  candidate: Candidate,
  rows: readonly TaskCase[],
  skip: Parameters<OpenCases>[2],
): Promise<CaseSource> {
  const {task} = candidate
  const definition = definitionOf(candidate)
  const validation = dirname(task.reference.path)
  const place = {
    root: resolve(validation, '..', ...task.origin.path.split('/').map(() => '..')),
    validation: resolve(validation),
    snake: kernelName(task.name),
    rows,
  }
  const wired = new Map<TaskCase, {index: number; call: Wired}>()
  for (const [index, row] of rows.entries()) {
    const reply = await judging.bridge.ask(
      'describe',
      {task: place, row: index, seed: 1, limit: judging.limit},
      Described,
    )
    if ('unusable' in reply) {
      skip(row, reply.unusable, reply.detail)
      continue
    }
    try {
      wired.set(row, {index, call: wireCall(definition, reply.call.arguments, judging.adaptations)})
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      skip(row, 'binding-mismatch', error.message)
    }
  }
  const entry = (row: TaskCase) => {
    const found = wired.get(row)
    if (!found) throw new TypeError('this row is not one of the source')
    return found
  }
  return {
    rows: [...wired.keys()],
    dtypes: (row) =>
      Object.fromEntries([...entry(row).call.inputs, ...entry(row).call.outputs].map(({name, dtype}) => [name, dtype])),
    prepare: (row, family, seed) =>
      prepare(
        judging,
        {place, ...entry(row), family, seed: numberFrom(seed, row['case_id'] ?? '', family)},
        definition,
      ),
  }
}

/** The candidate's own definition, which decides how it is called; the task's where the candidate brings none. */
function definitionOf({task, files}: Candidate): OperatorDefinition {
  const definitions = [...files, task.hostTemplate]
    .flatMap(({text}) => parseOperatorDefinitions(text))
    .filter(({operator}) => operator === task.name)
  if (definitions[0]) return definitions[0]
  throw new PipelineError(
    'input-invalid',
    `${task.origin.path} defines no operator ${task.name} in question/op_host.`,
    {fix: 'Check the checkout: the template must derive from OpDef.', evidence: {task: task.origin.path}},
  )
}

/** Both kinds of draws that follow from one number must differ, so seeds are kept apart by two. */
function numberFrom(parts: readonly (string | number)[], ...more: string[]): number {
  return (
    createHash('sha256')
      .update(JSON.stringify([...parts, ...more]))
      .digest()
      .readUInt32LE(0) * 2
  )
}

interface Request {
  place: object
  index: number
  call: Wired
  family: InputFamily
  seed: number
}

async function prepare(
  {bridge, workDirectory, limit, adaptations}: Judging,
  {place, index, call, family, seed}: Request,
  definition: OperatorDefinition,
): Promise<PreparedCase> {
  const folder = await mkdtemp(join(workDirectory, 'pytorch-'))
  const token = folder
  const slots = call.inputs.flatMap((input) => (input.from === 'slot' ? [input.slot] : []))
  const path = (slot: number, side: string) => join(folder, `${side}-${slot}.bin`)
  const question = {
    token,
    task: place,
    row: index,
    family,
    seed,
    limit,
    files: Object.fromEntries(slots.map((slot) => [slot, path(slot, 'given')])),
  }
  const reply = await bridge.ask('prepare', question, Described)
  if ('unusable' in reply) throw unusable(reply)
  // Attributes and host values may depend on what was drawn.
  const drawn = wireCall(definition, reply.call.arguments, adaptations)
  const operatorCase: OperatorCase = {
    id: String(index),
    attributes: drawn.attributes,
    outputs: drawn.outputs.map(({name, dtype, shape, cleared}) => ({name, dtype, shape, ...(cleared && {cleared})})),
    inputs: await Promise.all(
      drawn.inputs.map(async ({name, dtype, shape, ...input}) => ({
        name,
        dtype,
        shape,
        data:
          input.from === 'values'
            ? input.data
            : converted(await readFile(path(input.slot, 'given')), input.slotDtype, dtype),
      })),
    ),
  }
  return {
    operatorCase,
    async compare(outputs, rules) {
      const files: Record<number, string> = {}
      for (const [at, {slot, dtype, shape, slotDtype}] of drawn.outputs.entries()) {
        const bytes = outputs[at]
        if (bytes?.length !== elementCount(shape) * dtypeBytes[dtype])
          return tooShort(drawn.outputs[at]?.name ?? '', bytes?.length ?? 0)
        await put(path(slot, 'left'), converted(bytes, dtype, slotDtype))
        files[slot] = path(slot, 'left')
      }
      const verdict = await bridge.ask('compare', {token, files, folder, literal: rules.literal}, Compared)
      if ('unusable' in verdict) throw unusable(verdict)
      const odd = drawn.outputs
        .map((spec, at) => oddBool(spec, outputs[at] ?? new Uint8Array()))
        .find((problem) => problem !== undefined)
      const comparison = await comparisonOf(verdict)
      return odd === undefined || !comparison.hardened.ok
        ? comparison
        : {...comparison, hardened: {...comparison.hardened, ok: false, output: 'outputs', reason: odd}}
    },
    async discard() {
      await rm(folder, {recursive: true, force: true})
      await bridge.ask('discard', {token}, z.object({}))
    },
  }
}

/** Scratch of one comparison: nothing that outlives it, so neither renamed nor synced. */
async function put(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'w')
  try {
    await file.write(bytes)
  } finally {
    await file.close()
  }
}

function converted(bytes: Uint8Array, from: Dtype, to: Dtype): Uint8Array {
  return from === to ? bytes : encode(decode(bytes, from), to)
}

const Finding = z
  .object({ok: z.boolean(), reason: z.string(), absolute: z.number().nullable(), relative: z.number().nullable()})
  .transform(({ok, reason, absolute, relative}) => ({
    ok,
    output: ok ? '' : 'outputs',
    reason,
    worstAbsolute: absolute,
    worstRelative: relative,
  }))
const Compared = z.object({
  literal: Finding.optional(),
  hardened: Finding,
  evidence: z.array(z.tuple([z.string(), z.string()])),
  nan: z.boolean(),
})

async function comparisonOf({literal, hardened, evidence, nan}: z.infer<typeof Compared>): Promise<CaseComparison> {
  const read = async (side: 0 | 1) => Promise.all(evidence.map((paths) => readFile(paths[side])))
  const [expected, seen] = await Promise.all([read(0), read(1)])
  return {...(literal ? {literal} : {}), hardened, seen, expected, expectsNaN: nan}
}

function tooShort(output: string, bytes: number): CaseComparison {
  const finding = {
    ok: false,
    output,
    reason: `${bytes} bytes, which is not the size of its shape`,
    worstAbsolute: null,
    worstRelative: null,
  }
  return {literal: finding, hardened: finding, seen: [], expected: [], expectsNaN: false}
}

/** A row that could be described and then not be computed with other inputs: the task's reference is at fault. */
function unusable({unusable: reason, detail}: {unusable: string; detail: string}): PipelineError {
  return new PipelineError('input-invalid', `The task's reference fails (${reason}): ${detail}`, {
    fix: 'Look at module.py and prepare_inputs.py of the task; leave the task out with --tasks.',
    evidence: {reason, detail},
  })
}
