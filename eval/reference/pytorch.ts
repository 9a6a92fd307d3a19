import {createHash} from 'node:crypto'
import {mkdir, mkdtemp, open, readFile} from 'node:fs/promises'
import {dirname, join, resolve} from 'node:path'
import {isDeepStrictEqual} from 'node:util'
import {z} from 'zod'
import {kernelName, parseOperatorDefinitions, type OperatorDefinition} from '../../cpp/op-def.ts'
import type {Candidate} from '../../datasets/schema/candidate.ts'
import {modulePath, type OperatorCase, type OperatorTask, type TaskCase} from '../../datasets/schema/task.ts'
import {dtypeBytes, elementCount, type Dtype} from '../../datasets/schema/tensor.ts'
import {PipelineError} from '../../engine/errors.ts'
import {removeFolder} from '../../engine/files.ts'
import {randomFrom, type Random} from '../../engine/random.ts'
import type {CaseComparison, CaseSource, OpenCases, PreparedCase} from '../cases.ts'
import {oddBool} from '../compare.ts'
import {firstFresh, firstGrown, type CallShape} from '../fresh-row.ts'
import {startBridge, type Bridge} from './bridge.ts'
import {OperatorCall, type Adaptations, type Argument} from './call.ts'
import {decode, encode} from '../../datasets/dtype.ts'
import type {InputFamily} from './inputs.ts'
import {caseId} from './typescript.ts'
import {tensorsIn, wireCall, type Wired} from './wiring.ts'

interface PytorchOptions {
  /** The Python interpreter with torch. Default `python3`. */
  python?: string
  /** Folder for tensors while a case is judged. */
  workDirectory: string
  /** Rows with more bytes of input are skipped. Default 16 MiB; Infinity accepts all. */
  maxInputBytes?: number
  /** Adaptations of the benchmark whose tasks are judged. */
  adaptations?: Adaptations
}

export interface PytorchReferences {
  /** Identity of the computation, for keys and reports: `torch 2.5.1`. */
  identity: string
  open: OpenCases
  /** Modules that references import and this Python lacks, each with the tasks that need it. */
  lacking(tasks: readonly OperatorTask[]): Promise<Record<string, readonly string[]>>
  close(): void
}

const Lacking = z.object({lacking: z.record(z.string(), z.array(z.string()))})

const mebi = 2 ** 20
/** For one draw of inputs, one run of a reference, one comparison: the benchmark's own limit. */
const stepSeconds = 300

/**
 * A benchmark's own references: `prepare_inputs.py` draws, `ModelNew` and `pybind.cpp` define the operator's call,
 * `Model` and the task's checker define the expected result. Everything runs in one separate Python process. The
 * families mean: `normal` the task's draw, `uniform` another one, `small` that scaled by 1/16, `wide`, `infinite`,
 * `nan` and `denormal` as everywhere (`inputs.ts`), every other family the task's draw with each value moved towards
 * zero by its own power of two.
 * @throws PipelineError `toolchain-missing` without Python or torch
 */
export default async function pytorch({
  python = 'python3',
  workDirectory,
  maxInputBytes = 16 * mebi,
  adaptations = {},
}: PytorchOptions): Promise<PytorchReferences> {
  const bridge = await startBridge({python, timeoutSeconds: stepSeconds})
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
    async lacking(tasks) {
      const own = tasks.filter(({reference}) => reference.kind === 'pytorch')
      const folders = Object.fromEntries(own.map((task) => [task.name, resolve(dirname(modulePath(task)))]))
      const reply = await bridge.ask('lacking', {folders}, Lacking)
      return 'lacking' in reply ? reply.lacking : {}
    },
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
  const validation = dirname(modulePath(task))
  const place = {
    root: resolve(validation, '..', ...task.origin.path.split('/').map(() => '..')),
    validation: resolve(validation),
    snake: kernelName(task.name),
    rows,
  }
  const describe = (index: number, cells?: TaskCase) =>
    judging.bridge.ask('describe', {task: place, row: index, cells, seed: 1, limit: judging.limit}, Described)
  const wired = new Map<string, Entry>()
  for (const [index, row] of rows.entries()) {
    const reply = await describe(index)
    if ('unusable' in reply) {
      skip(row, reply.unusable, reply.detail)
      continue
    }
    try {
      const call = wireCall(definition, reply.call.arguments, judging.adaptations)
      wired.set(caseId(row), {index, row, call, shape: callShape(reply.call.arguments)})
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      skip(row, 'binding-mismatch', error.message)
    }
  }
  const entry = (row: TaskCase) => {
    const found = wired.get(caseId(row))
    if (!found) throw new TypeError('this row is not one of the source')
    return found
  }
  return {
    rows: [...wired.values()].map(({row}) => row),
    dtypes: (row) =>
      Object.fromEntries([...entry(row).call.inputs, ...entry(row).call.outputs].map(({name, dtype}) => [name, dtype])),
    // A row with other sizes is called like its original row.
    prepare: (row, family, seed) =>
      prepare(
        judging,
        {place, ...entry(row), row, family, seed: numberFrom(seed, row['case_id'] ?? '', family)},
        definition,
      ),
    fresh: (row, seed) => {
      const random = randomFrom(...seed, caseId(row), 'sizes')
      return freshRow(row, {...entry(row), table: task.cases, random}, describe)
    },
    grown: (row, bytes) => {
      const {index, shape: call} = entry(row)
      return firstGrown(row, {call, table: task.cases, bytes}, shapeBy(describe, index))
    },
    alike: (row) => alikeRows(row, {...entry(row), table: task.cases}, describe),
  }
}

interface Entry {
  index: number
  row: TaskCase
  call: Wired
  shape: CallShape
}

