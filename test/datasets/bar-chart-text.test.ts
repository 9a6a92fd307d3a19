import {expect, test} from 'vitest'
import {barChart} from '../../datasets/card/bar-chart.ts'
import {golden} from '../helpers/golden.ts'

const byRow = (one: string, other: string) => Number(one.split(' ')[1]) - Number(other.split(' ')[1])

/** The same numbers give the same bytes, so that a data set that did not change has the same pictures. */
test('a chart is written the same for ever', () => {
  const chart = barChart({
    title: 'Rows <by> & "kind"',
    bars: [
      {
        name: 'documentation',
        parts: [
          {value: 60, colour: '#123456', name: 'train'},
          {value: 0, colour: '#654321', name: 'test'},
        ],
      },
      {name: '核函数', parts: [{value: 1200, colour: '#123456', name: 'train'}]},
      {
        name: 'k\u0007',
        parts: [
          {value: 30, colour: '#123456', name: 'train'},
          {value: 10.25, colour: '#654321', name: 'test'},
        ],
      },
    ],
  })
  golden('test/fixtures/told/chart.svg', chart)
})

test('a key that finds no room goes to the next line', () => {
  const names = Array.from({length: 8}, (_, at) => `a rather long name ${at}`)
  const chart = barChart({
    title: 't',
    bars: [{name: 'x', parts: names.map((name, at) => ({value: 0.1, colour: `#00000${at}`, name}))}],
  })
  const keys = [...chart.matchAll(/<rect x="([\d.]+)" y="(\d+)" width="12"/g)].map(([, x, y]) => `${x} ${y}`)
  const [first, second, third] = [16, 193.6, 371.2]
  expect(keys).toEqual(
    [first, second, third].flatMap((x) => [`${x} 39`, `${x} 63`, ...(x === third ? [] : [`${x} 87`])]).sort(byRow),
  )
})

test('bars without names have no keys, and none is wider than the chart', () => {
  const chart = barChart({title: '', bars: [{name: '', parts: [{value: 0.5, colour: 'red'}]}]})
  golden('test/fixtures/told/chart-plain.svg', chart)
})
