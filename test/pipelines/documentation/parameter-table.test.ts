import {describe, expect, test} from 'vitest'
import {parseBlocks} from '../../../datasets/blocks.ts'
import {type ParameterFact, readParameters} from '../../../pipelines/documentation/parameter-table.ts'
import {dtypesIn, readText, sentences} from '../../../pipelines/documentation/sentences.ts'
import {fateOf, isLimitedToOthers, isPointer, withoutPointers} from '../../../pipelines/documentation/sentence-fate.ts'

function read(header: string, rows: readonly string[], caption = ''): ParameterFact[] {
  const columns = header.split('|').length
  const source = [`| ${header} |`, `|${' --- |'.repeat(columns)}`, ...rows.map((row) => `| ${row} |`)].join('\n')
  const [block] = parseBlocks(source)
  if (block?.kind !== 'table') throw new TypeError('no table')
  return readParameters(block, caption)
}

describe('a table of parameters', () => {
  test.each([
    ['参数名 | 输入/输出 | 描述', 'a | 输入 | 数据的地址。', 1],
    ['名称 | 含义', 'a | 数据的地址。', 1],
    ['Parameter | Meaning', 'a | The address of it.', 1],
    ['变量 | 输入/输出 | 说明', 'a | 输入 | 数据的地址。', 1],
    ['变量 | 说明', 'a | 数据的地址。', 0],
    ['描述 | 参数名', '数据的地址。 | a', 1],
    ['参数名 | 类型', 'a | int', 0],
    ['参数说明 | 类型', 'a | int', 0],
    ['输入/输出 | 说明', '输入 | 数据的地址。', 0],
    ['参数名 | 描述', '甲 | 数据的地址。', 0],
    ['参数名 | 描述', 'a | ', 0],
    ['参数名 | 描述', 'a | 见下表。', 1],
  ])('%s with %s has %s', (header, row, count) => {
    expect(read(header, [row])).toHaveLength(count)
  })

  test('tells names, direction and structure', () => {
    const facts = (name: string, direction: string, caption = '') =>
      read('参数名 | 输入/输出 | 描述', [`${name} | ${direction} | 数据的地址。`], caption)[0]
    expect(facts('src0、 src1', '输入')).toEqual({
      name: 'src0、 src1',
      names: ['src0', 'src1'],
      direction: 'input',
      meaning: ['数据的地址。'],
      choices: [],
      unread: [],
      structure: '',
    })
    expect(['输入', '输出', '输入/输出', 'input', 'Output', '-'].map((one) => facts('a', one)?.direction)).toEqual([
      'input',
      'output',
      'both',
      'input',
      'output',
      '',
    ])
    expect(
      [
        '表1 MoveParams结构体说明',
        '表2 MoveParams<T> 结构',
        '表3 CopyInfo参数说明',
        '表4 Copy参数说明',
        '表5 Move structure',
      ].map((one) => facts('a', '-', one)?.structure),
    ).toEqual(['MoveParams', 'MoveParams', 'CopyInfo', '', 'Move'])
  })
})