/** Each trial is one run of the reference. */
const mostTrials = 8

type Describe = (index: number, cells: TaskCase) => Promise<z.infer<typeof Described> | {unusable: string}>

const shapeBy = (describe: Describe, index: number) => async (cells: TaskCase) => {
  const reply = await describe(index, cells)
  return 'unusable' in reply ? undefined : callShape(reply.call.arguments)
}

/** The first row of other sizes that the task draws inputs for and computes, as a call of the same regime. */
export function freshRow(
  row: TaskCase,
  {index, shape: call, table, random}: Pick<Entry, 'index' | 'shape'> & {table: readonly TaskCase[]; random: Random},
  describe: Describe,
): Promise<TaskCase | undefined> {
  return firstFresh(row, {call, table, random, trials: mostTrials}, shapeBy(describe, index))
}

/**
 * The row with one cell at a time replaced by another row's, or with a number changed, if its call keeps its tensors.
 */
async function* alikeRows(
  row: TaskCase,
  {index, shape: {tensors}, table}: Pick<Entry, 'index' | 'shape'> & {table: readonly TaskCase[]},
  describe: Describe,
): AsyncGenerator<TaskCase> {
  for (const [column, cell] of Object.entries(row)) {
    if (column === 'case_id') continue
    const others = new Set(table.map((other) => other[column] ?? cell))
    if (/^\s*-?\d+\.\d+\s*$/.test(cell)) others.add(String(Number(cell) * 1.75 + 0.5))
    others.delete(cell)
    for (const other of [...others].slice(0, mostTrials / 2)) {
      const changed = {...row, [column]: other}
      const call = await shapeBy(describe, index)(changed)
      if (call && isDeepStrictEqual(call.tensors, tensors)) yield changed
    }
  }
}

/** Whether an argument may follow from a size or be a choice; other numbers may be drawn at random, as scalars may. */
function isChosen(argument: Argument): argument is Extract<Argument, {kind: 'plain'}> {
  return argument.kind === 'plain' && (typeof argument.value !== 'number' || Number.isInteger(argument.value))
}

/** Numbers that may be drawn at random say nothing about a call's sizes. */
export function callShape(given: readonly Argument[]): CallShape {
  const tensors = given.flatMap(tensorsIn)
  const values = given.map((argument) =>
    argument.kind === 'integers' || isChosen(argument) ? argument.value : argument.kind,
  )
  return {
    tensors: tensors.map(({slot, dtype, shape}) => ({name: `slot ${slot}`, dtype, shape})),
    values: {...values},
  }
}

/** The candidate's own definition, which decides how it is called; the task's if the candidate has none. */
function definitionOf({task, files}: Candidate): OperatorDefinition {
  const definitions = [...files, task.hostTemplate]
    .flatMap(({text}) => parseOperatorDefinitions(text))
    .filter(({operator}) => operator === task.name)
  if (definitions[0]) return definitions[0]
  throw new PipelineError(
    'input-invalid',
    `${task.origin.path} defines no operator ${task.name} in question/op_host.`,
    {
      fix: 'Check the checkout: the template must derive from OpDef.',
      evidence: {task: task.origin.path},
      scope: 'record',
    },
  )
}

/** Both kinds of draws that follow from one number must differ, so seeds are two apart. */
function numberFrom(parts: readonly (string | number)[], ...more: string[]): number {
  return (
    createHash('sha256')
      .update(JSON.stringify([...parts, ...more]))
      .digest()
      .readUInt32LE(0) * 2
  )
}

interface Request {
  place: {rows: readonly TaskCase[]}
  index: number
  row: TaskCase
  call: Wired
  family: InputFamily
  seed: number
}

async function prepare(
  {bridge, workDirectory, limit, adaptations}: Judging,
  {place, index, row, call, family, seed}: Request,
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
    ...(row !== place.rows[index] && {cells: row}),
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
      const verdict = await bridge.ask('compare', {token, files, folder, ...rules}, Compared)
      if ('unusable' in verdict) throw unusable(verdict)
      const odd = drawn.outputs
        .map((spec, at) => oddBool(spec, outputs[at] ?? new Uint8Array()))
        .find((problem) => problem !== undefined)
      const comparison = await comparisonOf(verdict)
      if (verdict.right) comparison.right = await rightOf(drawn.outputs, verdict.right)
      return odd === undefined || !comparison.hardened.ok
        ? comparison
        : {...comparison, hardened: {...comparison.hardened, ok: false, output: 'outputs', reason: odd}}
    },
    async discard() {
      await removeFolder(folder)
      await bridge.ask('discard', {token}, z.object({}))
    },
  }
}

/** Scratch of one comparison: temporary, so neither renamed nor synced. */
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
  /** By slot. */
  right: z.record(z.string(), z.string()).optional(),
})

/** Expected outputs, in the types of the operator's definition. */
function rightOf(
  outputs: Wired['outputs'],
  files: Readonly<Record<string, string>>,
): Promise<(Uint8Array | undefined)[]> {
  return Promise.all(
    outputs.map(async ({slot, slotDtype, dtype}) => {
      const file = files[slot]
      return file === undefined ? undefined : converted(await readFile(file), slotDtype, dtype)
    }),
  )
}

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

/** The error for a row that could be described but not computed with other inputs: the task's reference is at fault. */
function unusable({unusable: reason, detail}: {unusable: string; detail: string}): PipelineError {
  return new PipelineError('input-invalid', `The task's reference fails (${reason}): ${detail}`, {
    fix: 'Check module.py and prepare_inputs.py of the task, or skip the task with --tasks.',
    evidence: {reason, detail},
    scope: 'record',
  })
}
