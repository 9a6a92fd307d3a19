import {describe, expect, test} from 'vitest'
import type {DocSection} from '../../../datasets/schema/document.ts'
import {SectionSearch} from '../../../pipelines/documentation/relate.ts'
import {docSection} from '../../helpers/doc-section.ts'

function searchOf(sections: readonly DocSection[]): SectionSearch {
  const search = new SectionSearch()
  for (const one of sections) search.add(one)
  return search
}

describe('similar sections', () => {
  const move = docSection({page: 'Move', markdown: '把分形矩阵搬运到缓冲。'})
  const carry = docSection({page: 'Carry', markdown: '把分形矩阵搬运到缓冲，随路转换。'})
  const far = docSection({page: 'Far', markdown: '分形以外的另一件事。'})
  const search = searchOf([
    docSection({page: 'Move', heading: '约束', markdown: '分形矩阵搬运缓冲。'}),
    move,
    carry,
    far,
  ])

  test('are of other pages, have most of the rare words, and fit', () => {
    expect(search.similar(move, 3, () => true)).toEqual([2])
    expect(search.similar(move, 3, (id) => id !== 2)).toEqual([])
  })
})

describe('sections like another', () => {
  const words = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel']
  const of = (page: string, own: readonly string[]) =>
    docSection({page, role: 'function', headings: [page], markdown: own.join(' ')})
  const similar = (...sections: DocSection[]) => searchOf(sections).similar(sections[0]!, 10, () => true)

  test.each([
    [5, []],
    [6, [1]],
    [7, [1]],
    [8, [1]],
  ])('share %i of the eight words: three quarters are enough', (count, found) => {
    const rest = of('rest', [...words.slice(count), '其余'])
    expect(similar(of('own', words), of('other', words.slice(0, count)), rest, rest)).toEqual(found)
  })

  test('words that no other section has tell nothing', () => {
    const alone = Array.from({length: 20}, (_, at) => `unheard${String.fromCharCode(97 + at)}`)
    expect(similar(of('own', [...words.slice(0, 4), ...alone]), of('other', words.slice(0, 4)))).toEqual([1])
  })

  test('a section of the same page is not another', () => {
    const own = of('own', words)
    expect(similar(own, {...own, origin: own.origin, headings: ['own', 'more']})).toEqual([])
  })
})
