import {readFile} from 'node:fs/promises'
import {describe, expect, test} from 'vitest'
import {loadTasks} from '../../../eval/tasks/operator-tasks.ts'
import {describeCase, expectedOutputs, loadReference, prepareCase} from '../../../eval/reference/typescript.ts'
import {walk} from '../../../engine/files.ts'
import {modulePath} from '../../../datasets/schema/task.ts'

const refused: string[] = []
const refuse = (_item: unknown, reason: string, detail?: string) => {
  refused.push(`${reason}: ${detail ?? ''}`)
  return []
}
const training = await loadTasks({root: 'sources/starter/tasks', operators: 'sources/starter/operators'}, refuse)
const heldOut = await loadTasks({root: 'sources/starter/heldout'}, refuse)
const tasks = [...training, ...heldOut]

test('every task loads whole and has an answer', () => {
  expect(refused).toEqual([])
  expect(training.length).toBeGreaterThanOrEqual(12)
  expect(heldOut.length).toBeGreaterThanOrEqual(4)
  expect(tasks.filter(({answer}) => answer.length === 0).map(({name}) => name)).toEqual([])
})

test('no operator is both trained on and held out', () => {
  const names = new Set(training.map(({name}) => name))
  expect(heldOut.filter(({name}) => names.has(name))).toEqual([])
})

test('every source file names its licence', async () => {
  const unmarked: string[] = []
  for (const folder of ['operators', 'tasks', 'heldout']) {
    for await (const path of walk(`sources/starter/${folder}`)) {
      if (!/\.(cpp|h|ts)$/.test(path)) continue
      const text = await readFile(`sources/starter/${folder}/${path}`, 'utf8')
      if (!text.startsWith('// SPDX-License-Identifier: Apache-2.0\n')) unmarked.push(path)
    }
  }
  expect(unmarked).toEqual([])
})

/** Names and dtype columns of an operator definition, as the host file spells them. */
function definition(host: string): {inputs: string[]; outputs: string[]; attributes: string[]} {
  const names = (kind: string) =>
    [...host.matchAll(new RegExp(`this->${kind}\\("(\\w+)"\\)`, 'g'))].map((match) => match[1] ?? '')
  return {inputs: names('Input'), outputs: names('Output'), attributes: names('Attr')}
}

describe.each(tasks.map((task) => [task.name, task] as const))('%s', (_name, task) => {
  const answerHost = task.answer.find(({path}) => /^op_host\/\w+\.cpp$/.test(path))?.text ?? ''

  test('has the same definition in its template, its answer and its reference', async () => {
    const expected = definition(task.hostTemplate.text)
    expect(definition(answerHost)).toEqual(expected)
    const reference = await loadReference(modulePath(task))
    for (const row of task.cases) {
      const {inputs, outputs, attributes = {}} = describeCase(reference, row)
      expect({
        inputs: inputs.map(({name}) => name),
        outputs: outputs.map(({name}) => name),
        attributes: Object.keys(attributes),
      }).toEqual(expected)
    }
  })

  test('states a reference that is finite over the whole domain', async () => {
    const reference = await loadReference(modulePath(task))
    for (const row of task.cases) {
      for (const family of ['uniform', 'boundary'] as const) {
        const outputs = expectedOutputs(reference, row, prepareCase(reference, row, family, ['corpus']))
        expect(
          outputs.every((values) => values.every(Number.isFinite)),
          `case ${row['case_id']}`,
        ).toBe(true)
      }
    }
  })
})
