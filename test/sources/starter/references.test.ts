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

test('the bundled quantisation rounds to the nearest integer, ties to the even one, and stays in int8', async () => {
  const {compute} = await loadReference('sources/starter/tasks/level1/Quant/QuantizeInt8/validation/reference.ts')
  const x = [0.2, 0.25, 0.3, 0.75, 1.25, -0.25, -0.75, -1.1, 63.4, 63.75, 64, -64, -64.6]
  const {y} = await compute({x: Float64Array.from(x)} as never, {scale: '2', offset: '0'})
  expect(Array.from(y ?? [])).toEqual([0, 0, 1, 2, 2, 0, -2, -2, 127, 127, 127, -128, -128])
  const moved = await compute({x: Float64Array.of(1, -60)} as never, {scale: '2', offset: '-3.5'})
  expect(Array.from(moved['y'] ?? [])).toEqual([-2, -124])
})

test('the bundled gated unit multiplies what is positive of the first half of a row by its second half', async () => {
  const {compute} = await loadReference('sources/starter/tasks/level2/Activation/ReGlu/validation/reference.ts')
  const x = Float64Array.of(1, -2, 3, 4, 5, 6, -1, 2, 0.5, 7, 8, 9)
  const {y} = await compute({x} as never, {shape: '[2, 6]', dtype: 'float32'})
  expect(Array.from(y ?? [])).toEqual([4, 0, 18, 0, 16, 4.5])
})
