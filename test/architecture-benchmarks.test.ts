import {expect, test} from 'vitest'
import * as house from './helpers/house.ts'

const benchmarks = house.files.flatMap((file) => {
  const [, folder, name] = /^(eval\/bench\/([\w-]+)\/)benchmark\.ts$/.exec(file) ?? []
  return folder && name ? [{folder, name}] : []
})

/** Pages tell people which benchmarks there are. */
const product = house.files.filter(
  (file) => /^(engine|cpp|eval|pipelines|trainers)\//.test(file) && !/README/.test(file),
)

test('there are benchmarks to look for', () => {
  expect(benchmarks.map(({name}) => name)).toEqual(
    expect.arrayContaining(['cann-bench', 'multikernelbench', 'npukernelbench']),
  )
})

test.each(benchmarks)('$name is named in its own folder only', ({folder, name}) => {
  // The words of a name in two parts are also words of the field.
  const own = name.includes('-') ? name.replaceAll('-', '[-_ ]?') : name.replace(/bench$/, '')
  const words = new RegExp(own, 'i')
  const others = product.filter((file) => !file.startsWith(folder))
  expect(others.filter((file) => words.test(file) || words.test(house.textOf(file)))).toEqual([])
})
