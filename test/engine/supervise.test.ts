import {describe, expect, test} from 'vitest'
import {z} from 'zod'
import type {AskedEntry} from '../../engine/asked-file.ts'
import {PipelineError} from '../../engine/errors.ts'
import {contentId} from '../../engine/ids.ts'
import type {StageLedger} from '../../engine/ledger.ts'
import type {Outcome} from '../../engine/ledger-records.ts'
import type {LanguageModel} from '../../engine/llm/model.ts'
import {silentLog} from '../../engine/log.ts'
import {startCounting} from '../../engine/progress.ts'
import {each, type Context, type RecordFunction, type Stage} from '../../engine/stage.ts'
import {supervise} from '../../engine/supervise.ts'
import {asItem, type Item} from '../../engine/work-record.ts'

const In = z.strictObject({n: z.int()})
const Out = z.strictObject({n: z.int()})
type One = z.infer<typeof In>

const stageOf = (run: Stage<One, One>['run'], more: Partial<Stage<One, One>> = {}): Stage<One, One> => ({
  name: 'step',
  version: 2,
  input: In,
  output: Out,
  run,
  ...more,
})
const per = (fn: RecordFunction<One, One>, more: Partial<Stage<One, One>> = {}, concurrency = 1) =>
  stageOf(each(fn, {concurrency}), more)

interface Given {
  values?: unknown[]
  known?: Record<string, Outcome>
  trusted?: boolean
  source?: boolean
  llm?: LanguageModel
  signal?: AbortSignal
}

async function* stream<T>(values: readonly T[]) {
  yield* values
}

/** A stage under supervision: what it hands on, and all that is noted of it. */
function supervised(stage: Stage<One, One>, given: Given = {}) {
  const noted: [input: string, Outcome][] = []
  const aborted: unknown[] = []
  const progress = startCounting('step')
  const ledger: Pick<StageLedger, 'find' | 'kept' | 'put'> = {
    find: (input) => given.known?.[input],
    kept: (input) => given.known?.[input],
    put: ({json}, outcome) => void noted.push([json, outcome]),
  }
  const context: Context = {
    llm: given.llm,
    drop: () => {
      throw new Error('not for the stage')
    },
    stages: {},
    log: silentLog,
    seed: 's',
    now: () => 0,
    signal: given.signal ?? new AbortController().signal,
    directory: '',
  }
  const {trusted = true, source = false} = given
  const abort = (reason: unknown) => void aborted.push(reason)
  const asked: AskedEntry[] = []
  const askedFile = {note: (entry: AskedEntry) => void asked.push(entry), close() {}}
  const over = {stage, context, ledger, progress, trusted, source, abort, asked: askedFile}
  const items = supervise(stream((given.values ?? []).map(asItem)), over)
  return {items, noted, aborted, asked, counts: progress.counts, over}
}

async function all(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}

const envelope = (value: One) => ({id: contentId(value), json: JSON.stringify(value)})
const [one, two, three] = [{n: 1}, {n: 2}, {n: 3}]

