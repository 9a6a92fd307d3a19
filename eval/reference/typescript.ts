import {createHash} from 'node:crypto'
import {PipelineError} from '../../engine/errors.ts'
import {importOwn} from '../../engine/own-module.ts'
import {randomFrom} from '../../engine/random.ts'
import type {OperatorCase, ReferenceInputs, TaskCase, TaskReference} from '../../datasets/schema/task.ts'
import {type Dtype, elementCount, TensorSpec, type Tensor} from '../../datasets/schema/tensor.ts'
import {decode, encode, roundTo} from '../../datasets/dtype.ts'
import {drawValues, halfAlike, type InputFamily} from './inputs.ts'

/**
 * Loads what a task's `validation/reference.ts` default-exports.
 * @param path absolute, or relative to the working directory
 * @throws PipelineError `input-missing` without the file, `input-invalid` when it exports something else
 */
export async function loadReference(path: string): Promise<TaskReference> {
  const exported = await importOwn(path, {what: 'reference', fix: 'Restore it, or remove the task.', scope: 'record'})
  const reference = exported['default'] as Partial<TaskReference> | undefined
  if (typeof reference?.describe === 'function' && typeof reference.compute === 'function')
    return reference as TaskReference
  const names = Object.keys(exported).join(', ') || 'none'
  const what = `${path} does not default-export {describe, compute}; its exports are: ${names}.`
  throw new PipelineError('input-invalid', what, {
    fix: 'Default-export a TaskReference, a type of `ascend-cot/reference`.',
    evidence: {path},
    scope: 'record',
  })
}

/** Shapes, dtypes and attributes of one row, checked: a reference is untrusted data from a folder. */
export function describeCase(reference: TaskReference, row: TaskCase): ReturnType<TaskReference['describe']> {
  const {inputs, outputs, attributes} = asked(row, () => reference.describe(row))
  for (const spec of [...inputs, ...outputs]) {
    const parsed = TensorSpec.safeParse(spec)
    if (!parsed.success)
      throw invalid(
        row,
        `describes the tensor ${JSON.stringify(spec)}: ${parsed.error.issues[0]?.message ?? 'invalid'}`,
      )
  }
  if (outputs.length === 0) throw invalid(row, 'describes no output')
  return attributes === undefined ? {inputs, outputs} : {inputs, outputs, attributes}
}

/** The reference is a user's program: what it throws is its own error. */
function asked<T>(row: TaskCase, ask: () => T): T {
  try {
    return ask()
  } catch (error) {
    throw invalid(row, `throws ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** dtype of every input and output by OpDef name: cases that agree share one build. */
export function caseDtypes(described: {inputs: TensorSpec[]; outputs: TensorSpec[]}): Record<string, Dtype> {
  return Object.fromEntries([...described.inputs, ...described.outputs].map(({name, dtype}) => [name, dtype]))
}

/**
 * One call of the operator with drawn inputs. The draw depends on the seed parts, the row, the family and the tensor's
 * name, so that all candidates of a task get the same data.
 */
export function prepareCase(
  reference: TaskReference,
  row: TaskCase,
  family: InputFamily,
  seed: readonly (string | number)[],
): OperatorCase {
  const {inputs, outputs, attributes = {}} = describeCase(reference, row)
  const first = new Map<Dtype, Float64Array>()
  const tensors = inputs.map((spec): Tensor => {
    const random = randomFrom(...seed, caseId(row), family, spec.name)
    const domain = reference.domain?.[spec.name]
    const count = elementCount(spec.shape)
    if (family === 'repeated' && count > period) {
      const first = encode(drawValues({...spec, shape: [period]}, family, random, domain), spec.dtype)
      return {...spec, data: repeated(first, (first.length / period) * count)}
    }
    const drawn = drawValues(spec, family, random, domain)
    const other = family === 'alike' ? first.get(spec.dtype) : undefined
    if (!first.has(spec.dtype)) first.set(spec.dtype, drawn)
    return {...spec, data: encode(other ? halfAlike(drawn, {other, random, domain}) : drawn, spec.dtype)}
  })
  return {id: caseId(row), inputs: tensors, attributes, outputs}
}

/** Elements of a `repeated` tensor until the first comes again: a prime, so that no two tiles are alike. */
const period = 65_537

function repeated(first: Uint8Array, bytes: number): Uint8Array {
  const data = new Uint8Array(bytes)
  for (let at = 0; at < bytes; at += first.length) data.set(first.subarray(0, bytes - at), at)
  return data
}

/**
 * What the operator should give for these inputs, by output in OpDef order, rounded to the output's dtype. Call it
 * after the candidate ran: it must not exist while a candidate could read it.
 * @throws PipelineError `input-invalid` when the reference omits an output or gives the wrong number of values
 */
export function expectedOutputs(reference: TaskReference, row: TaskCase, operatorCase: OperatorCase): Float64Array[] {
  const inputs: ReferenceInputs = {}
  for (const tensor of operatorCase.inputs) inputs[tensor.name] = decode(tensor.data, tensor.dtype)
  const computed = asked(row, () => reference.compute(inputs, row))
  return operatorCase.outputs.map((spec) => {
    const values = computed[spec.name]
    const count = elementCount(spec.shape) * (spec.dtype === 'complex64' ? 2 : 1)
    if (values === undefined)
      throw invalid(row, `computes no ${spec.name}; it gives: ${Object.keys(computed).join(', ')}`)
    if (values.length !== count)
      throw invalid(row, `computes ${values.length} values for ${spec.name}, its shape asks for ${count}`)
    try {
      return roundTo(values, spec.dtype)
    } catch (error) {
      throw invalid(row, `computes ${spec.name} with ${error instanceof Error ? error.message : String(error)}`)
    }
  })
}

export function caseId(row: TaskCase): string {
  return row['case_id'] ?? createHash('sha256').update(JSON.stringify(row)).digest('hex').slice(0, 8)
}

/** Whether any of the values is NaN: then poisoned memory and a computed NaN are indistinguishable. */
export function holdsNaN(outputs: readonly Float64Array[]): boolean {
  return outputs.some((values) => values.some(Number.isNaN))
}

function invalid(row: TaskCase, what: string): PipelineError {
  return new PipelineError('input-invalid', `The reference ${what} (case ${caseId(row)}).`, {
    fix: 'Correct validation/reference.ts of the task.',
    evidence: {case: caseId(row)},
    scope: 'record',
  })
}