describe('the words of a cell', () => {
  const cell = (...lines: string[]) => {
    const [fact] = read('参数名 | 描述', [`a | ${lines.join('<br>')}`])
    return (
      fact && {
        meaning: fact.meaning,
        choices: fact.choices.map(({name, text}) => `${name}=${text}`),
        unread: fact.unread,
      }
    )
  }
  const plainCell = (...meaning: string[]) => ({meaning, choices: [], unread: []})

  test('a word or two, sentences, and what is not understood', () => {
    expect(cell('地址')).toEqual(plainCell('地址'))
    expect(cell('长度。')).toEqual(plainCell('长度。'))
    expect(cell('暂无')).toBeUndefined()
    expect(cell('数据的地址。必须对齐的地址。')).toEqual(plainCell('数据的地址。', '必须对齐的地址。'))
    expect(cell('数据的地址。', '取值见下表的内容，必须对齐。')).toEqual({
      ...plainCell('数据的地址。'),
      unread: ['取值见下表的内容，必须对齐。'],
    })
    expect(cell('数据的地址。', '如下图所示的排布方式。')).toEqual(plainCell('数据的地址。'))
    expect(cell('数据的地址。', '仅支持Kirin X90的产品。')).toMatchObject({meaning: ['数据的地址。']})
    expect(cell('支持half、', 'float的数据。')).toEqual(plainCell('支持half、float的数据。'))
    expect(cell('<pre>int a;</pre>数据的地址。')).toEqual({...plainCell('数据的地址。'), unread: ['⟨listing⟩']})
  })

  test('values with names are choices', () => {
    expect(cell('搬运的模式。', 'FAST：快速的模式。', 'Mode::SLOW：慢速的模式。')).toEqual({
      meaning: ['搬运的模式。'],
      choices: ['FAST=快速的模式。', 'SLOW=慢速的模式。'],
      unread: [],
    })
    expect(cell('搬运的模式。', '• FAST：快速的模式。', '• FAST：很快的模式。')?.choices).toEqual([
      'FAST=快速的模式；很快的模式',
    ])
    expect(cell('Mode of it all.', 'FAST: It moves at once.', 'FAST: It moves all.')?.choices).toEqual([
      'FAST=It moves at once; It moves all',
    ])
    expect(cell('搬运的模式。', 'FAST：取值见下表，必须对齐。')).toEqual({
      ...plainCell('搬运的模式。'),
      unread: ['取值见下表，必须对齐。'],
    })
    expect(cell('搬运的模式。', 'FAST：仅支持Kirin X90。', 'SLOW：慢速的模式。')).toEqual({
      ...plainCell('搬运的模式。'),
      choices: ['SLOW=慢速的模式。'],
    })
    expect(cell('FAST：快速的模式。')).toBeUndefined()
  })

  test('a summary before a list is the meaning', () => {
    expect(cell('搬运的模式，取值如下：', '• FAST：快速的模式。')).toMatchObject({
      meaning: ['搬运的模式'],
      choices: ['FAST=快速的模式。'],
    })
    expect(cell('搬运的模式。默认是FAST。支持以下取值：', '• FAST：快速的模式。')).toMatchObject({
      meaning: ['搬运的模式。', '默认是FAST。'],
    })
  })

  test('items stand under their labels', () => {
    expect(cell('是否搬运。', '• false：', '•• 不搬运任何数据。', '•• 保留原有的数据。')).toMatchObject({
      choices: ['false=不搬运任何数据；保留原有的数据'],
    })
    expect(cell('是否搬运。', '• 当对齐时：', '不搬运任何数据。', '• 保留原有的数据。')).toMatchObject({
      meaning: ['是否搬运。', '保留原有的数据。', '当对齐时：不搬运任何数据。'],
    })
    expect(cell('是否搬运。', '• 对于Kirin X90：', '•• 不搬运任何数据。', '• 保留原有的数据。')).toMatchObject({
      meaning: ['是否搬运。', '保留原有的数据。'],
      unread: [],
    })
    expect(cell('是否搬运。', '• FAST：快速的模式。', '另外一种说法。')).toMatchObject({unread: ['另外一种说法。']})
    expect(cell('是否搬运。', '• FAST：快速的模式。', '默认值：FAST。')).toMatchObject({unread: []})
    expect(cell('是否搬运。', '• 第一种：快速的模式。', '• 第二种：如下图所示的方式。')).toMatchObject({
      meaning: ['是否搬运。', '第一种：快速的模式。'],
      unread: ['第二种：如下图所示的方式。'],
    })
  })
})