describe('records one by one', () => {
  test('are handed on in order, and all that became of them is noted and counted', async () => {
    const stage = per(
      async ({n}, context) => {
        if (n === 1) return [{n: 10}, {n: 11}]
        if (n === 2) return context.drop(two, 'even')
        if (n === 3) throw new PipelineError('executor-failed', 'no luck', {fix: 'Wait.'})
        context.drop(one, 'part', 'a half')
        return [{n: 40}]
      },
      {tally: ({n}) => (n === 11 ? undefined : `tens ${Math.floor(n / 10)}`)},
    )
    const {items, noted, counts, aborted} = supervised(stage, {values: [one, two, three, {n: 4}]})
    expect(await all(items)).toEqual([10, 11, 40].map((n) => ({value: {n}, ...envelope({n})})))
    expect(noted).toEqual([
      ['{"n":1}', {outputs: [envelope({n: 10}), envelope({n: 11})], drops: []}],
      ['{"n":2}', {outputs: [], drops: [{reason: 'even', detail: ''}]}],
      ['{"n":3}', {outputs: [], drops: [], failure: {code: 'executor-failed', message: 'no luck', fix: 'Wait.'}}],
      ['{"n":4}', {outputs: [envelope({n: 40})], drops: [{reason: 'part', detail: 'a half'}]}],
    ])
    expect(counts).toEqual({
      ...{stage: 'step', read: 4, written: 3, accepted: 2, dropped: 1, failed: 1, reused: 0, ended: true},
      reasons: {even: 1, part: 1},
      failures: {'executor-failed': 1},
      tallies: {'tens 1': 1, 'tens 4': 1},
    })
    expect(aborted).toEqual([])
  })

  test('that were decided before are not decided again, those that failed are', async () => {
    const failure = {code: 'x', message: '', fix: ''}
    const known = {
      [contentId(one)]: {outputs: [envelope({n: 10})], drops: []},
      [contentId(two)]: {outputs: [], drops: [{reason: 'even', detail: ''}]},
      [contentId(three)]: {outputs: [], drops: [], failure},
    }
    const asked: number[] = []
    const stage = per(({n}) => [{n: asked.push(n) + 100}], {tally: () => 'made'})
    const {items, noted, counts} = supervised(stage, {values: [one, two, three], known})
    expect((await all(items)).map(({value}) => value)).toEqual([{n: 10}, {n: 101}])
    expect(asked).toEqual([3])
    expect(noted.map(([input]) => input)).toEqual(['{"n":3}'])
    expect(counts).toMatchObject({read: 3, written: 2, accepted: 2, dropped: 1, failed: 0, reused: 2})
    expect(counts.tallies).toEqual({made: 2})
  })

  test('that go through as they are stay the same objects', async () => {
    const value = {n: 5}
    const passes = per((record) => [record], {output: In})
    expect((await all(supervised(passes, {values: [value]}).items))[0]?.value).toBe(value)
    const untrusted = await all(supervised(passes, {values: [value], trusted: false}).items)
    expect(untrusted[0]?.value).toEqual(value)
    expect(untrusted[0]?.value).not.toBe(value)
    const other = await all(
      supervised(
        per((record) => [record]),
        {values: [{n: 6}]},
      ).items,
    )
    expect(other[0]).toEqual({value: {n: 6}, ...envelope({n: 6})})
    const known = {[contentId(value)]: {outputs: [envelope(value)], drops: []}}
    expect((await all(supervised(passes, {values: [value], known}).items))[0]?.value).toBe(value)
    expect(
      (
        await all(
          supervised(
            per(() => []),
            {values: [value], known},
          ).items,
        )
      )[0]?.value,
    ).not.toBe(value)
    const checked = supervised(passes, {values: [value], known, trusted: false})
    expect((await all(checked.items))[0]?.value).not.toBe(value)
  })

  test('are changed without harm', async () => {
    const changes = per(
      (record) => {
        record.n += 1
        return [record]
      },
      {output: In},
    )
    const {items, noted} = supervised(changes, {values: [{n: 1}]})
    expect(await all(items)).toEqual([{value: {n: 2}, ...envelope({n: 2})}])
    expect(noted).toEqual([['{"n":1}', {outputs: [envelope({n: 2})], drops: []}]])
  })
})

describe('what ends a run', () => {
  async function end(stage: Stage<One, One>, given: Given) {
    const {items, aborted, counts, noted} = supervised(stage, given)
    const error = (await all(items).catch((reason: unknown) => reason)) as PipelineError
    return {error, aborted, counts, noted}
  }

  test('is a failure that concerns it, and any fault of a stage', async () => {
    for (const fault of [new PipelineError('disk-full', 'full', {fix: ''}), new Error('a slip')]) {
      const {error, aborted, counts, noted} = await end(
        per(() => Promise.reject(fault)),
        {values: [one, two]},
      )
      expect(error).toBe(fault)
      expect(aborted[0]).toBe(fault)
      expect(noted).toEqual([])
      expect(counts).toMatchObject({read: 1, failed: 0, ended: false})
    }
  })

  test('is a stage that yields nothing and gives no reason', async () => {
    const {error} = await end(
      per(() => []),
      {values: [one]},
    )
    expect(error).toEqual(new TypeError('stage step yielded nothing for a record and dropped it without a reason'))
  })

  test('is a record that does not fit', async () => {
    const bad = {values: [{n: 'x', more: 1}]}
    const {error} = await end(
      per((record) => [record]),
      {...bad, trusted: false},
    )
    expect(error).toMatchObject({
      code: 'record-invalid',
      scope: 'run',
      message: expect.stringMatching(
        /^The input of stage step \(version 2\) does not fit its schema: n: .*; : .*"more"/,
      ) as string,
      fix: 'Fix the stage, or raise the version of "step" if its schema changed on purpose.',
      evidence: {stage: 'step', side: 'input', problem: expect.any(String) as string},
    })
    const yielded = await end(
      per(() => [{n: 0.5}]),
      {values: [one]},
    )
    expect(yielded.error.message).toMatch(/^The output of stage step \(version 2\) does not fit its schema: n: /)
    const known = {[contentId(one)]: {outputs: [{id: 'x', json: '{"n":"1"}'}], drops: []}}
    expect(
      (
        await end(
          per((record) => [record]),
          {values: [one], known},
        )
      ).error.evidence,
    ).toMatchObject({
      side: 'output',
    })
  })

  test('is whoever asked for it', async () => {
    const {error, counts} = await end(
      per((record) => [record]),
      {values: [one], signal: AbortSignal.abort()},
    )
    expect(error.code).toBe('interrupted')
    expect(counts.read).toBe(0)
  })
})

