import {expect, test} from 'vitest'
import {z} from 'zod'
import {silentLog} from '../../engine/log.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import {openRun} from '../../engine/run.ts'
import {runPipeline} from '../../engine/runner.ts'
import {each, type Stage} from '../../engine/stage.ts'
import {temporaryFolder} from '../helpers/temporary.ts'

const Value = z.strictObject({value: z.int()})
type Value = z.infer<typeof Value>

const source: Stage<number, Value> = {
  name: 'source',
  version: 1,
  input: z.int(),
  output: Value,
  async *run(totals) {
    for await (const total of totals) for (let value = 0; value < total; value += 1) yield {value}
  },
}

/** What comes out of a run whose one stage, of whole sets, hands on what `change` makes of each value. */
async function runThrough(change: (value: Value) => Value): Promise<Value[]> {
  const stage: Stage<Value, Value> = {
    name: 'whole',
    version: 1,
    input: Value,
    output: Value,
    async *run(values) {
      for await (const value of values) yield change(value)
    },
  }
  return runVia(stage)
}

async function runVia(stage: Stage<Value, Value>): Promise<Value[]> {
  const directory = await temporaryFolder()
  await runPipeline({
    pipeline: Pipeline.from('test', [4], source).via(stage),
    directory,
    model: () => undefined,
    seed: 's',
    now: () => 0,
    signal: new AbortController().signal,
    log: silentLog,
  })
  const run = await openRun(directory)
  const values = [...(run?.emitted() ?? [])].map(({json}) => JSON.parse(json) as Value)
  run?.close()
  return values
}

test('what a stage of whole sets hands on as it got it comes out so', async () => {
  expect(await runThrough((value) => value)).toEqual([0, 1, 2, 3].map((value) => ({value})))
})

test('what it changed in place is looked at again', async () => {
  const doubled = await runThrough((given) => Object.assign(given, {value: given.value * 2}))
  expect(doubled).toEqual([0, 2, 4, 6].map((value) => ({value})))
  const spoilt = runThrough((given) => Object.assign(given, {value: 'no number'}))
  await expect(spoilt).rejects.toThrow('does not fit its schema')
})

test('what two stages hand on counts as looked at for its own schema only', async () => {
  const loose = z.looseObject({value: z.unknown()})
  const stage = (output: Stage<Value, Value>['output']): Stage<Value, Value> => ({
    name: 'loose',
    version: 1,
    input: loose as unknown as Stage<Value, Value>['input'],
    output,
    async *run(values) {
      for await (const value of values) yield Object.assign(value, {value: 'no number'})
    },
  })
  await expect(runVia(stage(Value))).rejects.toThrow('does not fit its schema')
  await expect(runVia(stage(loose as never))).resolves.toHaveLength(4)
})

test.each([
  ['a value of type object', {value: 1}],
  ['nothing', undefined],
])('a stage of users that returns %s for a record is named with what to return', async (seen, returned) => {
  const unlisted = each<Value, Value>(() => Promise.resolve(returned as unknown as Value[]))
  const stage: Stage<Value, Value> = {name: 'unlisted', version: 1, input: Value, output: Value, run: unlisted}
  await expect(runVia(stage)).rejects.toMatchObject({
    code: 'record-invalid',
    message: expect.stringContaining(seen) as string,
    fix: expect.stringContaining('[record]') as string,
  })
})
