import {existsSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, describe, expect, test} from 'vitest'
import type {CraftedOperator, DrawnDesign} from '../../../../datasets/schema/crafted-operator.ts'
import {contentId} from '../../../../engine/ids.ts'
import {silentLog} from '../../../../engine/log.ts'
import type {Context} from '../../../../engine/stage.ts'
import judge from '../../../../eval/judge.ts'
import {loadReference} from '../../../../eval/reference/typescript.ts'
import {loadTasks} from '../../../../eval/tasks/operator-tasks.ts'
import ascendcraftOperators from '../../../../pipelines/ascendcraft/factory/ascendcraft-operators.ts'
import operatorProjects from '../../../../sources/kernels/repo.ts'
import {realExecutor} from '../../../helpers/real-executor.ts'
import {runStage} from '../../../helpers/run-stage.ts'
import {drawnDesigns} from './drawn-designs.ts'

const executor = await realExecutor()
const folder = mkdtempSync(join(tmpdir(), 'ascendcraft-operators-'))
afterAll(() => rmSync(folder, {recursive: true, force: true}))

/** Runs the stage on designs in a folder that stays until the end. */
async function made(designs: readonly DrawnDesign[], known?: (content: {operator?: string}) => string | undefined) {
  const directory = mkdtempSync(join(folder, 'run-'))
  const dropped: {reason: string; detail: string}[] = []
  const context: Context = {
    llm: undefined,
    seed: 'test',
    log: silentLog,
    stages: {},
    now: () => 0,
    signal: new AbortController().signal,
    directory,
    drop(_item, reason, detail = '') {
      dropped.push({reason, detail})
      return []
    },
  }
  async function* stream() {
    yield* designs
  }
  const outputs: CraftedOperator[] = []
  const stage = ascendcraftOperators({judge: judge({executor}), ...(known && {known})})
  for await (const one of stage.run(stream(), context)) outputs.push(stage.output.parse(one))
  return {outputs, dropped, directory}
}

interface Shaped {
  inputs: ({shape: readonly number[]} | null)[]
  outputs: {shape: readonly number[]}[]
}
const shapesOf = ({inputs, outputs}: Shaped) => JSON.stringify([...inputs, ...outputs].map((one) => one?.shape))

const {drawn} = await drawnDesigns(40)
const first = (form: string) => drawn.find(({design}) => design.form === form)!

describe('operators of the factory', async () => {
  const designs = ['elements', 'rows', 'lookup'].map(first)
  const {outputs, dropped, directory} = await made(designs)

  test('leave it only as the judge found them correct', () => {
    expect(dropped).toEqual([])
    expect(outputs.map(({design}) => design.name)).toEqual(designs.map(({design}) => design.name))
    for (const {verdict} of outputs) {
      expect(verdict).toMatchObject({outcome: 'correct'})
      if (verdict.outcome === 'correct') expect(verdict.cases.every(({hardened}) => hardened)).toBe(true)
    }
  })

  test('are tasks that load as any others', async () => {
    const tasks = await loadTasks({root: directory}, (_, reason) => expect.fail(reason))
    expect(tasks.map(({name}) => name).sort()).toEqual(outputs.map(({design}) => design.name).sort())
    for (const {task} of outputs) {
      const loaded = tasks.find(({name}) => name === task.name)!
      expect(loaded).toMatchObject({level: task.level, category: task.category, cases: task.cases})
      const byPath = (files: typeof task.answer) => [...files].sort((a, b) => (a.path < b.path ? -1 : 1))
      expect(byPath(loaded.answer)).toEqual(byPath(task.answer))
      expect(existsSync(join(directory, loaded.origin.path, 'program.py'))).toBe(true)
    }
  })

  test('are operator projects with a purpose and a formula', async () => {
    const root = join(directory, 'operators')
    const projects = await runStage(operatorProjects(), [{root, top: root}])
    expect(projects.dropped).toEqual([])
    expect(projects.outputs.map(({operator}) => operator).sort()).toEqual(outputs.map(({design}) => design.name).sort())
    for (const {purpose, operator} of projects.outputs) {
      expect(purpose?.text, operator).toMatch(/\S/)
      expect(purpose?.formulas, operator).not.toEqual([])
    }
  })

  test('say how they are called: shapes of the page, and the cases as calls', async () => {
    const root = join(directory, 'operators')
    const projects = await runStage(operatorProjects(), [{root, top: root}])
    for (const {task, design} of outputs) {
      const {contract} = projects.outputs.find(({operator}) => operator === task.name)!
      const named = contract?.parameters.map(({name}) => name)
      expect(named).toEqual([...design.inputs, ...design.attributes, ...design.outputs].map(({name}) => name))
      if (task.reference.kind !== 'typescript') throw new Error(task.reference.kind)
      const reference = await loadReference(task.reference.path)
      const told = task.cases.map((row) => shapesOf(reference.describe(row)))
      expect(contract?.examples.map(shapesOf).sort()).toEqual(told.sort())
      expect(contract?.examples[0]?.inputs.map((one) => one?.range)).toEqual(design.inputs.map(({domain}) => domain))
    }
  })
})

test('what single precision is not enough for is refused with what was seen, and leaves no folder', async () => {
  const {design} = first('elements')
  const value = [
    'sub',
    ['add', ['mul', 'x', 1e6], ['tanh', 'x']],
    ['mul', 'x', 1e6],
  ] as CraftedOperator['design']['outputs'][0]['value']
  const steep: DrawnDesign = {
    design: {
      ...design,
      name: 'SteepDifference',
      inputs: [{name: 'x', layout: 'full', type: 'float32', domain: [-4, 4]}],
      attributes: [],
      outputs: [{name: 'out', layout: 'full', type: 'float32', value}],
      compute: 'float32',
    },
    structure: contentId('steep'),
  }
  const {outputs, dropped, directory} = await made([steep])
  expect(outputs).toEqual([])
  expect(dropped).toMatchObject([
    {reason: 'not-green', detail: expect.stringMatching(/^SteepDifference: mismatched, case /) as string},
  ])
  expect(existsSync(join(directory, `tasks/level1/${design.category}/SteepDifference`))).toBe(false)
  expect(existsSync(join(directory, `operators/${design.category}/steep_difference`))).toBe(false)
})

test('what a benchmark asks for is refused before it is built', async () => {
  const {dropped, outputs} = await made([first('elements')], ({operator}) => `benchmark of ${operator}`)
  expect(outputs).toEqual([])
  expect(dropped).toEqual([{reason: 'benchmark-operator', detail: `benchmark of ${first('elements').design.name}`}])
})
