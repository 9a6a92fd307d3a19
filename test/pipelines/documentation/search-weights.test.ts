import {describe, expect, test} from 'vitest'
import type {DocSection} from '../../../datasets/schema/document.ts'
import {SectionSearch} from '../../../pipelines/documentation/section-search.ts'
import {docSection} from '../../helpers/doc-section.ts'

// Digits and marks are no words: titles and headings of them are quoted by a question, and found by nothing else.
// `Calling` puts a question, so that it is a name that is asked about and no word that is searched for.

type Part = Parameters<typeof docSection>[0]

const markdown = 'zulu calling show'
const sectionOf = (part: Part) => docSection({role: 'other', markdown, ...part})

function searchOf(sections: readonly DocSection[]): SectionSearch {
  const search = new SectionSearch()
  for (const one of sections) search.add(one)
  return search
}

/** What answers a question, best first, by the names that the sections are given. */
function ranked(question: string, sections: Readonly<Record<string, Part>>): string[] {
  const names = Object.keys(sections)
  const search = searchOf(Object.values(sections).map(sectionOf))
  return search.answering(question, names.length).map((id) => names[id]!)
}

describe('sections with the same words go by what their pages are', () => {
  test('title, names, folder and heading, and by their order where they are as good', () => {
    const page = '甲'
    const ladder: Record<string, Part> = {
      'a fifth of a title that is more, which takes nothing away': {page: 'Calling Bravo Echo Golf Hotel。'},
      nothing: {page},
      'the folder alone': {page, path: 'Calling/x.md'},
      'a title too short to be quoted': {page: '5。6'},
      'a heading too short to be quoted': {page: '乙', heading: '12'},
      'a heading above the last': {page: '丙', headings: ['丙', '123', '9']},
      'a title as heading': {page: '丁', headings: ['123']},
      'half a name in a title that is more': {page: 'Calling Bravo。'},
      'a quoted heading': {page: '戊', headings: ['戊', '9', '123']},
      'a name in a title that is more': {page: 'Calling。'},
      'half a name': {page: 'Calling Bravo'},
      'a quoted title': {page: '12。3'},
      'a name in a title that is more, with a quoted heading': {page: 'Calling！', heading: '123'},
      name: {page: 'Calling'},
      'half a name in its folder': {page: 'Calling Golf', path: 'Calling/y.md'},
      'a quoted title and heading': {page: '12。3', heading: '123', path: 'z.md'},
      'a name in its folder': {page: 'Calling', path: 'Calling/z.md'},
    }
    const names = Object.keys(ladder)
    expect(ranked('zulu Calling 123 12。3 5。6', ladder)).toEqual([
      'a quoted title and heading',
      'a name in its folder',
      'half a name in its folder',
      'a name in a title that is more, with a quoted heading',
      'name',
      'a quoted title',
      'half a name',
      'a quoted heading',
      'a name in a title that is more',
      'half a name in a title that is more',
      ...names.slice(0, 7),
    ])
  })

  test.each([
    ['call', false],
    ['call 呢', true],
    ['Call', true],
    ['call2', true],
    ['call_x', true],
  ])('in %j the word is a name: %s', (question, isName) => {
    const [word = ''] = question.split(' ')
    const found = ranked(question, {heading: {page: '甲', heading: word}, name: {page: word}})
    expect(found[0]).toBe(isName ? 'name' : 'heading')
  })
})

describe('sections with the same words go by their roles', () => {
  const pages: Record<string, Part> = {
    'returns of a guide': {page: '甲。', role: 'returns'},
    'function of another guide': {page: '乙。', role: 'function'},
    'prototype without returns': {page: '丙。', role: 'prototype'},
    'prototype with returns': {page: '丁。', role: 'prototype'},
    'returns with prototype': {page: '丁。', role: 'returns'},
    'headed prototype of the name': {page: 'Calling', role: 'prototype', heading: '123'},
    'returns of the name': {page: 'Calling', role: 'returns'},
    other: {page: '戊。'},
    support: {page: '戊。', role: 'support'},
    'a quoted heading': {page: '己。', heading: '123'},
    'a title that is no name': {page: 'Show。', role: 'example'},
  }

  test('with all their weight on pages of interfaces, where one of them is asked about', () => {
    expect(ranked('zulu Calling 123 返回', pages)).toEqual([
      'returns of the name',
      'headed prototype of the name',
      'returns with prototype',
      'prototype without returns',
      'a quoted heading',
      'returns of a guide',
      'function of another guide',
      'prototype with returns',
      'other',
      'a title that is no name',
      'support',
    ])
  })

  test('with little weight where no interface is asked about', () => {
    expect(ranked('zulu Show 123 返回', pages)).toEqual([
      'headed prototype of the name',
      'a quoted heading',
      'a title that is no name',
      'returns of a guide',
      'returns with prototype',
      'returns of the name',
      'function of another guide',
      'prototype without returns',
      'prototype with returns',
      'other',
      'support',
    ])
  })

  test('a section that is asked for is not taken for a poor answer to something else', () => {
    const found = ranked('zulu Calling 参数和约束', {
      name: {page: 'Calling', role: 'other'},
      parameters: {page: '甲。', role: 'parameters'},
      prototype: {page: '甲。', role: 'prototype'},
    })
    expect(found).toEqual(['parameters', 'name', 'prototype'])
  })
})

