import {readFileSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import type {Program} from '../../datasets/schema/executor.ts'
import type {OperatorCase} from '../../datasets/schema/task.ts'

const root = fileURLToPath(new URL('../fixtures/operators/', import.meta.url))

/** A fixture operator's files; `edit` plants a fault: [path, what stands there, what shall stand there]. */
export function fixtureProgram(
  folder: string,
  operator: string,
  dtypes: Program['dtypes'],
  ...edits: [path: string, from: string, to: string][]
): Program {
  const files = ['op_host', 'op_kernel'].flatMap((side) =>
    readdirSync(join(root, folder, side))
      .sort()
      .map((name) => ({path: `${side}/${name}`, text: readFileSync(join(root, folder, side, name), 'utf8')})),
  )
  for (const [path, from, to] of edits) {
    const file = files.find((one) => one.path === path)
    if (!file?.text.includes(from)) throw new TypeError(`fixtureProgram: ${path} has no ${from}`)
    file.text = file.text.replace(from, to)
  }
  return {operator, files, dtypes}
}

export function floats(values: readonly number[]): Uint8Array {
  return new Uint8Array(new Float32Array(values).buffer)
}

export function asFloats(bytes: Uint8Array): number[] {
  return [...new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)]
}

export const addLength = 1024

/** x = 0, 1, 2, … and y = 0.5 in float32, split over eight blocks by the operator. */
export function addCase(): OperatorCase {
  const x = Array.from({length: addLength}, (_, index) => index)
  return {
    id: 'float32',
    inputs: [
      {name: 'x', dtype: 'float32', shape: [4, 256], data: floats(x)},
      {name: 'y', dtype: 'float32', shape: [4, 256], data: floats(x.map(() => 0.5))},
    ],
    attributes: {},
    outputs: [{name: 'z', dtype: 'float32', shape: [4, 256]}],
  }
}
