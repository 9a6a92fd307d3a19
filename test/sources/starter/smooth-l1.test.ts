import {expect, test} from 'vitest'
import {loadReference} from '../../../eval/reference/typescript.ts'

test('the bundled smooth L1 loss is a parabola up to beta and a line beyond it', async () => {
  const {compute} = await loadReference('sources/starter/tasks/level2/Loss/SmoothL1Loss/validation/reference.ts')
  const lossOf = async (beta: number, distances: number[]) => {
    const given = {prediction: Float64Array.from(distances, (one) => 3 + one), target: distances.map(() => 3)}
    return (await compute(given as never, {beta: String(beta)}))['loss']
  }
  // d² / 2β below β, d - β/2 from there.
  expect(Array.from((await lossOf(2, [0, 1, -1, 2, 3, -3])) ?? [])).toEqual([0, 0.25, 0.25, 1, 2, 2])
  expect(Array.from((await lossOf(0.5, [0.25, -0.25, 0.5, 1, -2])) ?? [])).toEqual([0.0625, 0.0625, 0.25, 0.75, 1.75])
})
