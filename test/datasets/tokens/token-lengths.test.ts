import {describe, expect, test} from 'vitest'
import {demandedLength} from '../../../datasets/card/card-training.ts'
import {LengthTally} from '../../../datasets/tokens/token-lengths.ts'

describe('lengths', () => {
  test('of all and of each kind: percentiles by nearest rank, and what steps would cut', () => {
    const tally = new LengthTally()
    for (let length = 1; length <= 99; length += 1) tally.add('short', length)
    tally.add('long', 1024)
    tally.add('long', 1025)
    tally.add('long', 40_000)
    const [all, short, long] = tally.result()
    expect(all).toMatchObject({kind: undefined, replies: 102, p50: 51, p90: 92, p99: 1025, max: 40_000})
    expect(all?.longer).toEqual([2, 1, 1, 1, 1, 1])
    expect(short).toMatchObject({kind: 'short', replies: 99, total: 4950, p50: 50, p90: 90, p99: 99, max: 99})
    expect(short?.longer).toEqual([0, 0, 0, 0, 0, 0])
    expect(long).toMatchObject({kind: 'long', replies: 3, p50: 1025, max: 40_000})
  })

  test('are none where nothing was counted', () => {
    expect(new LengthTally().result()).toEqual([])
  })

  test('demand the next power of two with a quarter to spare', () => {
    expect([1, 819, 820, 6553, 6554, 30_000].map(demandedLength)).toEqual([1024, 1024, 2048, 8192, 16_384, 65_536])
  })
})
