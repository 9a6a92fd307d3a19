import {readdirSync, readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {elementCount} from '../../../datasets/schema/tensor.ts'
import {isInteger, roundTo} from '../../../datasets/dtype.ts'
import {describeCase, loadReference} from '../../../eval/reference/typescript.ts'
import {golden} from '../../helpers/golden.ts'

// What the bundled references give for numbers that are known: it was compared with the formulas of their tasks.

const roots = ['sources/starter/tasks', 'sources/starter/heldout']
const folders = roots.flatMap((root) =>
  readdirSync(root, {recursive: true, encoding: 'utf8'})
    .filter((name) => name.endsWith('validation/reference.ts'))
    .map((name) => `${root}/${name.replace(/\/validation\/reference\.ts$/, '')}`),
)

/** The first row of a task's table, as its words stand there. */
function firstRow(folder: string): Record<string, string> {
  const [head = '', row = ''] = readFileSync(`${folder}/validation/test_cases.csv`, 'utf8').split('\n')
  const cells = row.split(';')
  return Object.fromEntries(head.split(';').map((name, at) => [name.trim(), (cells[at] ?? '').trim()]))
}

test('each gives the outputs of its formula', async () => {
  const pages: string[] = []
  for (const folder of folders.sort()) {
    const reference = await loadReference(`${folder}/validation/reference.ts`)
    const row = {...firstRow(folder), ...(firstRow(folder)['shape'] ? {shape: '[3, 8]'} : {})}
    const {inputs, outputs, attributes} = describeCase(reference, row)
    const given = inputs.map(({name, dtype, shape}, place) => {
      const step = isInteger(dtype) ? 1 : 4
      const values = Float64Array.from(
        {length: elementCount(shape)},
        (_, at) => (((at * 7 + place * 3) % 23) - 9) / step,
      )
      return [name, roundTo(values, dtype)] as const
    })
    const computed = await reference.compute(Object.fromEntries(given), row)
    const lines = outputs.map(({name, dtype, shape}) => {
      const all = computed[name] as ArrayLike<number> | undefined
      const values = Array.from(all ?? []).slice(0, 12)
      expect(all?.length).toBe(elementCount(shape))
      return `  ${name}: ${dtype} ${JSON.stringify(shape)} ${values.map((one) => one.toPrecision(6)).join(' ')}`
    })
    pages.push(`${folder} ${JSON.stringify(row)} ${JSON.stringify(attributes ?? {})}\n${lines.join('\n')}`)
  }
  expect(pages).toHaveLength(25)
  golden('test/fixtures/told/references.txt', `${pages.join('\n')}\n`)
})
