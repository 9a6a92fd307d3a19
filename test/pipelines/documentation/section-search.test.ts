import {expect, test} from 'vitest'
import type {DocSection} from '../../../datasets/schema/document.ts'
import {SectionSearch} from '../../../pipelines/documentation/section-search.ts'

const section = (page: string, markdown: string): DocSection => ({
  origin: {repository: 'r', revision: 'v', path: `${page}.md`, licence: 'Apache-2.0'},
  page,
  language: 'zh',
  headings: [page],
  role: 'function',
  markdown,
  context: '',
})

function searchOf(sections: readonly DocSection[]): SectionSearch {
  const search = new SectionSearch()
  for (const one of sections) search.add(one)
  return search
}

const move = section('Move', '把数据搬运到另一处。')
const guide = section('概述', '本页多次提到Move：先调用Move，再调用Move。')
const carry = section('Carry', '把数据搬运到另一处,与Move相同。')

test('a title answers a question better than a mention', () => {
  expect(searchOf([guide, move]).answering('Move有什么作用', 2)).toEqual([1, 0])
  expect(searchOf([guide, move]).answering('Move有什么作用', 1)).toEqual([1])
})

test('a section is related to other pages, as far as they fit', () => {
  const search = searchOf([guide, move, carry])
  expect(search.related(move, 3, () => true)).toContain(2)
  expect(search.related(move, 3, () => true)).not.toContain(1)
  expect(search.related(move, 3, (id) => id !== 2)).not.toContain(2)
})