describe('several at a time', () => {
  const rest = () => new Promise((resolve) => setImmediate(resolve))

  async function most(concurrency: number, llm?: Pick<LanguageModel, 'concurrency'>) {
    let [running, highest] = [0, 0]
    const stage = per(
      async (record) => {
        running += 1
        highest = Math.max(highest, running)
        await rest()
        running -= 1
        return [{n: -record.n}]
      },
      {},
      concurrency,
    )
    const values = Array.from({length: 12}, (_, at) => ({n: at + 1}))
    const given = {values, ...(llm && {llm: llm as LanguageModel})}
    const found = await all(supervised(stage, given).items)
    expect(found.map(({value}) => value)).toEqual(values.map(({n}) => ({n: -n})))
    return highest
  }

  test('are as many as stage or teacher allow, in the order in which they came', async () => {
    expect(await most(1)).toBe(1)
    expect(await most(3)).toBe(3)
    expect(await most(1, {concurrency: 4})).toBe(4)
    expect(await most(3, {concurrency: 2})).toBe(3)
    expect(await most(1, {})).toBe(1)
  })

  test('are read four times as far ahead behind a slow one', async () => {
    let free = () => {}
    const slow = new Promise<void>((done) => (free = done))
    let read = 0
    async function* values() {
      for (; read < 40; ) {
        read += 1
        yield asItem({n: read})
      }
    }
    const stage = per(
      async (record) => {
        if (record.n === 1) await slow
        return [record]
      },
      {},
      2,
    )
    const {over} = supervised(stage)
    const done = all(supervise(values(), over))
    for (let at = 0; at < 50; at += 1) await rest()
    expect(read).toBe(8)
    free()
    expect(await done).toHaveLength(40)
  })
})

describe('all records together', () => {
  const drops = stageOf(
    async function* (items, context) {
      const read: One[] = []
      for await (const item of items) read.push(item)
      for (const record of read.reverse()) {
        if (record.n === 2) context.drop(record, 'even')
        else if (record.n === 3) context.drop(record, 'three', 'of them')
        else yield {n: record.n * 10}
      }
    },
    {tally: () => 'made'},
  )

  test('are counted, and drops are noted with what was dropped', async () => {
    const {items, noted, counts} = supervised(drops, {values: [one, two, three]})
    expect(await all(items)).toEqual([{value: {n: 10}, ...envelope({n: 10})}])
    expect(noted).toEqual([
      ['{"n":3}', {outputs: [], drops: [{reason: 'three', detail: 'of them'}]}],
      ['{"n":2}', {outputs: [], drops: [{reason: 'even', detail: ''}]}],
    ])
    expect(counts).toMatchObject({read: 3, written: 1, dropped: 2, reasons: {three: 1, even: 1}, ended: true})
    expect(counts.tallies).toEqual({made: 1})
  })

  test('are noted one by one where they enter the run', async () => {
    const {items, noted} = supervised(drops, {values: [one], source: true})
    await all(items)
    expect(noted).toEqual([['{"n":10}', {outputs: [envelope({n: 10})], drops: []}]])
  })

  test('have to fit as well', async () => {
    const wrong = supervised(drops, {values: [{n: '1'}], trusted: false})
    await expect(all(wrong.items)).rejects.toMatchObject({code: 'record-invalid'})
    expect(wrong.aborted).toHaveLength(1)
    expect(wrong.counts.ended).toBe(false)
  })
})

describe('what is asked of a teacher', () => {
  const usage = {promptTokens: 1, completionTokens: 2}
  const reply = {text: 't', reasoning: 'r', finishReason: 'stop', model: 'm-1', usage}
  const messages = [{role: 'user' as const, content: 'How?', images: [{type: 'image/png', base64: 'AAAA'}]}]
  const asking = per(async (record, {llm}) => {
    await llm?.complete({messages})
    return [record]
  })
  const teacher = (complete: LanguageModel['complete']): LanguageModel => ({
    profile: 'p',
    model: 'm',
    fingerprint: 'f',
    complete,
  })
  const about = {stage: asking.name, teacher: 'p', model: 'm', messages: [{role: 'user', content: 'How?'}]}
  const {model: _, ...noted} = reply

  test.each<[string, LanguageModel['complete'], object]>([
    ['its answer', () => Promise.resolve(reply), {reply: noted}],
    [
      'why there was none',
      () => Promise.reject(new PipelineError('reply-invalid', 'cut off', {fix: ''})),
      {failure: 'cut off'},
    ],
  ])('is noted with the record and %s', async (_what, complete, came) => {
    const {items, asked} = supervised(asking, {values: [{n: 1}], llm: teacher(complete)})
    await all(items)
    expect(asked).toEqual([{...about, input: asItem({n: 1}).id, ...came}])
  })
})
