import {expect, test} from 'vitest'
import {z} from 'zod'
import {silentLog} from '../../engine/log.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {runPipeline} from '../../engine/runner.ts'
import {each} from '../../engine/stage.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

const numbers = {version: 1, input: z.int(), output: z.int()}
const rest = () => new Promise((resolve) => setTimeout(resolve, 5))

test.each([
  [2, 'fails'],
  [3, 'fails'],
  [3, 'has enough'],
  [5, 'has enough'],
])('of a stage, %i at a time, whose reader %s, nothing that waits starts any more', async (most, how) => {
  const seen = {started: 0, ended: 0, isClosed: false, read: 0}
  const running = runPipeline({
    pipeline: Pipeline.from('left', [1], {
      ...numbers,
      name: 'count',
      async *run() {
        try {
          for (let at = 0; at < 1000; at += 1) {
            seen.read += 1
            yield at
          }
        } finally {
          seen.isClosed = true
        }
      },
    })
      .via({
        ...numbers,
        name: 'work',
        run: each(
          async (value: number) => {
            seen.started += 1
            await rest()
            seen.ended += 1
            return [value]
          },
          {concurrency: most},
        ),
      })
      .via({
        ...numbers,
        name: 'first',
        async *run(items) {
          for await (const value of items) {
            yield value
            if (how === 'fails') throw new Error('enough')
            return
          }
        },
      }),
    directory: await temporaryFolder(),
    model: () => undefined,
    seed: 's',
    now: () => 0,
    signal: new AbortController().signal,
    log: silentLog,
  })
  if (how === 'fails') await expect(running).rejects.toThrow('enough')
  else await running
  const atEnd = {...seen}
  expect(atEnd.ended, 'what ran could keep its outcome').toBe(atEnd.started)
  expect(atEnd.isClosed, 'the stage before was told').toBe(true)
  expect(atEnd.read, 'nothing was read far ahead').toBeLessThan(most * 10)
  await rest()
  await rest()
  expect(seen).toEqual(atEnd)
})
