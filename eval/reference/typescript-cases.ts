import {resolve} from 'node:path'
import {modulePath, type OperatorCase, type TaskCase, type TaskReference} from '../../datasets/schema/task.ts'
import {PipelineError} from '../../engine/errors.ts'
import {canonicalJson} from '../../engine/ids.ts'
import {randomFrom} from '../../engine/random.ts'
import type {CaseSource, OpenCases} from '../cases.ts'
import {freshRows, grownRows, isGrown, isSameRegime, type CallShape} from '../fresh-row.ts'
import {compareOutputs} from './compare-outputs.ts'
import {byteLengths, Known} from './known.ts'
import {caseDtypes, caseId, describeCase, expectedOutputs, loadReference, prepareCase} from './typescript.ts'

const mostBytes = 2 ** 27
/** Candidates of a task get the same calls, and a module is loaded once, identified by its path. */
const calls = new Known<OperatorCase>(mostBytes, ({inputs}) => byteLengths(inputs.map(({data}) => data)))
const expectedOf = new Known<Float64Array[]>(mostBytes, byteLengths)

/** Cases of a task whose reference is `validation/reference.ts`. Every row can be judged. */
export const openTypescriptCases: OpenCases = async (candidate, rows): Promise<CaseSource> => {
  const path = resolve(modulePath(candidate.task))
  const reference = await loadReference(path)
  return {
    rows,
    dtypes: (row) => caseDtypes(describeCase(reference, row)),
    prepare: async (row, family, seed) => {
      const key = canonicalJson([path, row, family, seed])
      const operatorCase = await calls.get(key, async () => prepareCase(reference, row, family, seed))
      return {
        operatorCase,
        async compare(seen, {literal}) {
          const expected = await expectedOf.get(key, async () => expectedOutputs(reference, row, operatorCase))
          const {tolerance} = reference
          return compareOutputs({specs: operatorCase.outputs, seen, expected}, {literal, tolerance})
        },
        discard: () => Promise.resolve(),
      }
    },
    grown: (row, bytes) => Promise.resolve(grownRow(reference, row, {table: candidate.task.cases, bytes})),
    fresh: (row, seed) => Promise.resolve(freshRow(reference, row, {table: candidate.task.cases, seed})),
  }
}

/** The first row of other sizes that the reference describes as a call of the same regime, and computes. */
function freshRow(
  reference: TaskReference,
  row: TaskCase,
  {table, seed}: {table: readonly TaskCase[]; seed: readonly (string | number)[]},
): TaskCase | undefined {
  const before = callShape(reference, row)
  const random = randomFrom(...seed, caseId(row), 'sizes')
  for (const {row: other, sizes} of freshRows(row, {call: before, table, random})) {
    try {
      if (!isSameRegime(before, callShape(reference, other), sizes)) continue
      expectedOutputs(reference, other, prepareCase(reference, other, 'normal', [...seed, 'trial']))
      return other
    } catch (error) {
      // A reference may refuse a size, or be inconsistent with it; then another row is tried.
      if (!(error instanceof PipelineError)) throw error
    }
  }
  return undefined
}

/** The first row with a grown size that the reference describes as it should. */
function grownRow(
  reference: TaskReference,
  row: TaskCase,
  {table, bytes}: {table: readonly TaskCase[]; bytes: number},
): TaskCase | undefined {
  const call = callShape(reference, row)
  for (const {row: other, sizes} of grownRows(row, {call, table, bytes})) {
    try {
      if (isGrown(call, callShape(reference, other), sizes)) return other
    } catch (error) {
      if (!(error instanceof PipelineError)) throw error
    }
  }
  return undefined
}

function callShape(reference: TaskReference, row: TaskCase): CallShape {
  const {inputs, outputs, attributes = {}} = describeCase(reference, row)
  return {tensors: [...inputs, ...outputs], values: attributes}
}
