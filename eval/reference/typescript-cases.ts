import {resolve} from 'node:path'
import {modulePath, type OperatorCase, type TaskCase, type TaskReference} from '../../datasets/schema/task.ts'
import {PipelineError} from '../../engine/errors.ts'
import {canonicalJson} from '../../engine/ids.ts'
import {randomFrom} from '../../engine/random.ts'
import type {CaseSource, OpenCases} from '../cases.ts'
import {firstFresh, firstGrown, type CallShape} from '../fresh-row.ts'
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
  const {cases: table} = candidate.task
  const shapeOf = (row: TaskCase) => Promise.resolve(accepted(() => callShape(reference, row)))
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
    grown: (row, bytes) => firstGrown(row, {call: callShape(reference, row), table, bytes}, shapeOf),
    fresh: (row, seed) => {
      const random = randomFrom(...seed, caseId(row), 'sizes')
      return firstFresh(row, {call: callShape(reference, row), table, random}, shapeOf, (other) => {
        const trial = () =>
          expectedOutputs(reference, other, prepareCase(reference, other, 'normal', [...seed, 'trial']))
        return Promise.resolve(accepted(trial) !== undefined)
      })
    },
  }
}

/** A reference may refuse a size, or be inconsistent with it; then another row is tried. */
function accepted<T>(attempt: () => T): T | undefined {
  try {
    return attempt()
  } catch (error) {
    if (error instanceof PipelineError) return undefined
    throw error
  }
}

function callShape(reference: TaskReference, row: TaskCase): CallShape {
  const {inputs, outputs, attributes = {}} = describeCase(reference, row)
  return {tensors: [...inputs, ...outputs], values: attributes}
}
