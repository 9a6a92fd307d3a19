import {describe, expect, test} from 'vitest'
import {
  announcedBy,
  isAnnounced,
  isLabel,
  labelOf,
  labelsAbove,
  underLabels,
} from '../../../pipelines/documentation/labels.ts'
import {fateOf, isLimitedToOthers, isPointer, withoutPointers} from '../../../pipelines/documentation/sentence-fate.ts'
import {dtypesIn, readText, sentences} from '../../../pipelines/documentation/sentences.ts'

describe('sentences', () => {
  test.each([
    ['把数据搬运到片上。长度是32字节！', ['把数据搬运到片上。', '长度是32字节！']],
    ['Moves the data. Then waits. it goes on', ['Moves the data.', 'Then waits. it goes on']],
    ['• 一个条目。\n• 另一个条目 • 第三个条目', ['一个条目。', '另一个条目', '第三个条目']],
    ['- 一个条目。', ['一个条目。']],
    ['一个条目。• 另一个条目。', ['一个条目。', '另一个条目。']],
    ['-3表示出错。', ['-3表示出错。']],
    ['把数据搬运到片上。它必须对齐。', ['把数据搬运到片上。它必须对齐。']],
    ['Moves the data. It must be aligned.', ['Moves the data. It must be aligned.']],
    ['Moves the data\n• It must be aligned.', ['Moves the data It must be aligned.']],
    ['必须先初始化。否则结果不可知。', ['必须先初始化。否则结果不可知。']],
    ['它必须对齐。', ['它必须对齐。']],
    ['注意：长度是32字节。', ['长度是32字节。']],
    ['请注意，长度是32字节。', ['长度是32字节。']],
    ['【说明】长度是32字节。', ['长度是32字节。']],
    ['【反例】这样写会出错。', []],
    ['针对如下产品型号，长度是32字节。', ['长度是32字节。']],
    ['❗ 长度是32字节 。', ['长度是32字节。']],
    ['', []],
  ])('of %j', (text, found) => {
    expect(sentences(text)).toEqual(found)
  })

  test.each<[string, string[], string[]]>([
    ['长度是32字节。', ['长度是32字节。'], []],
    ['长度是32字节。该长度见下表。', ['长度是32字节。'], ['该长度见下表。']],
    ['具体如图1所示。此时会出错。', [], ['此时会出错。']],
    ['灰色部分不参与计算。它必须补齐。', [], ['灰色部分不参与计算。它必须补齐。']],
    ['无', [], []],
    ['Ascend 950支持该数据类型。此时需要对齐。', [], []],
    ['必须先初始化。否则结果不可知。', ['必须先初始化。否则结果不可知。'], []],
    ['否则结果不可知。', [], ['否则结果不可知。']],
  ])('are told or lost: %j', (text, told, lost) => {
    expect(readText(text)).toEqual({told, lost})
  })

  test('that begin with a pronoun mean nothing behind what was lost', () => {
    const text = '它必须对齐。长度是32字节。'
    expect(readText(text)).toEqual({told: ['它必须对齐。', '长度是32字节。'], lost: []})
    expect(readText(text, true)).toEqual({told: ['长度是32字节。'], lost: ['它必须对齐。']})
    expect(readText('长度是32字节。它必须对齐。', true).told).toEqual(['长度是32字节。它必须对齐。'])
  })

  test('name types, in order, once', () => {
    expect(dtypesIn('支持half、float、int32_t与half；不支持my_half和halfs。')).toEqual(['half', 'float', 'int32_t'])
    expect(dtypesIn('没有')).toEqual([])
  })
})

