import {mkdtemp, mkdir, readFile} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import {removeFolder} from '../../../engine/files.ts'
import type {CasesSetting, ModelCases} from '../whole-model.ts'
import {openOracle, oracleRules, type InputSize, type ModelCase} from './oracle/oracle.ts'
import type {TorchPython} from '../submission/python.ts'
import {rolesOf, settingsOf} from './tiers.ts'
import type {ModelCandidate} from './verdict.ts'

/** Version of what makes cases, for keys. */
export const casesIdentity = oracleRules

/** Kinds of values for testing a program: the benchmark's own, and signed ones. */
const families = ['own', 'normal'] as const

/** Odd sizes of a task with two kinds of values each: small enough for a feedback loop. */
export async function modelCases(
  task: ModelCandidate['task'],
  setting: CasesSetting<TorchPython>,
): Promise<ModelCases> {
  const workDirectory = resolve(setting.workDirectory)
  await mkdir(workDirectory, {recursive: true})
  const folder = await mkdtemp(join(workDirectory, 'cases-'))
  const oracle = await openOracle({...setting, folder, module: resolve(task.root, task.path), seconds: 300})
  try {
    const settings = settingsOf(task.name, 'odd').filter(({init}) => init === undefined)
    const told = await oracle.describe({})
    const found: ModelCase[] = []
    for (const one of settings) {
      for (const family of families)
        found.push(await oracle.case({setting: one, family, seed: 1024, roles: rolesOf[task.name] ?? []}))
    }
    const cases = await Promise.all(found.map(readCase))
    const [first] = found
    return {
      shapes: first ? shapesText(first, told) : '',
      made: first?.made ?? [],
      called: first?.called ?? [],
      cases,
    }
  } finally {
    await oracle.close()
    await removeFolder(folder)
  }
}

async function readCase({inputs, attributes, outputs}: ModelCase, index: number): Promise<ModelCases['cases'][number]> {
  return {
    operatorCase: {
      id: `case-${index}`,
      inputs: await Promise.all(inputs.map(async ({file, ...spec}) => ({...spec, data: await readFile(file)}))),
      attributes,
      outputs: outputs.map(({dtype, shape}, at) => ({name: outputName(at, outputs.length), dtype, shape})),
    },
    expected: await Promise.all(outputs.map(({file}) => readDoubles(file))),
    tolerance: {absolute: 1e-4, relative: 1e-4},
  }
}

const outputName = (at: number, count: number) => (count === 1 ? 'y' : `y${at}`)

async function readDoubles(path: string): Promise<Float64Array> {
  const bytes = await readFile(path)
  return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
}

/** `x: float32[4096, 393216], also called with [7, 1021]`, and so on. */
function shapesText({inputs, outputs, attributes}: ModelCase, told: readonly InputSize[]): string {
  const values = Object.entries(attributes).map(([name, value]) => `${name} = ${value}`)
  return [
    ...inputs.map(({name, dtype, shape}, at) => {
      const own = told[at]?.shape ?? shape
      return `${name}: ${dtype}[${own.join(', ')}], also called with [${shape.join(', ')}]`
    }),
    ...outputs.map(({dtype, shape}, at) => {
      const name = outputName(at, outputs.length)
      return `${name}: ${dtype}[${shape.join(', ')}] where inputs have the second sizes; an output`
    }),
    ...(values.length > 0 ? [`attributes that may be declared, with their values: ${values.join(', ')}`] : []),
  ].join('\n')
}