describe('words', () => {
  test('count by where they stand: title, heading, folder, text', () => {
    const [word, other] = ['矩阵', '缓冲']
    const at = (name: boolean, heading: boolean, place: boolean, text: boolean): Part => ({
      page: name ? word : '甲',
      headings: heading ? ['乙', word] : ['乙'],
      path: place ? `${word}/x.md` : 'x.md',
      markdown: text ? word : other,
    })
    const found = ranked(word, {
      text: at(false, false, false, true),
      folder: at(false, false, true, false),
      'folder and text': at(false, false, true, true),
      heading: at(false, true, false, false),
      title: at(true, false, false, false),
      'the same': at(true, false, false, false),
      'heading and folder': at(false, true, true, false),
      'title, heading and text': at(true, true, false, true),
    })
    expect(found).toEqual([
      'title, heading and text',
      'heading and folder',
      'title',
      'the same',
      'heading',
      'folder and text',
      'folder',
      'text',
    ])
  })

  test('are looked for in the two folders above a page, and in headings below its title', () => {
    const found = ranked('矩阵', {
      'the page itself': {page: '甲', path: '乙/矩阵.md'},
      'its folder': {page: '甲', path: '矩阵/x.md'},
      'the folder above': {page: '甲', path: '矩阵/乙/x.md'},
      'the one above that': {page: '甲', path: '矩阵/丙/乙/x.md'},
      'the first heading': {page: '甲', headings: ['矩阵', '乙']},
    })
    expect(found).toEqual(['its folder', 'the folder above'])
  })

  test('of the field count half of the words that they stand for', () => {
    // A quoted heading makes up for it.
    const found = ranked('alignment zulu 123', {
      Chinese: {page: '甲', heading: '123', markdown: '对齐'},
      English: {page: '甲', markdown: 'zulu'},
    })
    expect(found).toEqual(['Chinese', 'English'])
  })

  test('that only put a question count little, and nothing from a twelfth of the sections on', () => {
    const best = (count: number) => {
      const texts = ['zulu golf', 'zulu show', 'show golf', 'show show golf']
      const rest = Array.from({length: count - texts.length}, () => 'hotel golf')
      return searchOf([...texts, ...rest].map((text) => sectionOf({page: '甲', markdown: text}))).answering(
        'show zulu',
        4,
      )
    }
    expect(best(36)).toEqual([0, 1])
    expect(best(37)).toEqual([1, 0, 3, 2])
  })

  test('count less as parts of a name than in a heading, and more than in a text', () => {
    const found = ranked('zulu AlphaBravo', {
      text: {page: 'DeltaEcho', markdown: 'zulu'},
      part: {page: 'AlphaEcho', markdown: 'golf'},
      heading: {page: 'GolfEcho', heading: 'zulu hotel', markdown: 'golf'},
    })
    expect(found).toEqual(['heading', 'part', 'text'])
  })
})

describe('sections like another have the eight rarest of its words', () => {
  const letters = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel', 'india']
  const of = (page: string, words: readonly string[], heading?: string) =>
    sectionOf({page, markdown: words.join(' '), ...(heading !== undefined && {heading})})
  const similar = (count: number, ...sections: DocSection[]) =>
    searchOf(sections).similar(sections[0]!, count, () => true)

  test('of words as rare those that come first in the alphabet', () => {
    const own = of('甲', [...letters].reverse())
    const others = [of('乙', letters.slice(0, 6)), of('丙', letters.slice(2, 8)), of('丁', letters.slice(3))]
    // So that each letter stands in three of the others.
    const fill = ['alpha', 'alpha', 'bravo', 'bravo', 'charlie', 'golf', 'hotel', 'india', 'india'].map((word) =>
      of('戊', [word]),
    )
    expect(similar(9, own, ...others, ...fill).sort()).toEqual([1, 2])
    expect(similar(1, own, ...others, ...fill)).toHaveLength(1)
  })

  test('those that are rare, also where they stand in headings, and not in titles', () => {
    const rare = letters.slice(0, 8)
    const usual = ['zulu', 'yankee', 'xray', 'whiskey']
    const own = of('甲', [...usual, ...rare.slice(0, 6)], rare.slice(6).join(' '))
    const sections = [
      own,
      of('乙', rare.slice(0, 4), rare.slice(4).join(' ')),
      of(rare.slice(0, 3).join(' '), rare.slice(3)),
      of('丙', usual),
      of('丁', [...usual, ...rare.slice(0, 4)]),
      of('戊', [...usual, ...rare.slice(4)]),
    ]
    expect(similar(9, ...sections)).toEqual([1])
  })
})