describe('the fate of a sentence away from its page', () => {
  test.each([
    ['无', 'nothing'],
    ['N/A.', 'nothing'],
    ['None', 'nothing'],
    ['---', 'nothing'],
    ['甲乙丙', 'nothing'],
    ['甲乙丙丁', 'told'],
    ['Kirin X90支持half。', 'foreign'],
    ['Atlas A2 训练系列产品和Kirin X90支持half。', 'told'],
    ['Atlas A2 训练系列产品。', 'foreign'],
    ['该参数仅支持Kirin X90。', 'lost'],
    ['详见搬运接口。', 'elsewhere'],
    ['关于对齐，可以参考搬运接口。', 'elsewhere'],
    ['图1 搬运过程', 'elsewhere'],
    ['下图是搬运的示意图。', 'elsewhere'],
    ['必须对齐，参考搬运接口。', 'lost'],
    ['具体参见功能说明。', 'lost'],
    ['此时长度是32字节。', 'lost'],
    ['分别为 8个或 4个', 'lost'],
    ['<img src="a.png"> 搬运数据', 'lost'],
    ['参数的取值如下', 'lost'],
    ['搬运数据，见下图的说明和公式', 'lost'],
    ['Data is moved as shown in figure 1.', 'lost'],
    ['把数据搬运到片上内存。', 'told'],
  ])('%s is %s', (sentence, fate) => {
    expect(fateOf(sentence)).toBe(fate)
  })

  test('a limit to other products is one wherever it stands', () => {
    expect(isLimitedToOthers('预留参数，仅支持Kirin X90。')).toBe(true)
    expect(isLimitedToOthers('Kirin X90支持half。')).toBe(false)
    expect(isLimitedToOthers('预留参数，仅支持half。')).toBe(false)
  })

  test('what points into its own sentence is no pointer', () => {
    expect(isPointer('共三种，即上述三种。')).toBe(false)
    expect(isPointer('与上述三种相同。')).toBe(true)
  })

  test.each([
    ['数据需要32字节对齐，详见对齐要求。', '数据需要32字节对齐。'],
    ['短，详见对齐。', '短，详见对齐。'],
    ['需要满足对齐约束请参考通用约束。', '需要满足对齐约束以“通用约束”为准。'],
    ['如需搬运更多的数据，请参考搬运接口。', '如需搬运更多的数据，请参考搬运接口。'],
    ['数据需要32字节对齐，详见功能说明。', '数据需要32字节对齐，详见功能说明。'],
  ])('%s is told as %s', (sentence, told) => {
    expect(withoutPointers(sentence)).toBe(told)
  })
})

describe('labels', () => {
  test('end in a colon, and announce', () => {
    expect(['取值： ', 'values:', '取值'].map(isLabel)).toEqual([true, true, false])
    expect(['公式如下。', '公式如下所示', '如下的公式'].map(isAnnounced)).toEqual([true, true, false])
  })

  test.each([
    ['false：', 'false'],
    ['• mode为1时：', 'mode为1时'],
    ['-1：', '-1'],
    ['取值如下：', ''],
    ['eventID的取值范围如下：', 'eventID的取值范围'],
    ['支持以下两种传参方式：', '支持以下两种传参方式'],
    ['count为0的场景下包括：', 'count为0的场景下包括'],
    ['注意：', ''],
    ['The values are:', ''],
    ['only the following:', 'only the following'],
  ])('%j says %j', (line, text) => {
    expect(labelOf(line, 2)).toEqual({depth: 2, text})
  })

  test('what stands before an announcement is a sentence of its own, or when the list holds', () => {
    const none = {depth: 1, text: ''}
    expect(announcedBy('搬运数据的模式，包括以下：', 1)).toEqual({head: '搬运数据的模式', label: none})
    expect(announcedBy('两次搬运后，包括以下：', 1)).toEqual({head: '', label: {depth: 1, text: '两次搬运后'}})
    expect(announcedBy('模式，包括以下：', 1)).toEqual({head: '', label: none})
    expect(announcedBy('取值如下：', 1)).toEqual({head: '', label: none})
    expect(announcedBy('此时搬运数据，包括以下：', 1).head).toBe('')
    expect(announcedBy('It moves data, with the following:', 1)).toEqual({head: 'It moves data', label: none})
  })

  test('hold for what stands deeper, and are said with it unless it says them', () => {
    const labels = [0, 1, 2].map((depth) => ({depth, text: `L${depth}`}))
    expect(labelsAbove(labels, 2)).toEqual(labels.slice(0, 2))
    expect(underLabels(labels, '数据对齐')).toBe('L0：L1：L2：数据对齐')
    expect(underLabels(labels, 'aligned')).toBe('L0: L1: L2: aligned')
    expect(underLabels(labels, 'L1 aligned')).toBe('L0: L2: L1 aligned')
    expect(underLabels([{depth: 0, text: ''}], 'aligned')).toBe('aligned')
    expect(underLabels([{depth: 0, text: 'L'}], 'a'.repeat(297))).toBe(`L: ${'a'.repeat(297)}`)
    expect(underLabels([{depth: 0, text: 'L'}], 'a'.repeat(298))).toBeUndefined()
  })
})
