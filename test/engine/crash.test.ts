import {describe, expect, test} from 'vitest'
import {randomFrom} from '../../engine/random.ts'
import {crash} from '../helpers/crash.ts'

describe('a run that is killed at random instants', () => {
  test('ends with the same bytes as one that was left alone, and pays only for what was in flight', async () => {
    const plan = {records: 800, inFlight: 16, kills: 6, latency: '20-60', random: randomFrom('six kills')}
    const result = await crash(plan)
    expect(result).toMatchObject({kills: 6, lost: 0, duplicates: 0, identical: true})
    // Otherwise no kill met a request, and the next line would say nothing.
    expect(result.resent).toBeGreaterThan(0)
    expect(result.resent).toBeLessThanOrEqual(plan.kills * plan.inFlight)
  }, 240_000)
})