describe('sentences', () => {
  test('are cut at their marks, without labels and list marks', () => {
    expect(sentences('搬运数据。计算数据！写出数据？')).toEqual(['搬运数据。', '计算数据！', '写出数据？'])
    expect(sentences('Moves data. Computes it. e.g. this')).toEqual(['Moves data.', 'Computes it. e.g. this'])
    expect(sentences('- 搬运数据 • 计算数据')).toEqual(['搬运数据', '计算数据'])
    expect(sentences('-1表示无效。')).toEqual(['-1表示无效。'])
    expect(sentences('说明：搬运数据。【注意】计算数据。【反例】写出数据。')).toEqual(['搬运数据。', '计算数据。'])
    expect(sentences('请注意，搬运数据。')).toEqual(['搬运数据。'])
    expect(sentences('针对如下产品型号生效，搬运数据。')).toEqual(['搬运数据。'])
  })

  test('that lean on the one before go with it', () => {
    expect(sentences('搬运数据。它必须对齐。计算数据。')).toEqual(['搬运数据。它必须对齐。', '计算数据。'])
    expect(sentences('Moves data. It must be aligned.')).toEqual(['Moves data. It must be aligned.'])
    expect(sentences('它必须对齐。')).toEqual(['它必须对齐。'])
  })

  test('a text is read as far as it is understood', () => {
    expect(readText('搬运全部数据。取值见下表，必须对齐。计算全部数据。')).toEqual({
      told: ['搬运全部数据。', '计算全部数据。'],
      lost: ['取值见下表，必须对齐。'],
    })
    expect(readText('搬运全部数据。它如下图所示的方式。此时必须对齐。')).toEqual({
      told: ['搬运全部数据。'],
      lost: ['它如下图所示的方式。此时必须对齐。'],
    })
    expect(readText('搬运全部数据。否则必须对齐数据。')).toEqual({told: ['搬运全部数据。否则必须对齐数据。'], lost: []})
    expect(readText('Kirin X90支持搬运。它必须对齐。计算全部数据。')).toEqual({told: ['计算全部数据。'], lost: []})
    expect(readText('它必须对齐数据。', true)).toEqual({told: [], lost: ['它必须对齐数据。']})
    expect(readText('它必须对齐数据。', false)).toEqual({told: ['它必须对齐数据。'], lost: []})
    expect(readText('搬运全部数据。计算全部数据。它必须对齐。', true)).toEqual({
      told: ['搬运全部数据。', '计算全部数据。它必须对齐。'],
      lost: [],
    })
    expect(readText('无。')).toEqual({told: [], lost: []})
  })

  test('types that are named, each once', () => {
    expect(dtypesIn('支持half、float、half和uint8_t，myhalf除外')).toEqual(['half', 'float', 'uint8_t'])
  })
})

describe('away from its page, a sentence', () => {
  test.each([
    ['无', 'nothing'],
    ['N/A', 'nothing'],
    ['搬运。', 'nothing'],
    ['搬运它。', 'told'],
    ['Kirin X90支持该接口。', 'foreign'],
    ['Atlas A2和Kirin X90支持该接口。', 'told'],
    ['仅支持Kirin X90。', 'lost'],
    ['Atlas A2 训练系列产品', 'foreign'],
    ['请参考搬运接口。', 'elsewhere'],
    ['参考搬运接口，必须对齐。', 'lost'],
    ['请参考约束说明。', 'lost'],
    ['否则必须对齐。', 'lost'],
    ['数量分别为8个或4个。', 'lost'],
    ['<img>表示输入数据。', 'lost'],
    ['排布如下图所示的方式。', 'lost'],
    ['计算公式如下：', 'lost'],
    ['把数据搬运到另一处。', 'told'],
  ])('%s is %s', (sentence, fate) => {
    expect(fateOf(sentence)).toBe(fate)
  })

  test('is limited to other products in one of its clauses', () => {
    expect([
      isLimitedToOthers('仅支持Kirin X90。'),
      isLimitedToOthers('该参数有效，仅支持Kirin X90。'),
      isLimitedToOthers('Kirin X90不支持。'),
      isLimitedToOthers('仅支持Atlas A2。'),
    ]).toEqual([true, true, false, false])
  })

  test('loses the clause that only points', () => {
    expect(withoutPointers('设置搬运的模式和长度，详见搬运接口。')).toBe('设置搬运的模式和长度。')
    expect(withoutPointers('对齐的约束请参见通用地址对齐约束。')).toBe('对齐的约束以“通用地址对齐约束”为准。')
    expect(withoutPointers('如需对齐的数据，请参见搬运接口。')).toBe('如需对齐的数据，请参见搬运接口。')
    expect(withoutPointers('设置搬运的模式和长度，详见约束说明。')).toBe('设置搬运的模式和长度，详见约束说明。')
    expect([
      isPointer('见下表。'),
      isPointer('see below'),
      isPointer('shown below'),
      isPointer('搬运数据。'),
      isPointer('三者，即上述三者。'),
    ]).toEqual([true, true, true, false, false])
  })
})
