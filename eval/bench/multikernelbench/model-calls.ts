import {resolve} from 'node:path'
import {readCases, withOracle} from '../oracle/saved-case.ts'
import type {CasesSetting, ModelCases} from '../whole-model.ts'
import type {TorchPython} from '../submission/python.ts'
import type {ModelCandidate} from './verdict.ts'
import {openOracle, type InputSize, type ModelCase} from './oracle/oracle.ts'
import {rolesOf, settingsOf} from './tiers.ts'

/** Kinds of values for testing a program: the benchmark's own, and signed ones. */
const families = ['own', 'normal'] as const

/** Odd sizes of a task with two kinds of values each: small enough for a feedback loop. */
export async function modelCases(
  task: ModelCandidate['task'],
  setting: CasesSetting<TorchPython>,
): Promise<ModelCases> {
  const module = resolve(task.root, task.path)
  const open = (folder: string) => openOracle({...setting, folder, module, seconds: 300})
  return withOracle(setting.workDirectory, open, async (oracle) => {
    const settings = settingsOf(task.name, 'odd').filter(({init}) => init === undefined)
    const told = await oracle.describe({})
    const found: ModelCase[] = []
    for (const one of settings) {
      for (const family of families)
        found.push(await oracle.case({setting: one, family, seed: 1024, roles: rolesOf[task.name] ?? []}))
    }
    const [first] = found
    return {
      shapes: first ? shapesText(first, told) : '',
      made: first?.made ?? [],
      called: first?.called ?? [],
      cases: await readModelCases(found),
    }
  })
}

export const readModelCases = (found: readonly ModelCase[]) =>
  readCases(found, (at) => outputName(at, found[0]?.outputs.length ?? 0))

const outputName = (at: number, count: number) => (count === 1 ? 'y' : `y${at}`)

/** `x: float32[4096, 393216], also called with [7, 1021]`, and so on. */
export function shapesText({inputs, outputs, attributes}: ModelCase, told: readonly InputSize[]): string {
  const values = Object.entries(attributes).map(([name, value]) => `${name} = ${value}`)
  return [
    ...inputs.map(({name, dtype, shape}, at) => {
      const own = told[at]?.shape
      const small = shape.join(', ')
      return `${name}: ${dtype}[${own ? `${own.join(', ')}], also called with [${small}` : small}]`
    }),
    ...outputs.map(({dtype, shape}, at) => {
      const name = outputName(at, outputs.length)
      const where = told.length > 0 ? ' where inputs have the second sizes' : ''
      return `${name}: ${dtype}[${shape.join(', ')}]${where}; an output`
    }),
    ...(values.length > 0 ? [`attributes that may be declared, with their values: ${values.join(', ')}`] : []),
  ].join('\n')
}
