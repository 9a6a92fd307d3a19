import {mkdir, mkdtemp, readFile} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import {removeFolder} from '../../../engine/files.ts'
import type {TorchPython} from '../submission/python.ts'
import type {CasesSetting, ModelCases} from '../whole-model.ts'
import {openOperatorOracle, type SavedCase} from './operator-oracle.ts'
import {inputBytes, readOperator, type CheckoutTask} from './checkout-operators.ts'

/** Cases enough for a feedback loop. */
const mostCases = 3

/** The smallest cases of an operator, for testing a program while it is written. */
export async function operatorCases(
  {root, path}: CheckoutTask,
  {python, sandbox, workDirectory, signal}: CasesSetting<TorchPython>,
): Promise<ModelCases> {
  await mkdir(resolve(workDirectory), {recursive: true})
  const folder = await mkdtemp(join(resolve(workDirectory), 'cases-'))
  const home = resolve(root, path)
  const {facts, cases} = await readOperator(home)
  const setting = {python, sandbox, folder, module: join(home, 'golden.py'), seconds: 300, ...(signal && {signal})}
  const oracle = await openOperatorOracle(setting, facts)
  try {
    const smallest = cases.toSorted((a, b) => inputBytes(a) - inputBytes(b)).slice(0, mostCases)
    const saved: SavedCase[] = []
    for (const one of smallest) saved.push(await oracle.saved({case: one, seed: 1, family: 'own'}))
    const names = facts.outputs.map(({name}) => name)
    const read = await Promise.all(saved.map((one, at) => readCase(one, at, names)))
    const shapes = read.flatMap(({operatorCase: {inputs, outputs}}) =>
      [...inputs, ...outputs].map(({name, dtype, shape}) => `${name}: ${dtype}[${shape.join(', ')}]`),
    )
    return {shapes: [...new Set(shapes)].join('\n'), made: [], called: saved[0]?.called ?? [], cases: read}
  } finally {
    await oracle.close()
    await removeFolder(folder)
  }
}

async function readCase({inputs, attributes, outputs}: SavedCase, index: number, names: readonly string[]) {
  return {
    operatorCase: {
      id: `case-${index}`,
      inputs: await Promise.all(inputs.map(async ({file, ...spec}) => ({...spec, data: await readFile(file)}))),
      attributes,
      outputs: outputs.map(({dtype, shape}, at) => ({name: names[at] ?? `y${at}`, dtype, shape})),
    },
    expected: await Promise.all(outputs.map(({file}) => readDoubles(file))),
    tolerance: {absolute: 1e-4, relative: 1e-4},
  }
}

async function readDoubles(path: string): Promise<Float64Array> {
  const bytes = await readFile(path)
  return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
}
