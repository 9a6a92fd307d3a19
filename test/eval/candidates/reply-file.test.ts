import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {openReplies, ReplyRow} from '../../../eval/candidates/reply-file.ts'
import {sha256} from '../../helpers/hub-repository.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

async function opened(bytes: string | Buffer) {
  const path = join(await temporaryFolder(), 'replies.jsonl')
  await writeFile(path, bytes)
  return openReplies(path)
}
const line = (task: string, reply: string, more: object = {}) => JSON.stringify({task, reply, ...more})
const full = {case: undefined, reasoning: ''}

describe('a file of replies', () => {
  test('gives the rows of the tasks that are named, in its own order', async () => {
    const lines = [line('Add', '1'), line('Mul', '2'), line('Add', '3'), line('Sub', '4')]
    const file = await opened(`${lines.join('\n')}\n`)
    const replies = async (...names: string[]) => (await file.rowsOf(names)).map(({reply}) => reply)
    expect([file.name, [...file.tasks], file.bad]).toEqual(['replies.jsonl', ['Add', 'Mul', 'Sub'], []])
    expect(await replies('Sub', 'Add')).toEqual(['1', '3', '4'])
    expect(await replies('Mul')).toEqual(['2'])
    expect(await replies('Div')).toEqual([])
    expect(await replies()).toEqual([])
  })

  test('holds what a line says, and defaults', async () => {
    const all = {case: 7, sample: 0, reasoning: 'so', model: 'm', prompt: 'p', other: true}
    const file = await opened(`${line('Add', 'é')}\n${line('Add', '', all)}`)
    expect(await file.rowsOf(['Add'])).toEqual([
      {...full, task: 'Add', reply: 'é'},
      {task: 'Add', reply: '', case: '7', sample: 0, reasoning: 'so', model: 'm', prompt: 'p'},
    ])
  })

  test('skips blank lines, and counts them', async () => {
    const file = await opened(`\n \t\r\n${line('Add', '1')}\r\n\n{\n`)
    expect((await file.rowsOf(['Add'])).map(({reply}) => reply)).toEqual(['1'])
    expect(file.bad.map(({line: at}) => at)).toEqual([5])
  })

  test('is known by what its lines say', async () => {
    const lines = [line('Add', '1'), '', line('Add', '2')]
    expect((await opened(lines.join('\n'))).id).toBe(sha256(Buffer.from(lines.join(''))))
    expect((await opened(`${lines.join('\n')}\n`)).id).toBe(sha256(Buffer.from(lines.join(''))))
  })

  test.each([2 ** 20 - 1, 2 ** 20, 2 ** 20 + 1, 3 * 2 ** 20])('reads lines of %i bytes', async (bytes) => {
    const long = (task: string) => line(task, 'x'.repeat(bytes - line(task, '').length))
    const file = await opened([long('Add'), line('Mul', '2'), long('Sub'), line('Div', '4')].join('\n'))
    const rows = await file.rowsOf(['Div', 'Sub', 'Add', 'Mul'])
    expect(rows.map(({task, reply}) => [task, reply.length])).toEqual([
      ['Add', bytes - line('Add', '').length],
      ['Mul', 1],
      ['Sub', bytes - line('Sub', '').length],
      ['Div', 1],
    ])
  })
})

describe('lines that are no reply', () => {
  test('are set aside with what is wrong, for the task before them, or the first', async () => {
    const half = Buffer.concat([Buffer.from('{"task":"Add","reply":"'), Buffer.from([0xff]), Buffer.from('"}')])
    const file = await opened(
      Buffer.concat([
        Buffer.from(['{"task":"", "reply":1}', line('Add', '1'), 'no', line('Mul', '2'), '[]', ''].join('\n')),
        half,
      ]),
    )
    expect(file.bad.map(({line: at, task}) => [at, task])).toEqual([
      [1, 'Add'],
      [3, 'Add'],
      [5, 'Mul'],
      [6, 'Mul'],
    ])
    expect(file.bad[0]?.problem).toMatch(/^task: .*; reply: /)
    expect(file.bad[1]?.problem).toContain('JSON')
    expect(file.bad[2]?.problem).toMatch(/^: .*expected object/)
    expect(file.bad[3]?.problem).toContain('utf-8')
  })

  test('and none besides is an error that names the first', async () => {
    await expect(opened('\nno\n{}\n')).rejects.toMatchObject({
      code: 'record-invalid',
      scope: 'run',
      message: expect.stringMatching(/replies\.jsonl holds no reply; line 2: .*JSON/) as string,
    })
  })

  test('a file without any line is no error', async () => {
    const {tasks, bad} = await opened('\n\n')
    expect([tasks.size, bad]).toEqual([0, []])
  })

  test('a folder and a file that is not there cannot be read', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'a'))
    for (const name of ['a', 'b']) {
      const path = join(folder, name)
      const message = `The replies in ${path} cannot be read.`
      expect(() => openReplies(path)).toThrow(expect.objectContaining({code: 'input-missing', scope: 'run', message}))
    }
  })
})

test.each<[object, boolean]>([
  [{}, true],
  [{task: ''}, false],
  [{case: 'a'}, true],
  [{case: 1.5}, false],
  [{sample: 0}, true],
  [{sample: -1}, false],
  [{sample: 0.5}, false],
  [{model: ''}, false],
  [{prompt: ''}, false],
  [{reasoning: ''}, true],
  [{reply: null}, false],
])('a row with %j fits: %s', (over, fits) => {
  expect(ReplyRow.safeParse({task: 'Add', reply: '', ...over}).success).toBe(fits)
})
