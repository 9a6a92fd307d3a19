import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {completion} from '../../../datasets/tokens/chat-turns.ts'
import {cells} from '../../../datasets/parquet/columns.ts'
import {dividedReply, filesIn, locateFiles} from '../../../datasets/parquet/reply-parts.ts'
import {runCommand} from '../../../engine/subprocess.ts'
import {dpoRow, kernelSample, pair, sample, side, sftRow} from '../rows.ts'

describe('a reply', () => {
  test('is divided into the reasoning and the answer that it was joined from', () => {
    for (const [reasoning, answer] of [
      ['why', 'what'],
      ['', 'what'],
      ['two\n\nparagraphs', '\n\nan answer that begins with empty lines\n'],
      ['', '<think>\nleft open'],
    ] as const) {
      expect(dividedReply(completion(reasoning, answer))).toEqual({reasoning, answer})
    }
  })
})

describe('located files', () => {
  const of = (content: string, ...texts: string[]) =>
    locateFiles(
      texts.map((text, index) => ({path: `${index}.cpp`, text})),
      content,
    )

  test('stand in the answer, not where the reasoning quotes them, each behind the one before', () => {
    const content = completion('first int x; is written', 'so: int x; and then int x; with float y;')
    const located = of(content, 'int x;', 'int x;', 'float y;')
    expect(located.map(({start}) => start)).toEqual([
      content.indexOf('so: ') + 4,
      content.indexOf('and then ') + 9,
      content.indexOf('float'),
    ])
    expect(filesIn(content, located).map(({text}) => text)).toEqual(['int x;', 'int x;', 'float y;'])
  })

  test('are found where they stand in another order', () => {
    expect(of('b a', 'a', 'b').map(({start, end}) => [start, end])).toEqual([
      [2, 3],
      [0, 1],
    ])
  })

  test('are counted in code points, as Python does', () => {
    const content = '🚀搬运 𝛼 x = 𝛽; end'
    const located = of(content, 'x = 𝛽;')
    expect(located).toEqual([{path: '0.cpp', start: 6, end: 12, text: null}])
    expect([...content].slice(6, 12).join('')).toBe('x = 𝛽;')
    expect(filesIn(content, located)).toEqual([{path: '0.cpp', text: 'x = 𝛽;'}])
  })

  test('keep their text where the answer has it otherwise', () => {
    expect(of('a\r\nb', 'a\nb')).toEqual([{path: '0.cpp', start: null, end: null, text: 'a\nb'}])
    expect(filesIn('a\r\nb', of('a\r\nb', 'a\nb'))).toEqual([{path: '0.cpp', text: 'a\nb'}])
  })
})

describe('the Python of the card', () => {
  const [, snippet = ''] = /```python\n([\s\S]*?)```/.exec(readFileSync('datasets/card/card-reply.md', 'utf8')) ?? []

  test('gives reasoning, answer and files of every row back', async () => {
    const code = '// 搬运🚀\nint x;\n'
    const [told, other] = [
      {path: 'a.cpp', text: code},
      {path: 'b.h', text: 'not in the answer'},
    ]
    const samples = [sample(), kernelSample({reasoning: '𝛼', answer: `看🚀\n${code}完`, files: [told, other]})]
    const pairs = [
      pair(),
      pair({chosen: side({reasoning: 'r', answer: code, files: [told]}), rejected: side({reasoning: 'q'})}),
    ]
    const rows = [
      ...samples.map((one) => [cells(sftRow(one)), 'completion', 'files']),
      ...pairs.flatMap((one) =>
        (['chosen', 'rejected'] as const).map((name) => [cells(dpoRow(one)), name, `${name}_files`]),
      ),
    ]
    const program = [
      'import json, sys',
      snippet,
      `print(json.dumps([parts(*row) for row in json.loads(${JSON.stringify(JSON.stringify(rows))})]))`,
    ]
    const {stdout, stderr} = await runCommand('python3', ['-c', program.join('\n')])
    expect(stderr).toBe('')
    const byPath = (files: {path: string; text: string}[]) =>
      Object.fromEntries(files.map(({path, text}) => [path, text]))
    expect(JSON.parse(stdout)).toEqual([
      ...samples.map(({reasoning, answer, files}) => [reasoning, answer, byPath(files)]),
      ...pairs.flatMap(({chosen, rejected}) => {
        const both = chosen.reasoning !== '' && rejected.reasoning !== ''
        return [chosen, rejected].map(({reasoning, answer, files}) => [both ? reasoning : '', answer, byPath(files)])
      }),
    ])
  })
})
