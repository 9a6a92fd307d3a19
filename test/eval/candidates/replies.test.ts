import {writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {modeOf} from '../../../eval/bench/load-benchmark.ts'
import benchmark from '../../../eval/bench/npukernelbench/benchmark.ts'
import {openReplies} from '../../../eval/candidates/reply-file.ts'
import replies from '../../../eval/candidates/replies.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {fixtureTask} from '../../pipelines/preference/records.ts'

const task = await fixtureTask()
const mode = modeOf(benchmark, 'kernel-only')
const code = (name: string) => `<kernel_impl>void ${name}();</kernel_impl>`

async function fileOf(rows: readonly (object | string)[]): Promise<string> {
  const path = join(await temporaryFolder(), 'replies.jsonl')
  await writeFile(path, rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join(''))
  return path
}

const read = async (rows: readonly object[], evaluation: {shape: 'static' | 'dynamic'; cases?: number}) =>
  runStage(replies({file: await fileOf(rows), evaluation: {mode: 'kernel-only', ...evaluation}, mode}), [task])

describe('replies of a file', () => {
  test('of a static shape belong to the case that was shown, or to the first', async () => {
    const {outputs} = await read(
      [
        {task: 'ScaleShift', reply: code('a')},
        {task: 'ScaleShift', reply: code('b'), case: 2},
      ],
      {shape: 'static'},
    )
    expect(outputs.map((one) => [one.task.cases.map((row) => row['case_id']), one.files[1]?.text])).toEqual([
      [['0'], 'void a();\n'],
      [['2'], 'void b();\n'],
    ])
  })
  test('of a dynamic shape serve all cases', async () => {
    const {outputs} = await read(
      [
        {task: 'ScaleShift', reply: code('a')},
        {task: 'ScaleShift', reply: code('b')},
      ],
      {shape: 'dynamic'},
    )
    expect(outputs.map((one) => [one.task.cases.length, one.sampler])).toEqual(
      [0, 1].map((sample) => [3, {kind: 'model', model: 'replies.jsonl', sample}]),
    )
  })
  test('beyond the cases that are asked for are refused', async () => {
    const {dropped} = await read([{task: 'ScaleShift', reply: code('a'), case: 2}], {shape: 'static', cases: 1})
    expect(dropped).toEqual([
      {reason: 'case-unknown', detail: 'replies.jsonl: ScaleShift has no case 2 among those that are judged'},
    ])
  })
  test('are missed where there are none', async () => {
    const {outputs, dropped} = await read([{task: 'Other', reply: code('a')}], {shape: 'dynamic'})
    expect({outputs, dropped}).toEqual({
      outputs: [],
      dropped: [{reason: 'no-reply', detail: 'replies.jsonl holds no reply to ScaleShift'}],
    })
  })
})

describe('the file', () => {
  test('is read from its places, whatever its lines are like', async () => {
    const long = 'ä'.repeat(2 ** 20)
    const file = openReplies(
      await fileOf([{task: 'A', reply: long}, '', {task: 'B', reply: 'two'}, {task: 'A', reply: '三'}]),
    )
    expect([...file.tasks]).toEqual(['A', 'B'])
    expect((await file.rowsOf(['A'])).map(({reply}) => reply)).toEqual([long, '三'])
    expect((await file.rowsOf(['B', 'C'])).map(({reply}) => reply)).toEqual(['two'])
  })
  test('may end without a newline', async () => {
    const path = join(await temporaryFolder(), 'replies.jsonl')
    await writeFile(path, '{"task":"A","reply":"one"}\n{"task":"A","reply":"two"}')
    expect((await openReplies(path).rowsOf(['A'])).map(({reply}) => reply)).toEqual(['one', 'two'])
  })
  test('is known by its content', async () => {
    const [one, same, other] = [
      await fileOf([{task: 'A', reply: 'a'}]),
      await fileOf([{task: 'A', reply: 'a'}]),
      await fileOf([{task: 'A', reply: 'b'}]),
    ].map((path) => openReplies(path).id)
    expect(same).toBe(one)
    expect(other).not.toBe(one)
  })
  test('gives up a line that is no reply, with its number, and keeps the others', async () => {
    const path = join(await temporaryFolder(), 'replies.jsonl')
    const lines = [
      '{"task":"A","reply":',
      '{"task":"A","reply":"one"}',
      '{"task":"A","answer":"two"}',
      '  ',
      '[1, 2]',
      '\u0000\u0001',
      'no json',
      Buffer.from('{"task":"B","reply":"\xff"}', 'latin1'),
      '{"task":"B","reply":"three"}',
      '['.repeat(200_000),
      '{"task":"B","reply":"fo',
    ]
    await writeFile(path, Buffer.concat(lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n')])))
    const file = openReplies(path)
    expect((await file.rowsOf(['A', 'B'])).map(({reply}) => reply)).toEqual(['one', 'three'])
    const bad = file.bad.map(({line, task}) => `${line} ${task}`)
    expect(bad).toEqual(['1 A', '3 A', '5 A', '7 A', '8 A', '10 B', '11 B'])
    expect(file.bad[1]?.problem).toContain('reply')
  })
  test('of bad lines alone is refused, and so is a folder', async () => {
    const path = await fileOf([{task: 'A', answer: 'two'}, 'x'])
    expect(() => openReplies(path)).toThrow(/holds no reply; line 1: reply/)
    expect(() => openReplies(join(path, '..', 'missing.jsonl'))).toThrow(/cannot be read/)
    expect(() => openReplies(join(path, '..'))).toThrow(/cannot be read/)
  })
  test('drops its bad lines beside the task that they stand with, each once', async () => {
    const own = (reply: unknown) => ({task: 'ScaleShift', reply})
    const file = await fileOf(['{', {task: 'Other', reply: 'x'}, 'y', own(code('a')), own(7), own(code('b'))])
    const other = {...task, name: 'Other', origin: {...task.origin, path: 'Other'}}
    const evaluation = {mode: 'kernel-only', shape: 'dynamic'} as const
    const {outputs, dropped} = await runStage(replies({file, evaluation, mode}), [task, other])
    const written = outputs.filter((one) => one.task.name === 'ScaleShift').map((one) => one.files[1]?.text)
    expect(written).toEqual(['void a();\n', 'void b();\n'])
    const malformed = dropped.filter(({reason}) => reason === 'reply-malformed').map(({detail}) => detail.slice(0, 20))
    expect(malformed.sort()).toEqual(['replies.jsonl line 1', 'replies.jsonl line 3', 'replies.jsonl line 5'])
  })
})
