import {Resvg} from '@resvg/resvg-js'
import {describe, expect, test} from 'vitest'
import {barChart} from '../../../datasets/card/bar-chart.ts'

const bar = (name: string, ...values: number[]) => ({
  name,
  parts: values.map((value, index) => ({value, colour: ['#ff0000', '#00ff00'][index] ?? '', name: `part ${index}`})),
})

/** Pixels of a colour in each row of pixels that has some. */
function runs(svg: string, [red, green]: readonly [number, number]): number[] {
  const {pixels, width, height} = new Resvg(svg, {background: 'white'}).render()
  return Array.from({length: height}, (_, y) => {
    let count = 0
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4
      if (pixels[at] === red && pixels[at + 1] === green && pixels[at + 2] === 0) count += 1
    }
    return count
  }).filter((count) => count > 30)
}

describe('bar chart', () => {
  test('draws bars as long as their numbers, parts beside each other', () => {
    const svg = barChart({title: 'T', bars: [bar('a', 30, 10), bar('b', 10, 0)]})
    const [red, green] = [runs(svg, [255, 0]), runs(svg, [0, 255])]
    expect(new Set(red)).toEqual(new Set([315, 105]))
    expect(new Set(green)).toEqual(new Set([105]))
    expect(svg).toContain('>40</text>')
  })

  test('has room for its names and keys, on several lines where one is too short', () => {
    const keys = Array.from({length: 9}, (_, index) => ({
      value: 1,
      colour: '#123456',
      name: `a key of some length ${index}`,
    }))
    const svg = barChart({title: 'T', bars: [{name: 'a long name of a bar that needs room 很长的名字', parts: keys}]})
    const width = Number(/width="(\d+)"/.exec(svg)?.[1])
    const places = [...svg.matchAll(/<text x="([\d.]+)" y="([\d.]+)">a key/g)].map(([, x, y]) => [Number(x), Number(y)])
    expect(places).toHaveLength(9)
    expect(Math.max(...places.map(([x = 0]) => x + 150))).toBeLessThan(width)
    expect(new Set(places.map(([, y]) => y)).size).toBeGreaterThan(1)
  })

  test('is well-formed whatever a name holds, and the same twice', () => {
    const chart = {title: '<b>&"', bars: [bar('</text><script>\u0000', 1)]}
    expect(barChart(chart)).toBe(barChart(chart))
    expect(barChart(chart)).not.toMatch(/<script|\0/)
    expect(new Resvg(barChart(chart)).width).toBeGreaterThan(0)
  })

  test('draws nothing for zeros', () => {
    expect(barChart({title: 'T', bars: [bar('none', 0)]})).not.toMatch(/width="NaN"|Infinity/)
  })
})
