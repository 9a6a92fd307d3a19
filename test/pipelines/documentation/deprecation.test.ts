import {describe, expect, test} from 'vitest'
import {DocPage} from '../../../datasets/schema/document.ts'
import {deprecations} from '../../../pipelines/documentation/deprecation.ts'
import {renamedApis} from '../../../pipelines/documentation/documented-apis.ts'

const page = (markdown: string, title = 'Move') =>
  DocPage.parse({
    origin: {repository: 'r', revision: 'v', path: 'p.md', licence: 'MIT'},
    language: 'zh',
    title,
    markdown,
  })

describe('a page warns', () => {
  const said = (markdown: string, {title = 'Move', name = 'Move', declared = ['Move', 'MoveOld']} = {}) =>
    deprecations(page(markdown, title), declared)(name).deprecated

  test.each([
    ['该接口后续废弃。', '该接口后续废弃。', []],
    ['该接口即将废弃，请使用CarryAll接口。', '该接口即将废弃，请使用CarryAll接口。', ['CarryAll']],
    ['该接口已废弃。\n请使用CarryAll或do_move。', '该接口已废弃。请使用CarryAll或do_move。', ['CarryAll', 'do_move']],
    [
      '不推荐使用该接口，建议使用CarryAll替换为Carry2。',
      '不推荐使用该接口，建议使用CarryAll替换为Carry2。',
      ['CarryAll', 'Carry2'],
    ],
    ['此接口在后续版本中会移除。', '此接口在后续版本中会移除。', []],
    ['This interface is deprecated.', 'This interface is deprecated.', []],
    [
      'The API `Move` has been deprecated. Use CarryAll instead.',
      'The API Move has been deprecated. Use CarryAll instead.',
      ['CarryAll'],
    ],
    ['Move is now deprecated; use CarryAll.', 'Move is now deprecated; use CarryAll.', ['CarryAll']],
    ['> **注意** 该接口已废弃。', '注意 该接口已废弃。', []],
    ['- 该接口已废弃。', '该接口已废弃。', []],
    ['该接口已废弃。长度是32字节。', '该接口已废弃。', []],
  ])('%j', (markdown, text, instead) => {
    expect(said(markdown)).toEqual({text, instead})
  })

  test.each([
    '把数据搬运到片上。',
    'The parameter of this interface is deprecated.',
    'The mode of the API is deprecated.',
    'Unless this function is deprecated, call it.',
    'CarryAll接口已废弃。',
    'Moves are deprecated.',
    '```\n该接口已废弃。\n```',
    '| 该接口已废弃。 |\n| --- |\n| a |',
  ])('and does not: %j', (markdown) => {
    expect(said(markdown)).toBeUndefined()
  })

  test('of the interfaces that the warning names alone', () => {
    const markdown = 'MoveOld接口已废弃，请使用Move。'
    expect(said(markdown)).toBeUndefined()
    expect(said(markdown, {name: 'MoveOld'})).toEqual({text: markdown, instead: ['Move']})
    expect(said(markdown, {name: 'Queue::MoveOld', declared: ['Queue::MoveOld']})).toMatchObject({instead: ['Move']})
    const ofAll = 'The interface is deprecated. Please use Move instead.'
    expect(said(ofAll, {name: 'MoveOld'})?.instead).toEqual(['Move'])
    expect(said(ofAll)?.instead, 'none is its own replacement').toEqual([])
  })

  test('in its title', () => {
    expect(said('把数据搬运到片上。', {title: 'Move（废弃）'})).toEqual({text: 'Move（废弃）', instead: []})
    expect(said('把数据搬运到片上。', {title: 'Move (Deprecated)'})).toEqual({text: 'Move (Deprecated)', instead: []})
    expect(said('该接口已废弃。', {title: 'Move（废弃）'})).toEqual({text: '该接口已废弃。', instead: []})
  })
})

describe('a table of renamed interfaces', () => {
  const renamed = (header: string, ...rows: string[]) => {
    const cells = header.split('|').length
    const lines = [header, Array(cells).fill('---').join('|'), ...rows].map((line) => `| ${line} |`)
    return renamedApis({markdown: lines.join('\n')})
  }

  test('names what is called otherwise now', () => {
    expect(
      renamed(
        '旧接口 | 新接口 | 说明',
        'OldMove | Move | 名字更清楚',
        '• OldCopy（float转half） | DataCopy、Copy2 | 无',
        'Same | Same | x',
        'Gone | - | x',
        'A1/B1 | C1 |',
      ),
    ).toEqual([
      {name: 'OldMove', text: '旧接口：OldMove；新接口：Move；说明：名字更清楚', instead: ['Move']},
      {name: 'OldCopy', text: '旧接口：OldCopy；新接口：DataCopy、Copy2', instead: ['DataCopy', 'Copy2']},
      {name: 'A1', text: '旧接口：A1；新接口：C1', instead: ['C1']},
      {name: 'B1', text: '旧接口：B1；新接口：C1', instead: ['C1']},
    ])
  })

  test.each([
    ['Deprecated API name | New', true],
    ['Old interface | Replacement API', true],
    ['废弃API | 替代接口', true],
    ['原接口 | 说明', false],
    ['说明 | 新接口', false],
    ['原接口参数 | 新接口参数', false],
    ['Old parameter name | New parameter name', false],
  ])('has columns for both: %s', (header, isRead) => {
    expect(renamed(header, 'OldMove | Move')).toHaveLength(isRead ? 1 : 0)
  })
})
