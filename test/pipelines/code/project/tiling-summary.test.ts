import {describe, expect, test} from 'vitest'
import type {RunTrace} from '../../../../datasets/schema/executor.ts'
import {plainNumber} from '../../../../pipelines/facts/call-of-host.ts'
import {scoreSummary, summaryText} from '../../../../pipelines/code/project/tiling-summary.ts'

const run = {tiling: {rows: 4, eps: Math.fround(1e-5), list: [1, Math.fround(0.1)]}, tilingKey: 2, blockDim: 8}

test('a float is told by the shortest decimal that is it again', () => {
  expect(
    [3, 0.5, Math.fround(0.1), Math.fround(1 / 3), 0.1, 2 ** 40, Math.fround(16777217.5)].map(plainNumber),
  ).toEqual([3, 0.5, 0.1, 0.33333334, 0.1, 2 ** 40, 16777218])
  const all = Array.from({length: 200}, (_, at) => Math.fround(Math.exp(at - 100) * 1.2345678))
  for (const one of all) expect(Math.fround(plainNumber(one))).toBe(one)
})

test('a summary is one block of JSON, lists on one line', () => {
  expect(summaryText(run as unknown as RunTrace)).toBe(
    '```json\n{\n  "tiling": {\n    "rows": 4,\n    "eps": 0.00001,\n    "list": [ 1, 0.1 ]\n  },\n  ' +
      '"tiling_key": 2,\n  "block_dim": 8\n}\n```',
  )
})

describe('a reply is scored', () => {
  const said = (summary: unknown) => scoreSummary(`First.\n\`\`\`json\n${JSON.stringify(summary)}\n\`\`\`\n`, run)
  const right = {tiling: {rows: 4, eps: 1e-5, list: [1, 0.1]}, tiling_key: 2, block_dim: 8}
  const one = (change: object, wrong: string[], exact = true) =>
    expect(said({...right, ...change})).toEqual({found: true, score: (5 - wrong.length) / 5, wrong, exact})

  test('by what it states as it was computed', () => {
    one({}, [])
    one({block_dim: 9}, ['block_dim is 8, not 9'], false)
    one({tiling_key: '2'}, ['tiling_key is 2, not "2"'], false)
    one({tiling: {...right.tiling, rows: 5}}, ['rows is 4, not 5'])
    one({tiling: {rows: 4, eps: 1e-5}}, ['list is [1,0.10000000149011612], not missing'])
    one({tiling: {...right.tiling, list: [1]}}, ['list is [1,0.10000000149011612], not [1]'])
    one({tiling: {...right.tiling, list: [1, 0.2]}}, ['list is [1,0.10000000149011612], not [1,0.2]'])
    one({tiling: {...right.tiling, eps: 1.0000009e-5}}, [])
    one({tiling: {...right.tiling, eps: 1.000002e-5}}, ['eps is 0.000009999999747378752, not 0.00001000002'])
    one({tiling: {...right.tiling, rows: 4.000001}}, ['rows is 4, not 4.000001'])
    one({tiling: [4]}, [
      'rows is 4, not missing',
      'eps is 0.000009999999747378752, not missing',
      'list is [1,0.10000000149011612], not missing',
    ])
  })

  test('by its last block, or the whole where it has none', () => {
    const block = (key: number) => `\`\`\`json\n${JSON.stringify({...right, tiling_key: key})}\n\`\`\``
    expect(scoreSummary(`${block(1)}\nbetter:\n${block(2)}`, run)).toMatchObject({score: 1})
    expect(scoreSummary(`${block(2)}\n\`\`\`\nno\n\`\`\``, run)).toMatchObject({score: 1})
    expect(scoreSummary(JSON.stringify(right), run)).toMatchObject({score: 1})
    expect(scoreSummary(`\`\`\`\n${JSON.stringify(right)}\n\`\`\``, run)).toMatchObject({score: 1})
  })

  test.each(['nothing', '[1]', 'null', '{"rows": 4}'])('as none for %s', (reply) => {
    expect(scoreSummary(reply, run)).toEqual({
      found: false,
      detail: `no block of JSON with tiling, tiling_key and block_dim: ${reply}`,
    })
  })
})
